"""`edgevox scripts`: list trusted scripts, run one, and serve them to agents that live in a box."""

import argparse
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from edgevox.cli.exits import FAILED, OK, USAGE, carried_out

if TYPE_CHECKING:
    from edgevox.agents.safe_scripts import ScriptReport, ScriptRunner
    from edgevox.core.cancel import CancelScope

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

NAME = "edgevox scripts"


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `scripts` and its commands; each sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("scripts", help="list, run and serve trusted scripts", description=__doc__)
    parser.set_defaults(run=run, scripts_command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    listing = commands.add_parser("list", help="show the scripts of a folder and what they say about themselves")
    running = commands.add_parser("run", help="run one script as an agent would")
    serving = commands.add_parser("serve", help="run scripts for agents that ask over a socket of this machine")
    for each, action in ((listing, _list), (running, _run), (serving, _serve)):
        each.add_argument("folder", metavar="DIR", type=Path, help="the folder of the scripts")
        each.set_defaults(scripts_command=action)
    running.add_argument("script", metavar="SCRIPT", help="its path below the folder")
    serving.add_argument("--socket", metavar="PATH", type=Path, help="where to listen (default: the run folder)")
    for each in (running, serving):
        each.add_argument(
            "--timeout", metavar="SECONDS", type=float, default=300.0, help="the longest a script may take"
        )
        each.add_argument("--env", metavar="NAME", action="append", default=[], help="a variable that scripts get too")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command that was chosen and return the exit code."""
    if args.scripts_command is None:
        args.parser.print_help()
        return USAGE
    return carried_out(lambda: args.scripts_command(args), name=NAME)


def _list(args: argparse.Namespace) -> int:
    from edgevox.agents.safe_scripts import ScriptRunner

    report = ScriptRunner(args.folder).list()
    width = max((len(entry.script) for entry in report.scripts), default=0)
    for entry in report.scripts:
        print(f"{entry.script:<{width}}  {entry.description}".rstrip())
    if not report.scripts:
        print(f"{NAME}: {report.message or f'There are no scripts in {args.folder}.'}", file=sys.stderr)
    return OK if report.scripts else FAILED


def _run(args: argparse.Namespace) -> int:
    from edgevox.core.cancel import CancelScope

    scope = CancelScope()
    before = signal.signal(signal.SIGINT, lambda _number, _frame: _ended(scope))
    try:
        report = _runner(args).run(args.script, scope)
    finally:
        signal.signal(signal.SIGINT, before)
    return _told(report)


def _told(report: "ScriptReport") -> int:
    from edgevox.agents.safe_scripts import ScriptStatus

    print(report.output, end="")
    if report.message:
        print(f"{NAME}: {report.message}", file=sys.stderr)
    return OK if report.status is ScriptStatus.SUCCESS else FAILED


def _serve(args: argparse.Namespace) -> int:
    from edgevox.agents.safe_scripts import ScriptService
    from edgevox.core.cancel import CancelScope

    runner = _runner(args)
    if not args.folder.is_dir():
        print(f"{NAME}: There is no folder {args.folder}: give the folder of the scripts.", file=sys.stderr)
        return FAILED
    service = ScriptService(runner, args.socket)
    scope = CancelScope()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _number, _frame: _ended(scope))
    service.open()
    print(f"Scripts of {args.folder} are served on {service.path}; Ctrl+C ends it.", flush=True)
    service.serve(scope)
    return OK


def _runner(args: argparse.Namespace) -> "ScriptRunner":
    from edgevox.agents.safe_scripts import ScriptRunner
    from edgevox.core.errors import UsageError

    try:
        return ScriptRunner(args.folder, timeout_s=args.timeout, environment=args.env)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _ended(scope: "CancelScope") -> None:
    from edgevox.core.cancel import CancelReason

    scope.cancel(CancelReason.SHUTDOWN)
