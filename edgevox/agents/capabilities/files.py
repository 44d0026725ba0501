"""`FileCommands` and `FileEditing`: the guarded file tools for one agent, with what a model has to know to use them.

What may be touched is the agent's `permissions`; the person's own rules are laid over it when a tool runs.
"""

from typing import ClassVar

from edgevox.agents.capabilities.capability import Bound, Capability, Loading, Site, SkillLabel, ToolLabel
from edgevox.chains.skills import Skill
from edgevox.tools.files import cli_skill, get_patch_file, get_run_file_command
from edgevox.tools.permissions import PermissionEngine


class FileCommands(Capability):
    """File commands (`ls`, `cat`, `grep`, `cp`, …) as a skill.

    Args:
        loading: whether the skill is there from the beginning, or when the model asks for it.
    """

    required_attributes: ClassVar[tuple[str, ...]] = ("permissions",)

    def __init__(self, *, loading: Loading = Loading.ON_DEMAND) -> None:
        self.label = SkillLabel(name="file_commands", title="File commands", loading=loading)

    def bind(self, site: Site) -> Bound:
        """Make the skill and its tools (`Capability.bind`)."""
        tools = get_run_file_command(engine=site.need("permissions", PermissionEngine), principal=site.agent_name)
        return self.as_skill(Skill(cli_skill.name, cli_skill.description, cli_skill.body, tools))


class FileEditing(Capability):
    """A tool that changes a piece of a text file, or writes a whole one."""

    label = ToolLabel(name="file_editing", title="Change files")
    required_attributes: ClassVar[tuple[str, ...]] = ("permissions",)

    def bind(self, site: Site) -> Bound:
        """Make the tool (`Capability.bind`)."""
        tools = get_patch_file(engine=site.need("permissions", PermissionEngine), principal=site.agent_name)
        return Bound(tools=tuple(tools))
