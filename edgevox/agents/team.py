"""Passes a question on to the agents below one: which phrases they know, which model they use, whether they are ready.

Agents may refer to each other in circles, so each is visited once. A walk begins with the first agent that is asked and
ends when that one has answered; every agent it passes the question on to takes part (`core.visiting`).
"""

from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest
from typing import Any

from edgevox.core.errors import EdgeVoxError
from edgevox.core.session import AgentContext


def team_of(agent: Any) -> list[Any]:
    """Return an agent and everybody below it, each once, those above first."""
    team: list[Any] = []
    waiting = [agent]
    while waiting:
        member = waiting.pop(0)
        if not any(member is known for known in team):
            team.append(member)
            waiting.extend(getattr(member, "children", ()))
    return team


def lend(agent: Any, llm: Any) -> None:
    """Let an agent that has no model yet answer with another's."""
    if llm is not None and getattr(agent, "needs_model", False):
        agent.bind_llm(llm)


def bind_all(agents: Iterable[Any], llm: Any) -> None:
    """Bind a model to agents; call it within `visiting`, so that those with a model of their own keep it."""
    for agent in _having(agents, "bind_llm"):
        agent.bind_llm(llm)


def any_matches(agents: Iterable[Any], text: str, language: str) -> bool:
    """Whether a text is a phrase of one of the agents; call it within `visiting`."""
    return any(agent.matches_phrase(text, language) for agent in _having(agents, "matches_phrase"))


def understands(agent: Any, text: str, ctx: AgentContext) -> bool:
    """Whether an agent answers a text without a model, in the light of the conversation where it can do that."""
    if hasattr(agent, "recognises"):
        return bool(agent.recognises(text, ctx))
    return any_matches([agent], text, ctx.language)


def first_question(agents: Iterable[Any], ctx: AgentContext) -> str | None:
    """What the first agent that would ask something asks; call it within `visiting`."""
    asked = (agent.question(ctx) for agent in _having(agents, "question"))
    return next((question for question in asked if question is not None), None)


def joined_examples(own: Sequence[str], agents: Iterable[Any], language: str, limit: int) -> list[str]:
    """Return sentences of an agent and of those below it, taking everybody in turn; call it within `visiting`."""
    others: list[Sequence[str]] = [agent.examples(language, limit) for agent in _having(agents, "examples")]
    in_turn = (sentence for row in zip_longest(own, *others) for sentence in row if sentence)
    return list(islice(dict.fromkeys(in_turn), limit))


def warm_all(agents: Iterable[Any], ctx: AgentContext) -> EdgeVoxError | None:
    """Make agents ready; returns what the first of them lacks. Call it within `visiting`."""
    problem: EdgeVoxError | None = None
    for agent in _having(agents, "warm"):
        try:
            agent.warm(ctx)
        except EdgeVoxError as error:
            problem = problem or error
    return problem


def _having(agents: Iterable[Any], method: str) -> list[Any]:
    return [agent for agent in agents if hasattr(agent, method)]
