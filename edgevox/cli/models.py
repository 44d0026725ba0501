"""`edgevox models`: the names, and getting, verifying and removing what they stand for."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from edgevox.cli.exits import FAILED, OK, USAGE, carried_out

if TYPE_CHECKING:
    from edgevox.config.models import ModelEntry, ModelFiles

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

ASK_ABOVE_BYTES = 1_000_000_000
"""Larger downloads are confirmed once, where there is a terminal."""


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `models` and its commands; each sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("models", help="list, get, verify and remove models", description=__doc__)
    parser.set_defaults(run=run, models_command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    listing = _command(commands, "list", _list, "show the models by name and whether they are here")
    listing.add_argument("--use", choices=("vad", "stt", "tts", "llm", "wake"), help="only models for this")
    getting = _command(commands, "get", _get, "download models unless they are here and whole")
    getting.add_argument(
        "names", nargs="+", metavar="NAME", help="a name, tiny, small, recommended, or hf:repo/name:file"
    )
    getting.add_argument("--again", action="store_true", help="download even what is here")
    getting.add_argument("--yes", "-y", action="store_true", help="do not ask")
    verifying = _command(commands, "verify", _verify, "read every byte of models and compare")
    verifying.add_argument("names", nargs="*", metavar="NAME", help="which ones; all that are here when left out")
    removing = _command(commands, "remove", _remove, "delete models from edgevox's model folder")
    removing.add_argument("names", nargs="+", metavar="NAME")
    removing.add_argument("--yes", "-y", action="store_true", help="do not ask")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command that was chosen and return the exit code."""
    if args.models_command is None:
        args.parser.print_help()
        return USAGE
    goes_on = "Stopped. The same command goes on where this one ended."
    return carried_out(lambda: args.models_command(args), name="edgevox models", stopped=goes_on)


def state_of(entry: "ModelEntry") -> tuple[str, str]:
    """Return whether a model is here (`here`, `damaged`, `missing`) and where, or what is wrong with it."""
    from edgevox.config.models import resolve
    from edgevox.core.errors import ModelCorrupt, ModelMissing

    try:
        return "here", str(resolve(entry.name).folder)
    except ModelMissing:
        return "missing", ""
    except ModelCorrupt as error:
        return "damaged", str(error)


def _command(
    commands: "Subparsers",
    name: str,
    action: Callable[[argparse.Namespace], int],
    help_text: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=help_text, description=help_text[0].upper() + help_text[1:] + ".")
    parser.add_argument("--json", action="store_true", help="print JSON for other programs")
    parser.set_defaults(models_command=action)
    return parser


def _list(args: argparse.Namespace) -> int:
    from edgevox.config.files import human_size
    from edgevox.config.models import catalogue, sets
    from edgevox.config.paths import models_dir

    rows: list[dict[str, Any]] = []
    for entry in catalogue().values():
        if args.use in {None, entry.use}:
            state, detail = state_of(entry)
            rows.append({
                "name": entry.name, "use": entry.use, "state": state, "detail": detail, "size": entry.size,
                "licence": entry.licence, "title": entry.title, "note": entry.note,
                "sets": [name for name, members in sets().items() if entry.name in members],
            })  # fmt: skip
    if args.json:
        return _print_json({"folder": str(models_dir()), "models": rows})
    table = [["NAME", "FOR", "SIZE", "STATE", "LICENCE", "WHAT IT IS"]]
    for row in rows:
        what = f"{row['title']}; {row['note']}" if row["note"] else row["title"]
        table.append([row["name"], row["use"], human_size(row["size"]), row["state"], row["licence"], what])
    _print_table(table)
    print(f"\nModel folder: {models_dir()}")
    for name, members in sets().items():
        print(f"Set {name}: {', '.join(members)}")
    for row in rows:
        if row["state"] == "damaged":
            print(row["detail"])
    return OK


def _get(args: argparse.Namespace) -> int:
    from edgevox.assistant.getting import fetch_all
    from edgevox.config.files import human_size
    from edgevox.config.models import catalogue, fetch, find, names_in
    from edgevox.config.specs import parse_spec
    from edgevox.ui.download import TerminalDesk

    names = names_in(args.names)
    for name in names:
        parse_spec(name)
    wanted = [name for name in names if args.again or _needed(name)]
    size = sum(catalogue()[name].download_size for name in wanted if name in catalogue())
    asks, desk = size > ASK_ABOVE_BYTES and not args.yes, TerminalDesk()
    if asks and desk.ask(f"This downloads {human_size(size)}. Go on?") is False:
        return FAILED
    again = {name for name in wanted if find(name) is not None}
    fetched = fetch_all(
        wanted, desk, get=lambda name, show, scope: fetch(name, again=name in again, progress=show, scope=scope)
    )
    if fetched.cancelled is not None:
        raise KeyboardInterrupt
    faults = {name: str(fault) for name, fault in fetched.faults.items()}
    here = {name: str(found.folder) for name in names if name not in faults and (found := find(name))}
    if args.json:
        _print_json({"models": here, "faults": faults})
    else:
        for name, folder in here.items():
            print(f"{name}: {folder}")
        for fault in faults.values():
            print(f"edgevox models: {fault}", file=sys.stderr)
    return FAILED if faults else OK


def _needed(name: str) -> bool:
    """Whether a model must be downloaded: it is not here, or reading all of it shows that it is not the right one."""
    from edgevox.config.models import find
    from edgevox.config.upkeep import check_model

    found = find(name)
    return found is None or bool(check_model(found))


def _verify(args: argparse.Namespace) -> int:
    from edgevox.config.models import catalogue, names_in, resolve

    names = names_in(args.names) if args.names else [n for n, e in catalogue().items() if state_of(e)[0] != "missing"]
    faults: dict[str, str] = {}
    for name in names:
        _try(faults, name, lambda name=name: _check(resolve(name)))
        if not args.json:
            print(faults.get(name) or f"{name}: every byte is right")
    if args.json:
        _print_json({"verified": [name for name in names if name not in faults], "faults": faults})
    elif not names:
        print("No model is here: `edgevox setup` chooses and gets some.")
    return FAILED if faults else OK


def _check(model: "ModelFiles") -> None:
    from edgevox.config.upkeep import check_model
    from edgevox.config.verify import corrupt

    for fault in check_model(model):
        spec = model.spec if model.entry is not None or model.spec.startswith("hf:") else None
        raise corrupt(fault.path, fault.cause, spec)


def _remove(args: argparse.Namespace) -> int:
    from edgevox.config.files import human_size
    from edgevox.config.models import catalogue, names_in
    from edgevox.config.upkeep import remove_model
    from edgevox.core.errors import UsageError

    names = names_in(args.names, with_needs=False)
    for name in names:
        if name not in catalogue():
            raise UsageError(f"{name} is not a name of `edgevox models list`, so nothing was removed.")
    if not args.yes and not _agreed(f"Delete {', '.join(names)}?"):
        print("Nothing was removed; --yes removes without asking.", file=sys.stderr)
        return FAILED
    faults: dict[str, str] = {}
    freed: dict[str, int] = {}
    for name in names:
        _try(faults, name, lambda name=name: freed.update({name: remove_model(name)}))
    if args.json:
        _print_json({"freed": freed, "faults": faults})
    else:
        for name, size in freed.items():
            print(f"{name}: removed, {human_size(size)} are free again")
        for fault in faults.values():
            print(f"edgevox models: {fault}", file=sys.stderr)
    return FAILED if faults else OK


def _agreed(question: str) -> bool:
    """Ask before something is lost: anything but a clear yes, and nobody at the terminal, is no."""
    if not sys.stdin.isatty():
        return False
    try:
        return input(f"{question} [y/N] ").strip().lower() in {"y", "yes"}
    except EOFError:
        return False


def _try(faults: dict[str, str], name: str, action: Callable[[], object]) -> None:
    """Do it for one model; what goes wrong with it must not keep the others from their turn."""
    from edgevox.core.errors import ModelError

    try:
        action()
    except ModelError as error:
        faults[name] = str(error)


def _print_json(value: object) -> int:
    print(json.dumps(value, indent=2))
    return OK


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        print("  ".join([*cells, row[-1]]).rstrip())
