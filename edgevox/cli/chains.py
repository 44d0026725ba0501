"""`edgevox chains`: what an agent of typed chains is made of, what may go wrong in it, and a drawing."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

from edgevox.cli.exits import FAILED, OK, USAGE, carried_out

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `chains` and its commands; each sets `what`, the report that is printed."""
    parser = subparsers.add_parser("chains", help="show, check and draw agents of typed chains", description=__doc__)
    parser.set_defaults(run=run, what=None, parser=parser, mermaid=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _command(commands, "show", "list the tools, their links and conditions, the model and the prompt")
    _command(commands, "lint", "look for conditions that overlap and tools that nothing reaches")
    drawing = _command(commands, "draw", "draw which tool may follow which")
    drawing.add_argument("--mermaid", action="store_true", help="as a Mermaid flowchart instead of a tree")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command that was chosen and return the exit code."""
    if args.what is None:
        args.parser.print_help()
        return USAGE
    return carried_out(lambda: _report(args), name="edgevox chains")


def _command(commands: "Subparsers", name: str, about: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=about, description=f"{about.capitalize()}.")
    parser.add_argument("agent", metavar="NAME", help="an agent of edgevox-agent list, or the path of a script")
    parser.set_defaults(what=name)
    return parser


def _report(args: argparse.Namespace) -> int:
    from edgevox.agents.registry import find_agent
    from edgevox.chains.reports import NO_COMPLAINT, report

    what = "mermaid" if args.mermaid else args.what
    agent = find_agent(args.agent)
    told = report(agent, what)
    if what == "show" and sys.stdout.isatty():
        _draw_tables(agent)
    else:
        print(told)
    return FAILED if what == "lint" and told != NO_COMPLAINT else OK


def _draw_tables(agent: Any) -> None:
    """A person at a terminal reads tables better than lines."""
    from edgevox.chains.info import describe_agent
    from edgevox.ui.agent_info import draw_agent_info

    draw_agent_info(describe_agent(agent))
