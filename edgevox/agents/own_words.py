"""What a model need not be asked again for: an action that tells itself what came of it.

A tool with a final reply of its own (`says=`, `final=True`) that did what the model asked ends the turn with that
reply, so a command that no phrase matched costs one question instead of two. Not where the person asked for more than
one thing.
"""

from collections.abc import Sequence

from edgevox.core.messages import Role
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.tools import ToolRegistry


def told_by_tools(results: Sequence[ToolCallResult], registry: ToolRegistry, ctx: AgentContext) -> str | None:
    """Return the replies of the calls, when they say all there is to say; `None` where the model has to.

    Args:
        results: what one answer of the model called, and what was chained to that.
        registry: the tools.
        ctx: of the run; its conversation holds the person's words.
    """
    if not all(result.ok for result in results) or _asks_for_more(ctx):
        return None
    gone_on = {result.parent_use_id for result in results}
    replies = [_reply(result, registry, ctx.language) for result in results if result.tool_use_id not in gone_on]
    return " ".join(reply for reply in replies if reply) if replies and all(replies) else None


def _reply(result: ToolCallResult, registry: ToolRegistry, language: str) -> str | None:
    from edgevox.intents import render_reply
    from edgevox.intents.lexicons import base_language

    tool = registry.get(result.name)
    if tool is None or not tool.final or not (language in tool.says or base_language(language) in tool.says):
        return None
    return render_reply(tool, result.arguments, result, language)


def _asks_for_more(ctx: AgentContext) -> bool:
    """Whether the person's words may hold a second wish, which the model has not come to yet."""
    from edgevox.intents.lexicons import for_language

    said = next((message.plain for message in reversed(ctx.session.messages) if message.role is Role.USER), "")
    conjunctions = for_language(ctx.language).conjunctions
    words = said.casefold().split()
    return any(word.strip(".,;:!?") in conjunctions or word.endswith((",", ";", ".", "?", "!")) for word in words[:-1])
