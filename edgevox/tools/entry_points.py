"""Finds tools that other installed packages declare. A broken package warns and never stops the others."""

import logging
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from edgevox.core.errors import ToolDefinitionError, described
from edgevox.tools.decorator import as_tool
from edgevox.tools.definition import Tool
from edgevox.tools.registry import ToolRegistry

log = logging.getLogger(__name__)

GROUP = "edgevox.tools"

_warned: set[str] = set()


def load_entry_point_tools(group: str = GROUP) -> list[Tool]:
    """Return the tools of every installed package that declares some.

    An entry point names a decorated function, a list or tuple of them, or a `ToolRegistry`. One that cannot be loaded,
    and a tool whose name is taken, is left out with a warning, once for each process.

    Args:
        group: the entry-point group.
    """
    found: dict[str, Tool] = {}
    origins: dict[str, str] = {}
    for point in sorted(entry_points(group=group), key=lambda point: (point.name, point.value)):
        for tool in _loaded(point):
            if tool.name in found:
                _warn(f"tool '{tool.name}' of {point.value} is left out: {origins[tool.name]} has one of that name")
                continue
            tool.owner = tool.owner or point.name
            found[tool.name] = tool
            origins[tool.name] = point.value
    return list(found.values())


def _loaded(point: EntryPoint) -> list[Tool]:
    try:
        return _tools(point.load())
    except ToolDefinitionError as error:
        _warn(f"tools of {point.value} are left out: {error}")
    except Exception as error:  # a plugin is other people's code: anything may be wrong with it
        _warn(f"tools of {point.value} are left out: {described(error)}")
    except SystemExit:
        _warn(f"tools of {point.value} are left out: importing them tries to end the program")
    return []


def _tools(target: Any) -> list[Tool]:
    if isinstance(target, ToolRegistry):
        return target.tools
    if isinstance(target, list | tuple):
        return [as_tool(one) for one in cast("list[Any]", target)]
    return [as_tool(target)]


def _warn(message: str) -> None:
    if message not in _warned:
        _warned.add(message)
        log.warning(message)
