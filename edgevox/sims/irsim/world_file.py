# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false, reportUnknownArgumentType=false
# PyYAML is untyped, and what stands in a file is anything until it has been looked at.
"""Reads a world file and says in one sentence what is missing in it.

The file is ir-sim's own format; the places a robot can be sent to stand under `custom.waypoints`, which ir-sim leaves
alone. Knows the file, not the simulator: what ir-sim itself refuses is its word (`edgevox.sims.irsim.engine`).
"""

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from edgevox.core.errors import ConfigError
from edgevox.sims.irsim.bases import BASES, KINEMATICS
from edgevox.sims.scene import Point

STEP_S = 0.05
"""Seconds of the world that one step covers: 20 Hz."""

SECTIONS = ("world", "gui", "robot", "obstacle", "custom")

APARTMENT = Path(str(files("edgevox.sims"))) / "worlds" / "apartment.yaml"
"""The world that comes with the product."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldFile:
    """A world that has been read and can be handed to ir-sim."""

    path: Path
    content: dict[str, Any]
    """As ir-sim reads it, with edgevox's step time and the base that was asked for."""
    bounds: tuple[float, float, float, float]
    """Least x, least y, greatest x, greatest y; metres."""
    waypoints: dict[str, Point]
    """Places by name, metres, in the order of the file."""


def read_world(path: Path, base: str | None = None) -> WorldFile:
    """Read a world file.

    Args:
        path: a YAML file.
        base: `diff`, `acker` or `omni` to put the robot on; `None` leaves it as the file says.

    Raises:
        ConfigError: the file cannot be read, or lacks something; the sentence names both.
    """
    if base is not None and base not in BASES:
        raise ConfigError(f"There is no base {base!r}; choose one of {', '.join(BASES)}.")
    content = _sections(path, _parsed(path))
    world = _mapping(path, content.get("world"), "world")
    bounds = _bounds(path, world)
    content["world"] = {"collision_mode": "stop", **_with_map(path, world), "step_time": STEP_S, "control_mode": "auto"}
    content["robot"] = _robots(path, content.get("robot"), base)
    custom = _mapping(path, content.get("custom"), "custom")
    waypoints = _waypoints(path, custom.get("waypoints"), bounds)
    return WorldFile(path=path, content=content, bounds=bounds, waypoints=waypoints)


def _parsed(path: Path) -> Any:
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ConfigError(f"There is no world file {path}; give the path of an ir-sim world in YAML.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ConfigError(f"The world file {path} cannot be read: {reason}.") from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark is not None else ""
        problem = getattr(error, "problem", None) or "it cannot be parsed"
        raise ConfigError(f"The world file {path} is not YAML{where}: {problem}.") from error


def _sections(path: Path, content: Any) -> dict[str, Any]:
    if content is None:
        raise ConfigError(f"The world file {path} is empty; it needs the sections world, robot and obstacle.")
    sections = _mapping(path, content, "file")
    if isinstance(sections.get("irsim"), dict):
        sections = sections["irsim"]
    for key in sections:
        if key not in SECTIONS:
            near = difflib.get_close_matches(str(key), SECTIONS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"its sections are {', '.join(SECTIONS)}."
            raise ConfigError(f"The world file {path} has an unknown section {key!r}; {hint}")
    return dict(sections)


def _mapping(path: Path, value: Any, what: str) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"The world file {path} has a {what} that is not made of names and values.")
    return cast("dict[str, Any]", value)


def _bounds(path: Path, world: Mapping[str, Any]) -> tuple[float, float, float, float]:
    corner = _place(world.get("offset", [0, 0]))
    size = _place([world.get("width", 10), world.get("height", 10)])
    if corner is None or size is None or min(size) <= 0:
        raise ConfigError(f"The world file {path} needs a width and a height above 0 metres in its section world.")
    return corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]


def _with_map(path: Path, world: Mapping[str, Any]) -> dict[str, Any]:
    """The section world; a picture it names is looked for beside the file."""
    picture = world.get("obstacle_map")
    if isinstance(picture, str) and (path.parent / picture).is_file():
        return {**world, "obstacle_map": str((path.parent / picture).absolute())}
    return dict(world)


def _robots(path: Path, robots: Any, base: str | None) -> list[dict[str, Any]]:
    """The robots of the file; the first is ours, and stands on the base that was asked for."""
    given = robots if isinstance(robots, list) else [robots]
    if not given or not isinstance(given[0], dict):
        raise ConfigError(
            f"The world file {path} has no robot; add a section robot with kinematics: {{name: diff}} and a state."
        )
    first = {**given[0], **(BASES[base] if base is not None else {})}
    kinematics = _mapping(path, first.get("kinematics"), "robot's kinematics")
    name = kinematics.get("name")
    if name not in KINEMATICS:
        moves = f"by {name!r}" if name is not None else "by nothing"
        raise ConfigError(
            f"The robot in the world file {path} moves {moves}; its kinematics need a name: {', '.join(KINEMATICS)}."
        )
    return [first, *given[1:]]


def _waypoints(path: Path, given: Any, bounds: tuple[float, float, float, float]) -> dict[str, Point]:
    waypoints: dict[str, Point] = {}
    for name, place in _mapping(path, given, "list of waypoints").items():
        point = _place(place)
        if point is None:
            raise ConfigError(f"The world file {path} has no usable place for the waypoint {name!r}; write [x, y].")
        if not (bounds[0] <= point[0] <= bounds[2] and bounds[1] <= point[1] <= bounds[3]):
            raise ConfigError(f"The waypoint {name!r} in the world file {path} lies outside the world.")
        waypoints[str(name)] = point
    return waypoints


def _place(place: Any) -> Point | None:
    if isinstance(place, dict):
        place = [place.get("x"), place.get("y")]
    if not isinstance(place, list) or len(place) < 2:
        return None
    x, y = _number(place[0]), _number(place[1])
    return None if x is None or y is None else (x, y)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)
