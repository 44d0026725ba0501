"""The turn that needs no model: words that match a tool's phrase run the tool, and its reply template is spoken.

Knows matching, dispatch and what the conversation remembers of both. Does not know language models.
"""

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from edgevox.agents.following import wishes_handoff
from edgevox.agents.history import keep, keep_cut
from edgevox.agents.hooks import HookChain
from edgevox.agents.progress import Progress
from edgevox.agents.words import say, spoken
from edgevox.core.messages import Message, Origin, ResultStatus, Role, ToolUseBlock
from edgevox.core.session import AgentContext, Session
from edgevox.core.tools import ToolCallResult, new_use_id
from edgevox.tools import Tool, ToolRegistry

if TYPE_CHECKING:  # the grammar library is loaded when the first phrase is compiled
    from edgevox.agents.followups import FollowUps
    from edgevox.intents import PhraseMatch


class _Compiled:
    """The phrases of a set of tools in one language; follow-ups are compiled when the first one may have been said."""

    def __init__(self, tools: list[Tool], language: str, key: tuple[int, ...]) -> None:
        from edgevox.intents import PhraseMatcher

        self.key = key
        """Identities of the tools it was made from."""
        self.matcher = PhraseMatcher(tools, language=language)
        self._tools = tools
        self._language = language
        self._follow_ups: FollowUps | None = None

    @property
    def follow_ups(self) -> "FollowUps":
        if self._follow_ups is None:
            from edgevox.agents.followups import FollowUps

            self._follow_ups = FollowUps(self._tools, self._language)
        return self._follow_ups

    def match(self, text: str, session: Session | None) -> "PhraseMatch | None":
        match = self.matcher.match(text)
        if match is None:
            said_before = session is not None and any(message.tool_uses for message in session.messages)
            return self.follow_ups.match(text, session) if session is not None and said_before else None
        has_words = any(isinstance(value, str) for value in match.arguments.values())
        return self.follow_ups.verbatim(match) if has_words else match


class Phrasebook:
    """The phrases of one agent, compiled per language when they are first needed and when the tools change.

    Args:
        registry: the tools.
        extra: more phrases per tool name: templates for every language, or a mapping from language to templates.
    """

    def __init__(self, registry: ToolRegistry, extra: Mapping[str, Any] | None = None) -> None:
        self._registry = registry
        self._extra = dict(extra or {})
        self._compiled: dict[str, _Compiled] = {}

    def match(self, text: str, language: str, session: Session | None = None) -> "PhraseMatch | None":
        """The tool and arguments that a text asks for; `None` when it asks for none, or not surely.

        Args:
            text: what was said.
            language: two-letter code.
            session: what was said before; with it, follow-ups (*turn it off again*) are understood too.
        """
        return self._for(language).match(text, session)

    def examples(self, language: str, limit: int) -> list[str]:
        """Sentences that are understood."""
        return self._for(language).matcher.examples(limit=limit)

    def warm(self, language: str) -> None:
        """Do now what the first match would do.

        Raises:
            ToolDefinitionError: a phrase cannot be read; the sentence names the tool and says what is wrong.
        """
        self._for(language).matcher.warm()

    def _for(self, language: str) -> _Compiled:
        tools = [tool for tool in self._registry.tools if tool.active]
        key = tuple(id(tool) for tool in tools)
        known = self._compiled.get(language)
        if known is None or known.key != key:
            known = _Compiled([self._with_extra(tool, language) for tool in tools], language, key)
            self._compiled[language] = known
        return known

    def _with_extra(self, tool: Tool, language: str) -> Tool:
        templates = _templates(self._extra.get(tool.name), language)
        if not templates:
            return tool
        own = tool.phrases.get(language) or tool.phrases.get(language.partition("-")[0], ())
        return replace(tool, phrases={**tool.phrases, language: (*own, *templates)})


def _templates(given: Any, language: str) -> tuple[str, ...]:
    """Read what an application gives as phrases of one tool."""
    if isinstance(given, Mapping):
        given = cast("Mapping[str, Any]", given).get(language)
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(cast("Iterable[str]", given))


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
    if wishes_handoff(result):
        progress.wish = result.value
        return
    if ctx.scope.cancelled:
        keep_cut(ctx)
        return
    reply = reply_to_result(registry.get(match.tool_name), result, ctx.language)
    keep(ctx, Message.text(reply, Role.ASSISTANT))
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
    keep(ctx, Message(role=Role.ASSISTANT, content=(use,)))
    result = hooks.before_tool(ctx, use)
    if result is None:
        result = registry.dispatch(
            name, arguments, ctx, origin=Origin.PHRASE, tool_use_id=use.tool_use_id, agent_name=agent_name
        )
        result = hooks.after_tool(ctx, result)
        ctx.emit("tool_call", agent_name, result)
    block = result.to_block()
    keep(ctx, Message(role=Role.TOOL, content=(block,)))
    ctx.emit("tool_result", agent_name, block)
    return result
