"""`SafeScripts`: the one tool with which an agent lists scripts and runs one of them.

Knows who may run what (`script:NAME` in the permission engine) and where scripts come from. How they run is the
runner's.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from edgevox.agents.capabilities.capability import Bound, Capability, Site, ToolLabel
from edgevox.agents.dependencies import Dependency, Executable
from edgevox.agents.safe_scripts.client import HostScripts
from edgevox.agents.safe_scripts.folder import Refused, parts_of
from edgevox.agents.safe_scripts.report import ScriptReport, Scripts
from edgevox.agents.safe_scripts.runner import OUTPUT_BYTES, TIMEOUT_S, ScriptRunner
from edgevox.core.errors import ConfigError
from edgevox.core.messages import Message
from edgevox.core.running import current_run
from edgevox.core.session import AgentContext
from edgevox.core.values import Empty
from edgevox.tools.factory import factory

if TYPE_CHECKING:
    from edgevox.tools.definition import Tool

LEEWAY_S = 15.0
"""What a call may take beyond the script itself."""


class ScriptCall(Empty):
    """Which script to run."""

    script: str | None = Field(default=None, description="a script of the list; leave it out to get the list")


class SafeScripts(Capability):
    """Lets an agent list the scripts of a trusted folder and run one, without arguments and without input.

    Keep the folder where no agent can write. The author who gives this to an agent vouches for the scripts; rules of
    the person about `script:NAME` are laid over that.

    Args:
        scripts_dir: the folder, whose scripts run on this machine.
        socket_path: the socket of `edgevox scripts serve`, in place of a folder.
        timeout_s: seconds after which a script is ended.
        output_bytes: what a script may print.
        environment: names of further variables that scripts of a folder get.

    Raises:
        ConfigError: neither a folder nor a socket is given, or both.
        ValueError: a number or a name of a variable cannot be used.
    """

    label = ToolLabel(name="safe_scripts", title="Scripts")

    def __init__(
        self,
        scripts_dir: Path | str | None = None,
        *,
        socket_path: Path | str | None = None,
        timeout_s: float = TIMEOUT_S,
        output_bytes: int = OUTPUT_BYTES,
        environment: Iterable[str] = (),
    ) -> None:
        if (scripts_dir is None) == (socket_path is None):
            raise ConfigError("SafeScripts takes the folder of the scripts or the socket of the service: give one.")
        self.timeout_s = timeout_s
        self._scripts: Scripts
        if scripts_dir is not None:
            self._scripts = ScriptRunner(
                scripts_dir, timeout_s=timeout_s, output_bytes=output_bytes, environment=environment
            )
            self._needs: Dependency = Executable("bash", purpose="scripts")
        else:
            assert socket_path is not None
            self._scripts = self._needs = HostScripts(socket_path, timeout_s=timeout_s)

    def bind(self, site: Site) -> Bound:  # noqa: ARG002 - the same for every agent
        """Give the tool (see `Capability.bind`)."""
        return Bound(tools=(self.tool(),))

    def tool(self) -> "Tool":
        """Return the tool, for agents of every kind."""
        tool = run_script(self)
        tool.timeout_s = self.timeout_s + LEEWAY_S
        return tool

    def external_dependencies(self) -> tuple[Dependency, ...]:
        """Return what it needs: bash, or the service."""
        return (self._needs,)

    def carry_out(self, script: str | None) -> ScriptReport:
        """List the scripts, or run one as long as the run around the call goes on."""
        if not script or not script.strip():
            return self._scripts.list()
        run = current_run()
        return self._scripts.run(script, run.ctx.scope if run is not None else None)


def _touched(arguments: Mapping[str, Any], _: AgentContext | None) -> tuple[str, ...]:
    """Name the resource of a call; what is no script needs no leave, for it is refused."""
    script = str(arguments.get("script") or "")
    try:
        return (f"script:{'/'.join(parts_of(script))}",) if script.strip() else ()
    except Refused:
        return ()


@factory(resources=_touched, allowed=True)
def run_script(input: ScriptCall, messages: list[Message], ctx: SafeScripts) -> ScriptReport:  # noqa: ARG001
    """List the scripts that can be run, or run one of them by its name. Scripts take no arguments."""
    return ctx.carry_out(input.script)
