"""What happens is shown where it belongs, as it is, and a flood of it leaves the keys alive."""

import threading
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from types import SimpleNamespace
from typing import Any

from edgevox.agents.handoff import HandoffNews
from edgevox.core.events import AgentEvent
from edgevox.core.frames import SpokenFrame, TranscriptionFrame
from edgevox.core.messages import ToolUseBlock
from edgevox.core.tools import ToolCallResult
from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.tui.bridge import coalesced
from edgevox.tui.chat import KEPT, PART

Open = Callable[..., AbstractAsyncContextManager[Any]]


async def test_a_turn_is_told_with_its_tool_call_its_reply_and_its_time(stage: Open) -> None:
    async with stage() as on:
        await on.say("light")
        await on.shows("The kitchen light is on.")
        assert on.chat.splitlines() == [
            "I am casa.",
            "light",
            '↳ set_light(room="kitchen", on=true) → on',
            "The kitchen light is on.",
        ]
        await on.until(lambda: any("0.41 s" in row for row in on.screen()), "time")
        assert any("end 180 · stt 96 · decide 1 · tts 135" in row for row in on.screen())


async def test_a_failed_call_has_another_class_a_cross_and_its_error(stage: Open) -> None:
    async with stage() as on:
        await on.say("garage")
        await on.shows("✗ failed: there is no garage")
        line = next(entry for entry in on.app.chat.entries if "✗" in entry.text)
        assert line.has_class("failed")
        card = on.app.tools.cards[-1]
        assert card.has_class("failed")
        assert any("✗ set_light" in row for row in on.screen())


async def test_markup_and_control_characters_are_shown_as_they_are(stage: Open) -> None:
    async with stage() as on:
        await on.say("markup")
        await on.until(lambda: any("[kitchen] is on [/done] ␛[31m" in row for row in on.screen()), "verbatim")
        on.assistant.emit("error", "[/nonsense] [bold")
        on.assistant.emit("tool_call", ToolCallResult(name="x", arguments={"y": "[/z]"}, result="[red]\x07"))
        await on.until(lambda: any("[/nonsense] [bold" in row for row in on.screen()), "error verbatim")
        await on.until(lambda: any("[red]␇" in row for row in on.screen()), "result verbatim")


async def test_an_error_does_not_end_the_conversation(stage: Open) -> None:
    async with stage() as on:
        await on.say("fail")
        await on.shows("The model is gone.")
        await on.say("light")
        await on.shows("The kitchen light is on.")


async def test_what_is_missing_is_said_first_and_in_the_status_line(stage: Open) -> None:
    async with stage(assistant=ScriptedAssistant(notices=["No microphone was found."])) as on:
        await on.shows("No microphone was found.")
        assert any("▲ degraded" in row for row in on.screen())


async def test_a_partial_transcript_is_replaced_by_what_was_heard(stage: Open) -> None:
    async with stage() as on:
        on.assistant.emit("heard_partial", TranscriptionFrame(text="turn on"))
        await on.shows("turn on")
        on.assistant.emit("heard_partial", TranscriptionFrame(text="turn on the"))
        await on.shows("turn on the")
        assert on.app.chat.entries[-1].has_class("partial")
        on.assistant.emit("heard", TranscriptionFrame(text="turn on the light"))
        await on.shows("turn on the light")
        await on.until(lambda: not on.app.chat.query(".partial"), "partial gone")


async def test_what_was_spoken_and_where_it_was_cut_is_marked(stage: Open) -> None:
    async with stage() as on:
        for turn, frame in ((1, SpokenFrame(text="It is on.")), (2, SpokenFrame(text="It is", cut=True))):
            on.assistant.emit("text_delta", f"Reply {turn}.", turn)
            on.assistant.emit("agent_message", f"Reply {turn}.", turn)
            on.assistant.emit("spoken", frame, turn)
        await on.shows("cut after “It is”")
        await on.until(lambda: any("Reply 1." in row and "► spoken" in row for row in on.screen()), "spoken")
        await on.until(lambda: any("Reply 2." in row and "✂ cut" in row for row in on.screen()), "cut")


async def test_a_card_follows_a_running_action_to_its_end(stage: Open) -> None:
    async with stage() as on:
        on.assistant.emit("tool_use", ToolUseBlock(tool_name="navigate_to", tool_use_id="g7", input={"room": "office"}))
        await on.until(lambda: len(on.app.tools.cards) == 1, "card")
        on.assistant.emit(
            "skill_feedback", SimpleNamespace(name="navigate_to", tool_use_id="g7", feedback={"progress": 0.41})
        )
        await on.until(lambda: any("navigate_to: 41 %" in row for row in on.screen()), "progress")
        on.assistant.emit(
            "tool_call", ToolCallResult(name="navigate_to", tool_use_id="g7", result="there", runtime_ms=2100)
        )
        await on.until(lambda: any("there" in row for row in on.screen()), "result")
        assert len(on.app.tools.cards) == 1
        assert any("model · 2.1 s" in row for row in on.screen())


async def test_every_state_is_a_glyph_and_a_word(stage: Open) -> None:
    async with stage() as on:
        for state, shown in (("listening", "● listening"), ("thinking", "◌ thinking"), ("stopped", "■ stopped")):
            on.assistant.set_state(state)
            await on.until(lambda shown=shown: shown in on.screen()[0], shown)
        on.assistant.set_state("listening")
        on.assistant.emit("audio_level", 1.0)
        await on.until(lambda: "█████" in on.screen()[0], "meter")


async def test_a_long_reply_goes_on_in_parts_of_a_bounded_length(stage: Open) -> None:
    words = [f"word{number} " for number in range(2000)]
    async with stage(assistant=ScriptedAssistant({"long": Reply(pieces=words)})) as on:
        await on.say("long")
        await on.shows("word1999")
        parts = [entry.text for entry in on.app.chat.entries if entry.has_class("reply")]
        assert max(map(len, parts)) <= PART + 40
        assert "".join(parts).split() == "".join(words).split()


async def test_old_entries_leave_the_screen(stage: Open) -> None:
    async with stage() as on:
        await on.shows("I am casa.")
        for number in range(KEPT + 50):
            on.app.chat.add("", f"line {number}", "quiet")
        await on.until(lambda: len(on.app.chat.entries) <= KEPT, "pruned")
        assert on.app.chat.entries[-1].text == f"line {KEPT + 49}"


async def test_a_flood_of_events_from_many_threads_leaves_typing_alive(stage: Open) -> None:
    async with stage() as on:
        over = threading.Event()

        def flood() -> None:
            while not over.is_set():
                for _ in range(6):
                    on.assistant.emit("audio_level", 0.5)
                    on.assistant.emit("heard_partial", TranscriptionFrame(text="noise"))
                time.sleep(0.01)

        threads = [threading.Thread(target=flood, daemon=True) for _ in range(4)]
        for thread in threads:
            thread.start()
        typed = time.monotonic()
        await on.pilot.press(*"hello")
        took = time.monotonic() - typed
        over.set()
        assert on.app.prompt.value == "hello"
        assert took < 5.0
        for thread in threads:
            thread.join(1)


def test_a_batch_keeps_every_word_and_only_the_last_of_what_replaces_itself() -> None:
    events = [
        AgentEvent("audio_level", payload=0.1),
        AgentEvent("text_delta", payload="a", turn=1),
        AgentEvent("audio_level", payload=0.9),
        AgentEvent("text_delta", payload="b", turn=1),
        AgentEvent("text_delta", payload="c", turn=2),
        AgentEvent("tool_call", payload=1),
        AgentEvent("tool_call", payload=2),
        AgentEvent("text_delta", payload="d", turn=2),
    ]
    assert [(event.kind, event.payload) for event in coalesced(events)] == [
        ("text_delta", "a"),
        ("audio_level", 0.9),
        ("text_delta", "b"),
        ("text_delta", "c"),
        ("tool_call", 1),
        ("tool_call", 2),
        ("text_delta", "d"),
    ]


async def test_another_agent_names_its_lines_and_the_status(stage: Open) -> None:
    async with stage() as on:
        on.assistant.switch_agent("scout")
        await on.shows("scout answers now.")
        await on.say("light")
        await on.shows("The kitchen light is on.")
        assert any("edgevox · scout" in row for row in on.screen())
        assert any(
            row.strip().startswith("scout") or "scout " in row for row in on.screen() if "kitchen light is on" in row
        )


async def test_a_hand_off_is_told(stage: Open) -> None:
    async with stage() as on:
        on.assistant.emit("handoff", HandoffNews(source="casa", target="weather", reason="asked for rain"))
        await on.shows("↳ weather answers: asked for rain")


async def test_page_keys_scroll_the_conversation_while_the_person_types(stage: Open) -> None:
    async with stage() as on:
        for number in range(60):
            on.assistant.emit("degraded", f"line {number}")
        await on.shows("line 59")
        await on.until(lambda: on.app.chat.scroll_offset.y > 0, "the chat is at its end")
        end = on.app.chat.scroll_offset.y
        await on.pilot.press("h", "pageup")
        await on.until(lambda: on.app.chat.scroll_offset.y < end, "the chat has scrolled up")
        await on.pilot.press("i", "pagedown")
        await on.until(lambda: on.app.chat.scroll_offset.y == end, "the chat is at its end again")
        assert on.app.prompt.value == "hi"
