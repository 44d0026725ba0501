"""Tools that end a run: at once, or after some tidying up."""
# ruff: noqa: ARG001 - the form of a typed tool is fixed

from collections.abc import Sequence
from typing import Any, cast

from edgevox.core.errors import ChainError, ToolDefinitionError
from edgevox.core.filtering import filter_messages
from edgevox.core.messages import Message
from edgevox.core.running import current_run
from edgevox.core.values import Empty, Stop, Str
from edgevox.tools import Tool, tool
from edgevox.tools.typed import run_typed

ENTRY = "stop"
"""What a model asks for when it is done."""


@tool
def stop(input: Str, messages: list[Message]) -> Stop:
    """End the run. The value is its answer; it may be empty."""
    return Stop(value=input.value)


def stop_after(*cleanup: Tool | Sequence[Tool], final_stop_tool: Tool = stop) -> list[Tool]:
    """Return a chain that a model enters as `stop`: the cleanups run in order, then the run ends with its words.

    A run that is cancelled ends without them.

    Args:
        cleanup: typed tools that take `Empty`, or what the one before returns; they are copied, so that the tools
            themselves can be used elsewhere. A list is taken apart.
        final_stop_tool: ends the run; takes the `Str` that the model gave.

    Raises:
        ToolDefinitionError: there is nothing to do before the end, or the last tool does not end a run.
    """
    links = Tool.to_tool_list(list(cleanup))
    if not links:
        raise ToolDefinitionError("stop_after needs at least one tool that runs before the end; use stop without any.")
    if not any(issubclass(model, Stop) for model in final_stop_tool.output_models):
        raise ToolDefinitionError(f"{final_stop_tool.name} cannot end a run: it has to return Stop.")
    chain = [_entry()]
    for link in links:
        chain.append(link.copy(chained_to=chain[-1]))
    return [*chain, _final(final_stop_tool, chain[-1])]


def _entry() -> Tool:
    @tool
    def stop(input: Str, messages: list[Message]) -> Str:
        """End the run, after what has to be done before. The value is its answer; it may be empty."""
        return Str(value=input.value)

    return stop


def _final(ending: Tool, after: Tool) -> Tool:
    @tool(chained_to=after)
    def end_run(input: Empty, messages: list[Message]) -> Stop:
        """End the run with the words that were given at the beginning of its end."""
        run = current_run()
        returned = run_typed(ending, Str(value=_words(messages)), messages, run.ctx if run is not None else None)
        if not isinstance(returned, Stop):
            raise ChainError(f"{ending.name} was to end the run but returned {type(returned).__name__}.")
        return returned

    return end_run.rename(ending.name)


def _words(messages: Sequence[Message]) -> str:
    """What the model said when it asked for the end. The conversation remembers it, so no run mixes with another."""
    for message in reversed(filter_messages(messages, caller=ENTRY)):
        for result in reversed(message.tool_results):
            payload: Any = result.payload
            if result.tool_name == ENTRY and isinstance(payload, dict):
                return str(cast("dict[str, Any]", payload).get("value", ""))
    return ""
