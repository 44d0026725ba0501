"""An agent for the folder of a project: reads and changes its files, asks before it touches others, and remembers.

    python -m edgevox.examples.chains.project PATH --text-mode

As `edgevox-agent project` it works on the folder in which it is started.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from edgevox.agents.recipes import project_agent
from edgevox.core.errors import EdgeVoxError
from edgevox.core.ports import ChatModel
from edgevox.examples.agents.framework import EXIT_FAILED, AgentApp


def app(root: Path | str = ".", endpoint: ChatModel | None = None) -> AgentApp:
    """Return the application for a folder.

    Args:
        root: of the project.
        endpoint: who is asked; with `None` the model that the person has chosen.

    Raises:
        ConfigError: there is no such folder.
    """
    deployed = project_agent(root, endpoint=endpoint)
    return AgentApp(
        name="Project",
        description="Works on the files of a folder, asks before it touches others, and remembers.",
        agent=deployed.agent,
        permissions=deployed.permissions,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Talk about the project whose folder the first argument names. Returns the exit code."""
    given = list(sys.argv[1:] if argv is None else argv)
    root = given.pop(0) if given and not given[0].startswith("-") else "."
    try:
        program = app(root)
    except EdgeVoxError as error:
        print(error, file=sys.stderr)
        return EXIT_FAILED
    return program.run(given, prog=f"{Path(__file__).stem} {root}")


if __name__ == "__main__":
    raise SystemExit(main())
