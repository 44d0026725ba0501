"""`edgevox endpoints`: which language models behind an address there are, and catalogues of them.

Keys are never shown, only the names of the variables that hold them.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from edgevox.cli.exits import FAILED, OK, USAGE, carried_out
from edgevox.endpoints.inventory_command import PLACE, add_generate_parser, add_init_parser, generate, init

if TYPE_CHECKING:
    from edgevox.endpoints.catalog import Endpoint
    from edgevox.endpoints.lookup import EndpointDirectory
    from edgevox.endpoints.states import EndpointState

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

NAME = "edgevox endpoints"


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `endpoints` and its commands; it sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("endpoints", help="list and try models behind an address", description=__doc__)
    parser.set_defaults(run=run, endpoints_command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    listing = _command(commands, "list", _list, "show every endpoint by name, and what each lacks; asks nobody")
    probing = _command(commands, "probe", _probe, "ask providers for their models, and show which endpoints answer")
    for parser_of in (listing, probing):
        parser_of.add_argument("names", nargs="*", metavar="NAME", help="a provider, or PROVIDER.MODEL (default: all)")
        parser_of.add_argument("--json", action="store_true", help="print JSON for other programs")
    checking = _command(
        commands, "check", _check, "look for mistakes in a catalogue, and whether its module is up to date"
    )
    checking.add_argument("--path", type=Path, metavar="FILE", help=PLACE)
    add_init_parser(commands).set_defaults(endpoints_command=init)
    add_generate_parser(commands).set_defaults(endpoints_command=generate)
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command that was chosen and return the exit code."""
    if args.endpoints_command is None:
        args.parser.print_help()
        return USAGE
    return carried_out(lambda: args.endpoints_command(args), name=NAME, stopped="Stopped.")


def _command(
    commands: "Subparsers", name: str, action: Callable[[argparse.Namespace], int], about: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
    parser.set_defaults(endpoints_command=action)
    return parser


def _list(args: argparse.Namespace) -> int:
    from edgevox.endpoints.states import describe

    directory = _directory()
    _show(describe(_chosen(directory, args.names)), as_json=args.json)
    return _told(directory)


def _probe(args: argparse.Namespace) -> int:
    from edgevox.assistant.unlocking import unlock_chosen
    from edgevox.endpoints.states import Reach, probe

    directory = _directory()
    chosen = _chosen(directory, args.names)
    if locked := unlock_chosen(chosen):
        print(f"{NAME}: {locked}", file=sys.stderr)
    states = probe(chosen)
    _show(states, as_json=args.json)
    usable = any(state.reach in (Reach.ANSWERS, Reach.READY) for state in states)
    return _told(directory) if usable else FAILED


def _check(args: argparse.Namespace) -> int:
    from edgevox.core.errors import CatalogueError
    from edgevox.endpoints.generate import DEFAULT_NAME, module_text
    from edgevox.endpoints.lookup import own_catalogue
    from edgevox.endpoints.models_file import examine_catalogue, read_text
    from edgevox.endpoints.project import default_path

    path = args.path or next((each for each in (default_path(Path()), own_catalogue()) if each.exists()), None)
    if path is None:
        raise CatalogueError("There is no catalogue here: make one with `edgevox endpoints init`, or give --path.")
    try:
        catalogue, problems = examine_catalogue(read_text(path))
    except CatalogueError as error:
        raise CatalogueError(f"{path}: {error}") from None
    for problem in problems:
        print(f"{path}: {problem}", file=sys.stderr)
    if catalogue is None:
        return FAILED
    count = sum(len(provider.models) for provider in catalogue.providers.values())
    print(f"{path}: {count} models of {len(catalogue.providers)} providers, without a mistake.")
    module = path.with_name(DEFAULT_NAME)
    if module.is_file() and module.read_text(encoding="utf-8", errors="replace") != module_text(catalogue):
        print(f"{module} is not up to date: run `{NAME} generate --path {path}`.", file=sys.stderr)
        return FAILED
    return OK


def _directory() -> "EndpointDirectory":
    from edgevox.endpoints.lookup import EndpointDirectory

    return EndpointDirectory()


def _chosen(directory: "EndpointDirectory", names: list[str]) -> "Mapping[str, Endpoint]":
    """The endpoints that were asked for: all, those of a provider, or single ones."""
    from edgevox.core.errors import UsageError

    if not names:
        return directory
    chosen: dict[str, Endpoint] = {}
    for name in names:
        found = {known: directory[known] for known in directory if known.partition(".")[0] == name}
        if not found and (one := directory.find(name)) is not None:
            found = {name: one}
        if not found:
            raise UsageError(f"There is no endpoint or provider {name}; {NAME} list shows them.")
        chosen |= found
    return chosen


def _told(directory: "EndpointDirectory") -> int:
    """Say what is wrong with the person's own catalogue."""
    if not directory.problem:
        return OK
    print(f"{NAME}: {directory.problem}", file=sys.stderr)
    return FAILED


def _show(states: "list[EndpointState]", *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([asdict(state) for state in states], indent=2, ensure_ascii=False))
        return
    width = max((len(state.name) for state in states), default=0)
    hosts = max((len(state.where) for state in states), default=0)
    for state in states:
        took = f"{state.took_ms:.0f} ms" if state.took_ms is not None else ""
        task = state.task if state.task != "chat" else f"{state.context or 0:,} tokens" if state.context else "chat"
        print(f"{state.name:<{width}}  {state.reach:<8}  {state.where:<{hosts}}  {task:<14}  {took}".rstrip())
    for detail in dict.fromkeys(state.detail for state in states if state.detail):
        print(f"  {detail}")
