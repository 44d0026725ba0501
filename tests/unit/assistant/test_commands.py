"""The table of commands: each does what it says, and no failure of one ends the conversation."""

import time
from types import SimpleNamespace

import pytest

from edgevox.assistant.commands import (
    COMMANDS,
    Leave,
    complete,
    help_rows,
    is_command,
    press,
    run_command,
)
from edgevox.assistant.engines import voice_name
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.errors import ConfigError
from edgevox.sims import ToyWorld
from edgevox.testing.assistant import Reply, ScriptedAssistant

TOOLS = [SimpleNamespace(name="set_light", description="Turn a light on or off."), SimpleNamespace(name="get_pose")]


@pytest.fixture
def assistant() -> ScriptedAssistant:
    return ScriptedAssistant(tools=TOOLS)


def test_the_scripted_assistant_is_what_front_ends_ask_for(assistant: ScriptedAssistant) -> None:
    surface: AssistantSurface = assistant
    assert surface.state == "idle"


@pytest.mark.parametrize(
    ("line", "ordered"),
    [
        ("/stop", "stop command"),
        ("/mute", "mute"),
        ("/unmute", "unmute"),
        ("/say", "repeat"),
        ("/say good morning", "say good morning"),
        ("/voice joe", "voice joe"),
        ("/lang german", "language de"),
        ("/model tiny.gguf", "model tiny.gguf"),
        ("/agent robot-scout", "agent robot-scout"),
        ("/reset", "reset"),
        ("/STOP", "stop command"),
    ],
)
def test_a_command_orders_what_it_says(assistant: ScriptedAssistant, line: str, ordered: str) -> None:
    run_command(assistant, line)
    assert assistant.done == [ordered]


def test_mute_typed_twice_stays_muted_but_its_key_toggles(assistant: ScriptedAssistant) -> None:
    run_command(assistant, "/mute")
    run_command(assistant, "/mute")
    assert assistant.muted
    press(assistant, "f2")
    assert not assistant.muted


def test_without_a_microphone_mute_says_so(assistant: ScriptedAssistant) -> None:
    def deaf(muted: bool) -> None:
        """Nothing listens, so nothing changes."""

    assistant.set_muted = deaf
    assert run_command(assistant, "/mute") == "There is no open microphone."


def test_the_stop_key_stops(assistant: ScriptedAssistant) -> None:
    assert press(assistant, "escape") == ""
    assert assistant.done == ["stop command"]


def test_a_key_of_no_command_does_nothing(assistant: ScriptedAssistant) -> None:
    assert press(assistant, "f12") is None


@pytest.mark.parametrize(("typed", "meant"), [("/hlep", "/help"), ("/stpo", "/stop"), ("/voicess", "/voices")])
def test_an_unknown_command_names_the_nearest(assistant: ScriptedAssistant, typed: str, meant: str) -> None:
    assert run_command(assistant, typed) == f"There is no command {typed}; did you mean {meant}?"


def test_a_command_that_resembles_none_points_to_the_help(assistant: ScriptedAssistant) -> None:
    assert run_command(assistant, "/x") == "There is no command /x; /help lists them."


def test_help_shows_every_command(assistant: ScriptedAssistant) -> None:
    shown = run_command(assistant, "/help")
    assert [usage for usage, _, _ in help_rows() if usage not in shown] == []
    assert run_command(assistant, "/help voice").startswith("/voice [NAME]: ")


def test_tools_are_listed_with_what_they_do(assistant: ScriptedAssistant) -> None:
    assert run_command(assistant, "/tools").splitlines() == ["set_light  Turn a light on or off.", "get_pose"]
    assert "set_light, get_pose" in run_command(assistant, "/agent")


def test_the_agents_are_listed_and_completed(assistant: ScriptedAssistant) -> None:
    listed = run_command(assistant, "/agents").splitlines()
    assert {"robot-scout", "dev"} <= {line.split()[0] for line in listed}
    assert complete(assistant, "/agent robot-s") == ["/agent robot-scout"]


def test_an_unknown_agent_is_a_sentence(assistant: ScriptedAssistant) -> None:
    assert run_command(assistant, "/agent nobody") == "There is no agent called 'nobody'; did you mean home?"


def test_a_map_is_drawn_where_there_is_a_world(assistant: ScriptedAssistant) -> None:
    assert run_command(assistant, "/map") == "casa has no world to draw; robot-scout has one: /agent robot-scout."
    assistant.deps = ToyWorld()
    assert "living room" in run_command(assistant, "/map")


def test_a_map_leaves_room_for_what_is_around_it_in_a_small_window(
    assistant: ScriptedAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "16")
    assistant.deps = ToyWorld()
    drawn = run_command(assistant, "/map").splitlines()
    assert 6 <= len(drawn) <= 9
    assert max(map(len, drawn)) <= 26


def test_an_agent_without_tools_says_so() -> None:
    assert run_command(ScriptedAssistant(), "/tools") == "This agent has no tools."


def test_the_trace_of_the_last_turn_is_a_table(assistant: ScriptedAssistant) -> None:
    assert run_command(assistant, "/trace") == "Nothing has been said yet."
    handle = assistant.submit("hello")
    assert handle.wait(2) is not None
    shown = run_command(assistant, "/trace")
    assert "speech to text         96 ms" in shown
    assert "no model call" in shown


def test_the_trace_says_what_the_devices_lost(assistant: ScriptedAssistant) -> None:
    assert assistant.submit("hello").wait(2) is not None
    assert "overflows" not in run_command(assistant, "/trace")
    assistant.voice_parts.microphone = SimpleNamespace(counts=SimpleNamespace(overflow=3, dropped=0))
    assistant.voice_parts.speaker = SimpleNamespace(underflows=2)
    shown = run_command(assistant, "/trace")
    assert "microphone overflows   3" in shown
    assert "loudspeaker gaps       2" in shown
    assert "not heard" not in shown


def test_the_voice_in_use_is_named_behind_its_cache(assistant: ScriptedAssistant) -> None:
    assistant.voice_parts.tts = SimpleNamespace(engine=SimpleNamespace(voice=SimpleNamespace(name="piper-en-joe")))
    assert voice_name(assistant) == "piper-en-joe"


def test_an_error_for_people_is_its_sentence(assistant: ScriptedAssistant) -> None:
    assert run_command(assistant, "/voice nobody") == "There is no voice nobody; did you mean joe?"
    assert "did you mean" in run_command(assistant, "/lang germn")


def test_a_fault_inside_a_command_is_words_and_not_an_exception(assistant: ScriptedAssistant) -> None:
    def broken(spec: str) -> None:
        raise RuntimeError("the [wire] is cut")

    assistant.set_model = broken
    assert run_command(assistant, "/model x") == "/model failed: the [wire] is cut."


def test_a_config_error_is_not_logged_as_a_fault(
    assistant: ScriptedAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(spec: str) -> None:
        raise ConfigError("No.")

    assistant.set_model = refuse
    assert run_command(assistant, "/model x") == "No."
    assert caplog.records == []


def test_quit_leaves(assistant: ScriptedAssistant) -> None:
    with pytest.raises(Leave):
        run_command(assistant, "/quit")


def test_yes_and_no_answer_only_an_open_question() -> None:
    assistant = ScriptedAssistant({"unlock": Reply(asks="Unlock the door?", pieces=("Unlocked.",))})
    assert run_command(assistant, "/yes") == "There is no open question."
    handle = assistant.submit("unlock")
    deadline = time.monotonic() + 2
    while assistant.question is None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert run_command(assistant, "/yes") == "Yes."
    outcome = handle.wait(2)
    assert outcome is not None
    assert outcome.reply == "Unlocked."


def test_a_question_about_leave_takes_how_long_a_yes_holds() -> None:
    assistant = ScriptedAssistant({"unlock": Reply(asks="May I?", scopes=("once", "always"), pieces=("Unlocked.",))})
    handle = assistant.submit("unlock")
    deadline = time.monotonic() + 2
    while assistant.question is None and time.monotonic() < deadline:
        time.sleep(0.005)
    assert complete(assistant, "/yes a") == ["/yes always"]
    assert run_command(assistant, "/yes whenever") == "This question takes /yes, once or always; it is still open."
    assert run_command(assistant, "/yes always") == "Yes, always."
    outcome = handle.wait(2)
    assert outcome is not None
    assert assistant.done == ["yes always"]


def test_only_a_leading_slash_is_a_command() -> None:
    assert is_command("  /help")
    assert not is_command("what is 1/2")


def test_names_and_arguments_are_completed(assistant: ScriptedAssistant) -> None:
    assert complete(assistant, "/vo") == ["/voice ", "/voices"]
    assert complete(assistant, "/lang d") == ["/lang de", "/lang da"]
    assert complete(assistant, "hello") == []
    assert complete(assistant, "/nothing x") == []


def test_no_two_commands_share_a_key() -> None:
    keys = [command.key for command in COMMANDS.values() if command.key]
    assert len(keys) == len(set(keys))
