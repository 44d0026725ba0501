"""`edgevox setup`: facts, a choice with its reason, measurements, and what is written down."""

import argparse
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.cli import setup
from edgevox.cli.measuring import EngineBench, Speed, choose
from edgevox.cli.setup import describe, measure_and_record, selection
from edgevox.config.machine import Machine
from edgevox.config.paths import settings_file
from edgevox.config.settings import Settings, load_settings
from edgevox.testing import ModelServer

MACHINE = Machine(cores=2, memory_bytes=8_000_000_000, disk_bytes=50_000_000_000, hub_reachable=False)
SMALL = {
    "silero-vad",
    "whisper-tiny.en",
    "piper-en-joe",
    "kokoro-82m-int8",
    "kokoro-voices",
    "qwen2.5-coder-1.5b-instruct",
}


class FakeBench:
    """Answers with what a test says this machine does; what it does not name fails."""

    def __init__(self, **rates: float) -> None:
        self._rates = rates
        self.asked: list[str] = []

    def hearing(self, model: str) -> Speed:
        return self._speed(model, model.removeprefix("whisper-").replace(".", "_"))

    def speaking(self, engine: str) -> Speed:
        return self._speed(engine, engine)

    def answering(self, model: str) -> Speed:
        return self._speed(model, model.split("-", maxsplit=1)[0].replace(".", "_"))

    def _speed(self, name: str, key: str) -> Speed:
        self.asked.append(name)
        if key not in self._rates:
            return Speed(name=name, fault=f"{name} cannot be opened here.")
        return Speed(name=name, load_s=1.0, rate=self._rates[key])


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("EDGEVOX_MODELS", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def chosen(here: set[str], bench: FakeBench, language: str = "en") -> dict[str, str]:
    return dict(choose(here, language, bench)[0].settings)


def test_a_voice_slower_than_speech_gives_way_to_the_fast_one() -> None:
    bench = FakeBench(kokoro=0.75, piper=0.09, espeak=0.02, tiny_en=0.3, qwen2_5=11.0)
    choice, speeds = choose(SMALL, "en", bench)
    assert dict(choice.settings) == {
        "tts.engine": "piper", "stt.model": "whisper-tiny.en", "llm.model": "qwen2.5-coder-1.5b-instruct",
    }  # fmt: skip
    assert any("piper" in reason and "kokoro would take 0.75 s" in reason for reason in choice.reasons)
    assert {speed.name for speed in speeds} >= {"kokoro", "piper", "whisper-tiny.en"}


def test_a_fast_machine_gets_the_nicer_voice_and_the_better_ears() -> None:
    bench = FakeBench(kokoro=0.2, piper=0.03, espeak=0.01, base=0.15, tiny_en=0.05)
    picked = chosen({*SMALL, "whisper-base"}, bench)
    assert (picked["tts.engine"], picked["stt.model"]) == ("kokoro", "whisper-base")


def test_a_slow_machine_keeps_the_fast_ears() -> None:
    bench = FakeBench(piper=0.1, base=0.4, tiny_en=0.2)
    assert chosen({*SMALL, "whisper-base"}, bench)["stt.model"] == "whisper-tiny.en"


def test_where_everything_is_slow_the_fastest_is_taken_and_the_wait_is_told() -> None:
    bench = FakeBench(kokoro=3.0, piper=0.9, tiny_en=2.0, qwen2_5=1.5)
    choice, _ = choose(SMALL, "en", bench)
    assert choice.settings["tts.engine"] == "piper"
    assert any("slower than speech" in reason for reason in choice.reasons)


def test_what_cannot_be_opened_is_no_candidate_and_its_reason_is_told() -> None:
    choice, speeds = choose(SMALL, "en", FakeBench(espeak=0.02))
    assert dict(choice.settings) == {"tts.engine": "espeak"}
    assert any("Nothing can hear here" in reason for reason in choice.reasons)
    assert any("no language model" in reason for reason in choice.reasons)
    assert {speed.fault for speed in speeds if speed.rate is None} >= {"kokoro cannot be opened here."}


def test_only_what_is_here_and_knows_the_language_is_measured() -> None:
    bench = FakeBench(espeak=0.02, base=0.2)
    picked = chosen({"whisper-base", "whisper-tiny.en", "piper-en-joe"}, bench, "de")
    assert picked == {"tts.engine": "espeak", "stt.model": "whisper-base"}
    assert bench.asked == ["espeak", "whisper-base"]


def test_the_choice_is_written_down_and_a_person_s_other_settings_stay() -> None:
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("# mine\n[llm]\nn_ctx = 2048  # enough\n")
    said: list[str] = []
    assert measure_and_record("en", FakeBench(espeak=0.02), said.append) == 0
    assert load_settings().tts.engine == "espeak"
    assert "# enough" in settings_file().read_text()
    assert any("espeak: 0.02 s for a second of sound" in line for line in said)
    assert any(str(settings_file()) in line for line in said)


def test_a_voice_is_timed_speaking_and_not_remembering() -> None:
    speed = EngineBench(Settings()).speaking("espeak")
    if speed.fault:
        pytest.skip(speed.fault)
    assert speed.rate is not None
    assert speed.rate > 1e-4


def test_the_facts_of_the_machine_are_one_line() -> None:
    assert describe(MACHINE) == (
        "This machine: 2 cores, 8.0 GB of memory, 50.0 GB free for models; the Hugging Face hub is out of reach."
    )


@pytest.mark.parametrize(
    ("set_name", "language", "holds", "lacks"),
    [
        ("tiny", "en", {"whisper-tiny.en", "piper-en-joe"}, {"whisper-base", "kokoro-82m-int8"}),
        ("tiny", "de", {"whisper-base", "silero-vad"}, {"whisper-tiny.en", "piper-en-joe"}),
        ("small", "fr", {"whisper-base", "kokoro-82m-int8", "kokoro-voices", "qwen2.5-coder-1.5b-instruct"},
         {"whisper-tiny.en", "piper-en-joe"}),
        ("small", "de", {"whisper-base", "qwen2.5-coder-1.5b-instruct"}, {"kokoro-82m-int8", "kokoro-voices"}),
        ("recommended", "en", {"qwen2.5-coder-1.5b-instruct"}, {"gemma-4-e2b-it"}),
    ],
)  # fmt: skip
def test_a_set_follows_the_language(set_name: str, language: str, holds: set[str], lacks: set[str]) -> None:
    names, reason = selection(set_name, MACHINE, language)
    assert holds <= set(names)
    assert not lacks & set(names)
    assert reason.endswith(".")


@pytest.fixture
def edgevox(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*words: str) -> tuple[int, str, str]:
        parser = argparse.ArgumentParser("edgevox")
        setup.add_parser(parser.add_subparsers())
        args = parser.parse_args(["setup", *words])
        code: int = args.run(args)
        out, err = capsys.readouterr()
        return code, out, err

    return run


def test_without_a_terminal_and_without_yes_nothing_is_downloaded(edgevox: Callable[..., tuple[int, str, str]]) -> None:
    code, out, _ = edgevox("--set", "tiny", "--no-measure")
    assert code == 1
    assert "This machine:" in out
    assert "`edgevox models get " in out
    assert not settings_file().exists()


def test_what_cannot_be_downloaded_is_a_sentence_each_and_nothing_is_written_down(
    edgevox: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    with ModelServer() as empty:
        for name, value in empty.environment.items():
            monkeypatch.setenv(name, value)
        code, out, err = edgevox("--set", "tiny", "--language", "en", "--yes")
    assert code == 1
    assert "Timing" not in out
    for name in ("whisper-tiny.en", "piper-en-joe"):
        (sentence,) = [line for line in out.splitlines() if line.startswith(f"The model {name} could not be had")]
        assert sentence.endswith(".")
    assert "Traceback" not in err
    assert not settings_file().exists()


@pytest.mark.parametrize("words", [("--language", "klingon!"), ("--language", "")])
def test_a_language_that_is_no_code_is_one_sentence(
    edgevox: Callable[..., tuple[int, str, str]], words: tuple[str, ...]
) -> None:
    code, _, err = edgevox(*words)
    assert code in {1, 2}
    assert err.startswith("edgevox setup: language is")
    assert err.count("\n") == 1
