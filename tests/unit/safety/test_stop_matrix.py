"""Every state the assistant can be in, and every way to stop it: the table of `docs/safety.md`, cell by cell.

The cells are read from the page, so the page cannot promise what is not tested. Recogniser, model, microphone and
loudspeaker are fakes; everything between them is the product.
"""

import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from edgevox.agents import AgentContext, GoalHandle, LLMAgent, Retry, ToyWorld, skill
from edgevox.agents.workflows import Parallel
from edgevox.assistant import Assistant, VoiceParts
from edgevox.assistant.commands import press
from edgevox.config.settings import SafetySettings, Settings
from edgevox.core.cancel import CancelReason
from edgevox.core.errors import DeviceMissing
from edgevox.core.goals import GoalStatus
from edgevox.pipeline.outcome import TurnHandle
from edgevox.safety import StopReport
from edgevox.testing import Conversation, FakeSpeaker, ScriptedModel, ScriptedRecognizer, ScriptedVad, ToneTalk
from edgevox.tools import tool
from edgevox.ui.conversation import Conversation as Repl

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

PAGE = Path(__file__).parents[3] / "docs" / "safety.md"
STORY = "There was a very small robot in a kitchen that nobody had ever seen move by itself. " * 4
HALT_S = 0.05
WAIT_S = 20.0
"""How long a busy machine may take to come to a state, seconds."""
RATE = 16_000


def table() -> tuple[list[str], dict[str, list[str]]]:
    """Return the triggers and, by state, the cells of the page's table."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.search(r"<!-- matrix -->\n(.*?)\n<!-- /matrix -->", text, re.DOTALL)
    assert found, "docs/safety.md has lost its table of states and triggers"
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()]
    return rows[0][1:], {row[0]: row[1:] for row in rows[2:]}


TRIGGERS, CELLS = table()


class Ear(ScriptedRecognizer):
    """A recogniser that hears what the test says at the moment."""

    def __init__(self) -> None:
        self.partial = self.final = ""
        self.sure: dict[str, float] = {}
        super().__init__(
            lambda _samples: self.final, partials=(self.partial for _ in count()), scores=lambda: self.sure
        )

    def hear(self, *, partial: str = "", final: str = "", sure: dict[str, float] | None = None) -> None:
        self.partial, self.final, self.sure = partial, final, sure or {}


class Microphone:
    """Brings silence four times as fast as a real one, and a voice while a test speaks; can be lost."""

    def __init__(self) -> None:
        self._waiting: list[Samples] = []
        self._open = self.lost = False

    def open(self) -> None:
        self._open = True

    def speak(self, seconds: float, pause: float = 0.8) -> None:
        voice = (0.3 * np.sin(np.arange(int(RATE * seconds)) * 0.2)).astype(np.float32)
        sound = np.concatenate([voice, np.zeros(int(RATE * pause), np.float32)])
        self._waiting = [sound[start : start + 512] for start in range(0, len(sound), 512)]

    def read(self, timeout: float) -> "Samples | None":
        time.sleep(0.008)
        if self.lost:
            raise DeviceMissing("The microphone was unplugged; plug it in again.")
        return (self._waiting.pop(0) if self._waiting else np.zeros(512, np.float32)) if self._open else None

    def fall_silent(self) -> None:
        self._waiting = [np.zeros(512, np.float32)] * 20

    @property
    def quiet(self) -> bool:
        return not self._waiting

    @property
    def ended(self) -> bool:
        return not self._open

    def close(self) -> None:
        self._open = False


class Speaker(FakeSpeaker):
    def __init__(self, notes: list[str]) -> None:
        super().__init__(realtime=True)
        self._notes = notes

    def flush(self) -> None:
        super().flush()
        self._notes.append("speaker")


class World(ToyWorld):
    """A flat too large to arrive in."""

    def __init__(self, notes: list[str]) -> None:
        super().__init__(rooms=[("living_room", 0, 0), ("bedroom", 50, 0)], navigate_speed=1.0)
        self._notes = notes
        self.goal: GoalHandle | None = None

    def halt(self) -> None:
        super().halt()
        assert self.get_world_state()["robot"]["velocity"] == 0.0
        self._notes.append("motion")


@skill(latency_class="slow", timeout_s=60, phrases=["go to the bedroom"])
def drive(ctx: AgentContext) -> GoalHandle:
    """Drive to the bedroom."""
    ctx.deps.goal = ctx.deps.apply_action("navigate_to", room="bedroom")
    ctx.deps.goal.on_end(lambda: ctx.deps._notes.append("goals"))
    return ctx.deps.goal


@tool(phrases=["block"])
def block() -> str:
    """Block for five seconds, as a library in C does."""
    time.sleep(5)
    return "done"


@tool(phrases=["open the door"], confirm=True)
def open_door(ctx: AgentContext) -> str:
    """Open the door."""
    ctx.session.state["opened"] = True
    return "open"


@tool(phrases=["are you there"], says="I am here.")
def answer() -> str:
    """Say that somebody is there."""
    return "yes"


@dataclass
class Scene:
    """An assistant in one of the states."""

    policy: str = "stop"
    reply: str = "Well."
    prompt_s: float = 0.0
    token_s: float = 0.0
    hearing_s: float = 0.0
    notes: list[str] = field(default_factory=list[str])
    handle: TurnHandle | None = None

    def __post_init__(self) -> None:
        self.ear, self.microphone, self.world = Ear(), Microphone(), World(self.notes)
        self.model = ScriptedModel(otherwise=self.reply, prompt_delay_s=self.prompt_s, token_delay_s=self.token_s)
        self.agent: Any = LLMAgent("scout", tools=[block, open_door, answer], skills=[drive], llm=self.model)

    def begin(self) -> Conversation:
        """Start it."""
        voice = VoiceParts(
            microphone=self.microphone, speaker=Speaker(self.notes), stt=self.ear, vad=ScriptedVad(),
            tts=ToneTalk(seconds_per_character=0.03),
        )  # fmt: skip
        settings = Settings(safety=SafetySettings.model_validate({"on_lost_microphone": self.policy}))
        self.talk = Conversation(self.agent, voice=voice, deps=self.world, settings=settings)
        self.talk.assistant.bus.subscribe("safety_preempt", lambda _: self.notes.append("event"))
        self.talk.assistant.bus.subscribe("agent_message", self._word)
        return self.talk

    def ask(self, text: str) -> None:
        """Begin a turn, and note when its model is told to stop."""
        self.handle = self.talk.assistant.submit(text)
        self.handle.scope.on_cancel(lambda _: self.notes.append("model"))

    def until(self, ready: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + WAIT_S
        while not ready():
            assert time.monotonic() < deadline, f"{what} did not come; there was {self.talk.kinds()[-12:]}"
            time.sleep(0.003)

    def _word(self, event: Any) -> None:
        if event.payload == "Stopped.":
            self.notes.append("words")


# -- the states ------------------------------------------------------------------------------------------------------


def idle(scene: Scene) -> None:
    scene.until(lambda: scene.talk.assistant.state == "listening", "listening")


def listening(scene: Scene) -> None:
    scene.microphone.speak(30.0)
    scene.talk.wait_for_state("hearing")


def transcribing(scene: Scene) -> None:
    """The recogniser works on a question; the turn it makes begins meanwhile or after."""
    held = threading.Event()
    calls = scene.ear.transcribe

    def slow(samples: "Samples", *, partial: bool = False) -> Any:
        transcript = calls(samples, partial=partial)
        if not partial and not held.is_set():
            held.set()
            time.sleep(0.15)
        return transcript

    scene.ear.transcribe = slow  # type: ignore[method-assign]
    scene.ear.hear(final="how are you")
    scene.microphone.speak(0.4)
    scene.until(held.is_set, "the recogniser's work")


def thinking(scene: Scene) -> None:
    scene.ask("how are you")
    scene.until(lambda: scene.model.tokens_said > 2, "the model's first words")


def reading(scene: Scene) -> None:
    scene.ask("how are you")
    scene.until(lambda: scene.model.busy, "the model")


def tool_running(scene: Scene) -> None:
    scene.ask("block")
    scene.talk.wait_for_state("thinking")
    time.sleep(0.05)


def driving(scene: Scene) -> None:
    scene.ask("go to the bedroom")
    scene.until(lambda: scene.world.goal is not None, "motion")


def speaking(scene: Scene) -> None:
    scene.ask("how are you")
    scene.talk.wait_for_state("speaking", WAIT_S)


def approval(scene: Scene) -> None:
    scene.ask("open the door")
    scene.until(lambda: scene.talk.assistant.question is not None, "the question")


def between_steps(scene: Scene) -> None:
    """A retry waits for its second attempt, five seconds long."""
    scene.ask("how are you")
    scene.until(lambda: scene.talk.kinds().count("agent_end") > 0, "the end of the first attempt")


def parallel(scene: Scene) -> None:
    """Two branches at once: one drives, the other waits for the model."""
    scene.ask("go to the bedroom")
    scene.until(lambda: scene.world.goal is not None, "motion")


def left_running(scene: Scene) -> None:
    driving(scene)
    scene.talk.wait_for("skill_goal")
    scene.talk.assistant.interrupt(CancelReason.BARGE_IN)
    scene.until(lambda: scene.handle is not None and scene.handle.done, "the end of the turn")
    assert scene.world.is_moving()
    scene.notes.clear()


def muted(scene: Scene) -> None:
    scene.talk.assistant.set_muted(True)
    driving(scene)


def lost(scene: Scene) -> None:
    driving(scene)
    scene.microphone.lost = True
    scene.talk.wait_for("degraded")
    assert scene.world.is_moving()


@dataclass(frozen=True)
class State:
    """How to get there, with which fakes, and what moves or thinks in it."""

    enter: Callable[[Scene], None]
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    agent: Callable[[Scene], Any] | None = None
    moves: bool = False
    thinks: bool = False
    """Whether a turn runs that only the stop ends, so that its model has to be told."""


def _retry(scene: Scene) -> Any:
    def fails(_request: Any) -> Any:
        raise RuntimeError("the model's process is gone")

    scene.model = ScriptedModel(otherwise=fails)
    return Retry(LLMAgent("flaky", tools=[answer], llm=scene.model), max_attempts=3, backoff_s=5.0)


def _branches(scene: Scene) -> Any:
    driver = LLMAgent("driver", tools=[answer], skills=[drive], llm=scene.model)
    return Parallel("both", [driver, LLMAgent("talker", llm=scene.model)])


SLOW = {"reply": STORY * 5, "token_s": 0.02}
STATES: dict[str, State] = {
    "idle": State(idle),
    "listening: a person speaks": State(listening),
    "transcribing": State(transcribing, SLOW),
    "thinking": State(thinking, SLOW, thinks=True),
    "reading a long cold prompt": State(reading, {"prompt_s": 20.0}, thinks=True),
    "a tool runs and blocks": State(tool_running, thinks=True),
    "a skill runs: driving": State(driving, moves=True),
    "speaking": State(speaking, {"reply": STORY}),
    "an approval is open": State(approval, thinks=True),
    "a workflow waits between two steps": State(between_steps, agent=_retry, thinks=True),
    "a workflow runs branches in parallel": State(parallel, {"prompt_s": 20.0}, _branches, moves=True, thinks=True),
    "a skill left running by a barge-in": State(left_running, moves=True),
    "the microphone is muted, driving": State(muted, moves=True),
    "the microphone is lost, driving (`continue`)": State(lost, {"policy": "continue"}, moves=True),
}


# -- the triggers ----------------------------------------------------------------------------------------------------


def _say(scene: Scene, **heard: Any) -> None:
    if scene.ear.final == "how are you":  # the question before has to be read first
        scene.until(lambda: "heard" in scene.talk.kinds(), "the question")
    scene.ear.hear(**heard)
    scene.microphone.speak(0.7)


def partial(scene: Scene) -> None:
    _say(scene, partial="Stop.", final="Stop.")


def final(scene: Scene) -> None:
    _say(scene, final="Stop.")


def spotted(scene: Scene) -> None:
    _say(scene, sure={"stop": -1.0}, final="Dub.")


def typed(scene: Scene) -> None:
    assert scene.talk.assistant.submit("stop").outcome is not None


def escape(scene: Scene) -> None:
    press(scene.talk.assistant, "escape")


def ctrl_c(scene: Scene) -> None:
    Repl(scene.talk.assistant).on_signal(signal.SIGINT)


def call(scene: Scene) -> None:
    scene.talk.assistant.stop()


PRESSED: dict[str, Callable[[Scene], None]] = {
    "partial transcript": partial,
    "final transcript": final,
    "its sound": spotted,
    "typed": typed,
    "Esc": escape,
    "Ctrl+C once": ctrl_c,
    "`assistant.stop()`": call,
}
SPOKEN = frozenset({"partial transcript", "final transcript", "its sound"})


def test_the_table_of_the_page_has_these_states_and_triggers() -> None:
    assert list(PRESSED) == TRIGGERS
    assert list(STATES) == list(CELLS)
    assert {cell for row in CELLS.values() for cell in row} == {"stops", "at its end", "–"}


def cells(*wanted: str) -> list[Any]:
    return [
        pytest.param(state, trigger, id=f"{state} × {trigger}")
        for state, row in CELLS.items()
        for trigger, cell in zip(TRIGGERS, row, strict=True)
        if cell in wanted
    ]


@pytest.fixture
def scene_of() -> Iterator[Callable[[str], Scene]]:
    """Bring an assistant into a state."""
    begun: list[Conversation] = []

    def begin(name: str) -> Scene:
        state = STATES[name]
        scene = Scene(**state.options)
        if state.agent is not None:
            scene.agent = state.agent(scene)
        begun.append(scene.begin().__enter__())
        state.enter(scene)
        return scene

    yield begin
    for talk in begun:
        talk.__exit__(None, None, None)


@pytest.mark.parametrize(("name", "trigger"), cells("stops", "at its end"))
def test_a_stop(name: str, trigger: str, scene_of: Callable[[str], Scene]) -> None:
    state, scene = STATES[name], scene_of(name)
    assistant = scene.talk.assistant
    asked = len(scene.model.requests)
    PRESSED[trigger](scene)
    report: StopReport = scene.talk.wait_for("safety_preempt", timeout=WAIT_S).payload
    _check_effects(scene, state, report)
    if trigger in SPOKEN:
        scene.until(lambda: scene.microphone.quiet, "the end of the sentence")
    _check_aftermath(scene, asked, assistant)


def _check_effects(scene: Scene, state: State, report: StopReport) -> None:
    """Motion, goals, speaker, model, event, words: each where there is one, in that order, the first at once."""
    scene.until(lambda: "words" in scene.notes, "the words")
    wanted = ["motion", "speaker", "event", "words"]
    assert sorted(set(scene.notes) & set(wanted), key=scene.notes.index) == wanted
    if state.thinks:  # an answer that sees the stop coming may leave its model before it is told to
        assert scene.notes.index("model") < scene.notes.index("words")
    if state.moves:  # halting the robot cancels its goal at the same moment, and with it the turn may be over
        assert scene.world.goal is not None
        assert scene.world.goal.status is GoalStatus.CANCELLED
        assert scene.notes.index("goals") < scene.notes.index("event")
    halted = report.latencies["World"]
    assert halted < 10 * HALT_S, "a wake-up of a busy machine may be late, never this late"
    LATENCIES.append(halted)
    assert report.confirmed
    assert [effect.name for effect in report.effects] == ["World", "goals", "speaker", "model"]


LATENCIES: list[float] = []
"""Seconds to velocity zero, of the cells that this process has tested."""


def _check_aftermath(scene: Scene, asked: int, assistant: Assistant) -> None:
    """Nothing resumes, the stop is told of once, and the next turn is answered."""
    scene.microphone.fall_silent()
    scene.model.prompt_delay_s = 0.0
    scene.until(lambda: assistant.state in ("listening", "idle", "muted"), "rest")
    time.sleep(0.05)
    assert not scene.world.is_moving()
    assert not scene.model.busy
    assert scene.talk.kinds().count("safety_preempt") == 1
    assert scene.notes.count("words") == 1
    assert "opened" not in assistant.session.state
    assert len(scene.model.requests) <= asked + 1, "the words of a stop reached the model"
    ended = scene.handle.wait(2) if scene.handle is not None else None
    assert scene.handle is None or ended is not None
    moved = scene.world.get_world_state()["robot"]
    assert scene.talk.say("are you there").reply.count("I am here.")
    assert scene.world.get_world_state()["robot"] == moved


def test_velocity_is_zero_within_50_ms_in_every_state(scene_of: Callable[[str], Scene]) -> None:
    for name, state in STATES.items():
        if state.moves:
            scene = scene_of(name)
            typed(scene)
            LATENCIES.append(scene.talk.wait_for("safety_preempt").payload.latencies["World"])
    forgiven = max(1, len(LATENCIES) // 10)
    assert sorted(LATENCIES)[-1 - forgiven] < HALT_S, "one late wake-up in ten of a busy machine is forgiven"


@pytest.mark.parametrize(("name", "trigger"), cells("–"))
def test_what_the_page_says_nothing_of_does_nothing(name: str, trigger: str, scene_of: Callable[[str], Scene]) -> None:
    scene = scene_of(name)
    PRESSED[trigger](scene)
    time.sleep(0.3)
    assert scene.world.is_moving() or not STATES[name].moves
    assert "safety_preempt" not in scene.talk.kinds()


def test_at_rest_a_stop_waits_for_the_end_of_the_sentence(scene_of: Callable[[str], Scene]) -> None:
    scene = scene_of("idle")
    scene.ear.hear(partial="Stop.", sure={"stop": -1.0}, final="Stop.")
    scene.microphone.speak(4.0)
    scene.talk.wait_for_state("hearing")
    time.sleep(0.4)
    assert "safety_preempt" not in scene.talk.kinds()
    scene.microphone.speak(0.1)
    scene.talk.wait_for("safety_preempt", timeout=WAIT_S)


def test_a_lost_microphone_stops_what_moves_unless_told_otherwise() -> None:
    scene = Scene()
    with scene.begin() as talk:
        driving(scene)
        scene.microphone.lost = True
        report: StopReport = talk.wait_for("safety_preempt").payload
        assert report.reason == "microphone lost"
        assert not scene.world.is_moving()
        assert talk.payloads("degraded") == ["The microphone was unplugged; plug it in again."]


def test_a_lost_microphone_stops_nothing_where_nothing_moves() -> None:
    scene = Scene()
    with scene.begin() as talk:
        scene.microphone.lost = True
        talk.wait_for("degraded")
        assert "safety_preempt" not in talk.kinds()
