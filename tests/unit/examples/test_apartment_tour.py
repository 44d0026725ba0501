"""The script that owns the main thread: it tours the flat and says what it cannot do."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from edgevox.examples.apartment_tour import main

pytestmark = pytest.mark.skipif(find_spec("irsim") is None, reason="ir-sim is not installed")


@pytest.mark.slow
def test_it_tours_every_room_and_draws_on_the_way(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--base", "omni", "--speed", "20"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [f"I am in the {room}." for room in ("kitchen", "living room", "bedroom", "office")]


def test_a_world_that_cannot_be_used_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world = tmp_path / "empty.yaml"
    world.touch()
    assert main(["--world", str(world), "--no-render"]) == 1
    assert f"{world} is empty" in capsys.readouterr().out
