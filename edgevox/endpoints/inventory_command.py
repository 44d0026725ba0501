"""The `inventory` half of `python -m edgevox.endpoints`: begin a catalogue, and write its Python module.

Knows the arguments and what is printed; `edgevox endpoints init` and `generate` are the same commands.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

PLACE = "the file (default: model_catalogue/models.json in the project's package)"


def add_inventory_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `inventory init` and `inventory generate`; each sets `run`, which takes the arguments and may raise."""
    parser = subparsers.add_parser("inventory", help="keep a catalogue of endpoints for a project")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_init_parser(commands).set_defaults(run=init)
    add_generate_parser(commands).set_defaults(run=generate)
    return parser


def add_init_parser(commands: "Subparsers") -> argparse.ArgumentParser:
    """Add `init` with its options."""
    about = "write a models.json with examples, to be edited"
    parser = commands.add_parser("init", help=about, description=about[0].upper() + about[1:] + ".")
    parser.add_argument("--path", type=Path, metavar="FILE", help=PLACE)
    parser.add_argument(
        "--user", action="store_true", help="the catalogue of your own, from which --model and /endpoint take names"
    )
    return parser


def add_generate_parser(commands: "Subparsers") -> argparse.ArgumentParser:
    """Add `generate` with its options."""
    about = "write the typed Python module of a models.json"
    parser = commands.add_parser("generate", help=about, description=about[0].upper() + about[1:] + ".")
    parser.add_argument("--path", type=Path, metavar="FILE", help=PLACE)
    parser.add_argument("--output", type=Path, metavar="FILE.py", help="the module (default: providers.py beside it)")
    return parser


def init(args: argparse.Namespace) -> int:
    """Write the catalogue, say where it is and what comes next, and return 0.

    Raises:
        CatalogueError: one sentence.
    """
    from edgevox.endpoints import project
    from edgevox.endpoints.lookup import own_catalogue

    if args.user:
        path = args.path or own_catalogue()
        path.parent.mkdir(parents=True, exist_ok=True)
        print(f"{project.init(path)}: written; its names work at once, such as --model PROVIDER.MODEL.")
        return 0
    path = project.init(args.path)
    print(f"{path}: written; edit it, then run `edgevox endpoints generate`.")
    return 0


def generate(args: argparse.Namespace) -> int:
    """Write the module, say where it is, and return 0.

    Raises:
        CatalogueError: one sentence.
    """
    from edgevox.endpoints import project
    from edgevox.endpoints.generate import generate as write

    path = args.path or project.default_path(Path())
    print(f"{write(path, args.output)}: written from {path}; start the application again to use it.")
    return 0
