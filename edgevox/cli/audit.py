"""`edgevox audit`: which tools the agents have called lately, with what, and what came of it."""

import argparse
import sys
from typing import TYPE_CHECKING

from edgevox.agents.audit import ENTRIES, AuditEntry, audit_file, read_audit
from edgevox.cli.exits import OK, carried_out
from edgevox.core.errors import ConfigError, UsageError

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

LAST = 20


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `audit`; it sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("audit", help="show the tools that agents have called", description=__doc__)
    parser.add_argument("--last", type=int, default=LAST, metavar="N", help=f"how many calls (default: {LAST})")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, as the file has them")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Print the last calls, oldest first, and return the exit code."""
    return carried_out(lambda: _show(args.last, as_json=args.json), name="edgevox audit")


def _show(last: int, *, as_json: bool) -> int:
    if last < 1:
        raise UsageError(f"--last must be at least 1, not {last}.")
    try:
        entries, path = read_audit(last), audit_file()
    except OSError as error:
        raise ConfigError(f"The audit log cannot be read: {error.strerror or error}. Check who owns it.") from error
    for entry in entries:
        print(ENTRIES.dump_json(entry).decode() if as_json else _row(entry))
    if not entries:
        print(f"No tool has been called yet; calls will be listed in {path}.", file=sys.stderr)
    return OK


def _row(entry: AuditEntry) -> str:
    given = ", ".join(f"{name}={_plain(value)}" for name, value in entry.arguments.items())
    how = entry.status if entry.error_code is None else f"{entry.status} ({entry.error_code})"
    at = entry.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
    said = f"  {_plain(entry.error)}" if entry.error else ""
    return f"{at}  {_plain(entry.who)}  {_plain(entry.tool)}({given})  {how}, {entry.ms} ms, by {entry.origin}{said}"


def _plain(value: object) -> str:
    """Write a value on one line, without anything that a terminal would obey."""
    return "".join(character if character.isprintable() else " " for character in str(value))
