"""`SafetyMonitor` as a step of a pipeline: a stop word never gets past it, a mention always does."""

import threading

import pytest

from edgevox.agents import AgentContext, LLMAgent, SafetyMonitor, ToyWorld
from edgevox.core.frames import InterruptFrame, StopFrame, TranscriptionFrame
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.safety import StopChain
from edgevox.testing import ScriptedModel

STOPS = (
    "stop", "Stop.", "stop!", '"Stop"', "(stop)", "stop…", "stop-stop", "¡Stop!", "Stop。", "ｓｔｏｐ", "please stop",
    "stop the robot", "stop now", "e-stop", "Top!", "stopp", "Stop it.", "stop stop stop",
)  # fmt: skip
MENTIONS = (
    "don't stop", "unstoppable", "non-stop", "where is the bus stop", "do not freeze the account",
    "emergency contacts list", "when will it stop raining",
)  # fmt: skip


@pytest.mark.parametrize("text", STOPS)
def test_a_stop_word_never_reaches_the_agent(text: str) -> None:
    frames = list(SafetyMonitor().process(TranscriptionFrame(text=text)))
    assert [type(frame) for frame in frames] == [StopFrame]


@pytest.mark.parametrize("text", MENTIONS)
def test_a_mention_reaches_the_agent(text: str) -> None:
    frame = TranscriptionFrame(text=text)
    assert list(SafetyMonitor().process(frame)) == [frame]


@pytest.mark.parametrize("active", [True, False])
@pytest.mark.parametrize("text", MENTIONS)
def test_a_mention_is_one_also_while_something_moves(text: str, active: bool) -> None:
    assert SafetyMonitor(is_active=lambda: active).check(text) is None


def test_on_stop_has_run_before_the_first_frame() -> None:
    reasons: list[str] = []
    frames = SafetyMonitor(on_stop=reasons.append).process(TranscriptionFrame(text="halt"))
    first = next(frames)
    assert reasons == ["halt"]
    assert isinstance(first, StopFrame)
    assert first.reason == "halt"


def test_other_frames_pass() -> None:
    frame = InterruptFrame()
    assert list(SafetyMonitor().process(frame)) == [frame]


def test_stop_words_of_your_own_in_several_words_and_languages() -> None:
    monitor = SafetyMonitor(stop_words=("do not move", "dừng lại"))
    assert isinstance(next(monitor.process(TranscriptionFrame(text="Do not move!"))), StopFrame)
    assert isinstance(next(monitor.process(TranscriptionFrame(text="dừng lại"))), StopFrame)
    assert monitor.check("stop") is None


def test_the_vietnamese_list_has_a_vietnamese_stop_word() -> None:
    assert SafetyMonitor(language="vi").check("dừng lại") == "dừng lại"


def test_empty_stop_words_disable_it() -> None:
    monitor = SafetyMonitor(stop_words=())
    assert not monitor.enabled
    assert monitor.check("stop") is None


def test_a_spoken_stop_halts_a_driving_robot_whose_agent_never_hears_it() -> None:
    world, chain, model = ToyWorld(), StopChain(), ScriptedModel()
    ctx = AgentContext(deps=world)
    chain.add_motion(world)
    chain.add_goal_canceller(ctx.stop.set)
    monitor = SafetyMonitor(on_stop=chain.fire, is_active=chain.is_moving)
    agent = LLMAgent("scout", skills=SCOUT_SKILLS, llm=model)
    driving = threading.Thread(target=agent.run, args=("go to the bedroom", ctx))
    driving.start()
    for _ in range(200):
        if world.is_moving():
            break
        threading.Event().wait(0.01)
    assert world.is_moving()
    frames = list(monitor.process(TranscriptionFrame(text="Stop!")))
    assert world.get_world_state()["robot"]["velocity"] == 0.0
    driving.join(2.0)
    assert not driving.is_alive()
    assert [type(frame) for frame in frames] == [StopFrame]
    assert model.requests == []
    assert world.get_world_state()["robot"]["x"] < 3.5
