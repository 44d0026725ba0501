"""Agents whose work is to pass the turn to the right one: a router, and a supervisor that never answers itself.

Both are `LLMAgent`s with hand-offs: they try their specialists' phrases before any model, and one model call decides
the rest.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Self, cast

from edgevox.agents.agent import LLMAgent
from edgevox.agents.following import HandoffDesk
from edgevox.agents.handoffs import Target
from edgevox.core.completion import ToolCall
from edgevox.core.errors import AgentError
from edgevox.core.messages import Role
from edgevox.core.session import AgentContext

_WORD = re.compile(r"\w{3,}")


class Router(LLMAgent):
    """Passes the turn to one of its specialists; answers itself what is for none of them."""

    kind = "router"

    @classmethod
    def build(
        cls, name: str, instructions: str, routes: Mapping[str, Any], *, description: str = "", **options: Any
    ) -> Self:
        """Make a router.

        Args:
            name: who routes.
            instructions: the persona, for the model.
            routes: the specialists (agents, names or `Handoff`s) by what each is called.
            description: what it is for.
            options: as `LLMAgent` takes them: `llm`, `hooks`, `tools`, `max_tokens`, …

        Raises:
            AgentError: there are no routes, or one is not an agent.
        """
        _need(name, "routes", routes)
        return cls(name, description, instructions, handoffs=routes, **options)


class Supervisor(LLMAgent):
    """Passes every turn to one of its workers. What the model says itself is never said aloud."""

    kind = "supervisor"

    @classmethod
    def build(
        cls,
        name: str,
        instructions: str,
        workers: Mapping[str, Any] | Iterable[Any],
        *,
        description: str = "",
        **options: Any,
    ) -> Self:
        """Make a supervisor. A model that will not choose a worker is asked once more; then the words decide.

        Args:
            name: who supervises.
            instructions: the persona, for the model.
            workers: agents, names or `Handoff`s; or a mapping from what each is called to one of these.
            description: what it is for.
            options: as `LLMAgent` takes them, without tools and skills: a supervisor does nothing itself.

        Raises:
            AgentError: there are no workers, one is not an agent, or it is given tools.
        """
        hands = cast("Mapping[str, Any]", workers) if isinstance(workers, Mapping) else list(workers)
        _need(name, "workers", hands)
        if options.get("tools") or options.get("skills"):
            raise AgentError(f"{name} is a supervisor and does nothing itself: give the tools to its workers.")
        options |= {"tool_choice_policy": "required_first_hop", "instead": choose_worker}
        return cls(name, description, instructions, handoffs=hands, **options)


def choose_worker(desk: HandoffDesk, ctx: AgentContext, words: str) -> ToolCall | None:
    """Choose the worker that the model's words name, or else the one that the person's words are about.

    Args:
        desk: the hand-offs that are open.
        ctx: of the run.
        words: what the model said in place of a call.
    """
    if not desk.open:
        return None
    asked = next((m.plain for m in reversed(ctx.session.messages) if m.role is Role.USER), "")
    chosen = _named(desk.open, words) or max(desk.open, key=lambda target: _shared(target, asked))
    return ToolCall.of(chosen.tool_name)


def _need(name: str, what: str, given: Any) -> None:
    if not given:
        raise AgentError(f"{name} has no {what}: give it at least one agent.")


def _named(targets: list[Target], words: str) -> Target | None:
    """The only target whose name stands in the words."""
    said = _words(words)
    named = [target for target in targets if _words(target.key) and _words(target.key) <= said]
    return named[0] if len(named) == 1 else None


def _shared(target: Target, asked: str) -> int:
    """How many words of the person stand in what the target says of itself."""
    examples = getattr(target.agent, "examples", None)
    about = " ".join((target.key, target.name, str(getattr(target.agent, "description", ""))))
    said = " ".join(examples(None, 20)) if examples is not None else ""
    return len(_words(asked) & (_words(about) | _words(said)))


def _words(text: str) -> set[str]:
    return {word.casefold().rstrip("s") for word in _WORD.findall(text.replace("_", " "))}
