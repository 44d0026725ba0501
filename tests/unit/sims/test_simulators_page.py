"""The page on simulators: what it shows runs as it stands there."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from edgevox.core.goals import GoalStatus
from edgevox.sims import IrSimEnvironment

PAGE = (Path(__file__).parents[3] / "docs" / "simulators.md").read_text(encoding="utf-8")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(find_spec("irsim") is None, reason="ir-sim is not installed")]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def run(code: str, folder: Path) -> str:
    env = {"PATH": "/usr/bin:/bin", "MPLBACKEND": "agg"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=100, cwd=folder, check=False, env=env
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_same_agent_drives_in_both_worlds(tmp_path: Path) -> None:
    (code,) = [block for block in blocks("python") if "for world in" in block]
    assert run(code, tmp_path) == "I am in the kitchen.\nI am in the kitchen.\n"


def test_the_world_file_of_the_page_can_be_driven_in(tmp_path: Path) -> None:
    (text,) = [block for block in blocks("yaml") if "waypoints" in block]
    path = tmp_path / "my_world.yaml"
    path.write_text(text, encoding="utf-8")
    world = IrSimEnvironment(path, base="acker", render=False, time_scale=15.0)
    assert world.room_names() == ["dock", "lab"]
    handle = world.apply_action("navigate_to", room="lab")
    assert handle.poll(60) is GoalStatus.SUCCEEDED, handle.error
    world.close()


def test_the_script_of_three_lines_holds_an_agent_in_that_world() -> None:
    (code,) = [block for block in blocks("python") if "scout_in" in block]
    names: dict[str, object] = {}
    exec(compile(code, "my_scout.py", "exec"), names)
    assert getattr(names["APP"], "name", "") == "Scout"


def test_the_script_that_draws_from_the_main_thread_ends(tmp_path: Path) -> None:
    (code,) = [block for block in blocks("python") if "scheduler.run(over)" in block]
    faster = code.replace("scheduler=scheduler)", "scheduler=scheduler, time_scale=10)")
    assert faster != code
    assert run(faster + '\nprint(world.get_world_state()["robot"]["x"] > 6)\n', tmp_path) == "True\n"


@pytest.mark.parametrize(("sign", "shown"), [("navigate_speed=0.7", ""), ('"pick", object="red cube"', "bin\n")])
def test_the_mujoco_examples_do_what_they_say(sign: str, shown: str, tmp_path: Path) -> None:
    pytest.importorskip("mujoco")
    (code,) = [block for block in blocks("python") if sign in block]
    proven = code.replace("goal.poll(60)", 'assert goal.poll(60) == "succeeded", goal.error')
    assert run(proven, tmp_path) == shown
