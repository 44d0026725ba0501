"""What a capability is: tools, default tools and skills that an agent gets together, with what they need to work.

Knows labels and how a capability is bound to the configuration of one agent. Runs nothing.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from edgevox.core.errors import WorkflowInvalid
from edgevox.core.ports import ChatModel

if TYPE_CHECKING:
    from edgevox.chains.skills import Skill
    from edgevox.tools import Tool

T = TypeVar("T")


class Loading(StrEnum):
    """When a skill is loaded."""

    AUTOMATIC = "automatic"
    """With the first words of every run."""
    ON_DEMAND = "on_demand"
    """When the model asks for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLabel:
    """What a capability is called that gives tools."""

    name: str
    title: str = ""
    """For people; the name where it is empty."""
    selectable: bool = True
    """Whether a definition may switch it."""
    default: bool = True
    """Whether it is on where a definition does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillLabel(ToolLabel):
    """What a capability is called that gives a skill."""

    loading: Loading = Loading.ON_DEMAND


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Where a capability is bound: one agent of a deployment."""

    agent_name: str
    attributes: Mapping[str, Any]
    """What the definition, and those around it, say: `endpoint`, `root`, `folders`, `permissions`, …"""

    def need(self, name: str, kind: type[T]) -> T:
        """Return an attribute.

        Raises:
            WorkflowInvalid: it is not there, or of another kind.
        """
        value = self.attributes.get(name)
        if not isinstance(value, kind):
            raise WorkflowInvalid(f"{self.agent_name} needs {name} as {kind.__name__}, but has {value!r:.80}.")
        return value

    def get(self, name: str, kind: type[T]) -> T | None:
        """Return an attribute, or `None` where there is none. Raises as `need` does for one of another kind."""
        return None if self.attributes.get(name) is None else self.need(name, kind)

    @property
    def endpoint(self) -> ChatModel:
        """Who is asked. Raises as `need` does."""
        value = self.attributes.get("endpoint")
        if not isinstance(value, ChatModel):
            raise WorkflowInvalid(f"{self.agent_name} needs an endpoint to ask, but has {value!r:.80}.")
        return value

    @property
    def root(self) -> Path:
        """The folder of the project. Raises as `need` does."""
        return self.need("root", Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """What a capability gives to one agent."""

    tools: "tuple[Tool, ...]" = ()
    default_tools: "tuple[Tool, ...]" = ()
    skills: "tuple[Skill, ...]" = ()
    auto_loaded_skills: "tuple[Skill, ...]" = field(default=())


class Capability(ABC):
    """Something an agent can do, to be put into a `DeployableAgent`."""

    label: ToolLabel
    """What it is called; a definition switches it by that name."""
    required_attributes: ClassVar[tuple[str, ...]] = ()
    """What the definition, or one around it, must say."""

    @abstractmethod
    def bind(self, site: Site) -> Bound:
        """Make everything for one agent anew.

        Args:
            site: the agent's place in the deployment.

        Raises:
            WorkflowInvalid: an attribute is of another kind than it must be.
        """

    def as_skill(self, skill: "Skill") -> Bound:
        """Return a skill bound as the label says."""
        loading = self.label.loading if isinstance(self.label, SkillLabel) else Loading.ON_DEMAND
        if loading is Loading.AUTOMATIC:
            return Bound(auto_loaded_skills=(skill,))
        return Bound(skills=(skill,))
