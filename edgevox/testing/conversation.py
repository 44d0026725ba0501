"""Scripted conversations through a real assistant: say something, see everything that it published."""

import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from edgevox.agents import LLMAgent
from edgevox.assistant import Assistant, VoiceParts
from edgevox.core.events import AgentEvent
from edgevox.core.ports import ChatModel, RunAgent
from edgevox.pipeline.outcome import TurnHandle, TurnOutcome

CLOSES_WITHIN_S = 2.0


class Conversation:
    """An assistant that runs for the length of a `with` block, with a record of what it published.

    Args:
        agent: who answers; made from `tools`, `skills` and `model` when not given.
        tools: tools of the agent that is made.
        skills: skills of the agent that is made.
        model: the language model, usually a `ScriptedModel`.
        voice: devices and engines; `None` for a typed conversation.
        ready_within_s: how long opening may take, seconds.
        options: anything else that `Assistant` takes.
    """

    def __init__(
        self,
        agent: RunAgent | None = None,
        *,
        tools: Any = (),
        skills: Any = (),
        model: ChatModel | None = None,
        voice: VoiceParts | None = None,
        ready_within_s: float = 10.0,
        **options: Any,
    ) -> None:
        self.events: list[AgentEvent] = []
        """Everything that was published, in order."""
        chosen = agent if agent is not None else LLMAgent("casa", tools=tools, skills=skills, llm=model)
        self.assistant = Assistant(chosen, voice=voice, **options)
        self._ready_within_s = ready_within_s
        self._changed = threading.Condition()
        self.assistant.bus.subscribe_all(self._note)

    def __enter__(self) -> Self:
        """Start the assistant and wait until everything is open."""
        self.assistant.start()
        if not self.assistant.wait_ready(self._ready_within_s):
            raise AssertionError(f"the assistant was not ready within {self._ready_within_s} s")
        return self

    def __exit__(self, _type: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        """Close the assistant; it must not take longer than two seconds."""
        started = time.monotonic()
        self.assistant.close()
        took = time.monotonic() - started
        if error is None and took > CLOSES_WITHIN_S:
            raise AssertionError(f"closing took {took:.1f} s")

    def say(self, text: str, timeout: float = 10.0) -> TurnOutcome:
        """Type something and wait for the turn's end."""
        return self.end_of(self.assistant.submit(text), timeout)

    def end_of(self, handle: TurnHandle, timeout: float = 10.0) -> TurnOutcome:
        """Wait for the end of a turn and return what became of it."""
        outcome = handle.wait(timeout)
        if outcome is None:
            raise AssertionError(f"no end of the turn {handle.text!r} within {timeout} s")
        return outcome

    def kinds(self) -> list[str]:
        """The kinds of what was published, in order."""
        return [event.kind for event in list(self.events)]

    def payloads(self, kind: str) -> list[Any]:
        """The payloads of one kind, in order."""
        return [event.payload for event in list(self.events) if event.kind == kind]

    def wait_for(self, kind: str, match: Callable[[Any], bool] = lambda _: True, timeout: float = 5.0) -> AgentEvent:
        """Wait until an event of that kind, whose payload matches, has been published; returns the first."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._find(kind, match) is not None, timeout):
                raise AssertionError(f"no {kind} within {timeout} s; there was {self._history()}")
            found = self._find(kind, match)
        assert found is not None
        return found

    def wait_for_state(self, state: str, timeout: float = 5.0) -> None:
        """Wait until the assistant has been in a state."""
        self.wait_for("voice_state", lambda payload: payload == state, timeout)

    def _history(self) -> list[str]:
        """What was published, without what comes many times a second."""
        return [kind for kind in self.kinds() if kind not in ("audio_level", "text_delta")]

    def _find(self, kind: str, match: Callable[[Any], bool]) -> AgentEvent | None:
        return next((event for event in self.events if event.kind == kind and match(event.payload)), None)

    def _note(self, event: AgentEvent) -> None:
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()
