"""Every key and every command orders what it says, in every state, also with something lying over the screen."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from edgevox.assistant.commands import COMMANDS
from edgevox.testing.assistant import ScriptedAssistant
from edgevox.tui.modals import PAUSE_S, HelpScreen, QuestionScreen

Open = Callable[..., AbstractAsyncContextManager[Any]]


@pytest.mark.parametrize(
    ("line", "ordered"),
    [
        ("/stop", "stop command"),
        ("/mute", "mute"),
        ("/say hello", "say hello"),
        ("/voice joe", "voice joe"),
        ("/lang de", "language de"),
        ("/model x.gguf", "model x.gguf"),
        ("/reset", "reset"),
    ],
)
async def test_a_typed_command_orders_what_it_says(stage: Open, line: str, ordered: str) -> None:
    async with stage() as on:
        await on.say(line)
        await on.until(lambda: ordered in on.assistant.done, ordered)
        await on.shows(line)


@pytest.mark.parametrize(
    ("key", "ordered"), [("f2", "mute"), ("f3", "repeat"), ("escape", "stop key"), ("ctrl+c", "stop key")]
)
async def test_a_key_orders_what_the_table_says(stage: Open, key: str, ordered: str) -> None:
    async with stage() as on:
        await on.pilot.press(key)
        await on.until(lambda: ordered in on.assistant.done, ordered)


async def test_an_interrupt_copies_what_is_marked_and_the_next_one_stops(stage: Open) -> None:
    async with stage() as on:
        await on.pilot.press(*"lamp", "shift+home", "ctrl+c")
        await on.until(lambda: on.app.clipboard == "lamp")
        assert "stop key" not in on.assistant.done
        await on.pilot.press("ctrl+c")
        await on.until(lambda: "stop key" in on.assistant.done)


async def test_two_interrupts_leave(stage: Open) -> None:
    async with stage() as on:
        await on.pilot.press("ctrl+c", "ctrl+c")
        await on.until(lambda: on.app.return_code == 0)
        assert "stop key" in on.assistant.done


async def test_every_command_of_the_table_is_answered(stage: Open) -> None:
    async with stage() as on:
        for name in COMMANDS:
            if name not in ("quit", "models", "devices"):
                on.app.enter(f"/{name}")
                await on.shows(f"/{name}")


async def test_the_trace_key_shows_the_stages_of_the_last_turn(stage: Open) -> None:
    async with stage() as on:
        await on.say("light")
        await on.shows("The kitchen light is on.")
        await on.pilot.press("f4")
        await on.shows("speech to text")


async def test_an_unknown_command_names_the_nearest(stage: Open) -> None:
    async with stage() as on:
        await on.say("/hlep")
        await on.shows("did you mean /help?")


async def test_escape_stops_a_running_turn(stage: Open) -> None:
    async with stage() as on:
        await on.say("go")
        await on.shows("Driving.")
        await on.pilot.press("escape")
        await on.until(lambda: on.assistant.last is not None and on.assistant.last.cancelled == "stop")
        await on.shows("Stopped.")


@pytest.mark.parametrize("opener", ["f1", "ctrl+p"])
async def test_escape_stops_with_something_over_the_screen_and_takes_it_away(stage: Open, opener: str) -> None:
    async with stage() as on:
        await on.pilot.press(opener)
        await on.until(lambda: len(on.app.screen_stack) == 2, opener)
        await on.pilot.press("escape")
        await on.until(lambda: "stop key" in on.assistant.done, "stop")
        await on.until(lambda: len(on.app.screen_stack) == 1, "gone")


async def test_escape_at_a_question_stops_and_the_answer_is_no(stage: Open) -> None:
    async with stage() as on:
        await on.say("unlock")
        await on.until(lambda: isinstance(on.app.screen, QuestionScreen), "asked")
        await on.pilot.press("escape")
        await on.until(lambda: on.assistant.question is None, "answered")
        assert "stop key" in on.assistant.done
        assert "yes" not in on.assistant.done
        await on.until(lambda: len(on.app.screen_stack) == 1, "gone")


@pytest.mark.parametrize(("keys", "ordered"), [(["y"], "yes"), (["n"], "no"), (["enter"], "no")])
async def test_a_question_is_answered_by_key_and_stands_on_no(stage: Open, keys: list[str], ordered: str) -> None:
    async with stage() as on:
        await on.say("unlock")
        await on.until(lambda: isinstance(on.app.screen, QuestionScreen), "asked")
        await on.pilot.pause(PAUSE_S + 0.1)
        await on.pilot.press(*keys)
        await on.until(lambda: ordered in on.assistant.done, ordered)
        await on.shows(f"{ordered} (key)")


@pytest.mark.parametrize(
    ("keys", "ordered"), [(["a"], "yes always"), (["c"], "yes conversation"), (["tab", "tab", "enter"], "yes always")]
)
async def test_a_question_about_leave_offers_answers_that_hold(stage: Open, keys: list[str], ordered: str) -> None:
    async with stage() as on:
        await on.say("enter")
        await on.until(lambda: isinstance(on.app.screen, QuestionScreen), "asked")
        await on.shows("May I switch door? yes, no, always, or for this conversation?")
        await on.pilot.pause(PAUSE_S + 0.1)
        await on.pilot.press(*keys)
        await on.until(lambda: ordered in on.assistant.done, ordered)


async def test_an_answer_that_holds_is_none_to_a_question_that_is_asked_each_time(stage: Open) -> None:
    async with stage() as on:
        await on.say("unlock")
        await on.until(lambda: isinstance(on.app.screen, QuestionScreen), "asked")
        await on.pilot.pause(PAUSE_S + 0.1)
        await on.pilot.press("a")
        await on.pilot.pause(PAUSE_S + 0.1)
        assert isinstance(on.app.screen, QuestionScreen)
        await on.pilot.press("n")
        await on.until(lambda: "no" in on.assistant.done, "no")
        assert "yes always" not in on.assistant.done


async def test_words_that_were_being_typed_do_not_answer_a_question(stage: Open) -> None:
    async with stage() as on:
        await on.say("unlock")
        await on.until(lambda: isinstance(on.app.screen, QuestionScreen), "asked")
        await on.pilot.press(*"why any")
        await on.pilot.pause(0.05)
        assert isinstance(on.app.screen, QuestionScreen)
        assert on.assistant.done.count("yes") == on.assistant.done.count("no") == 0
        await on.pilot.pause(PAUSE_S + 0.1)
        await on.pilot.press("y")
        await on.until(lambda: "yes" in on.assistant.done, "answered")


async def test_a_question_answered_by_voice_goes_away(stage: Open) -> None:
    async with stage() as on:
        await on.say("unlock")
        await on.until(lambda: isinstance(on.app.screen, QuestionScreen), "asked")
        on.assistant.answer(True)
        await on.until(lambda: len(on.app.screen_stack) == 1, "gone")
        await on.shows("Unlocked.")


async def test_typed_stop_is_not_held_up_by_an_order_that_hangs(stage: Open) -> None:
    async with stage() as on:
        hang = threading.Event()
        on.app.bridge.order(lambda: hang.wait(20))
        await on.say("stop")
        await on.until(lambda: "stop stop" in on.assistant.done, "stopped", timeout=5)
        hang.set()


async def test_help_is_made_of_the_table(stage: Open) -> None:
    async with stage(200, 60) as on:
        await on.pilot.press("f1")
        await on.until(lambda: isinstance(on.app.screen, HelpScreen), "help")
        await on.pilot.pause()
        shown = "\n".join(on.screen())
        assert [command.help for command in COMMANDS.values() if command.help not in shown] == []
        await on.pilot.press("f1")
        await on.until(lambda: len(on.app.screen_stack) == 1, "gone")


async def test_the_palette_knows_every_command_and_runs_one(stage: Open) -> None:
    async with stage(120, 120) as on:
        await on.pilot.press("ctrl+p")
        await on.until(lambda: all(f"/{name}" in "\n".join(on.screen()) for name in COMMANDS), "all listed")
        await on.pilot.press(*"forget")
        await on.until(lambda: "/stop" not in "\n".join(on.screen()), "searched")
        await on.pilot.press("enter")
        await on.until(lambda: "reset" in on.assistant.done, "run")


async def test_the_palette_puts_a_command_that_needs_a_word_into_the_input(stage: Open) -> None:
    async with stage() as on:
        on.app.begin_line("/voice ")
        await on.pilot.press(*"joe", "enter")
        await on.until(lambda: "voice joe" in on.assistant.done, "voice")


async def test_the_input_completes_commands_and_remembers_lines(stage: Open) -> None:
    async with stage() as on:
        await on.pilot.press(*"/vo", "tab")
        assert on.app.prompt.value == "/voice "
        await on.pilot.press("tab")
        assert on.app.prompt.value == "/voices"
        await on.pilot.press("enter", *"/tra", "tab", "enter", "up", "up")
        assert on.app.prompt.value == "/voices"
        await on.pilot.press("down", "down")
        assert on.app.prompt.value == ""


async def test_quit_leaves_within_two_seconds_although_closing_hangs(stage: Open) -> None:
    class Hanging(ScriptedAssistant):
        """Never lets go."""

        def close(self) -> None:
            threading.Event().wait(30)

    async with stage(assistant=Hanging()) as on:
        pressed = time.monotonic()
        await on.pilot.press("ctrl+q")
        await on.until(lambda: on.app.return_code is not None or not on.app.is_running, "left", timeout=5)
        assert time.monotonic() - pressed < 2.0


async def test_slash_quit_closes_the_assistant(stage: Open) -> None:
    async with stage() as on:
        await on.say("/quit")
        await on.until(lambda: "close" in on.assistant.done, "closed")
