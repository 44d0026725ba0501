"""Settings: their sources, what mistakes in them sound like, and what a save leaves alone."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from edgevox.config.paths import settings_file
from edgevox.config.settings import (
    Settings,
    load_settings,
    load_settings_or_defaults,
    save_settings,
    update_settings,
)
from edgevox.core.errors import ConfigError


def write(text: str) -> Path:
    path = settings_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def sections(tree: type[BaseModel]) -> list[tuple[str, type[BaseModel]]]:
    defaults = tree()
    return [
        (name, type(value)) for name in tree.model_fields if isinstance(value := getattr(defaults, name), BaseModel)
    ]


def test_without_a_file_the_defaults_hold() -> None:
    assert load_settings() == Settings()


def test_arguments_beat_variables_and_variables_beat_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write('language = "de"\n[stt]\nmodel = "file"\nbeam_size = 3\n[tts]\nspeed = 1.5\n')
    monkeypatch.setenv("EDGEVOX_STT__MODEL", "variable")
    monkeypatch.setenv("EDGEVOX_STT__BEAM_SIZE", "4")
    settings = load_settings(stt={"model": "argument"}, tts__voice="joe")
    assert (settings.language, settings.stt.model, settings.stt.beam_size) == ("de", "argument", 4)
    assert (settings.tts.speed, settings.tts.voice) == (1.5, "joe")


def test_an_argument_that_was_not_given_changes_nothing() -> None:
    write('language = "de"\n[stt]\nmodel = "file"\n')
    settings = load_settings(language=None, stt={"model": None}, llm__model=None)
    assert (settings.language, settings.stt.model) == ("de", "file")


def test_lists_and_switches_come_from_variables_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_SAFETY__STOP_WORDS", '["halt", "basta"]')
    monkeypatch.setenv("EDGEVOX_TURN__BARGE_IN", "false")
    settings = load_settings()
    assert settings.safety.stop_words == ("halt", "basta")
    assert settings.turn.barge_in is False


def test_the_variables_that_move_folders_are_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_MODELS", "/models")
    monkeypatch.setenv("EDGEVOX_DOWNLOAD_TIMEOUT", "5")
    assert load_settings() == Settings()


@pytest.mark.parametrize("locale", ["de", "DE", "de_AT", "de-CH"])
def test_a_locale_is_taken_for_its_language(locale: str) -> None:
    assert load_settings(language=locale).language == "de"


def test_a_wrong_value_in_the_file_names_file_line_field_and_fix() -> None:
    path = write('# mine\n[stt]\nmodel = "x"\n\n[tts]\nengine = "kokro"\n')
    with pytest.raises(ConfigError) as caught:
        load_settings()
    sentence = str(caught.value)
    assert f"{path}, line 6: tts.engine is 'kokro'" in sentence
    assert "'auto', 'piper', 'kokoro' or 'espeak'" in sentence


def test_a_misspelt_name_is_told_with_the_right_one() -> None:
    path = write("[stt]\nmodle = 'x'\n")
    with pytest.raises(ConfigError, match=r"stt\.modle is not a setting of edgevox; write stt\.model") as caught:
        load_settings()
    assert f"{path}, line 2" in str(caught.value)


def test_a_wrong_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_LLM__N_CTX", "many")
    with pytest.raises(ConfigError, match="The variable EDGEVOX_LLM__N_CTX is 'many'"):
        load_settings()


@pytest.mark.parametrize("text", ["a = = 3", "[stt\nmodel = 1", "x = 'never closed"])
def test_a_file_that_is_not_toml_names_the_place(text: str) -> None:
    path = write(text)
    with pytest.raises(ConfigError, match=r"is not valid TOML: .*(line \d+|end of document)") as caught:
        load_settings()
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_text_is_told() -> None:
    write("")
    settings_file().write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        load_settings()


def test_the_assistant_goes_on_with_defaults_for_what_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    write('[stt]\nbeam_size = 99\nmodel = "mine"\n[tts]\nengine = "kokro"\nspeed = 1.5\n[bogus]\na = 1\n')
    monkeypatch.setenv("EDGEVOX_LLM__N_CTX", "many")
    settings, problems = load_settings_or_defaults()
    assert settings.stt.beam_size == Settings().stt.beam_size
    assert (settings.stt.model, settings.tts.speed, settings.tts.engine) == ("mine", 1.5, "auto")
    assert len(problems) == 4
    assert {"beam_size", "engine", "bogus", "N_CTX"} <= {
        word for problem in problems for word in ("beam_size", "engine", "bogus", "N_CTX") if word in problem
    }


def test_a_value_under_a_wrong_one_comes_through(monkeypatch: pytest.MonkeyPatch) -> None:
    write("[stt]\nbeam_size = 3\n")
    monkeypatch.setenv("EDGEVOX_STT__BEAM_SIZE", "none")
    settings, problems = load_settings_or_defaults()
    assert settings.stt.beam_size == 3
    assert len(problems) == 1


def test_stop_words_that_cannot_be_used_leave_stopping_on() -> None:
    write('[safety]\nstop_words = ["halt", ""]\n')
    settings, problems = load_settings_or_defaults()
    assert settings.safety.stop_words is None
    assert "safety.stop_words" in problems[0]


def test_an_argument_that_cannot_be_used_is_an_error_even_then() -> None:
    with pytest.raises(ConfigError, match=r"stt\.threads is 0"):
        load_settings_or_defaults(stt={"threads": 0})


def test_a_save_keeps_comments_order_and_what_others_wrote() -> None:
    path = write('# mine\nlanguage = "de"\n\n[stt]\n# why\nbeam_size = 5  # five\n')
    settings = load_settings()
    settings.stt.beam_size = 1
    settings.turn.barge_in = False
    save_settings(settings)
    assert path.read_text() == (
        '# mine\nlanguage = "de"\n\n[stt]\n# why\nbeam_size = 1  # five\n\n[turn]\nbarge_in = false\n'
    )
    assert load_settings() == settings


def test_a_first_save_writes_only_what_differs() -> None:
    save_settings(Settings(language="fr"))
    assert settings_file().read_text() == 'language = "fr"\n'


@pytest.mark.parametrize(
    "changes",
    [
        {"language": "vi"},
        {"audio": {"input_device": "ALSA:Conf S1", "input_channel": 1}},
        {"safety": {"stop_words": ()}},
        {"safety": {"stop_words": ("halt", "stopp")}},
        {"llm": {"model": "hf:a/b:c.gguf", "temperature": 0.0}, "turn": {"barge_in": False}},
    ],
)
def test_what_is_saved_is_what_is_loaded(changes: dict[str, Any]) -> None:
    settings = Settings.model_validate(changes)
    save_settings(settings)
    assert load_settings() == settings


def test_single_values_are_changed_checked_and_removed() -> None:
    path = write("[stt]\nbeam_size = 5  # five\n")
    update_settings({"stt.model": "whisper-base", "language": "de"})
    assert load_settings().stt.model == "whisper-base"
    assert "# five" in path.read_text()
    update_settings({"stt.model": None})
    assert load_settings().stt.model == "auto"
    with pytest.raises(ConfigError, match=r"stt\.beam_size is 50"):
        update_settings({"stt.beam_size": 50})
    with pytest.raises(ConfigError, match=r"stt\.bem is not a setting"):
        update_settings({"stt.bem": 5})
    with pytest.raises(ConfigError, match=r"stt\.zzzzzzz is not a setting of edgevox; remove it"):
        update_settings({"stt.zzzzzzz": 5})
    assert load_settings().stt.beam_size == 5


def test_a_broken_file_is_never_overwritten() -> None:
    path = write("a = = 3  # precious")
    with pytest.raises(ConfigError, match="nothing was saved"):
        save_settings(Settings(language="fr"))
    assert path.read_text() == "a = = 3  # precious"


def test_assigning_checks_like_loading() -> None:
    settings = Settings()
    with pytest.raises(ValueError, match="less than 1"):
        settings.vad.threshold = 1.5
    assert settings.vad.threshold == 0.5


def test_every_setting_says_what_it_means_and_can_be_left_out() -> None:
    for section, tree in [("", Settings), *sections(Settings)]:
        for name, field in tree.model_fields.items():
            where = f"{section}.{name}".strip(".")
            if not isinstance(getattr(tree(), name), BaseModel):
                assert field.description, f"{where} has no docstring"
            if "None" in str(field.annotation):
                assert field.default is None, f"{where}: None could not be saved"
                assert "`None`" in (field.description or ""), f"{where} does not say what None means"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('deny = ["raed ~/x"]', "but there is no operation 'raed', only read, "),
        ('ask = ["switch"]', "but it names an operation and nothing that it is done to"),
        ('allow = ["device:"]', "but it needs a pattern"),
        ('allow = ["read ../x"]', "but it has '..'"),
        ("deny = 5", "but it should be a list, such as"),
        ("dney = []", "is not a setting of edgevox; write permissions.deny, or remove it"),
        ("ask_timeout_s = 0", "but it should be greater than or equal to 1"),
    ],
)
def test_a_rule_that_cannot_be_used_is_an_error_with_its_line_and_never_left_out(line: str, told: str) -> None:
    path = write(f"[permissions]\n{line}\n")
    with pytest.raises(ConfigError) as error:
        load_settings_or_defaults()
    assert f"{path}, line 2: permissions." in str(error.value)
    assert told in str(error.value)


def test_rules_are_saved_as_they_were_written() -> None:
    write('[permissions]\nask = [" switch device:light/* "]\n')
    settings = load_settings()
    assert settings.permissions.ask == ("switch device:light/*",)
    save_settings(settings)
    assert load_settings() == settings


def test_a_file_that_cannot_be_understood_and_may_hold_rules_is_an_error() -> None:
    write('[permissions]\ndeny = ["motion:**"\n')
    with pytest.raises(ConfigError, match="is not valid TOML"):
        load_settings_or_defaults()
    write("[stt\n")
    assert load_settings_or_defaults()[0] == Settings()
