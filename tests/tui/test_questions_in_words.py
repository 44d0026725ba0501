"""A question that waits for words, on the screen: it is shown, the prompt says so, and the next line answers it."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.tui.prompt import PLACEHOLDER

Open = Callable[..., AbstractAsyncContextManager[Any]]

ORDER = {"order": Reply(wants="What would you like?", pieces=["It is on its way."])}


async def test_the_next_line_answers_the_question_that_is_shown(stage: Open) -> None:
    async with stage(assistant=ScriptedAssistant(ORDER)) as on:
        await on.say("order")
        await on.shows("What would you like?")
        await on.until(lambda: on.app.prompt.placeholder == "your answer: What would you like?")
        assert on.app.status.state == "waiting"
        await on.say("noodles")
        await on.shows("noodles. It is on its way.")
        await on.until(lambda: on.app.prompt.placeholder == PLACEHOLDER)


async def test_commands_work_while_a_question_waits(stage: Open) -> None:
    async with stage(assistant=ScriptedAssistant(ORDER)) as on:
        await on.say("order")
        await on.shows("What would you like?")
        await on.say("/mute")
        await on.until(lambda: "mute" in on.assistant.done)
        assert on.assistant.asked is not None
        await on.say("rice")
        await on.shows("rice. It is on its way.")


async def test_the_stop_key_ends_the_question(stage: Open) -> None:
    async with stage(assistant=ScriptedAssistant(ORDER)) as on:
        await on.say("order")
        await on.shows("What would you like?")
        await on.pilot.press("escape")
        await on.shows("no answer")
        await on.until(lambda: on.app.prompt.placeholder == PLACEHOLDER)
        assert on.assistant.asked is None
