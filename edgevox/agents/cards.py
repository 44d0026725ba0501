"""What a person, or another agent, is told about an agent before it is opened.

Reads what is declared. Loads neither the library of the phrases nor the world of the agent, so that a list of agents
costs little.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from edgevox.agents.definition import AgentDefinition
from edgevox.agents.team import team_of

EXAMPLES = 3
"""Sentences that a card shows."""

_ARTICLE = re.compile(r"(?<!\S)\[([^\W\d_]{1,3})(?:\|[^\[\]]*)?\](?!\S)")
"""A short word that may be left out and makes the sentence rounder: an article, most often."""
_OPTIONAL = re.compile(r"\[[^\[\]]*\]")
_CHOICE = re.compile(r"\(([^()|]*)(?:\|[^()]*)?\)")
_SLOT = re.compile(r"\{([^{}:]*)[^{}]*\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCard:
    """One agent of the list."""

    name: str
    """What it is opened with."""
    title: str
    """What it calls itself."""
    description: str
    tools: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    """A few sentences it understands without a language model; `…` stands for words of one's own."""
    languages: tuple[str, ...] = ()
    """Two-letter codes in which it has phrases."""
    simulator: str | None = None
    """The world it moves in; `None` for none."""
    source: str
    """Where it comes from, in words."""


def card_of(definition: AgentDefinition, name: str, source: str) -> AgentCard:
    """Return the card of a definition.

    Args:
        definition: the agent.
        name: what it is opened with.
        source: where it comes from, in words.
    """
    team = team_of(definition.build())
    skills = {name: None for member in team for name in _skill_names(member)}
    tools = list({tool.name: tool for member in team for tool in _tools_of(member)}.values())
    return AgentCard(
        name=name,
        title=definition.name,
        description=definition.description,
        tools=tuple(tool.name for tool in tools if tool.name not in skills),
        skills=tuple(skills),
        phrases=tuple(_examples(tools, definition.language)),
        languages=tuple(sorted({code for tool in tools for code in tool.phrases})),
        simulator=_simulator(definition.deps),
        source=source,
    )


def _skill_names(agent: Any) -> Iterable[str]:
    """Names of an agent's actions, or of the instructions that an agent of chains loads."""
    skills: Any = getattr(agent, "skills", ())
    return list(cast("Mapping[str, Any]", skills)) if isinstance(skills, Mapping) else [skill.name for skill in skills]


def _tools_of(agent: Any) -> list[Any]:
    """What an agent can be asked for: its registry, or the tools of chains that do not follow others."""
    tools: Any = getattr(agent, "tools", None) or ()
    known: Iterable[Any] = getattr(tools, "tools", tools)
    return [tool for tool in known if not tool.chained_to]


def _examples(tools: Iterable[Any], language: str) -> list[str]:
    """The plainest reading of the first phrase of the first tools that have one."""
    phrases = ((tool, tool.phrases.get(language, ())) for tool in tools)
    return [_plain(templates[0], tool.parameters) for tool, templates in phrases if templates][:EXAMPLES]


def _plain(template: str, parameters: dict[str, Any]) -> str:
    """Take the first of every choice, drop what may be left out but articles, and fill slots with a value of theirs."""
    text, before = _ARTICLE.sub(r"\1", template), ""
    while text != before:
        before = text
        text = _CHOICE.sub(r"\1", _OPTIONAL.sub("", text))
    return " ".join(_SLOT.sub(lambda slot: _value(slot[1], parameters), text).split())


def _value(name: str, parameters: dict[str, Any]) -> str:
    schema = cast("dict[str, Any]", parameters.get("properties", {}).get(name, {}))
    if schema.get("type") == "boolean":
        return "on"
    values: list[Any] = schema.get("enum", [])
    return str(values[0]).replace("_", " ") if values else "…"


def _simulator(deps: Any) -> str | None:
    from edgevox.sims import SimEnvironment

    return type(deps).__name__ if isinstance(deps, SimEnvironment) else None
