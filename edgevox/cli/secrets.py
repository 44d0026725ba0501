"""`edgevox secrets`: encrypt keys, set one, list their names, and try whether they can be read.

No value is ever printed; passwords and keys are typed unseen.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from edgevox.cli.exits import FAILED, OK, USAGE, carried_out
from edgevox.endpoints.env import DEFAULT_ENCRYPTED_ENV_PATH, DEFAULT_ENV_PATH
from edgevox.endpoints.env_command import add_encrypt_parser, encrypt

if TYPE_CHECKING:
    from edgevox.endpoints.secret_store import SecretEntry

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

NAME = "edgevox secrets"


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `secrets` and its commands; each sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("secrets", help="keep the keys of accounts encrypted", description=__doc__)
    parser.set_defaults(run=run, secrets_command=None, parser=parser)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    add_encrypt_parser(commands).set_defaults(secrets_command=encrypt)
    setting = _command(commands, "set", _set, "ask for a key and keep it, encrypted")
    setting.add_argument("name", metavar="NAME", help="the variable, such as OPENROUTER_API_KEY_SECRET")
    setting.add_argument("--keyring", action="store_true", help="keep it in the keyring of the operating system")
    removing = _command(commands, "remove", _remove, "forget a key")
    removing.add_argument("name", metavar="NAME")
    removing.add_argument("--keyring", action="store_true", help="take it out of the keyring")
    _command(commands, "list", _list, "show which keys there are and where, never what they are")
    _command(commands, "check", _check, "try whether every key can be read")
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command that was chosen and return the exit code."""
    if args.secrets_command is None:
        args.parser.print_help()
        return USAGE
    return carried_out(lambda: args.secrets_command(args), name=NAME, stopped="Stopped; nothing was written.")


def _command(
    commands: "Subparsers", name: str, action: Callable[[argparse.Namespace], int], about: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=about, description=about[0].upper() + about[1:] + ".")
    parser.add_argument(
        "--path", type=Path, metavar="FILE", help=f"the file of keys (default: {DEFAULT_ENCRYPTED_ENV_PATH})"
    )
    parser.set_defaults(secrets_command=action)
    return parser


def _set(args: argparse.Namespace) -> int:
    from edgevox.endpoints.ciphers import check_name
    from edgevox.endpoints.hidden_input import ask_hidden, known_password, new_password
    from edgevox.endpoints.keyrings import write_keyring
    from edgevox.endpoints.secret_store import set_secret

    check_name(args.name)
    path = args.path or DEFAULT_ENCRYPTED_ENV_PATH
    value = ask_hidden(f"Value of {args.name}: ").strip()
    if args.keyring:
        write_keyring(args.name, value)
        print(f"{args.name} is in the keyring.")
        return OK

    def password(has_one: bool) -> str:
        return known_password(f"Password of {path}: ") if has_one else new_password(f"New password for {path}")

    set_secret(path, args.name, value, password)
    print(f"{args.name} is in {path}, encrypted.")
    return OK


def _remove(args: argparse.Namespace) -> int:
    from edgevox.endpoints.keyrings import remove_from_keyring
    from edgevox.endpoints.secret_store import remove_secret

    path = args.path or DEFAULT_ENCRYPTED_ENV_PATH
    gone = remove_from_keyring(args.name) if args.keyring else remove_secret(path, args.name)
    place = "the keyring" if args.keyring else str(path)
    if not gone:
        print(f"{NAME}: {args.name} is not in {place}; `{NAME} list` shows where it is.", file=sys.stderr)
        return FAILED
    print(f"{args.name} is no longer in {place}.")
    return OK


def _list(args: argparse.Namespace) -> int:
    entries = [*_in_environment(), *_in_keyring(), *_in_files(args.path)]
    width = max((len(entry.name) for entry in entries), default=0)
    for entry in entries:
        print(f"{entry.name:<{width}}  {entry.where}{_state(entry)}")
    if not entries:
        print(f"There are no keys yet: `{NAME} set NAME` keeps one.", file=sys.stderr)
    return OK


def _check(args: argparse.Namespace) -> int:
    """Decrypt everything once, and say what other people could read."""
    from edgevox.endpoints.env import decrypt_env_values
    from edgevox.endpoints.env_files import read_env
    from edgevox.endpoints.hidden_input import known_password
    from edgevox.endpoints.secret_store import readable_by_others

    faults = 0
    files = _files(args.path)
    for path in files:
        entries = list(_in_files(path))
        decrypt_env_values(read_env(path), lambda path=path: known_password(f"Password of {path}: "))
        for entry in entries:
            print(f"{entry.name}: {'empty' if entry.empty else 'readable'} in {path}{_state(entry)}")
        if any(not entry.encrypted and not entry.empty for entry in entries) and readable_by_others(path):
            print(f"{NAME}: other users may read the keys in {path}: run chmod 600 {path}.", file=sys.stderr)
            faults += 1
    faults += _check_keyring()
    if not files and not faults:
        print(f"There is no file of keys here: `{NAME} set NAME` makes {DEFAULT_ENCRYPTED_ENV_PATH}.", file=sys.stderr)
    return FAILED if faults else OK


def _check_keyring() -> int:
    from edgevox.endpoints.keyrings import keyring_names, read_keyring

    missing = [name for name in keyring_names() if read_keyring(name) is None]
    for name in keyring_names():
        if name not in missing:
            print(f"{name}: readable in the keyring")
    for name in missing:
        print(f"{NAME}: {name} is no longer in the keyring: set it again with --keyring.", file=sys.stderr)
    return len(missing)


def _files(path: Path | None) -> "list[Path]":
    from edgevox.core.errors import SecretsError

    if path is None:
        return [known for known in (DEFAULT_ENCRYPTED_ENV_PATH, DEFAULT_ENV_PATH) if known.exists()]
    if not path.exists():
        raise SecretsError(f"There is no file {path}: check the path, or make it with `{NAME} set NAME --path {path}`.")
    return [path]


def _in_files(path: Path | None) -> "list[SecretEntry]":
    from edgevox.endpoints.secret_store import entries_of

    return [entry for known in _files(path) for entry in entries_of(known)]


def _in_environment() -> "list[SecretEntry]":
    from edgevox.core.redaction import SECRET_SUFFIX
    from edgevox.endpoints.ciphers import is_encrypted
    from edgevox.endpoints.secret_store import SecretEntry

    return [
        SecretEntry(name=name, where="environment", encrypted=is_encrypted(value), empty=not value.strip())
        for name, value in sorted(os.environ.items())
        if name.endswith(SECRET_SUFFIX)
    ]


def _in_keyring() -> "list[SecretEntry]":
    from edgevox.endpoints.keyrings import keyring_names
    from edgevox.endpoints.secret_store import SecretEntry

    return [SecretEntry(name=name, where="keyring", encrypted=True) for name in keyring_names()]


def _state(entry: "SecretEntry") -> str:
    if entry.empty:
        return ", empty"
    if entry.where == "keyring":
        return ""
    return ", encrypted" if entry.encrypted else ", in the clear"
