"""What cannot be had is a notice; what was asked for by name is an error."""

import time
from pathlib import Path

import pytest

from edgevox.agents.definition import AgentDefinition
from edgevox.assistant.build import build_assistant
from edgevox.assistant.options import Options
from edgevox.chains import Agent
from edgevox.config.paths import settings_file
from edgevox.core.errors import EdgeVoxError, UsageError
from edgevox.core.kinds import MessageKind
from edgevox.core.messages import Message, Role
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import ScriptedModel
from edgevox.tools import tool

TYPED = Options(text_mode=True)


@tool(phrases=["turn {on} the {room} light[s]"], says="The {room} light is {on}.")
def set_light(room: str, on: bool) -> str:
    """Turn a light on or off."""
    return f"{room}: {on}"


CASA = AgentDefinition(name="casa", tools=(set_light,))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    return settings_file().parent


def answers(notices: list[str], options: Options = TYPED, model: ScriptedModel | None = None) -> str:
    assistant = build_assistant(CASA, options, model=model)
    notices.extend(assistant.notices)
    assistant.start()
    try:
        outcome = assistant.submit("turn on the kitchen light").wait(10)
    finally:
        assistant.close()
    assert outcome is not None
    return outcome.reply


def test_a_model_that_the_settings_name_and_nobody_knows_is_a_notice_that_says_where(home: Path) -> None:
    settings_file().write_text('[llm]\nmodel = "nope"\n')
    notices: list[str] = []
    assert answers(notices) == "The kitchen light is on."
    assert "llm.model = 'nope'" in notices[0]


def test_an_agent_that_was_made_with_a_model_of_its_own_is_told_of_no_other() -> None:
    assert any("no language model" in notice for notice in build_assistant(CASA, TYPED).notices)
    clerk = Agent(name="clerk", system_prompt="You wait.", agent_endpoint=MockLLMEndpoint(responses=["Done."]))
    assert build_assistant(AgentDefinition(name="clerk", agent=clerk), TYPED).notices == []


def test_a_model_that_the_command_line_names_and_nobody_knows_is_an_error(home: Path) -> None:
    with pytest.raises(EdgeVoxError, match="nope"):
        build_assistant(CASA, Options(text_mode=True, model="nope"))


def test_a_language_that_the_settings_name_and_nobody_speaks_becomes_english(home: Path) -> None:
    settings_file().write_text('language = "xx"\n')
    notices: list[str] = []
    assert answers(notices, model=ScriptedModel()) == "The kitchen light is on."
    assert "'xx'" in notices[0]
    assert notices[0].endswith("English is used.")


def test_a_list_of_models_that_cannot_be_read_leaves_typing_alone(home: Path) -> None:
    (home / "models.toml").write_text("this is = not [toml")
    notices: list[str] = []
    assert answers(notices) == "The kitchen light is on."
    assert any("models.toml" in notice for notice in notices)


def test_an_engine_that_cannot_be_had_leaves_the_other_half_of_the_voice(home: Path) -> None:
    settings_file().write_text('[tts]\nvoice = "nowhere.onnx"\n\n[stt]\nmodel = "no-such-model"\n')
    assistant = build_assistant(CASA, Options(simple_ui=True), model=ScriptedModel())
    assert assistant.voice_parts.vad is not None
    assert assistant.voice_parts.microphone is not None


def test_an_unknown_voice_is_refused_with_the_nearest(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assistant = build_assistant(CASA, TYPED, model=ScriptedModel())
    from edgevox.speech.factory import available_voices

    names = [voice.name for voice in available_voices("en")]
    if not names:
        pytest.skip("no English voice, not even espeak-ng, is on this machine")
    with pytest.raises(UsageError, match="did you mean"):
        assistant.set_voice("nobody-at-all")


def test_every_tool_call_is_noted_unless_the_settings_say_otherwise(home: Path) -> None:
    from edgevox.agents.audit import read_audit

    answers([])
    (entry,) = read_audit(10)
    assert (entry.who, entry.tool, entry.arguments) == ("casa", "set_light", {"room": "kitchen", "on": True})
    settings_file().write_text("[log]\naudit = false\n")
    answers([])
    assert len(read_audit(10)) == 1


def test_a_model_that_was_let_go_is_not_asked_to_sum_up(home: Path) -> None:
    model = ScriptedModel(otherwise="They talked.", context_size=1200)
    assistant = build_assistant(CASA, TYPED, model=model)
    for _ in range(30):
        assistant.session.add(Message.text("word " * 30))
        assistant.session.add(Message.text("word " * 30, Role.ASSISTANT))
    assistant.start()
    assert assistant.submit("turn on the kitchen light").wait(10) is not None
    assistant.close()
    time.sleep(1.5)
    assert model.requests == []


def test_a_long_conversation_is_summed_up_while_nobody_speaks_unless_it_is_switched_off(home: Path) -> None:
    def after_a_turn(on: bool) -> tuple[list[Message], int]:
        settings_file().write_text(f"[llm]\ncompact_when_idle = {str(on).lower()}\n")
        model = ScriptedModel(otherwise="They talked.", context_size=1200)
        assistant = build_assistant(CASA, TYPED, model=model)
        for number in range(30):
            assistant.session.add(Message.text(f"question {number}"))
            assistant.session.add(Message.text("word " * 30, Role.ASSISTANT))
        assistant.start()
        try:
            assert assistant.submit("turn on the kitchen light").wait(10) is not None
            until = time.monotonic() + (20 if on else 2)
            while not model.requests and time.monotonic() < until:
                time.sleep(0.05)
            while on and len(assistant.session.messages) > 50 and time.monotonic() < until:
                time.sleep(0.05)
        finally:
            assistant.close()
        return assistant.session.messages, len(model.requests)

    messages, _ = after_a_turn(on=True)
    assert messages[0].kind == MessageKind.COMPACTED_CONTEXT
    assert "They talked." in messages[0].plain
    assert messages[-1].plain == "The kitchen light is on."
    assert after_a_turn(on=False)[1] == 0
