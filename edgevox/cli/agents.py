"""`edgevox agents`: draw what an agent is made of, and hand it to planners of robots."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgevox.cli.exits import OK, USAGE, carried_out

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

PUBLIC = 0o644
"""Who may read an exported tree: everybody, as any file that one writes."""


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `agents` and its commands; each sets `agents_command`, which takes the arguments."""
    parser = subparsers.add_parser("agents", help="draw and export what agents are made of", description=__doc__)
    parser.set_defaults(run=run, agents_command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _command(commands, "tree", _tree, "draw an agent and everything it asks")
    exporting = _command(commands, "export", _export, "write an agent as BehaviorTree.CPP 4 XML")
    exporting.add_argument("--output", "-o", metavar="FILE", help="where to write; printed when left out")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command that was chosen and return the exit code."""
    if args.agents_command is None:
        args.parser.print_help()
        return USAGE
    return carried_out(lambda: args.agents_command(args), name="edgevox agents")


def _command(
    commands: "Subparsers", name: str, call: Callable[[argparse.Namespace], int], about: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=about, description=f"{about.capitalize()}.")
    parser.add_argument("agent", metavar="NAME", help="an agent of edgevox-agent list, or the path of a script")
    parser.set_defaults(agents_command=call)
    return parser


def _tree(args: argparse.Namespace) -> int:
    from edgevox.agents.workflows.tree import draw_tree

    print(draw_tree(_agent(args.agent)))
    return OK


def _export(args: argparse.Namespace) -> int:
    from edgevox.agents.workflows.behaviortree import to_behaviortree_xml
    from edgevox.config.files import write_atomic

    written = to_behaviortree_xml(_agent(args.agent))
    if args.output is None:
        print(written, end="")
        return OK
    path = Path(args.output).expanduser()
    write_atomic(path, written, PUBLIC)
    print(f"{path} holds the tree of {args.agent}.", file=sys.stderr)
    return OK


def _agent(name: str) -> Any:
    """Return the agent of a name or of a script's path.

    Raises:
        UsageError, AgentError: there is none, or it cannot be loaded.
    """
    from edgevox.agents.registry import find_agent

    return find_agent(name)
