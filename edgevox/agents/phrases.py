"""The turn that needs no model: words that match a tool's phrase run the tool, and its reply template is spoken.

Knows matching, dispatch and what the conversation remembers of both. Does not know language models.
"""

import logging
from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from edgevox.agents.following import wishes_handoff
from edgevox.agents.history import CLARIFICATION, keep, keep_cut
from edgevox.agents.hooks import HookChain
from edgevox.agents.progress import Progress
from edgevox.agents.settling import absolute, changes_in, settled
from edgevox.agents.words import say, spoken
from edgevox.chains.budget import VOICE_TURN, Budget
from edgevox.chains.calls import CallRunner
from edgevox.chains.graph import registry_graph
from edgevox.chains.outcome import Outcome
from edgevox.chains.phrases import words_of
from edgevox.chains.scheduler import Scheduler
from edgevox.core.errors import Cancelled, ChainError
from edgevox.core.messages import Message, Origin, ResultStatus, Role, ToolUseBlock
from edgevox.core.session import AgentContext, Session
from edgevox.core.tools import ToolCallResult, new_use_id
from edgevox.core.values import Stop, Value
from edgevox.tools import Tool, ToolRegistry

if TYPE_CHECKING:  # the grammar library is loaded when the first phrase is compiled
    from edgevox.agents.clarifications import Clarifications
    from edgevox.agents.commands import Commands
    from edgevox.agents.followups import FollowUps
    from edgevox.agents.vocabulary import Explainer
    from edgevox.intents import PhraseMatch, PhraseMatcher


log = logging.getLogger(__name__)


class _Compiled:
    """The phrases of a set of tools in one language; what several words or sentences need is made when it is needed."""

    def __init__(self, tools: list[Tool], language: str, key: tuple[int, ...]) -> None:
        from edgevox.intents import PhraseMatcher

        self.key = key
        """Identities of the tools it was made from."""
        self.matcher = PhraseMatcher(tools, language=language)

    @cached_property
    def explainer(self) -> "Explainer":
        from edgevox.agents.vocabulary import Explainer

        return Explainer(self.matcher)

    @cached_property
    def follow_ups(self) -> "FollowUps":
        from edgevox.agents.followups import FollowUps

        return FollowUps(self.explainer)

    @cached_property
    def commands(self) -> "Commands":
        from edgevox.agents.commands import Commands

        return Commands(self.matcher, self.explainer, self.follow_ups)

    @cached_property
    def clarifications(self) -> "Clarifications":
        from edgevox.agents.clarifications import Clarifications

        return Clarifications(self.matcher, self.explainer)

    def match(self, text: str, session: Session | None) -> "PhraseMatch | None":
        answer = self.clarifications.answered(text, session) if session is not None and _has_asked(session) else None
        if answer is not None:
            return answer
        match = self.matcher.match(text)
        if match is not None:
            has_words = any(isinstance(value, str) for value in match.arguments.values())
            return self.follow_ups.verbatim(match) if has_words else match
        match = self.commands.match(text, session)
        if match is None and session is not None and any(message.tool_uses for message in session.messages):
            match = self.follow_ups.match(text, session)
        return match


def _has_asked(session: Session) -> bool:
    """Whether the last reply may have been a question of ours; one that was cut off has lost its kind."""
    return any(message.kind in (CLARIFICATION, "interrupted") for message in session.messages[-2:])


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
        match = self._for(language).match(text, session)
        tools = {tool.name: tool for tool in self._registry.tools}
        return match if match is not None and settled(match, tools, session) else None

    def question(self, session: Session, language: str) -> str | None:
        """What to ask so that the last words of the person become a command; `None` where nothing would help.

        Args:
            session: ends with the person's words.
            language: two-letter code.
        """
        said = session.messages[-1].plain if session.messages else ""
        found = self._for(language).clarifications.of(said) if said else None
        return found.question if found is not None else None

    def examples(self, language: str, limit: int) -> list[str]:
        """Sentences that are understood."""
        return self._for(language).matcher.examples(limit=limit)

    @property
    def tools(self) -> list[Tool]:
        """The tools that take part now, with the phrases that were added."""
        return [tool for tool in self._registry.tools if tool.active and not tool.is_passive]

    def matcher(self, language: str) -> "PhraseMatcher":
        """What understands one command alone.

        Raises:
            ToolDefinitionError: a phrase cannot be read.
        """
        return self._for(language).matcher

    def warm(self, language: str) -> None:
        """Do now what the first match would do.

        Raises:
            ToolDefinitionError: a phrase cannot be read; the sentence names the tool and says what is wrong.
        """
        compiled = self._for(language)
        compiled.matcher.warm()
        compiled.commands.match("…")

    def _for(self, language: str) -> _Compiled:
        tools = self.tools
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
    """Run the tools that a phrase asks for, each with what is chained to it, and say what came of each.

    The conversation keeps the requests, the results and one reply, as if a model had asked. A call that fails does not
    keep the next from running; a stop does, and so does an action that cannot be ended.
    """
    calls = _Calls(registry, ctx, agent_name, hooks)
    chain = match.chain
    replies: list[str] = []
    try:
        for each in chain:
            if ctx.scope.cancelled:
                return
            result = calls.run(each)
            progress.note(result)
            if wishes_handoff(result):
                progress.wish = result.value
                return
            if ctx.scope.cancelled:
                return
            result, ends = calls.follow(result, progress)
            if ctx.scope.cancelled:
                return
            replies.append(reply_to_result(registry.get(result.name), result, ctx.language))
            if each is chain[-1] or ends or result.status is ResultStatus.CANCELLED:
                _keep_replies(ctx, replies)
                last = replies.pop()
                replies.clear()
                yield progress.say(last)
                return
            yield progress.say(replies[-1])
    finally:
        if replies:
            _keep_replies(ctx, replies)
        elif progress.wish is None and ctx.scope.cancelled:
            keep_cut(ctx)


def _keep_replies(ctx: AgentContext, replies: Iterable[str]) -> None:
    """Leave one reply in the conversation for all that was done."""
    keep(ctx, Message.text(" ".join(replies), Role.ASSISTANT))


def reply_to_result(tool: Tool | None, result: ToolCallResult, language: str) -> str:
    """Say what a call came to: its template, its own words, or a plain sentence; never nothing."""
    from edgevox.intents import render_reply

    ending = words_of(result.value) if isinstance(result.value, Stop) else ""
    written = ending or (render_reply(tool, result.arguments, result, language) if tool is not None else None)
    if written:
        return written
    match result.status:
        case ResultStatus.SUCCESS if isinstance(result.value, Value):
            return words_of(result.value) or say("done", language)
        case ResultStatus.SUCCESS:
            return spoken(result.result, language)
        case ResultStatus.DECLINED:
            return say("declined", language)
        case ResultStatus.CANCELLED if result.error_code != "halt_unconfirmed":
            return say("cancelled", language)
        case _:
            return result.error or say("failed", language)


class _Calls:
    """Makes the calls of a phrase, each with the value that a change comes to."""

    def __init__(self, registry: ToolRegistry, ctx: AgentContext, agent_name: str, hooks: HookChain) -> None:
        self._registry = registry
        self._ctx = ctx
        self._agent = agent_name
        self._hooks = hooks
        self._budget = Budget(VOICE_TURN)

    def run(self, match: "PhraseMatch") -> ToolCallResult:
        """Make one call; where the value now cannot be read, the result of reading it stands in."""
        tool = self._registry.get(match.tool_name)
        arguments = dict(match.arguments)
        if tool is not None and changes_in(arguments):
            settled_arguments = absolute(arguments, tool, self._ctx.session, lambda name: self._call(name, {}))
            if isinstance(settled_arguments, ToolCallResult):
                return settled_arguments
            arguments = settled_arguments
        return self._call(match.tool_name, arguments)

    def follow(self, result: ToolCallResult, progress: Progress) -> tuple[ToolCallResult, bool]:
        """Run what is chained to a call.

        Args:
            result: of the call.
            progress: told of every tool that runs.

        Returns:
            What the last tool came to, and whether the turn ends with it.
        """
        tool = self._registry.get(result.name)
        first = Outcome(result.value, tool, result.tool_use_id, result, failed=not result.ok)
        if tool is None or first.failed or first.ends:
            return result, first.ends
        runner = CallRunner(
            registry=self._registry,
            ctx=self._ctx,
            agent_name=self._agent,
            keep=lambda message: keep(self._ctx, message),
            on_tool_call=progress.note,
            hooks=self._hooks.around_loop(self._ctx),
            budget=self._budget,
        )
        try:
            last = Scheduler([], runner, lambda: registry_graph(self._registry.tools)).follow(first, first)
        except Cancelled:
            return result, True
        except ChainError as error:  # two ways to go on, or too many steps: nobody but the person can be told
            log.warning("the chain of %s ended: %s", result.name, error)
            progress.error = str(error)
            return replace(result, status=ResultStatus.ERROR, error=str(error), error_code=error.code), True
        return last.result or result, last.ends

    def _call(self, name: str, arguments: dict[str, Any]) -> ToolCallResult:
        tool = self._registry.get(name)
        shown = tool.shown(arguments) if tool is not None else arguments
        use = ToolUseBlock(tool_name=name, tool_use_id=new_use_id(), input=shown, origin=Origin.PHRASE)
        self._ctx.emit("tool_use", self._agent, use)
        keep(self._ctx, Message(role=Role.ASSISTANT, content=(use,)))
        result = self._hooks.before_tool(self._ctx, use)
        if result is None:
            result = self._registry.dispatch(
                name,
                arguments,
                self._ctx,
                origin=Origin.PHRASE,
                tool_use_id=use.tool_use_id,
                agent_name=self._agent,
            )
            result = self._hooks.after_tool(self._ctx, result)
            self._ctx.emit("tool_call", self._agent, result)
        block = result.to_block()
        keep(self._ctx, Message(role=Role.TOOL, content=(block,)))
        self._ctx.emit("tool_result", self._agent, block)
        return result
