"""The built-in agents in a home of the test's own: no settings, notes or scenes of the person who runs the tests."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.examples.agents.home_scenes import SCENES
from edgevox.examples.agents.house import HOUSE


@pytest.fixture(autouse=True)
def home_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Point every setting and every note to a folder of the test."""
    for name in list(os.environ):
        if name.startswith("EDGEVOX_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    yield tmp_path / "home"
    HOUSE.reset()
    HOUSE.weather = None
    SCENES.reset()
