"""The first start without models: said in one line, downloaded only when told to, and typing works all the same."""

from dataclasses import replace
from pathlib import Path

import pytest

from edgevox.assistant.first_start import lacking, prepare
from edgevox.assistant.getting import Fetch
from edgevox.assistant.options import Mode, Options
from edgevox.config.settings import Settings, SttSettings, TtsSettings
from edgevox.core.errors import Cancelled, DownloadError, ModelMissing
from edgevox.testing import ScriptedDesk, ScriptedSource

SIMPLE = Options(simple_ui=True)
HUB = "hf:owner/name:file.gguf"


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    monkeypatch.setenv("EDGEVOX_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))


def start(
    options: Options, desk: ScriptedDesk, get: Fetch, settings: Settings | None = None
) -> tuple[Options, list[str]]:
    options, left = prepare(options, settings or Settings(), desk, get=get)
    return options, list(left)


def test_text_mode_needs_no_model_and_asks_nothing() -> None:
    desk, source = ScriptedDesk(), ScriptedSource()
    assert start(Options(text_mode=True), desk, source) == (Options(text_mode=True), [])
    assert desk.asked == []


def test_what_is_missing_is_one_line_with_its_size() -> None:
    desk = ScriptedDesk(answer=False)
    _, (sentence,) = start(SIMPLE, desk, ScriptedSource())
    assert desk.asked[0].endswith("to download). Download now?")
    assert sentence.startswith("Not on this machine yet: ")
    assert "whisper-tiny.en" in sentence
    assert "MB to download" in sentence
    assert "\n" not in sentence


def test_a_yes_downloads_what_is_missing_and_shows_how_far_it_is() -> None:
    desk, source = ScriptedDesk(answer=True), ScriptedSource()
    options, left = start(SIMPLE, desk, source)
    assert options is SIMPLE
    assert left == []
    assert set(source.fetched) >= {"whisper-tiny.en", "piper-en-joe"}
    assert [progress.model for progress in desk.shown] == source.fetched


def test_the_flag_agrees_without_a_question() -> None:
    desk, source = ScriptedDesk(answer=False), ScriptedSource()
    start(replace(SIMPLE, yes=True), desk, source)
    assert desk.asked == []
    assert "whisper-tiny.en" in source.fetched


@pytest.mark.parametrize("answer", [False, None])
def test_without_a_yes_nothing_is_downloaded_and_the_voice_loop_becomes_a_chat(answer: bool | None) -> None:
    source = ScriptedSource()
    options, left = start(SIMPLE, ScriptedDesk(answer=answer), source)
    assert source.fetched == []
    assert options.mode is Mode.TEXT
    assert "edgevox models get" in left[0]


def test_the_full_screen_stays_because_it_takes_typed_words() -> None:
    options, left = start(Options(), ScriptedDesk(answer=False), ScriptedSource())
    assert options.mode is Mode.SCREEN
    assert len(left) == 1


def test_a_recording_that_nobody_can_hear_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="--yes"):
        start(Options(say=tmp_path / "x.wav"), ScriptedDesk(answer=False), ScriptedSource())


def test_a_failed_download_is_its_sentence_and_the_next_is_tried() -> None:
    source = ScriptedSource({"whisper-tiny.en": DownloadError("No network.")})
    options, left = start(SIMPLE, ScriptedDesk(answer=True), source)
    assert left == ["No network."]
    assert "piper-en-joe" in source.fetched
    assert options.mode is Mode.TEXT


def test_a_cancelled_download_ends_the_others_too() -> None:
    source = ScriptedSource({"piper-en-joe": Cancelled("user"), "whisper-tiny.en": Cancelled("user")})
    _, left = start(SIMPLE, ScriptedDesk(answer=True), source)
    assert "cancelled" in left[0]
    assert source.fetched[-1] in source.failures


def test_a_named_hub_file_that_the_person_cancels_ends_the_others_too() -> None:
    source = ScriptedSource({HUB: Cancelled("user")})
    options, left = start(replace(SIMPLE, model=HUB), ScriptedDesk(answer=True), source)
    assert source.fetched == [HUB]
    assert left == [f"The download of {HUB} was cancelled; what has come is kept for the next time."]
    assert options.mode is Mode.TEXT


def test_naming_a_hub_file_is_saying_yes() -> None:
    desk, source = ScriptedDesk(answer=False), ScriptedSource()
    start(Options(text_mode=True, model=HUB), desk, source)
    assert source.fetched == [HUB]
    assert desk.asked == []


def test_a_hub_file_that_cannot_be_had_is_an_error() -> None:
    with pytest.raises(DownloadError):
        start(Options(text_mode=True, model=HUB), ScriptedDesk(), ScriptedSource({HUB: DownloadError("No network.")}))


def test_a_named_model_of_the_catalogue_is_asked_for() -> None:
    lack = lacking(Options(text_mode=True, model="smollm2-135m-instruct"), Settings())
    assert lack.names == ("smollm2-135m-instruct",)


def test_a_server_is_never_missing() -> None:
    assert lacking(Options(text_mode=True, model="http://box/v1#m"), Settings()).names == ()


def test_what_the_person_chose_is_what_is_missing() -> None:
    settings = Settings(stt=SttSettings(model="base"), tts=TtsSettings(engine="espeak"))
    names = lacking(SIMPLE, settings).names
    assert "whisper-base" in names
    assert "piper-en-joe" not in names
    assert "kokoro-82m-int8" in lacking(SIMPLE, Settings(tts=TtsSettings(engine="kokoro"))).names


def test_another_language_takes_the_multilingual_recogniser() -> None:
    names = lacking(SIMPLE, Settings(language="de")).names
    assert "whisper-base" in names
    assert "whisper-tiny.en" not in names


def test_without_speech_no_voice_is_missing() -> None:
    assert "piper-en-joe" not in lacking(replace(SIMPLE, no_tts=True), Settings()).names


@pytest.mark.parametrize("model", ["openrouter.z_ai__glm_5_3", "ollama#anything", "http://localhost:1/v1#m"])
def test_an_endpoint_needs_nothing_on_this_machine(model: str) -> None:
    assert lacking(Options(text_mode=True, model=model), Settings()).names == ()


def test_an_endpoint_of_this_machine_needs_its_model() -> None:
    options = Options(text_mode=True, model="local.smollm2_135m_instruct")
    assert lacking(options, Settings()).names == ("smollm2-135m-instruct",)
