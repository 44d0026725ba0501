"""The headless application: pipeline, agent, safety, settings and voice in one object that every front end drives.

Front ends subscribe to `bus` and call the methods here; they decide nothing. Nothing here draws.
"""

import atexit
import logging
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from edgevox.agents.registry import AgentRegistry
from edgevox.assistant.asking import make_questions
from edgevox.assistant.casting import make_agent, stop_words_of
from edgevox.assistant.contexts import RunContexts
from edgevox.assistant.engines import check_voice
from edgevox.assistant.exchange import bound, close_quietly, retire
from edgevox.assistant.health import health_monitor
from edgevox.assistant.news import TurnNews
from edgevox.assistant.parts import PartsFactory
from edgevox.assistant.permits import make_permissions
from edgevox.assistant.person import Person
from edgevox.assistant.recordings import hear_recording
from edgevox.assistant.stop_answer import StopAnswer
from edgevox.assistant.voice import Voice, VoiceHooks, VoiceParts
from edgevox.assistant.words import words
from edgevox.assistant.worlds import Worlds
from edgevox.config.settings import Settings
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.clock import SYSTEM_CLOCK
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.events import SAFETY_PREEMPT, AgentEvent, EventBus
from edgevox.core.frames import SentenceFrame, StopFrame, TranscriptionFrame
from edgevox.core.goals import RunningGoal, RunningGoals
from edgevox.core.ports import ApprovalRequest, ChatModel, InputRequest, Remembered, RunAgent
from edgevox.core.session import AgentContext, Session
from edgevox.pipeline.outcome import TurnHandle, TurnOutcome
from edgevox.pipeline.state import StateBoard
from edgevox.pipeline.turn import TurnRunner
from edgevox.safety import SafetyMonitor, StopChain, StopReport
from edgevox.tools.permissions import PermissionEngine

log = logging.getLogger(__name__)

ANNOUNCEMENT = "announcement"
"""Event by which a tool has something said outside any turn: a timer that is over."""
NO_STOP_WORDS = "Stop words are switched off; only Esc, Ctrl+C and /stop stop now."


class Assistant:
    """One running assistant.

    Args:
        agent: who answers.
        deps: the agent's world; if it can be halted (`core.ports.MotionSource`), a stop reaches it first.
        language: two-letter code of hearing, voice and answers.
        stop_words: `None` takes the language's own, `()` disables stopping by words.
        greeting: what it says first.
        settings: every knob; the defaults when not given.
        bus: where events go.
        voice: devices and engines; `None` for typing only.
        model: the language model, so that it can be freed at the end; the agent is bound to it already.
        parts: builds engines and models when a language, voice or model is switched.
        permissions: decides what may be touched; made of the settings when not given.
    """

    def __init__(
        self,
        agent: RunAgent,
        *,
        deps: Any = None,
        language: str = "en",
        stop_words: tuple[str, ...] | None = None,
        greeting: str = "",
        settings: Settings | None = None,
        bus: EventBus | None = None,
        voice: VoiceParts | None = None,
        model: ChatModel | None = None,
        parts: PartsFactory | None = None,
        permissions: PermissionEngine | None = None,
    ) -> None:
        self.agent = agent
        self.deps, self.greeting = deps, greeting
        self.settings = settings if settings is not None else Settings()
        self.bus = bus if bus is not None else EventBus()
        self.session = Session()
        self.notices: list[str] = []
        """What is missing or does not work, one sentence each."""
        self.last: TurnOutcome | None = None
        """What became of the last turn."""
        self._language, self._model = language, model
        self._parts = parts if parts is not None else PartsFactory(self.settings)
        self._board = StateBoard(lambda state: self._publish("voice_state", str(state)))
        self._questions = make_questions(self._speak, self._board, self._publish, language)
        self._person = Person(
            self._questions, speak=self._speak, board=self._board, publish=self._publish, tell=self.say
        )
        self._goals = RunningGoals()
        self._chain = self._make_stop_chain()
        self._worlds = Worlds(self._chain)
        self.contexts = RunContexts(
            session=self.session, bus=self.bus, worlds=self._worlds, approver=self._questions, goals=self._goals,
            channel=self._person.words, endpoints=self._parts.endpoints,
            permissions=permissions or make_permissions(None, self.settings.permissions, agent.name),
        )  # fmt: skip
        """What every turn may reach."""
        self._stop_answer = StopAnswer(self._chain.is_moving, self.say, self._publish, lambda: self._language)
        self._worlds.add(deps)
        self._monitor = SafetyMonitor(
            stop_words, self._stop_word_heard, language=language, is_active=self._active, is_phrase=self._is_phrase,
            names=(agent.name,),
        )  # fmt: skip
        news = TurnNews(self._board, self._publish, self._note_outcome)
        self._turns = TurnRunner(agent, self._make_context, news, language=language)
        self._voice = Voice(voice if voice is not None else VoiceParts(), self._hooks(), self.settings)
        self._last_stop, self._stops, self._stopped_by = float("-inf"), 0, ""
        self.bus.subscribe(ANNOUNCEMENT, lambda event: self.say(str(event.payload)))
        self.bus.subscribe("skill_cancelled", self._action_cancelled)
        self._health = health_monitor(self)
        self._ready, self._closed = threading.Event(), False
        self._opening = threading.Thread(target=self._open, name="open", daemon=True)

    # -- life -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin: typed turns work at once, devices and models are opened in the background."""
        if not self._monitor.enabled:
            self._notice(NO_STOP_WORDS)
        self._turns.start()
        self._opening.start()
        self._health.start()
        atexit.register(self.close)

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Wait until everything that can be opened is open."""
        return self._ready.wait(timeout)

    def close(self) -> None:
        """Stop what runs and let everything go, within two seconds whatever hangs; twice is fine."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        self._chain.fire("shutdown")
        self._turns.close()
        self._health.close()
        closing = threading.Thread(target=self._let_go, name="close", daemon=True)
        closing.start()
        closing.join(1.5)

    # -- what a person does -----------------------------------------------------------------------------------------

    @property
    def state(self) -> str:
        """What the assistant is doing, in one word (`pipeline.state.VoiceState`)."""
        return str(self._board.state)

    @property
    def closed(self) -> bool:
        """Whether it was told to let everything go."""
        return self._closed

    @property
    def language(self) -> str:
        """Two-letter code of hearing, voice and answers."""
        return self._language

    @property
    def muted(self) -> bool:
        """Whether the microphone is deaf."""
        return self._voice.muted

    @property
    def question(self) -> ApprovalRequest | None:
        """The question that waits for yes or no."""
        return self._questions.pending

    @property
    def asked(self) -> InputRequest | None:
        """The question that waits for words."""
        return self._person.words.pending

    @property
    def voice_parts(self) -> VoiceParts:
        """The devices and engines of the voice; each `None` where there is none."""
        return self._voice.parts

    @property
    def model(self) -> ChatModel | None:
        """The language model that answers what no phrase matches."""
        return self._model

    def submit(self, text: str, *, typed: bool = True) -> TurnHandle:
        """Take what the person typed: a stop stops, an answer answers, anything else becomes a turn.

        Args:
            text: the words.
            typed: whether they were typed; False for words that came from elsewhere.

        Returns:
            A hold on the turn; for a stop or an answer it is over already.
        """
        heard = TranscriptionFrame(text=text, language=self._language, typed=typed)
        passing = [frame for frame in self._monitor.process(heard) if not isinstance(frame, StopFrame)]
        self._publish("heard", heard)  # after the monitor: a stop waits for no subscriber
        if not passing:
            return _over(text, cancelled=CancelReason.STOP)
        if self._person.typed(text):
            return _over(text)
        if self._turns.busy:
            self.interrupt()
        return self._turns.submit(heard)

    def is_stop(self, text: str) -> bool:
        """Whether these words would stop everything, were they submitted now."""
        return self._monitor.check(text) is not None

    def stop(self, reason: str = "key") -> StopReport:
        """Stop everything: the robot first, then speech, then the model; tell about it afterwards."""
        self._turns.about_to_cancel(CancelReason.STOP)
        report = self._chain.fire(reason)
        self._board.set("stopped", True)
        self._last_stop, self._stopped_by = SYSTEM_CLOCK.monotonic(), reason
        self._stops += 1
        self._publish(SAFETY_PREEMPT, report)
        self._stop_answer.give(report)
        self._board.set("stopped", False)
        return report

    def interrupt(self, reason: str = CancelReason.BARGE_IN) -> None:
        """Cut off what the assistant says and thinks; what moves goes on unless the agent's policy says otherwise."""
        self._turns.cancel(reason)
        self._silence()

    def running_actions(self) -> list[RunningGoal]:
        """The actions that are under way, oldest first, those included whose turn is over."""
        return self._goals.running()

    def cancel_action(self, goal_id: str) -> bool:
        """Ask one action to end and leave everything else alone; returns whether there is such a one."""
        return self._goals.cancel(goal_id)

    @property
    def permissions(self) -> PermissionEngine:
        """Decides what may be touched, and knows what the person has said yes to."""
        return self.contexts.permissions

    def answer(self, approved: bool, remember: Remembered = "once") -> bool:
        """Answer the open question with a key; returns whether there was one."""
        return self._questions.answer(approved, remember=remember)

    def no_answer(self) -> bool:
        """Say that nobody will answer the question that is open; returns whether there was one."""
        return self._person.no_answer()

    def set_muted(self, muted: bool) -> None:
        """Make the microphone deaf, or let it hear again."""
        self._voice.set_muted(muted)
        self._board.set("muted", self._voice.muted)

    def say(self, text: str) -> None:
        """Speak words of the program's own, outside any turn."""
        self._publish("agent_message", text)
        self._speak(text, CancelScope())

    def repeat(self) -> bool:
        """Speak the last reply again; returns whether there is one."""
        if self.last is None or not self.last.reply:
            return False
        self._speak(self.last.reply, CancelScope())
        return True

    def reset(self) -> None:
        """Forget the conversation."""
        self.session.reset()
        self.permissions.grants.end_conversation()
        self.last = None

    def set_language(self, code: str) -> None:
        """Hear, speak and answer in another language.

        Raises:
            LanguageUnsupported: one sentence that says what is missing and how to get it.
        """
        stt, tts = self._parts.engines(code, hears=self._voice.listens, speaks=self._voice.mouth is not None)
        if stt is not None:
            self._voice.replace_recognizer(stt)
        if tts is not None:
            self._voice.replace_voice(tts)
        self._language = self._turns.language = self._questions.language = code
        self._monitor.set_language(code)

    def set_voice(self, name: str) -> None:
        """Speak with another voice.

        Raises:
            UsageError: there is no such voice here; one sentence with the nearest names.
        """
        check_voice(name, self._language)
        self._voice.replace_voice(self._parts.voice(name, self._language))

    def set_model(self, spec: str) -> None:
        """Answer with another language model, or another endpoint, from the next turn on; no turn is lost.

        Raises:
            ModelError, UsageError, SecretsError: what is wrong with it and what to do; nothing was exchanged.
        """
        old, self._model = self._model, bound(self.agent, self._parts.model(spec))
        self._health.start()
        retire(old, self._turns.latest)

    def switch_agent(self, name: str) -> None:
        """Let another agent answer, in this conversation and with these models; worlds and what moves in them stay.

        Args:
            name: of an agent of the list (`edgevox.agents.registry`), or the path of a script.

        Raises:
            UsageError, AgentError, EdgeVoxError: there is none, or it or its world cannot be loaded.
        """
        definition = AgentRegistry.discover().get(name).definition()
        agent = make_agent(definition, self._model, self.settings)
        permissions = make_permissions(
            definition.permissions, self.settings.permissions, agent.name, grants=self.permissions.grants
        )
        self._worlds.admit(definition.deps)
        self._monitor.set_words(stop_words_of(definition, self.settings), names=(agent.name,))
        self.agent = self._turns.agent = agent
        self.deps, self.contexts.permissions = definition.deps, permissions
        self.greeting = definition.greeting_in(self._language)
        self._publish("agent_changed", agent.name)
        if not self._monitor.enabled:
            self._notice(NO_STOP_WORDS)
        if self.greeting:
            self.say(self.greeting)
        threading.Thread(target=self._warm, name="warm", daemon=True).start()

    def play_recording(self, path: Path | str, *, timeout: float = 120.0) -> TurnOutcome:
        """Take the turns in a recording as if it had been spoken into the microphone.

        Args:
            path: a WAV file.
            timeout: seconds to wait beyond the recording's own length.

        Returns:
            The outcome of its last turn; with an error when nothing was understood or nobody can listen.

        Raises:
            UsageError: it is not a recording that can be read.
        """
        self._ready.wait(timeout)
        return hear_recording(
            self._voice, Path(path), timeout,
            latest=lambda: self._turns.latest,
            stops=lambda: (self._stops, self._stopped_by),
            deaf=lambda: " ".join(self.notices) or "Nobody can listen: see edgevox doctor.",
            unheard=lambda: words("nothing_heard", self._language),
        )  # fmt: skip

    # -- inside -----------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        self._voice.open_mouth()
        self._turns.mouth = self._voice.mouth
        if self.greeting:
            self.say(self.greeting)
        self._board.set_listening(self._voice.open_ears())
        self._board.set("muted", self._voice.muted)
        self._ready.set()
        self._warm()

    def _warm(self) -> None:
        warm = getattr(self.agent, "warm", None)
        if warm is None:
            return
        try:
            warm(self._make_context(0, CancelScope()))
        except ToolDefinitionError as error:  # a phrase that cannot be read: every turn would fail with it
            self._publish("error", str(error))
        except Exception:  # warming is a courtesy: what is wrong is said when it is needed
            log.info("warming the agent failed", exc_info=True)

    def _let_go(self) -> None:
        self._voice.close()
        self._turns.join(0.5)
        close_quietly(self._model)
        self._worlds.close(close_quietly)
        if self._opening.ident is not None:
            self._opening.join(1.0)

    def _make_stop_chain(self) -> StopChain:
        chain = StopChain()
        chain.add_goal_canceller(self._goals.cancel_all)
        chain.set_speaker(self._silence)
        chain.set_model(lambda: self._turns.cancel(CancelReason.STOP))
        return chain

    def _make_context(self, turn: int, scope: CancelScope) -> AgentContext:
        return self.contexts.make(self.agent, self.deps, self._language, turn, scope)

    def _hooks(self) -> VoiceHooks:
        return VoiceHooks(
            monitor=self._monitor,
            answers=self._person.spoken,
            on_heard=self._heard,
            on_partial=lambda frame: self._publish("heard_partial", frame),
            interrupts=self._can_be_interrupted,
            on_interrupt=lambda _: self.interrupt(),
            wants_partials=self._active,
            stop_words=lambda: self._monitor.key_words,
            moves=self._chain.is_moving,
            asks=lambda: self._person.asked,
            last_stop=lambda: self._last_stop,
            on_level=lambda level: self._publish("audio_level", level),
            on_hearing=lambda up: self._board.set("hearing", up),
            on_speaking=lambda up: self._board.set("speaking", up),
            on_first_sound=self._turns.sound_began,
            on_notice=self._notice,
            on_lost=self._microphone_lost,
            on_error=lambda text: self._publish("error", text),
            on_unclear=lambda: self.say(words("say_again", self._language)),
            is_complete=self._is_phrase,
            own_words=lambda: (words("stopped", self._language),),
        )

    def _note_outcome(self, outcome: TurnOutcome) -> None:
        self.last = outcome

    def _heard(self, heard: TranscriptionFrame) -> None:
        self._publish("heard", heard)
        self._turns.submit(heard)

    def _can_be_interrupted(self) -> bool:
        mouth = self._voice.mouth
        return self.settings.turn.barge_in and (self._turns.busy or (mouth is not None and mouth.speaking))

    def _active(self) -> bool:
        """Whether anything moves, speaks or thinks."""
        mouth = self._voice.mouth
        speaking = mouth is not None and mouth.speaking
        acting = any(not goal.arguments.get("background") for goal in self._goals.running())
        return speaking or self._turns.busy or self._chain.is_moving() or acting

    def _is_phrase(self, text: str) -> bool:
        matches = getattr(self.agent, "matches_phrase", None)
        return bool(matches and matches(text, self._language))

    def _stop_word_heard(self, word: str) -> None:
        self.stop(word)

    def _action_cancelled(self, event: AgentEvent) -> None:
        """Say that an action may still move, where no reply of a turn will."""
        unconfirmed = getattr(event.payload, "confirmed", True) is False
        if unconfirmed and (event.payload.reason == CancelReason.STOP or not self._turns.busy):
            self.say(words("not_confirmed", self._language))

    def _silence(self) -> None:
        mouth = self._voice.mouth
        if mouth is not None:
            mouth.silence()

    def _speak(self, text: str, scope: CancelScope) -> None:
        mouth = self._voice.mouth
        if mouth is not None:
            mouth.say(SentenceFrame(generation=scope.generation, text=text), scope)

    def _notice(self, sentence: str) -> None:
        self.notices.append(sentence)
        self._publish("degraded", sentence)

    def _microphone_lost(self, sentence: str | None) -> None:
        self._board.set_listening(sentence is None)
        if sentence is None:
            self._publish("device_changed", "The microphone is back.")
            return
        self._notice(sentence)
        if self.settings.safety.on_lost_microphone == "stop" and self._active():
            self.stop("microphone lost")

    def _publish(self, kind: str, payload: Any = None, turn: int | None = None) -> None:
        self.bus.publish(replace(AgentEvent(kind, self.agent.name, payload), turn=turn))


def _over(text: str, cancelled: str | None = None) -> TurnHandle:
    handle = TurnHandle(0, text)
    handle.finish(TurnOutcome(text=text, cancelled=cancelled))
    return handle
