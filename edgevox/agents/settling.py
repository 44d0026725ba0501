"""Makes a value of a change: *warmer* becomes 22, from what a tool says it is now, or from what it was set to last.

Knows calls and the conversation. Does not know words.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args, get_origin

from edgevox.core.messages import ResultStatus
from edgevox.core.session import Session
from edgevox.core.tools import ToolCallResult
from edgevox.tools import Tool

if TYPE_CHECKING:
    from edgevox.intents import Adjustable, Change, PhraseMatch

_DECIMALS = 3


def changes_in(arguments: Mapping[str, Any]) -> "dict[str, Change]":
    """The arguments that say by how much a value is to change."""
    from edgevox.intents import Change

    return {name: value for name, value in arguments.items() if isinstance(value, Change)}


def settled(match: "PhraseMatch", tools: Mapping[str, Tool], session: Session | None) -> bool:
    """Whether every change in a match can be made a value.

    Args:
        match: what was understood.
        tools: by name, those that can tell a value included.
        session: what was called before.
    """
    for call in match.chain:
        tool = tools.get(call.tool_name)
        for name in changes_in(call.arguments):
            adjustable = _adjustable(tool, name)
            reader = adjustable.reads.partition(".")[0] if adjustable is not None else ""
            known = tools[reader].active if reader in tools else _last_value(session, call.tool_name, name) is not None
            if not known:
                return False
    return True


def absolute(
    arguments: Mapping[str, Any], tool: Tool, session: Session, call: Callable[[str], ToolCallResult]
) -> dict[str, Any] | ToolCallResult:
    """Return the arguments with values in the place of changes, or the result of a reading that failed.

    Args:
        arguments: of a call.
        tool: that is to be called.
        session: what was called before.
        call: calls a tool without arguments.
    """
    values = dict(arguments)
    for name, change in changes_in(arguments).items():
        adjustable = _adjustable(tool, name)
        reads = adjustable.reads if adjustable is not None else ""
        now = _last_value(session, tool.name, name)
        if reads:
            result = call(reads.partition(".")[0])
            now = _field(result.result, reads.partition(".")[2]) if result.ok else None
            if now is None:
                return result if not result.ok else _unread(result, reads)
        if now is not None:
            values[name] = _within(now + change.amount, tool, name)
    return values


def _adjustable(tool: Tool | None, name: str) -> "Adjustable | None":
    from edgevox.intents import Adjustable

    parameters = tool.signature.parameters if tool is not None else ()
    annotation = next((parameter.annotation for parameter in parameters if parameter.name == name), None)
    if get_origin(annotation) is not Annotated:
        return None
    return next((part for part in get_args(annotation) if isinstance(part, Adjustable)), None)


def _last_value(session: Session | None, tool: str, name: str) -> float | None:
    from edgevox.agents.followups import recent_calls

    if session is None:
        return None
    values = (call.arguments.get(name) for call in recent_calls(session) if call.tool_name == tool)
    return next((value for value in values if _is_number(value)), None)


def _field(result: Any, path: str) -> float | None:
    """Walk into a result by field names; `None` when no number is there."""
    for name in filter(None, path.split(".")):
        result = cast("Mapping[str, Any]", result).get(name) if isinstance(result, Mapping) else None
    return result if _is_number(result) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _within(value: float, tool: Tool, name: str) -> float:
    """Keep a value within the range of its parameter."""
    schema: dict[str, Any] = tool.parameters.get("properties", {}).get(name, {})
    value = min(max(value, schema.get("minimum", value)), schema.get("maximum", value))
    rounded = round(value, _DECIMALS)
    return int(rounded) if rounded == int(rounded) else rounded


def _unread(result: ToolCallResult, reads: str) -> ToolCallResult:
    return replace(result, status=ResultStatus.ERROR, error=f"{reads} is no number, so nothing can be added to it")
