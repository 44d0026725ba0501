"""One agent, every world with a base that drives: the same skills, the same words, the same stop on the way."""

import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec

import pytest

from edgevox.agents import IrSimEnvironment, MujocoMobileEnvironment, SimEnvironment, ToyWorld
from edgevox.assistant.commands import run_command
from edgevox.core.cancel import CancelReason
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS, battery_level, get_pose, navigate_to
from edgevox.testing import Conversation, ScriptedModel, call

pytestmark = pytest.mark.slow

Start = Callable[..., Conversation]
FAST, SLOW = 12.0, 1.0
"""How many times faster than a clock the time of a world passes."""
ROOMS = ("kitchen", "living room", "bedroom", "office")


def _param(name: str, make: Callable[[float], SimEnvironment], library: str = "") -> object:
    missing = bool(library) and find_spec(library) is None
    return pytest.param(make, id=name, marks=pytest.mark.skipif(missing, reason=f"{library} is not installed"))


@pytest.fixture(
    params=[
        _param("toy", lambda speed: ToyWorld(navigate_speed=speed)),
        _param("irsim", lambda speed: IrSimEnvironment(render=False, time_scale=speed), "irsim"),
        _param("mujoco", lambda speed: MujocoMobileEnvironment(time_scale=speed), "mujoco"),
    ]
)
def scout(request: pytest.FixtureRequest) -> Iterator[Callable[[float], AgentApp]]:
    """Make the application of the scout with the world in the place of the one that it comes with."""
    worlds = list[SimEnvironment]()

    def make(speed: float) -> AgentApp:
        world: SimEnvironment = request.param(speed)
        world.open()
        worlds.append(world)
        return AgentApp(
            name="Scout",
            instructions="You are Scout, a terse home robot.",
            skills=[navigate_to, get_pose, battery_level],
            deps=world,
            stop_words=("stop", "halt", "freeze"),
        )

    yield make
    for world in worlds:
        world.close()


Scout = Callable[[float], AgentApp]


def talk_to(start: Start, app: AgentApp, model: ScriptedModel | None = None) -> Conversation:
    definition = app.definition()
    return start(agent=definition.build(model), deps=definition.deps, stop_words=definition.stop_words)


def place(world: SimEnvironment) -> tuple[float, float]:
    robot = world.get_world_state()["robot"]
    return robot["x"], robot["y"]


def until(condition: Callable[[], bool], within: float = 10.0) -> None:
    deadline = time.monotonic() + within
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.005)


def test_it_drives_to_rooms_and_says_so_without_a_model(start: Start, scout: Scout) -> None:
    app = scout(FAST)
    talk = talk_to(start, app)
    seen = set[tuple[float, float]]()
    for room in ROOMS[::3]:
        outcome = talk.say(f"Go to the {room}.", 60)
        assert (outcome.reply, outcome.error, outcome.model_calls) == (f"I am in the {room}.", None, 0)
        x, y = place(app.definition().deps)
        seen.add((round(x), round(y)))
    assert len(seen) == 2
    where = talk.say("Where are you?")
    assert [result.name for result in where.tool_calls] == ["get_pose"]
    assert talk.say("What's your battery level?").tool_calls[0].ok


def test_a_stop_on_the_way_halts_it_and_it_can_be_sent_on(start: Start, scout: Scout) -> None:
    app = scout(SLOW)
    world = app.definition().deps
    talk = talk_to(start, app)
    handle = talk.assistant.submit("Drive to the bedroom.")
    begin = place(world)
    until(lambda: place(world) != begin)
    talk.assistant.submit("Freeze!")
    outcome = talk.end_of(handle)
    assert outcome.cancelled == CancelReason.STOP
    until(lambda: not world.is_moving(), 2.0)
    halted = place(world)
    time.sleep(0.2)
    assert place(world) == pytest.approx(halted, abs=0.01)
    assert talk.kinds().count("safety_preempt") == 1
    assert not talk.wait_for("tool_call").payload.ok
    again = talk.assistant.submit("Drive to the bedroom.")
    until(lambda: place(world) != pytest.approx(halted, abs=0.02))
    talk.assistant.stop("key")
    talk.end_of(again)


def test_a_model_drives_it_with_the_same_skills(start: Start, scout: Scout) -> None:
    app = scout(FAST)
    model = ScriptedModel(call("navigate_to", room="office"), "I am at your desk.")
    outcome = talk_to(start, app, model).say("it is time for work, see you at my desk", 60)
    assert (outcome.reply, outcome.model_calls, outcome.error) == ("I am at your desk.", 2, None)
    assert [result.ok for result in outcome.tool_calls] == [True]
    assert "office" in str(model.requests[1].messages[-1]["content"])


def test_a_room_that_there_is_not_is_refused_in_words_and_nothing_moves(start: Start, scout: Scout) -> None:
    app = scout(SLOW)
    world = app.definition().deps
    begin = place(world)
    model = ScriptedModel(call("navigate_to", room="garage"), "There is no garage here.")
    outcome = talk_to(start, app, model).say("I want you where the car is", 30)
    assert outcome.reply == "There is no garage here."
    assert [result.ok for result in outcome.tool_calls] == [False]
    assert "garage" in str(model.requests[1].messages[-1]["content"])
    assert not world.is_moving()
    assert place(world) == pytest.approx(begin, abs=0.01)


def test_the_second_place_that_it_is_sent_to_counts(start: Start, scout: Scout) -> None:
    app = scout(SLOW)
    world = app.definition().deps
    talk = talk_to(start, app)
    first = talk.assistant.submit("Go to the bedroom.")
    begin = place(world)
    until(lambda: place(world) != begin)
    talk.assistant.interrupt()
    talk.end_of(first)
    assert world.is_moving()
    second = talk.assistant.submit("Go to the office.")
    until(lambda: "office" in str(world.get_world_state()["robot"]["goal"]))
    assert talk.wait_for("skill_cancelled").payload.arguments == {"room": "bedroom"}
    assert world.is_moving()
    talk.assistant.stop("key")
    talk.end_of(second)


def test_its_map_is_drawn_with_its_rooms(start: Start, scout: Scout) -> None:
    talk = talk_to(start, scout(SLOW))
    drawn = run_command(talk.assistant, "/map")
    assert drawn is not None
    for room in ROOMS:
        assert room.split()[0] in drawn


def test_all_five_skills_of_the_scout_are_understood_in_it(start: Start, scout: Scout) -> None:
    world = scout(SLOW).definition().deps
    talk = start(skills=SCOUT_SKILLS, deps=world)
    assert "office" in talk.say("which rooms are there").reply
    assert talk.say("how much battery is left").tool_calls[0].name == "battery_level"
