"""Builds agents of chains from definitions: those below first, as tools of the one above; those beside as defaults."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from edgevox.agents.capabilities.capability import Bound, Site
from edgevox.agents.deploy.checks import attributes_of
from edgevox.agents.deploy.deployed import Deployed
from edgevox.chains.agent import Agent
from edgevox.chains.background import BackgroundAgent, run_background_agent
from edgevox.chains.modes import AgentMode
from edgevox.chains.nested import run_nested_agent
from edgevox.core.events import AgentEvent
from edgevox.core.ports import ChatModel
from edgevox.tools import Tool

if TYPE_CHECKING:
    from edgevox.agents.deploy.deployable import DeployableAgent

Sink = Callable[[AgentEvent], object]


class Builder:
    """Builds one deployment.

    Args:
        sinks: of the agent and those below it.
        sink_for: makes one more sink for every agent; `None` makes none.
    """

    def __init__(self, sinks: Sequence[Sink], sink_for: Callable[[str], Sink] | None) -> None:
        self._sinks = tuple(sinks)
        self._sink_for = sink_for
        self._background: list[BackgroundAgent] = []

    def deployed(self, definition: "DeployableAgent") -> Deployed:
        """Build a definition that was found to be in order."""
        agent = self._agent(definition, {}, self._sinks)
        return Deployed(agent=agent, background=tuple(self._background), permissions=definition.permissions)

    def _agent(self, definition: "DeployableAgent", above: Mapping[str, Any], sinks: Sequence[Sink]) -> Agent:
        known = attributes_of(definition, above)
        parts = _bound(definition, Site(agent_name=definition.name, attributes=known))
        below = [_as_tool(self._agent(child, known, sinks), child) for child in definition.children]
        beside = [self._beside(other, known) for other in definition.background]
        endpoint: ChatModel | None = known.get("endpoint") if AgentMode(definition.mode).asks_model else None
        return Agent(
            name=definition.name,
            description=definition.description,
            system_prompt=definition.system_prompt,
            mode=definition.mode,
            agent_endpoint=endpoint,
            initial_messages=list(definition.initial_messages),
            tools=[*definition.tools, *(tool for part in parts for tool in part.tools), *below],
            default_tools=[
                *beside,
                *definition.default_tools,
                *(tool for part in parts for tool in part.default_tools),
            ],
            skills=[skill for part in parts for skill in part.skills],
            auto_loaded_skills=[skill for part in parts for skill in part.auto_loaded_skills],
            event_sinks=self._all_sinks(definition.name, sinks),
            **definition.limits,
        )

    def _beside(self, definition: "DeployableAgent", above: Mapping[str, Any]) -> Tool:
        runs = BackgroundAgent(self._agent(definition, above, ()))
        self._background.append(runs)
        return run_background_agent(runs).copy(name=definition.name, description=definition.description or None)

    def _all_sinks(self, name: str, sinks: Sequence[Sink]) -> list[Sink]:
        """Each agent's sinks hear of that agent alone, so that a sink of several hears everything once."""
        every = [*sinks, self._sink_for(name)] if self._sink_for is not None else sinks
        return [_of_agent(name, sink) for sink in every]


def _bound(definition: "DeployableAgent", site: Site) -> list[Bound]:
    return [capability.bind(site) for capability in definition.capabilities if definition.is_on(capability)]


def _as_tool(agent: Agent, definition: "DeployableAgent") -> Tool:
    about = definition.description or f"Give {definition.name} a task in words and wait for its answer."
    return run_nested_agent(agent).copy(name=definition.name, description=about)


def _of_agent(name: str, sink: Sink) -> Sink:
    return lambda event: sink(event) if event.agent_name == name else None
