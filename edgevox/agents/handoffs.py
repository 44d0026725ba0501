"""Whom an agent may hand its turn to: the targets, the tools that offer them to a model, how a name finds its agent.

Following a hand-off is `edgevox.agents.following`'s business.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, cast

from edgevox.agents.handoff import Handoff
from edgevox.agents.team import bind_all, lend, team_of, understands
from edgevox.core.errors import AgentError, EdgeVoxError
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, ToolCallResult
from edgevox.core.visiting import visiting
from edgevox.tools import Tool, ToolRegistry, build_tool
from edgevox.tools.wording import humane, nearest

PREFIX = "hand_off_to_"
"""What the name of a tool begins with that hands the turn over."""

CAPABILITIES = 6
"""Tools of a target that are named beside its description."""

_NAME_LIMIT = 64
_LISTED = re.compile(r"\w[\w -]*")
"""Names that may be looked up in the list of agents: a name that a model made up must not become a path."""


class Target:
    """One agent that may take the turn.

    Args:
        key: what it is called among the targets; usually the agent's own name.
        wish: the agent or its name, and what goes with every hand-off to it.
        tool_name: of the tool that offers it.
    """

    def __init__(self, key: str, wish: Handoff, tool_name: str) -> None:
        self.key = key
        self.tool_name = tool_name
        self.agent: Any = None if isinstance(wish.target, str) else wish.target
        """The agent; `None` while it is known by name only."""
        self._wish = wish
        self.tool = self._built()

    @property
    def name(self) -> str:
        """The agent's own name, as far as it is known."""
        return self.key if self.agent is None else str(self.agent.name)

    def called(self, name: str) -> bool:
        """Whether a name means this target."""
        return name in (self.key, self.name) or _plain(name) in (_plain(self.key), _plain(self.name))

    def _built(self) -> Tool:
        wish, key = self._wish, self.key

        def hand_off(reason: str = "", task: str | None = None) -> Handoff:
            """Let the agent answer.

            Args:
                reason: why this agent, in a few words
                task: what to ask it, when the person's own words will not do
            """
            words = (task or "").strip() or wish.task
            return Handoff(key, words, reason.strip() or wish.reason, dict(wish.state_update or {}))

        return build_tool(hand_off, name=self.tool_name, description=_about(key, self.agent), effect=Effect.READ)


class Targets:
    """The agents that one agent may hand its turn to, in their order.

    Args:
        owner: name of the agent they belong to.
        given: agents, names or `Handoff`s; or a mapping from what each is called to one of these.
        llm: lent to those that have no model yet.

    Raises:
        AgentError: one is nothing of the kind, is the owner itself, or two have one name.
    """

    def __init__(self, owner: str, given: Iterable[Any] | Mapping[str, Any], llm: Any = None) -> None:
        self._owner = owner
        self._targets: list[Target] = []
        self._found: dict[str, Any] = {}
        self._llm = llm
        named = (
            cast("Mapping[str, Any]", given).items() if isinstance(given, Mapping) else ((None, each) for each in given)
        )
        for key, each in named:
            self._targets.append(self._target(key, each))
        for agent in self.agents:
            lend(agent, llm)

    def __iter__(self) -> Iterator[Target]:
        """Go through the targets."""
        return iter(self._targets)

    def __len__(self) -> int:
        """Count the targets."""
        return len(self._targets)

    @property
    def agents(self) -> tuple[Any, ...]:
        """The agents that are there; those known by name only are left out."""
        return tuple(target.agent for target in self._targets if target.agent is not None)

    @property
    def names(self) -> list[str]:
        """What the targets are called."""
        return [target.key for target in self._targets]

    def find(self, target: Any) -> Any:
        """Return the agent that a hand-off means.

        Args:
            target: an agent, or a name: of a target, or else of the list of agents.

        Raises:
            AgentError: there is none; the sentence names those that there are.
        """
        if not isinstance(target, str):
            if not callable(getattr(target, "run", None)):
                raise AgentError(f"{target!r:.80} is not an agent.")
            return target
        known = next((each for each in self._targets if each.called(target)), None)
        if known is None:
            return self._listed(target)
        if known.agent is None:
            known.agent = self._listed(known.key)
        return known.agent

    def bind(self, llm: Any) -> None:
        """Let the targets that have no model of their own answer with this one."""
        self._llm = llm
        bind_all([*self.agents, *self._found.values()], llm)

    def understanding(self, text: str, ctx: AgentContext, asking: Any) -> list[Target]:
        """The targets that answer a text without a model.

        Args:
            text: what was said.
            ctx: of the turn.
            asking: the agent that looks for somebody; not asked itself.
        """
        return [
            target for target in self._targets if target.agent is not None and self._knows(target, text, ctx, asking)
        ]

    def _knows(self, target: Target, text: str, ctx: AgentContext, asking: Any) -> bool:
        others = [agent for agent in self.agents if agent is not target.agent]
        with visiting(asking, others):
            return understands(target.agent, text, ctx)

    def _target(self, key: str | None, given: Any) -> Target:
        wish = given if isinstance(given, Handoff) else Handoff(given)
        agent = wish.target
        if not isinstance(agent, str) and not (hasattr(agent, "name") and callable(getattr(agent, "run", None))):
            raise AgentError(
                f"{given!r:.80} cannot be a hand-off of {self._owner}: give an agent, its name or a Handoff."
            )
        name = key or wish.target_name
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise AgentError(f"{self._owner} needs a text for what a hand-off is called, not {name!r:.80}.")
        if not name.strip() or wish.target_name == self._owner:
            raise AgentError(
                f"{self._owner} cannot hand off to {(name.strip() and 'itself') or 'an agent without a name'}."
            )
        if any(each.called(name) for each in self._targets):
            raise AgentError(f"{self._owner} has two hand-offs called '{name}': rename one, or give them as a mapping.")
        return Target(name, wish, self._tool_name(name))

    def _tool_name(self, key: str) -> str:
        """A tool name for the target, made of what tool names may hold; no two targets share one."""
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", key).strip("_") or "agent"
        base, taken = (PREFIX + plain)[:_NAME_LIMIT], {each.tool_name for each in self._targets}
        names = (base if number == 1 else f"{base[: _NAME_LIMIT - 4]}_{number}" for number in range(1, 1000))
        return next(name for name in names if name not in taken)

    def _listed(self, name: str) -> Any:
        """The agent of that name in the list of agents, made once."""
        if name not in self._found:
            agent = _from_list(name) if _LISTED.fullmatch(name) else None
            if agent is None:
                known = ", ".join(self.names)
                offered = f" The agents are: {known}." if known else " There is nobody to hand off to."
                raise AgentError(f"There is no agent '{name:.80}'{nearest(name[:200], self.names)}.{offered}")
            self._found[name] = agent
            lend(agent, self._llm)
        return self._found[name]


class OfferedTools(ToolRegistry):
    """The tools of an agent as they are at each moment, and beside them the hand-offs of one turn.

    Args:
        own: the agent's registry.
        handoffs: the tools that hand the turn over.
    """

    def __init__(self, own: ToolRegistry, handoffs: Iterable[Tool]) -> None:
        super().__init__(*handoffs)
        self._own = own

    @property
    def tools(self) -> list[Tool]:
        """The agent's tools, then the hand-offs; the agent's own come first where names are the same."""
        return [*self._own.tools, *(tool for tool in super().tools if tool.name not in self._own)]

    def get(self, name: str) -> Tool | None:
        """The tool of that name, or `None`."""
        return self._own.get(name) or super().get(name)

    def dispatch(self, name: str, *arguments: Any, **options: Any) -> ToolCallResult:
        """Run a tool where it belongs (`ToolRegistry.dispatch`)."""
        own = self._own.get(name)
        if own is not None and own.active:
            return self._own.dispatch(name, *arguments, **options)
        return super().dispatch(name, *arguments, **options)

    def __contains__(self, name: object) -> bool:
        """Whether there is a tool of that name."""
        return name in self._own or super().__contains__(name)

    def __len__(self) -> int:
        """Count the tools."""
        return len(self.tools)


def _from_list(name: str) -> Any:
    # By its path: the list builds agents, and agents are built with hand-offs.
    find_agent = import_module("edgevox.agents.registry").find_agent
    try:
        return find_agent(name)
    except EdgeVoxError:
        return None


def _about(key: str, agent: Any) -> str:
    """What a model is told a target is for: its description, and what it can do; small models choose by these words."""
    about = " ".join(str(getattr(agent, "description", "") or "").split()).rstrip(".")
    registries = [member.tools for member in team_of(agent) if isinstance(getattr(member, "tools", None), ToolRegistry)]
    able = list(dict.fromkeys(humane(tool.name) for registry in registries for tool in registry.tools))[:CAPABILITIES]
    listed = f" ({', '.join(able)})" if able else ""
    return f"{about or f'What is for {humane(key)}'}{listed}."


def _plain(name: str) -> str:
    return humane(name).casefold()
