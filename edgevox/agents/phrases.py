"""The turn that needs no model: words that match a tool's phrase run the tool, and its reply template is spoken.

Knows matching, dispatch and what the conversation remembers of both. Does not know language models.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from edgevox.agents.hooks import HookChain
from edgevox.agents.progress import Progress
from edgevox.agents.words import say, spoken
from edgevox.core.messages import Message, Origin, ResultStatus, Role, ToolUseBlock
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult, new_use_id
from edgevox.tools import Tool, ToolRegistry

if TYPE_CHECKING:  # the grammar library is loaded when the first phrase is compiled
    from edgevox.intents import PhraseMatch, PhraseMatcher


@dataclass(slots=True)
class Phrasebook:
    """The phrases of one agent, compiled per language when they are first needed and when the tools change."""

    registry: ToolRegistry
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """More phrases per tool name."""
    _compiled: "dict[str, tuple[tuple[int, ...], PhraseMatcher]]" = field(default_factory=dict)

    def matcher(self, language: str) -> "PhraseMatcher":
        """The matcher for a language."""
        tools = [tool for tool in self.registry.tools if tool.active]
        key = tuple(id(tool) for tool in tools)
        known = self._compiled.get(language)
        if known is not None and known[0] == key:
            return known[1]
        from edgevox.intents import PhraseMatcher

        matcher = PhraseMatcher(tools, language=language, extra=self.extra)
        self._compiled[language] = (key, matcher)
        return matcher

    def match(self, text: str, language: str) -> "PhraseMatch | None":
        """The tool and arguments that a text asks for; `None` when it asks for none, or not surely."""
        return self.matcher(language).match(text)


def phrase_turn(
    match: "PhraseMatch",
    registry: ToolRegistry,
    ctx: AgentContext,
    progress: Progress,
    *,
    agent_name: str,
    hooks: HookChain,
) -> Generator[str, None, None]:
    """Run the tool that a phrase asks for and say what came of it.

    The conversation keeps the request, the result and the reply, as if a model had asked.
    """
    result = _run(match.tool_name, dict(match.arguments), registry, ctx, agent_name, hooks)
    progress.note(result)
    if ctx.scope.cancelled:
        _keep(ctx, Message.text("", Role.ASSISTANT).cut(""))
        return
    reply = reply_to_result(registry.get(match.tool_name), result, ctx.language)
    _keep(ctx, Message.text(reply, Role.ASSISTANT))
    yield progress.say(reply)


def reply_to_result(tool: Tool | None, result: ToolCallResult, language: str) -> str:
    """Say what a call came to: its template, its own words, or a plain sentence; never nothing."""
    from edgevox.intents import render_reply

    written = render_reply(tool, result.arguments, result, language) if tool is not None else None
    if written:
        return written
    match result.status:
        case ResultStatus.SUCCESS:
            return spoken(result.result, language)
        case ResultStatus.DECLINED:
            return say("declined", language)
        case ResultStatus.CANCELLED if result.error_code != "halt_unconfirmed":
            return say("cancelled", language)
        case _:
            return result.error or say("failed", language)


def _run(
    name: str,
    arguments: dict[str, Any],
    registry: ToolRegistry,
    ctx: AgentContext,
    agent_name: str,
    hooks: HookChain,
) -> ToolCallResult:
    tool = registry.get(name)
    shown = tool.shown(arguments) if tool is not None else arguments
    use = ToolUseBlock(tool_name=name, tool_use_id=new_use_id(), input=shown, origin=Origin.PHRASE)
    ctx.emit("tool_use", agent_name, use)
    _keep(ctx, Message(role=Role.ASSISTANT, content=(use,)))
    result = hooks.before_tool(ctx, use)
    if result is None:
        result = registry.dispatch(
            name, arguments, ctx, origin=Origin.PHRASE, tool_use_id=use.tool_use_id, agent_name=agent_name
        )
        result = hooks.after_tool(ctx, result)
        ctx.emit("tool_call", agent_name, result)
    block = result.to_block()
    _keep(ctx, Message(role=Role.TOOL, content=(block,)))
    ctx.emit("tool_result", agent_name, block)
    return result


def _keep(ctx: AgentContext, message: Message) -> None:
    ctx.session.add(message.model_copy(update={"turn": ctx.turn}))
