"""A headless application with a script: for tests of front ends, without agent, model or device."""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import UsageError
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.frames import TranscriptionFrame
from edgevox.core.goals import RunningGoal, RunningGoals
from edgevox.core.messages import Message, Role
from edgevox.core.ports import Approval, ApprovalRequest, InputRequest, Remembered
from edgevox.core.session import Session
from edgevox.core.tools import ToolCallResult
from edgevox.pipeline.outcome import StageTimes, TurnHandle, TurnOutcome
from edgevox.tools.permissions import PermissionEngine

STOP_WORDS = ("stop", "stop!", "halt")
TIMES = StageTimes(end_ms=180, stt_ms=96, decide_ms=1, tts_ms=135, total_ms=412)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the script says to one line."""

    pieces: Sequence[str] = ()
    """The reply, as it is generated."""
    calls: Sequence[ToolCallResult] = ()
    """Tools that ran before the first words."""
    holds: bool = False
    """The turn does not end by itself: it waits until it is stopped, or the script is closed."""
    asks: str = ""
    """A question that is put first; *no* ends the turn."""
    scopes: tuple[Remembered, ...] = ()
    """How long a yes to it may hold; with them it is a question about leave."""
    wants: str = ""
    """A question whose answer in words is said back; the first piece follows it."""
    error: str | None = None
    """The turn fails with this sentence."""
    model_calls: int = 0


@dataclass(slots=True)
class ScriptedAgent:
    """The agent of the script: a name and what it says it can do."""

    name: str = "casa"
    description: str = "Looks after the house."
    tools: Sequence[Any] = ()
    skills: Sequence[Any] = field(default_factory=list[Any])


Script = Mapping[str, Reply] | Callable[[str], Reply]


class ScriptedAssistant:
    """Answers by a script and publishes what the real assistant would, on a thread of its own.

    Args:
        script: replies by the line they answer, or a function; an unknown line is echoed.
        tools: what the agent has, for lists.
        greeting: what it says first.
        notices: what it says is missing.
    """

    def __init__(
        self,
        script: Script | None = None,
        *,
        tools: Sequence[Any] = (),
        greeting: str = "",
        notices: Sequence[str] = (),
    ) -> None:
        self.bus = EventBus()
        self.session = Session()
        self.agent = ScriptedAgent(tools=tools)
        self.deps: Any = None
        self.model: Any = SimpleNamespace(name="scripted-1b")
        self.permissions = PermissionEngine(trusts_tools=True)
        self.settings = SimpleNamespace(
            stt=SimpleNamespace(model="whisper-tiny.en"),
            tts=SimpleNamespace(voice="joe"),
        )
        self.language = "en"
        self.voice_parts: Any = SimpleNamespace(microphone=None, speaker=None, stt=None, tts=None, vad=None)
        self.greeting = greeting
        self.state = "idle"
        self.notices = list(notices)
        self.question: ApprovalRequest | None = None
        self.last: TurnOutcome | None = None
        self.muted = False
        self.goals = RunningGoals()
        """Actions that a test adds, to be listed and cancelled."""
        self.done: list[str] = []
        """What was ordered, in order: `start`, `stop key`, `mute`, `say hello`, …"""
        self.typed: list[bool] = []
        """For every turn, whether its words were typed."""
        self._script: Script = script if script is not None else {}
        self._turns = 0
        self._running: set[TurnHandle] = set()
        self._answered = threading.Event()
        self.asked: InputRequest | None = None
        self._words: str | None = None
        self._approved = False

    def start(self) -> None:
        """Say that it runs, and its greeting."""
        self.done.append("start")
        self.set_state("idle")
        if self.greeting:
            self.emit("agent_message", self.greeting)

    def close(self) -> None:
        """End every turn."""
        self.done.append("close")
        for handle in list(self._running):
            handle.cancel(CancelReason.SHUTDOWN)

    def submit(self, text: str, *, typed: bool = True) -> TurnHandle:
        """Begin a turn; `stop` stops, and yes or no answer an open question."""
        self.typed.append(typed)
        self._turns += 1
        handle = TurnHandle(self._turns, text)
        self.emit("heard", TranscriptionFrame(text=text, typed=typed))
        if self.is_stop(text):
            self.stop(text.strip().lower())
            handle.finish(TurnOutcome(text=text, cancelled=CancelReason.STOP))
        elif self.asked is not None:
            self._answer_words(text)
            handle.finish(TurnOutcome(text=text))
        elif self.question is not None and text.strip().lower() in ("yes", "no"):
            self.answer(text.strip().lower() == "yes")
            handle.finish(TurnOutcome(text=text))
        else:
            for before in list(self._running):
                before.cancel(CancelReason.BARGE_IN)
            self._running.add(handle)
            threading.Thread(target=self._turn, args=(handle,), name="scripted-turn", daemon=True).start()
        return handle

    def is_stop(self, text: str) -> bool:
        """Whether the line is one of the script's stop words."""
        return text.strip().lower() in STOP_WORDS

    def stop(self, reason: str = "key") -> None:
        """End every turn and say so."""
        self.done.append(f"stop {reason}")
        for handle in list(self._running):
            handle.cancel(CancelReason.STOP)
        self.emit("safety_preempt", reason)
        self.set_state("stopped")
        self.emit("agent_message", "Stopped.")

    def interrupt(self, reason: str = "user") -> None:
        """End the speech of every turn."""
        self.done.append(f"interrupt {reason}")
        for handle in list(self._running):
            handle.cancel(CancelReason.BARGE_IN)

    def running_actions(self) -> list[RunningGoal]:
        """What was added to `goals` and has not ended."""
        return self.goals.running()

    def cancel_action(self, goal_id: str) -> bool:
        """Note it and ask the action to end."""
        self.done.append(f"cancel {goal_id}")
        return self.goals.cancel(goal_id)

    def answer(self, approved: bool, remember: Remembered = "once") -> bool:
        """Answer the open question."""
        how_long = f" {remember}" if remember != "once" else ""
        self.done.append(("yes" if approved else "no") + how_long)
        asked = self.question is not None
        self._approved = approved
        self._answered.set()
        return asked

    def no_answer(self) -> bool:
        """End the question without an answer."""
        self.done.append("no answer")
        asked = self.asked is not None or self.question is not None
        if self.question is not None:
            self._approved = False
            self._answered.set()
        self._answer_words(None)
        return asked

    def set_muted(self, muted: bool) -> None:
        """Remember whether it hears."""
        self.done.append("mute" if muted else "unmute")
        self.muted = muted
        self.set_state("muted" if muted else "idle")

    def repeat(self) -> bool:
        """Note it; returns whether there is a last reply."""
        self.done.append("repeat")
        return self.last is not None

    def say(self, text: str) -> None:
        """Say it at once."""
        self.done.append(f"say {text}")
        self.emit("agent_message", text)

    def set_language(self, code: str) -> None:
        """Note it."""
        self.done.append(f"language {code}")
        self.language = code

    def set_voice(self, name: str) -> None:
        """Note it; there is no voice called `nobody`."""
        if name == "nobody":
            raise UsageError("There is no voice nobody; did you mean joe?")
        self.done.append(f"voice {name}")
        self.settings.tts.voice = name

    def set_model(self, spec: str) -> None:
        """Note it."""
        self.done.append(f"model {spec}")
        self.model = SimpleNamespace(name=spec)

    def switch_agent(self, name: str) -> None:
        """Answer under another name; there is no agent called `nobody`."""
        if name == "nobody":
            raise UsageError("There is no agent called 'nobody'; did you mean home?")
        self.done.append(f"agent {name}")
        self.agent.name = name
        self.emit("agent_changed", name)

    def reset(self) -> None:
        """Forget the conversation."""
        self.done.append("reset")
        self.session.reset()

    def play_recording(self, path: Any) -> TurnOutcome:
        """Answer the words that the file's name says: `turn_on_the_light.wav`."""
        outcome = self.submit(path.stem.replace("_", " "), typed=False).wait(5)
        assert outcome is not None
        return outcome

    def emit(self, kind: str, payload: Any = None, turn: int | None = None) -> None:
        """Publish an event as the assistant would."""
        self.bus.publish(AgentEvent(kind, self.agent.name, payload, turn=turn))

    def set_state(self, state: str) -> None:
        """Go to a state and say so."""
        self.state = state
        self.emit("voice_state", state)

    def _turn(self, handle: TurnHandle) -> None:
        reply = self._reply_to(handle.text)
        self.session.add(Message.text(handle.text))
        self.set_state("thinking")
        self.emit("text_start", handle.turn, handle.turn)
        outcome = self._refused(handle, reply) or self._answered_with(handle, reply)
        self._running.discard(handle)
        self.last = outcome
        self.emit("text_end", handle.turn, handle.turn)
        self.emit("agent_message", outcome.reply, handle.turn)
        if outcome.error:
            self.emit("error", outcome.error, handle.turn)
        self.emit("stage_timing", outcome.times, handle.turn)
        self.set_state("stopped" if outcome.cancelled == CancelReason.STOP else "idle")
        handle.finish(outcome)

    def _reply_to(self, text: str) -> Reply:
        if callable(self._script):
            return self._script(text)
        return self._script.get(text) or Reply(pieces=(f"You said {text}.",))

    def _refused(self, handle: TurnHandle, reply: Reply) -> TurnOutcome | None:
        if reply.asks and not self._ask(reply, handle.scope):
            return TurnOutcome(text=handle.text, reply="I left it.", cancelled=handle.scope.reason)
        if reply.error is None:
            return None
        return TurnOutcome(text=handle.text, error=reply.error)

    def _ask(self, reply: Reply, scope: CancelScope) -> bool:
        name = "" if reply.scopes else "unlock_door"
        request = ApprovalRequest(question=reply.asks, tool_name=name, scopes=reply.scopes)
        self._answered.clear()
        self.question = request
        self.set_state("asking")
        self.emit("approval_requested", request)
        while not self._answered.wait(0.01) and not scope.cancelled:
            pass
        self.question = None
        approval = Approval(approved=self._approved and not scope.cancelled, by="key")
        self.emit("approval_decided", (request, approval))
        return approval.approved

    def _answer_words(self, text: str | None) -> None:
        """Answer the question, if it is still open: the first answer counts."""
        if self.asked is not None:
            self.asked, self._words = None, text
            self._answered.set()

    def _wanted(self, reply: Reply, scope: CancelScope) -> list[str]:
        """Ask for words, where the script wants that, and say them back."""
        if not reply.wants or scope.cancelled:
            return []
        self._answered.clear()
        self.asked = request = InputRequest(question=reply.wants)
        self.set_state("waiting")
        self.emit("input_requested", request)
        while not self._answered.wait(0.01) and not scope.cancelled:
            pass
        self.asked = None
        answer = None if scope.cancelled else self._words
        self.emit("input_received", (request, answer))
        return [f"{answer}. " if answer is not None else "Nobody said. "]

    def _answered_with(self, handle: TurnHandle, reply: Reply) -> TurnOutcome:
        for call in reply.calls:
            self.emit("tool_call", call, handle.turn)
        said: list[str] = []
        for piece in [*self._wanted(reply, handle.scope), *reply.pieces]:
            if handle.scope.cancelled:
                break
            said.append(piece)
            self.emit("text_delta", piece, handle.turn)
        if reply.holds:
            handle.scope.wait()
        text = "".join(said)
        if not handle.scope.cancelled:
            self.session.add(Message.text(text, Role.ASSISTANT))
        return TurnOutcome(
            text=handle.text,
            reply=text,
            tool_calls=tuple(reply.calls),
            model_calls=reply.model_calls,
            times=TIMES,
            cancelled=handle.scope.reason,
        )
