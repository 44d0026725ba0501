"""Tools of other packages, found through real distributions on the path."""

import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgevox.tools import load_entry_point_tools

SOURCE = '''
from edgevox.tools import tool, ToolRegistry

@tool
def {name}_one(city: str) -> str:
    """One."""
    return city

@tool
def {name}_two() -> str:
    """Two."""
    return "two"

BOTH = [{name}_one, {name}_two]
PAIR = ({name}_one, {name}_two)
REGISTRY = ToolRegistry({name}_one, {name}_two)
NUMBER = 42
'''

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Put a distribution with entry points on the path, as an installer would."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    before = set(sys.modules)

    def write(name: str, targets: dict[str, str], source: str | None = None) -> None:
        (tmp_path / f"{name}.py").write_text(source if source is not None else SOURCE.format(name=name))
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        lines = "\n".join(f"{key} = {name}{':' + attr if attr else ''}" for key, attr in targets.items())
        (info / "entry_points.txt").write_text(f"[edgevox.tools]\n{lines}\n")

    yield write
    for module in set(sys.modules) - before:
        if module.startswith("plug_"):
            del sys.modules[module]


def found() -> list[str]:
    return [one.name for one in load_entry_point_tools() if one.name.startswith("plug_")]


def test_a_function_a_list_a_tuple_and_a_registry_load(install: Install) -> None:
    for letter, target in (("a", "plug_a_one"), ("b", "BOTH"), ("c", "PAIR"), ("d", "REGISTRY")):
        install(f"plug_{letter}", {letter: target})
    assert found() == [
        "plug_a_one", "plug_b_one", "plug_b_two", "plug_c_one", "plug_c_two", "plug_d_one", "plug_d_two",
    ]  # fmt: skip


def test_a_tool_knows_which_plugin_it_came_from(install: Install) -> None:
    install("plug_owned", {"my-house": "BOTH"})
    owners = {one.owner for one in load_entry_point_tools() if one.name.startswith("plug_owned")}
    assert owners == {"my-house"}


@pytest.mark.parametrize(
    ("source", "attribute"),
    [
        ("raise RuntimeError('boom')", "X"),
        ("import sys; sys.exit(3)", "X"),
        ("import no_such_library_anywhere", "X"),
        ("syntax error here", "X"),
        (None, "MISSING"),
        (None, "NUMBER"),
    ],
)
def test_a_broken_plugin_warns_once_and_the_others_load(
    install: Install, caplog: pytest.LogCaptureFixture, source: str | None, attribute: str
) -> None:
    name = f"plug_bad{abs(hash((source, attribute))) % 10**8}"
    install(name, {"bad": attribute}, source)
    install("plug_fine", {"fine": "plug_fine_two"})
    with caplog.at_level(logging.WARNING):
        assert found() == ["plug_fine_two"]
        assert found() == ["plug_fine_two"]
    assert len([record for record in caplog.records if name in record.getMessage()]) == 1


def test_a_name_that_is_taken_is_left_out_and_both_sides_are_named(
    install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    install("plug_first", {"a": "plug_first_one"})
    install(
        "plug_second",
        {"b": "again"},
        "from edgevox.tools import build_tool\nagain = build_tool(lambda: 1, name='plug_first_one')",
    )
    with caplog.at_level(logging.WARNING):
        assert found() == ["plug_first_one"]
    assert "plug_second:again" in caplog.text
    assert "plug_first:plug_first_one" in caplog.text
