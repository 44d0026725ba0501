"""Leave in conversation: the person is asked, typed and spoken, and what they say holds as long as they say."""

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from edgevox.agents.audit import read_audit
from edgevox.agents.definition import AgentDefinition
from edgevox.assistant import Assistant, VoiceParts
from edgevox.assistant.build import build_assistant
from edgevox.assistant.commands import run_command
from edgevox.assistant.options import Options
from edgevox.audio.files import NullSpeaker
from edgevox.config.paths import HOME_VARIABLE
from edgevox.config.settings import PermissionSettings, Settings
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.examples.agents.home_assistant import APP as HOME
from edgevox.examples.agents.home_lights import set_light
from edgevox.examples.agents.home_security import set_door
from edgevox.examples.agents.house import House
from edgevox.examples.agents.robot_scout import APP as SCOUT
from edgevox.sims.toyworld import ToyWorld
from edgevox.testing import Conversation, FakeClock, ScriptedModel, ScriptedRecognizer, ScriptedVad, ToneTalk
from edgevox.tools.permissions import GrantBook, PermissionEngine, PermissionRule

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

RATE = 16_000
Start = Callable[..., Conversation]
LIGHTS = replace(HOME.definition(), tools=[set_light, set_door])
"""The home with few commands, which are soon compiled."""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))


class Talk:
    """An assistant with a record of its questions."""

    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant
        self.asked: list[ApprovalRequest] = []
        self.decided: list[Approval] = []
        self._opened = threading.Semaphore(0)
        assistant.bus.subscribe("approval_requested", self._note)
        assistant.bus.subscribe("approval_decided", lambda event: self.decided.append(event.payload[1]))

    def begin(self, text: str) -> Any:
        return self.assistant.submit(text)

    def wait_until_asked(self) -> ApprovalRequest:
        assert self._opened.acquire(timeout=10)
        return self.asked[-1]

    def say(self, text: str) -> Any:
        return self.end(self.begin(text))

    def end(self, handle: Any) -> Any:
        outcome = handle.wait(10)
        assert outcome is not None
        return outcome

    def _note(self, event: Any) -> None:
        self.asked.append(event.payload)
        self._opened.release()


@contextmanager
def talking(
    definition: AgentDefinition, *, deps: Any = None, voice: VoiceParts | None = None, **rules: Any
) -> Generator[Talk]:
    """Run an assistant of an agent with the person's own rules."""
    world = House() if deps is None else deps
    settings = Settings(permissions=PermissionSettings(**rules))
    assistant = build_assistant(
        replace(definition, deps=world, greeting=""),
        Options(text_mode=True),
        settings,
        model=ScriptedModel(otherwise="MODEL"),
        voice=voice,
    )
    talk = Talk(assistant)
    assistant.start()
    assert assistant.wait_ready(10)
    try:
        yield talk
    finally:
        assistant.close()


def kitchen(talk: Talk) -> bool:
    return talk.assistant.deps.lights["kitchen"]


def test_the_home_switches_its_own_house_without_a_question() -> None:
    with talking(HOME.definition()) as talk:
        for command in ("turn on the kitchen light", "turn on all the lights", "set the thermostat to 22 degrees",
                        "open the front door", "good night"):  # fmt: skip
            assert talk.say(command).tool_calls[0].ok, command
        assert talk.asked == []


def test_what_the_person_denies_is_not_done_and_the_reply_says_so() -> None:
    with talking(HOME.definition(), deny=["switch device:light/kitchen"]) as talk:
        outcome = talk.say("turn on the kitchen light")
        assert outcome.tool_calls[0].error_code == "not_permitted"
        assert outcome.reply.startswith("I may not do that")
        assert not kitchen(talk)
        assert not talk.say("turn on all the lights").tool_calls[0].ok
        assert not any(talk.assistant.deps.lights.values())
        assert talk.say("turn on all the lights except the kitchen").tool_calls[0].ok
        assert not kitchen(talk)
        assert talk.assistant.deps.lights["office"]
        assert [call.error_code for call in talk.say("good morning").tool_calls] == [None, "not_permitted"]
        assert talk.asked == []


@pytest.mark.parametrize(("answer", "lit"), [("yes", True), ("no", False), ("Y", True), ("nope please", False)])
def test_the_light_asks_where_the_person_wants_that(answer: str, lit: bool) -> None:
    with talking(LIGHTS, ask=["device:light/*"]) as talk:
        handle = talk.begin("turn on the kitchen light")
        request = talk.wait_until_asked()
        assert (request.operation, request.resource) == ("switch", "device:light/kitchen")
        assert request.question == "May I switch light kitchen?"
        talk.assistant.submit(answer)
        assert talk.end(handle).tool_calls[0].ok is lit
        assert kitchen(talk) is lit
        assert (talk.decided[0].approved, talk.decided[0].words) == (lit, answer)


def test_the_question_comes_in_the_language_of_the_conversation() -> None:
    with talking(LIGHTS, ask=["device:light/*"]) as talk:
        talk.assistant.set_language("de")
        handle = talk.begin("schalte das Licht in der Küche ein")
        assert talk.wait_until_asked().question == "Darf ich light kitchen schalten?"
        talk.assistant.submit("ja, immer")
        assert talk.end(handle).tool_calls[0].ok
        assert talk.decided[0].remember == "always"


def test_silence_is_no() -> None:
    with talking(LIGHTS, ask=["device:light/*"], ask_timeout_s=1.0) as talk:
        outcome = talk.say("turn on the kitchen light")
        assert outcome.tool_calls[0].error_code == "declined"
        assert talk.decided[0].by == "timeout"
        assert not kitchen(talk)


def test_a_stop_during_the_question_is_no_at_once() -> None:
    with talking(LIGHTS, ask=["device:light/*"]) as talk:
        handle = talk.begin("turn on the kitchen light")
        talk.wait_until_asked()
        began = time.monotonic()
        talk.assistant.submit("stop")
        assert talk.end(handle).cancelled == "stop"
        assert time.monotonic() - began < 2
        assert not kitchen(talk)
        assert talk.assistant.permissions.grants.grants() == []


def test_for_this_conversation_holds_until_it_is_forgotten() -> None:
    with talking(LIGHTS, ask=["device:light/*"]) as talk:
        handle = talk.begin("turn on the kitchen light")
        talk.wait_until_asked()
        talk.assistant.submit("yes, for this conversation")
        assert talk.end(handle).tool_calls[0].ok
        assert talk.say("turn off the kitchen light").tool_calls[0].ok
        assert len(talk.asked) == 1
        talk.assistant.reset()
        handle = talk.begin("turn on the kitchen light")
        talk.wait_until_asked()
        talk.assistant.answer(False)
        assert not talk.end(handle).tool_calls[0].ok


def test_always_survives_the_program_until_it_is_taken_back() -> None:
    with talking(LIGHTS, ask=["device:light/*"]) as talk:
        handle = talk.begin("turn on the kitchen light")
        talk.wait_until_asked()
        assert run_command(talk.assistant, "/yes forever").startswith("This question takes /yes, ")
        assert run_command(talk.assistant, "/yes always") == "Yes, always."
        assert talk.end(handle).tool_calls[0].ok
    with talking(LIGHTS, ask=["device:light/*"]) as talk:
        assert talk.say("turn off the kitchen light").tool_calls[0].ok
        assert talk.asked == []
        told = run_command(talk.assistant, "/permissions")
        assert "ask    device:light/* (you)" in told
        assert " 1  switch device:light/kitchen by Home, always" in told
        assert run_command(talk.assistant, "/permissions revoke 2").startswith("There is no answer 2")
        assert (
            run_command(talk.assistant, "/permissions revoke") == "Write /permissions, or /permissions revoke NUMBER."
        )
        assert run_command(talk.assistant, "/permissions revoke 1").startswith(
            "Taken back: switch device:light/kitchen"
        )
        handle = talk.begin("turn on the kitchen light")
        talk.wait_until_asked()
        talk.assistant.answer(False)
        assert not talk.end(handle).tool_calls[0].ok


def test_always_ends_on_its_day(start: Start) -> None:
    clock = FakeClock()
    lights = PermissionRule(pattern="device:light/*")
    engine = PermissionEngine(
        allow_rules=[lights],
        ask_rules=[lights],
        clock=clock,
        grants=GrantBook(clock=clock),
        remember_for=timedelta(days=7),
    )
    talk = start(tools=LIGHTS.tools, deps=House(), model=ScriptedModel(), permissions=engine)
    handle = talk.assistant.submit("turn on the kitchen light")
    talk.wait_for("approval_requested")
    talk.assistant.answer(True, "always")
    assert talk.end_of(handle).tool_calls[0].ok
    clock.advance(6 * 86400)
    assert talk.say("turn off the kitchen light").tool_calls[0].ok
    clock.advance(86400)
    handle = talk.assistant.submit("turn on the kitchen light")
    deadline = time.monotonic() + 10
    while len(talk.payloads("approval_requested")) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    talk.assistant.answer(False)
    assert not talk.end_of(handle).tool_calls[0].ok


def test_the_robot_does_not_move_where_motion_is_denied_and_a_stop_needs_no_leave() -> None:
    world = ToyWorld(navigate_speed=1.0)
    with talking(SCOUT.definition(), deps=world, deny=["motion:**"]) as talk:
        outcome = talk.say("go to the kitchen")
        assert outcome.tool_calls[0].error_code == "not_permitted"
        assert not world.is_moving()
        world.apply_action("navigate_to", room="bedroom")
        talk_until(world.is_moving)
        talk.assistant.submit("stop")
        assert not world.is_moving()


def talk_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 5
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_every_decision_is_in_the_audit_log() -> None:
    with talking(LIGHTS, deny=["device:door/**"], ask=["device:light/*"]) as talk:
        talk.say("open the front door")
        handle = talk.begin("turn on the kitchen light")
        talk.wait_until_asked()
        talk.assistant.submit("yes")
        talk.end(handle)
    noted = [(entry.status, entry.arguments, entry.origin) for entry in read_audit(20) if entry.tool == "permission"]
    assert noted == [
        ("denied", {"wanted": ["switch device:door/front_door"]}, "rule"),
        ("allowed", {"wanted": ["switch device:light/kitchen"]}, "typed"),
    ]


class LiveMicrophone:
    """A microphone that brings silence in real time, and sound when a test speaks."""

    def __init__(self) -> None:
        self._waiting: Iterator[Samples] = iter(())
        self._open = False

    def open(self) -> None:
        self._open = True

    def speak(self) -> None:
        sound = (0.3 * np.sin(np.arange(int(RATE * 0.8)) * 0.2)).astype(np.float32)
        blocks = (sound[start : start + 512] for start in range(0, len(sound), 512))
        self._waiting = chain(blocks, repeat(np.zeros(512, dtype=np.float32), 22))

    def read(self, timeout: float) -> "Samples | None":
        time.sleep(0.008)
        return next(self._waiting, np.zeros(512, dtype=np.float32)) if self._open else None

    @property
    def ended(self) -> bool:
        return not self._open

    def close(self) -> None:
        self._open = False


@pytest.mark.parametrize(
    ("answer", "lit", "remember"),
    [("Yes.", True, "once"), ("No.", False, "once"), ("Yes, always.", True, "always"), ("Always!", True, "always")],
)
def test_the_light_asks_by_voice_and_is_answered_by_voice(answer: str, lit: bool, remember: str) -> None:
    microphone, mouth = LiveMicrophone(), ToneTalk(seconds_per_character=0.005)
    voice = VoiceParts(
        microphone=microphone,
        speaker=NullSpeaker(realtime=True),
        stt=ScriptedRecognizer(["turn on the kitchen light", answer]),
        tts=mouth,
        vad=ScriptedVad(),
    )
    with talking(LIGHTS, voice=voice, ask=["device:light/*"]) as talk:
        microphone.speak()
        talk.wait_until_asked()
        talk_until(lambda: any("May I switch light kitchen?" in said for said in mouth.said))
        microphone.speak()
        talk_until(lambda: bool(talk.decided))
        assert (talk.decided[0].approved, talk.decided[0].by, talk.decided[0].remember) == (lit, "voice", remember)
        talk_until(lambda: talk.assistant.last is not None)
        assert kitchen(talk) is lit


def test_the_robot_asks_by_voice_and_silence_keeps_it_where_it_is() -> None:
    microphone, world = LiveMicrophone(), ToyWorld()
    voice = VoiceParts(
        microphone=microphone,
        speaker=NullSpeaker(realtime=True),
        stt=ScriptedRecognizer(["go to the kitchen"]),
        tts=ToneTalk(seconds_per_character=0.005),
        vad=ScriptedVad(),
    )
    with talking(SCOUT.definition(), deps=world, voice=voice, ask=["move motion:base"], ask_timeout_s=1.0) as talk:
        microphone.speak()
        assert talk.wait_until_asked().question == "May I move base?"
        talk_until(lambda: bool(talk.decided))
        assert talk.decided[0].by == "timeout"
        talk_until(lambda: talk.assistant.last is not None)
        assert not world.is_moving()
