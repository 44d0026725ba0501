"""`DeployableAgent`: everything that is said about an agent of chains before it is built.

A definition can be changed until it is built and after; what was built stays as it was. It may have agents below it,
which become its tools, and agents beside it, which run in the background. Knows names and references; what a capability
does is its own business.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self

from edgevox.agents.capabilities.capability import Capability
from edgevox.chains.modes import AgentMode
from edgevox.core.errors import WorkflowInvalid
from edgevox.core.events import AgentEvent
from edgevox.core.ports import ChatModel

if TYPE_CHECKING:
    from edgevox.agents.deploy.deployed import Deployed

Sink = Callable[[AgentEvent], object]


@dataclass(slots=True, kw_only=True, eq=False)
class DeployableAgent:
    """One agent on paper.

    Everything may be assigned. What capabilities need beside these fields is said with `set_attributes`, and holds for
    the agents below and beside as well, unless they say otherwise themselves.
    """

    name: str
    """A Python identifier; of an agent below, the name of the tool that it becomes."""
    description: str = ""
    system_prompt: str = ""
    mode: AgentMode = AgentMode.STEERABLE
    endpoint: ChatModel | None = None
    """Who is asked; `None` takes that of the agent above."""
    initial_messages: Sequence[Any] = ()
    """Texts and paths of markdown files that every run begins with."""
    tools: Sequence[Any] = ()
    """Typed tools of its own, beside what the capabilities bring."""
    default_tools: Sequence[Any] = ()
    """Run before those of the capabilities."""
    capabilities: Sequence[Capability] = ()
    selection: Mapping[str, bool] = field(default_factory=dict[str, bool])
    """Capabilities that are switched on or off, by the name of their label; the others are as their label says."""
    children: "Sequence[DeployableAgent]" = ()
    """Agents that it may give tasks to."""
    background: "Sequence[DeployableAgent]" = ()
    """Agents that run beside it from its first run on."""
    limits: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """`max_steps`, `max_llm_calls`, `deadline_s`, `max_tokens` of a run."""
    permissions: Any = None
    """A `PermissionEngine`: what the tools of the capabilities may touch; `None` takes that of the agent above. The
    rules of the person whose conversation it is are laid over it."""
    _attributes: dict[str, Any] = field(default_factory=dict[str, Any], init=False, repr=False)

    def set_attributes(self, **attributes: Any) -> Self:
        """Say what capabilities need to know; what was said before of other names stays.

        Raises:
            WorkflowInvalid: one of them is called like a field of the definition: assign that instead.
        """
        shadowing = sorted(set(attributes) & _STRUCTURE)
        if shadowing:
            raise WorkflowInvalid(
                f"{self.name}: {' and '.join(shadowing)} cannot be an attribute, because the definition has a field of "
                f"that name: assign definition.{shadowing[0]} instead."
            )
        self._attributes.update(attributes)
        return self

    @property
    def attributes(self) -> Mapping[str, Any]:
        """What was said with `set_attributes`."""
        return dict(self._attributes)

    def is_on(self, capability: Capability) -> bool:
        """Return whether a capability is switched on."""
        return self.selection.get(capability.label.name, capability.label.default)

    def validate(self) -> None:
        """Check this agent and everything below and beside it.

        Raises:
            WorkflowInvalid: one error that says everything that is wrong.
        """
        from edgevox.agents.deploy.checks import problems_of

        found = problems_of(self)
        if found:
            told = found[0] if len(found) == 1 else "\n" + "\n".join(f"- {each}" for each in found)
            raise WorkflowInvalid(f"{self.name} cannot be deployed: {told}")

    def build(
        self, event_sinks: Sequence[Sink] = (), *, event_sink_factory: Callable[[str], Sink] | None = None
    ) -> "Deployed":
        """Build the agent and everything below and beside it, anew.

        Args:
            event_sinks: told the events of this agent and those below it; those beside it are not among them.
            event_sink_factory: makes one more sink for every agent, those beside included, from its name.

        Raises:
            WorkflowInvalid: as `validate`.
            ChainGraphError: the tools of an agent do not fit together.
        """
        from edgevox.agents.deploy.building import Builder

        self.validate()
        return Builder(event_sinks, event_sink_factory).deployed(self)


_STRUCTURE = frozenset(each.name for each in fields(DeployableAgent)) | {"attributes"}
