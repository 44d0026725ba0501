"""How a world takes an action by name: look it up, check its arguments, answer with a handle."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from edgevox.core.errors import EdgeVoxError
from edgevox.core.goals import GoalHandle


def perform(actions: Mapping[str, Callable[..., GoalHandle]], name: str, arguments: Mapping[str, Any]) -> GoalHandle:
    """Call an action of a world.

    Args:
        actions: what the world knows, by name.
        name: of the action.
        arguments: as they came.

    Returns:
        The action's handle; one that has FAILED and says why for an unknown action, arguments that do not fit, or a
        world that cannot be opened.
    """
    action = actions.get(name)
    if action is None:
        return failed(f"unknown action '{name}'; this world knows {', '.join(actions)}")
    try:
        inspect.signature(action).bind(**arguments)
    except TypeError as error:
        return failed(f"{name}: {error}")
    try:
        return action(**arguments)
    except EdgeVoxError as error:  # the world opens with its first action, and its file or its library may be missing
        return failed(str(error))


def named(names: Iterable[str], wanted: object) -> str | None:
    """Return the name that is meant: `Living Room` is `living_room`. `None` when there is none."""
    spelled = _spelled(str(wanted))
    return next((name for name in names if name == wanted or _spelled(name) == spelled), None)


def _spelled(name: str) -> str:
    return "_".join(name.casefold().split())


def done(result: Any) -> GoalHandle:
    """Return the handle of an action that is over."""
    handle = GoalHandle()
    handle.succeed(result)
    return handle


def failed(error: str) -> GoalHandle:
    """Return the handle of an action that cannot be done."""
    handle = GoalHandle()
    handle.fail(error)
    return handle
