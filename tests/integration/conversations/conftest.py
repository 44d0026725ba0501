"""Scripted conversations through the real assistant: real agent, tools, safety and turns; scripted model and sound."""

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from edgevox.agents import LLMAgent
from edgevox.assistant import Assistant
from edgevox.assistant.voice import VoiceParts
from edgevox.core.events import AgentEvent
from edgevox.core.ports import RunAgent
from edgevox.pipeline.outcome import TurnOutcome
from edgevox.testing import ScriptedModel


@dataclass
class Conversation:
    """An assistant that runs, and everything it published."""

    assistant: Assistant
    events: list[AgentEvent] = field(default_factory=list[AgentEvent])

    def __post_init__(self) -> None:
        self._changed = threading.Condition()
        self.assistant.bus.subscribe_all(self._note)

    def say(self, text: str, timeout: float = 10.0) -> TurnOutcome:
        """Type something and wait for the turn's end."""
        outcome = self.assistant.submit(text).wait(timeout)
        assert outcome is not None, f"no end of the turn {text!r} within {timeout} s"
        return outcome

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def payloads(self, kind: str) -> list[Any]:
        return [event.payload for event in self.events if event.kind == kind]

    def wait_for(self, kind: str, match: Callable[[Any], bool] = lambda _: True, timeout: float = 5.0) -> AgentEvent:
        """Wait until an event of that kind has been published."""

        def found() -> AgentEvent | None:
            return next((event for event in list(self.events) if event.kind == kind and match(event.payload)), None)

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, timeout), f"no {kind} within {timeout} s"
        event = found()
        assert event is not None
        return event

    def _note(self, event: AgentEvent) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()


Start = Callable[..., Conversation]


@contextmanager
def conversations() -> Generator[Start]:
    running: list[Assistant] = []

    def start(
        *,
        agent: RunAgent | None = None,
        model: ScriptedModel | None = None,
        voice: VoiceParts | None = None,
        **options: Any,
    ) -> Conversation:
        tools = options.pop("tools", ())
        skills = options.pop("skills", ())
        chosen = agent if agent is not None else LLMAgent("casa", tools=tools, skills=skills, llm=model)
        assistant = Assistant(chosen, voice=voice, **options)
        conversation = Conversation(assistant)
        running.append(assistant)
        assistant.start()
        assert assistant.wait_ready(10)
        return conversation

    try:
        yield start
    finally:
        for assistant in running:
            started = time.monotonic()
            assistant.close()
            assert time.monotonic() - started < 2.0, "closing took too long"


@pytest.fixture
def start() -> Generator[Start]:
    """Start assistants; they are closed at the end, each within two seconds."""
    with conversations() as starter:
        yield starter
