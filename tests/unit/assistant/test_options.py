"""The table of options: what is read, what is refused in one sentence, which setting each flag reaches."""

from pathlib import Path
from typing import get_args

import pytest

from edgevox.assistant.options import OPTIONS, TTS_ENGINES, Mode, Options, parse_options
from edgevox.config.settings import Settings, TtsSettings, load_settings
from edgevox.core.errors import UsageError


def parse(*argv: str) -> Options:
    return parse_options(argv, prog="my_agent")


def refusal(*argv: str) -> str:
    with pytest.raises(UsageError) as refused:
        parse(*argv)
    sentence = str(refused.value)
    assert sentence.count("\n") == 0
    assert sentence.endswith((".", "?"))
    return sentence


@pytest.mark.parametrize(
    ("argv", "mode"),
    [
        ((), Mode.SCREEN),
        (("--text-mode",), Mode.TEXT),
        (("--simple-ui",), Mode.SIMPLE),
    ],
)
def test_a_flag_chooses_the_front_end(argv: tuple[str, ...], mode: Mode) -> None:
    assert parse(*argv).mode is mode


def test_a_recording_wins_over_the_front_ends(tmp_path: Path) -> None:
    (tmp_path / "go.wav").touch()
    assert parse("--say", str(tmp_path / "go.wav"), "--text-mode").mode is Mode.RECORDING


def test_every_override_reaches_a_setting_that_exists(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    given = ("--model", "a.gguf", "--language", "German", "--voice", "joe", "--tts", "Piper", "--stt", "tiny")
    devices = ("--input-device", "Conf S1", "--output-device", "3")
    settings = load_settings(**parse(*given, *devices).overrides())
    assert settings.llm.model == "a.gguf"
    assert settings.language == "de"
    assert (settings.tts.voice, settings.tts.engine, settings.stt.model) == ("joe", "piper", "tiny")
    assert (settings.audio.input_device, settings.audio.output_device) == ("Conf S1", "3")


def test_what_is_not_given_overrides_nothing() -> None:
    assert parse().overrides() == {}
    assert parse("--text-mode", "--yes").overrides() == {}


@pytest.mark.parametrize("option", [option for option in OPTIONS if option.setting], ids=lambda option: option.flag)
def test_each_setting_path_of_the_table_is_in_the_tree(option: object) -> None:
    node: object = Settings()
    for part in str(getattr(option, "setting", "")).split("."):
        node = getattr(node, part)


def test_the_engines_are_those_of_the_settings() -> None:
    assert set(TTS_ENGINES) == set(get_args(TtsSettings.model_fields["engine"].annotation))


@pytest.mark.parametrize("spec", ["hf:a/b", "hf:a/b:"])
def test_a_hub_model_without_its_file_is_one_sentence(spec: str) -> None:
    assert "no file: write hf:a/b:FILE.gguf" in refusal("--model", spec)


@pytest.mark.parametrize("spec", ["hf:a", "hf:", "  ", "qwen-nothing", "ftp://host/x"])
def test_what_cannot_be_a_model_is_one_sentence(spec: str) -> None:
    refusal("--model", spec)


def test_a_server_needs_its_model() -> None:
    assert parse("--model", "http://box:8080/v1#qwen3").model == "http://box:8080/v1#qwen3"
    assert "write http://box:8080/v1#MODEL" in refusal("--model", "http://box:8080/v1")


def test_a_hub_model_with_its_file_is_taken_as_it_is() -> None:
    spec = "hf:unsloth/Qwen2.5-3B-Instruct-GGUF:Qwen2.5-3B-Instruct-Q4_K_M.gguf"
    assert parse("--model", spec).model == spec


def test_an_unknown_language_names_the_nearest() -> None:
    assert "de (German)" in refusal("--language", "germn")
    assert "did you mean" in refusal("--language", "xx")


def test_a_language_is_known_by_locale_and_by_name() -> None:
    assert [parse("--language", name).language for name in ("pt-BR", "de_AT", "vietnamese", "EN")] == [
        "pt",
        "de",
        "vi",
        "en",
    ]


def test_a_recording_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    assert "There is no recording at" in refusal("--say", str(tmp_path / "nothing.wav"))


def test_an_answer_needs_a_recording_and_a_folder(tmp_path: Path) -> None:
    assert "--say" in refusal("--answer-to", str(tmp_path / "out.wav"))
    (tmp_path / "in.wav").touch()
    assert "folder" in refusal("--say", str(tmp_path / "in.wav"), "--answer-to", str(tmp_path / "no" / "out.wav"))


def test_two_front_ends_at_once_are_refused() -> None:
    assert "choose one" in refusal("--text-mode", "--simple-ui")


@pytest.mark.parametrize("argv", [("--nonsense",), ("--model",), ("extra",), ("--log-level", "loud"), ("--tts", "x")])
def test_whatever_cannot_be_understood_is_one_sentence(argv: tuple[str, ...]) -> None:
    refusal(*argv)


def test_an_option_is_not_guessed_from_its_beginning() -> None:
    refusal("--text")


def test_flags_without_effect_in_this_mode_are_known() -> None:
    assert parse("--text-mode", "--voice", "joe", "--mute").without_effect() == ["--voice", "--mute"]
    assert parse("--voice", "joe").without_effect() == []


def test_help_lists_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        parse("--help")
    assert left.value.code == 0
    shown = capsys.readouterr().out
    assert [option.flag for option in OPTIONS if option.flag not in shown] == []


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    from edgevox import __version__

    with pytest.raises(SystemExit):
        parse("--version")
    assert capsys.readouterr().out.strip() == f"edgevox {__version__}"
