"""The `env` half of `python -m edgevox.endpoints`: encrypt a file of variables.

Knows the arguments and what is printed; `edgevox secrets encrypt` is the same command.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from edgevox.endpoints.env import DEFAULT_ENV_PATH, SECRET_SUFFIX, encrypt_env

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name


def add_env_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `env encrypt`; it sets `run`, which takes the arguments and returns the exit code or raises."""
    parser = subparsers.add_parser("env", help="encrypt the keys of a file of variables")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_encrypt_parser(commands).set_defaults(run=encrypt)
    return parser


def add_encrypt_parser(commands: "Subparsers") -> argparse.ArgumentParser:
    """Add `encrypt` with its options."""
    about = "write an encrypted copy of a file of variables beside it"
    parser = commands.add_parser("encrypt", help=about, description=about[0].upper() + about[1:] + ".")
    parser.add_argument(
        "--path", type=Path, default=DEFAULT_ENV_PATH, metavar="FILE", help=f"the file (default: {DEFAULT_ENV_PATH})"
    )
    parser.add_argument(
        "--secret",
        action="append",
        default=[],
        metavar="NAME",
        help=f"encrypt this variable too; those that end in {SECRET_SUFFIX} are encrypted anyway",
    )
    return parser


def encrypt(args: argparse.Namespace) -> int:
    """Encrypt the file, say where the copy is, and return 0.

    Raises:
        SecretsError: one sentence.
    """
    from edgevox.endpoints.ciphers import is_encrypted
    from edgevox.endpoints.env_files import read_env
    from edgevox.endpoints.hidden_input import new_password

    target = encrypt_env(args.path, lambda: new_password("New password"), args.secret)
    names = [name for name, value in read_env(target).items() if is_encrypted(value)]
    print(
        f"{target}: {', '.join(names)} encrypted." if names else f"{target}: written; nothing in it needed encrypting."
    )
    print(f"{args.path} is untouched: delete it once the copy is checked (edgevox secrets check --path {target}).")
    return 0
