"""ir-sim as a world: where it starts, what it never touches, own world files, and the scout driving to every room."""

import math
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("irsim", reason="ir-sim is not installed")

from edgevox.agents import AgentContext, GoalHandle, GoalStatus, IrSimEnvironment, LLMAgent, MainThreadScheduler
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ConfigError
from edgevox.examples.agents.robot_irsim import APARTMENT_SKILLS, APP
from edgevox.examples.agents.robot_scout import SCOUT_SKILLS
from edgevox.sims import LidarScan
from edgevox.sims.irsim.engine import full_turn
from edgevox.sims.irsim.world_file import STEP_S
from edgevox.testing import ScriptedModel, call
from edgevox.testing.terminal import PseudoTerminal

FAST = 15.0
ROOMS = ["kitchen", "living_room", "bedroom", "office"]
Make = Callable[..., IrSimEnvironment]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    worlds: list[IrSimEnvironment] = []

    def made(text: str | None = None, **options: Any) -> IrSimEnvironment:
        path = None
        if text is not None:
            path = tmp_path / "own.yaml"
            path.write_text(text, encoding="utf-8")
        worlds.append(IrSimEnvironment(path, render=False, **options))
        return worlds[-1]

    yield made
    for world in worlds:
        world.close()


def own(obstacles: str = "", world: str = "", robot: str = "") -> str:
    """A world of four by four metres with the robot at (1, 2) and one waypoint on the other side."""
    return f"""
world: {{width: 4, height: 4, {world}}}
robot:
  - {{kinematics: {{name: diff}}, shape: {{name: circle, radius: 0.2}}, state: [1, 2, 0], {robot}}}
obstacle: [{obstacles}]
custom: {{waypoints: {{There: [3, 2]}}}}
"""


def tick_until(world: IrSimEnvironment, handle: GoalHandle, most_s: float = 60.0) -> GoalStatus:
    for _ in range(int(most_s / STEP_S)):
        if handle.status.is_terminal():
            break
        world.tick_physics()
    return handle.status


def test_it_starts_in_the_middle_and_knows_four_waypoints(make: Make) -> None:
    state = make().get_world_state()
    robot = state["robot"]
    assert (robot["x"], robot["y"], robot["heading_deg"]) == (5.0, 5.0, 0.0)
    assert (robot["velocity"], robot["moving"], robot["battery_pct"]) == (0.0, False, 100.0)
    assert list(state["waypoints"]) == ROOMS


def test_constructing_imports_nothing_and_opens_nothing() -> None:
    code = """
import sys
from edgevox.sims import IrSimEnvironment
import edgevox.agents
world = IrSimEnvironment("/nowhere/at/all.yaml", base="acker")
world.close()
print([name for name in ("irsim", "matplotlib", "yaml", "numpy") if name in sys.modules])
"""
    assert fresh(code) == "[]"


def fresh(code: str, **variables: str) -> str:
    """Run code in an interpreter of its own and return what it printed; it must say nothing else."""
    env = {"PATH": "/usr/bin:/bin", **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=100, env=env, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("display", [{}, {"DISPLAY": ":99"}], ids=["no display", "a display"])
def test_started_from_a_worker_it_chooses_no_screen_hears_no_keys_and_says_nothing(display: dict[str, str]) -> None:
    code = """
import sys, threading
from edgevox.sims import IrSimEnvironment
world = IrSimEnvironment(render=False, time_scale=20)
ended = []
def drive():
    ended.append(world.apply_action("navigate_to", room="kitchen").poll(60))
    ended.append(world.apply_action("navigate_to", x=5, y=5.2).poll(60))
worker = threading.Thread(target=drive); worker.start(); worker.join()
world.close()
import matplotlib
print(matplotlib.get_backend().lower(), [name for name in ("tkinter", "_tkinter", "pynput") if name in sys.modules],
      *ended, threading.active_count())
"""
    assert fresh(code, **display) == "agg [] succeeded succeeded 1"


def test_a_missing_library_is_one_sentence_with_the_command() -> None:
    code = """
import sys
sys.modules["irsim"] = None
from edgevox.core.errors import LibraryMissing
from edgevox.sims import IrSimEnvironment
try:
    IrSimEnvironment(render=False).open()
except LibraryMissing as error:
    print(error)
"""
    assert fresh(code) == "This world needs ir-sim: pip install 'edgevox[sim]'"


def test_fifty_worlds_leave_no_thread_behind(tmp_path: Path) -> None:
    small = tmp_path / "small.yaml"
    small.write_text(own())
    before = threading.active_count()
    for number in range(50):
        world = IrSimEnvironment(small, base=("diff", "acker", "omni")[number % 3], render=False)
        assert world.apply_action("navigate_to", room="there").status is GoalStatus.RUNNING
        world.close()
    assert threading.active_count() <= before


def test_physics_may_be_ticked_from_several_threads_at_once(make: Make) -> None:
    world = make(threaded=False)
    handle = world.apply_action("navigate_to", room="kitchen")
    threads = [threading.Thread(target=tick_until, args=(world, handle)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert handle.status is GoalStatus.SUCCEEDED


def test_without_a_thread_of_its_own_time_is_the_callers(make: Make) -> None:
    world = make(threaded=False)
    handle = world.apply_action("navigate_to", room="kitchen")
    assert world.is_moving()
    assert world.get_world_state()["robot"]["x"] == 5.0
    for _ in range(20):
        world.step(STEP_S)
    robot = world.get_world_state()["robot"]
    assert math.dist((robot["x"], robot["y"]), (5, 5)) == pytest.approx(0.8, abs=0.3)
    assert robot["goal"] == "kitchen"
    assert 0 < robot["velocity"] <= 0.8
    world.halt()
    assert handle.status is GoalStatus.CANCELLED
    assert world.get_world_state()["robot"]["velocity"] == 0.0


def test_irsim_new_goal_preempts_old(make: Make) -> None:
    world = make(threaded=False)
    first = world.apply_action("navigate_to", room="kitchen")
    for _ in range(20):
        world.tick_physics()
    second = world.apply_action("navigate_to", room="office")
    assert first.status is GoalStatus.CANCELLED
    assert tick_until(world, second) is GoalStatus.SUCCEEDED
    robot = world.get_world_state()["robot"]
    assert (robot["x"], robot["y"]) == pytest.approx((2.8, 7.6), abs=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("base", ["diff", "acker", "omni"])
def test_every_base_gets_from_every_room_to_every_other_without_touching_anything(make: Make, base: Any) -> None:
    world = make(base=base, threaded=False)
    nearest = math.inf
    for room in ["kitchen", "office", "living_room", "bedroom", "kitchen", "living_room", "office", "bedroom"]:
        handle = world.apply_action("navigate_to", room=room)
        while not handle.status.is_terminal():
            world.tick_physics()
            nearest = min(nearest, world.get_world_state()["robot"]["nearest_obstacle_m"])
        assert handle.status is GoalStatus.SUCCEEDED, handle.error
    assert nearest > 0.15
    assert world.get_world_state()["robot"]["battery_pct"] < 92


def test_a_place_inside_the_furniture_cannot_be_reached(make: Make) -> None:
    world = make(time_scale=FAST)
    bed = world.apply_action("navigate_to", x=8.8, y=8.9)
    assert bed.poll(20) is GoalStatus.FAILED
    assert "cannot be reached" in (bed.error or "")
    edge = world.apply_action("navigate_to", x=8.8, y=8.05)
    assert edge.status is GoalStatus.FAILED
    assert "no room for the robot" in (edge.error or "")


def test_a_robot_that_runs_into_something_says_so_and_can_drive_on(make: Make) -> None:
    cart = "{kinematics: {name: omni}, shape: {name: circle, radius: 0.3}, state: [2, 0.6, 0], goal: [2, 1.8], "
    cart += "behavior: {name: dash}, vel_max: [1, 1], name: cart}"
    world = make(own(cart, robot="vel_max: [0.3, 1]"), threaded=False)
    handle = world.apply_action("navigate_to", room="there")
    assert tick_until(world, handle) is GoalStatus.FAILED
    assert "ran into cart" in (handle.error or "")
    assert world.get_world_state()["robot"]["velocity"] == 0.0
    away = world.apply_action("navigate_to", x=1.0, y=3.5)
    assert tick_until(world, away) is GoalStatus.SUCCEEDED, away.error


def test_a_robot_whose_wheels_slip_is_stuck_and_says_so(make: Make) -> None:
    world = make(own(world="collision_mode: contact", robot="friction: 0.0"), threaded=False)
    handle = world.apply_action("navigate_to", room="There")
    assert tick_until(world, handle) is GoalStatus.FAILED
    assert handle.error == "the robot is stuck at (1.0, 2.0)"


def test_a_simulator_that_fails_ends_the_drive_in_words_and_not_the_thread(make: Make) -> None:
    lost = "{kinematics: {name: diff}, shape: {name: circle, radius: 0.2}, state: [3, 0.5, 0], goal: [1, 0.5], "
    lost += "behavior: {name: wave_with_the_ears}}"
    world = make(own(lost))
    handle = world.apply_action("navigate_to", room="There")
    assert handle.poll(20) is GoalStatus.FAILED
    assert "ir-sim failed in" in (handle.error or "")
    assert "own.yaml" in (handle.error or "")
    again = world.apply_action("navigate_to", room="There")
    assert again.poll(20) is GoalStatus.FAILED
    assert not world.is_moving()
    assert world.get_world_state()["robot"]["velocity"] == 0.0


def test_what_moves_by_itself_moves_while_the_robot_rests(make: Make) -> None:
    cart = "{kinematics: {name: omni}, shape: {name: circle, radius: 0.2}, state: [3.4, 0.5, 0], goal: [0.5, 0.5], "
    cart += "behavior: {name: dash}}"
    world = make(own(cart), time_scale=FAST)
    world.open()
    before = world.scene().walls
    deadline = time.monotonic() + 20
    while world.scene().walls == before:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert world.get_world_state()["robot"]["x"] == 1.0


def test_a_room_that_the_file_does_not_name_fails_and_says_which_there_are(make: Make, tmp_path: Path) -> None:
    handle = make(own()).apply_action("navigate_to", room="kitchen")
    assert handle.error == "there is no room 'kitchen'; the rooms are There"
    bare = make(own().replace("custom", "gui: {} #"))
    assert str(tmp_path / "own.yaml") in (bare.apply_action("navigate_to", room="kitchen").error or "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("robot: 1", "has no robot"),
        (own("{shape: {name: dodecahedron}}"), "ir-sim cannot use the world file"),
        (own("{shape: {name: circle, radius: 1}, state: [1, 2, 0]}"), "stands in an obstacle"),
    ],
)
def test_a_world_file_that_cannot_be_used_is_one_sentence(
    make: Make, capfd: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        make(text).open()
    assert words in str(caught.value)
    assert "own.yaml" in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_a_time_scale_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        IrSimEnvironment(time_scale=0)


def test_a_scan_begins_straight_ahead_and_is_a_full_turn(make: Make) -> None:
    wall = "{shape: {name: rectangle, length: 0.2, width: 4}, state: [3.6, 2, 0]}"
    scanner = "sensors: [{type: lidar2d, range_max: 9, angle_range: 3.14159, number: 91}]"
    lidar = make(own(wall, robot=scanner)).scene().lidar
    assert lidar is not None
    assert lidar.ranges[0] == pytest.approx(2.5, abs=0.01)
    assert lidar.ranges[6] == pytest.approx(2.5 / math.cos(math.radians(30)), abs=0.01)
    assert lidar.ranges[36] == 9.0
    assert len(lidar.ranges) == 72
    single = full_turn({"ranges": [2.0], "range_max": 5, "angle_min": 0.0, "angle_increment": 0.0})
    assert single == LidarScan(ranges=(2.0, *[5.0] * 71), max_range_m=5.0)
    assert make(own()).scene().lidar is None


def test_pictures_are_drawn_on_the_main_thread_alone() -> None:
    import matplotlib.pyplot as plt

    figures = len(plt.get_fignums())
    world = IrSimEnvironment(window="inline", threaded=False)
    world.open()
    worker = threading.Thread(target=world.pump_render)
    worker.start()
    worker.join()
    assert len(plt.get_fignums()) == figures
    world.pump_render()
    assert len(plt.get_fignums()) == figures + 1
    title = plt.gcf().axes[0].get_title()
    assert title == "at rest at (5.0, 5.0), heading 0 degrees"
    world.close()
    world.pump_render()
    assert len(plt.get_fignums()) == figures


def test_a_world_hands_its_pictures_to_who_owns_the_main_thread() -> None:
    import matplotlib.pyplot as plt

    scheduler, over = MainThreadScheduler(), CancelScope()
    world = IrSimEnvironment(window="inline", scheduler=scheduler, time_scale=FAST)
    world.open()
    world.apply_action("navigate_to", room="kitchen").on_end(over.cancel)
    scheduler.run(over)
    while scheduler.pump():
        pass
    robot = world.get_world_state()["robot"]
    assert f"({robot['x']:.1f}, {robot['y']:.1f})" in plt.gcf().axes[0].get_title()
    worker = threading.Thread(target=world.close)
    worker.start()
    worker.join()
    assert plt.get_fignums()
    scheduler.pump()
    scheduler.close()
    assert not plt.get_fignums()


def test_without_render_nothing_is_drawn(make: Make) -> None:
    import matplotlib.pyplot as plt

    world = make(window="inline")
    world.open()
    world.pump_render()
    assert not plt.get_fignums()


def test_the_scouts_skills_drive_it_word_for_word(make: Make) -> None:
    world = make(time_scale=FAST)
    agent = LLMAgent("scout", skills=SCOUT_SKILLS)
    result = agent.run("go to the kitchen", AgentContext(deps=world))
    assert (result.reply, result.model_calls) == ("I am in the kitchen.", 0)
    assert agent.run("what rooms are there", AgentContext(deps=world)).model_calls == 0
    assert set(APARTMENT_SKILLS) < set(SCOUT_SKILLS)


def test_a_model_drives_it_with_the_same_skills(make: Make) -> None:
    world = make(base="omni", time_scale=FAST)
    model = ScriptedModel(call("navigate_to", room="office"), "I am where you work.")
    agent = LLMAgent("scout", skills=APARTMENT_SKILLS, llm=model)
    assert agent.run("go where I work", AgentContext(deps=world)).reply == "I am where you work."
    assert world.get_world_state()["robot"]["y"] == pytest.approx(7.6, abs=0.1)


def test_a_stop_in_the_middle_of_a_drive_halts_the_robot(make: Make) -> None:
    world = make()
    ctx = AgentContext(deps=world)
    world.open()

    def stop_when_it_drives() -> None:
        while world.get_world_state()["robot"]["velocity"] == 0.0:
            time.sleep(0.005)
        ctx.stop.set()

    threading.Thread(target=stop_when_it_drives).start()
    result = LLMAgent("scout", skills=APARTMENT_SKILLS).run("go to the kitchen", ctx)
    assert result.preempted
    robot = world.get_world_state()["robot"]
    assert (robot["velocity"], robot["moving"]) == (0.0, False)
    assert math.dist((robot["x"], robot["y"]), (5, 5)) < 2.0


def test_the_agent_on_the_list_draws_unless_it_is_told_not_to() -> None:
    deps = APP.definition().deps
    assert isinstance(deps, IrSimEnvironment)
    assert deps.render


SCRIPT = """
from edgevox.examples.agents.robot_irsim import scout_in
from edgevox.sims import IrSimEnvironment

APP = scout_in(IrSimEnvironment(base={base!r}, time_scale={speed}))
"""


def script(tmp_path: Path, base: str | None, speed: float) -> list[str]:
    path = tmp_path / "scout.py"
    path.write_text(SCRIPT.format(base=base, speed=speed))
    return [sys.executable, "-m", "edgevox.cli.agent", str(path), "--text-mode", "--no-render"]


@pytest.mark.slow
@pytest.mark.parametrize("base", ["diff", "acker"])
def test_a_person_sends_it_to_every_room(tmp_path: Path, base: str) -> None:
    homes = {name: str(tmp_path) for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME")}
    with PseudoTerminal(script(tmp_path, base, 6.0), columns=110, env=homes) as window:
        window.read_until("Scout is ready", 60)
        for room in ROOMS:
            spoken = room.replace("_", " ")
            window.type(f"go to the {spoken}\r")
            window.read_until(f"I am in the {spoken}.", 60)
        window.type("/quit\r")
        assert window.wait(20) == 0
        assert "irsim" not in window.text.lower().replace("scout.py", "")
        assert "Failed" not in window.text


def test_a_stop_one_second_in_halts_the_agent_of_the_list(tmp_path: Path) -> None:
    homes = {name: str(tmp_path) for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME")}
    command = [sys.executable, "-m", "edgevox.cli.agent", "robot-irsim", "--text-mode", "--no-render"]
    with PseudoTerminal(command, columns=110, env=homes) as window:
        window.read_until("Scout is ready", 60)
        window.type("go to the bedroom\r")
        window.read_until("› go to the bedroom", 10)
        time.sleep(1.0)
        window.type("stop\r")
        window.read_until("cancelled", 10)
        places: list[str] = []
        for _ in range(2):
            window.forget()
            window.type("where are you\r")
            window.read_until(" degrees.", 20)
            places.append(window.text.rsplit("I am at ", 1)[1].split(" degrees.")[0])
        assert places[0] == places[1]
        assert not places[0].startswith("x 7")
        window.type("/quit\r")
        assert window.wait(20) == 0
