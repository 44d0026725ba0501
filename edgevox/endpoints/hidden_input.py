"""What a person types without seeing it: passwords and keys.

Knows a terminal and a pipe. Knows no file and no key.
"""

import getpass
import sys
from collections.abc import Iterable

from edgevox.core.errors import SecretsError
from edgevox.endpoints.ciphers import PasswordMissing, SecretsUnreadable
from edgevox.endpoints.env import PASSWORD_VARIABLES, resolve_secret, take_password, unlock_secrets


def ask_hidden(text: str) -> str:
    """Return what a person types after a prompt without showing it, or the next line where there is no terminal.

    Raises:
        SecretsError: nobody answered.
    """
    try:
        if sys.stdin.isatty():
            return getpass.getpass(text)
        line = sys.stdin.readline()
    except EOFError:
        line = ""
    if not line:
        raise SecretsError(f"Nobody answered “{text.strip().rstrip(':')}”: run the command in a terminal.")
    return line.rstrip("\r\n")


def unlock_for(key_names: Iterable[str]) -> None:
    """Ask a person for the password of the encrypted file where one of these keys is in it; without a terminal, nobody.

    An empty answer goes on without the keys; whoever needs one says so then.

    Args:
        key_names: the variables of keys that are about to be used.

    Raises:
        SecretsError: the file cannot be read, or the password was wrong: three times, or once where nobody can type.
    """
    for name in key_names:
        try:
            resolve_secret(name)
        except (PasswordMissing, SecretsUnreadable) as error:
            if not sys.stdin.isatty():
                if isinstance(error, SecretsUnreadable):
                    raise  # the password that the environment had was not it, and nobody can type another
                return
            try:
                unlock_secrets(_asked_or_skipped)
            except _Skipped:
                return


class _Skipped(Exception):
    """A person goes on without."""


def _asked_or_skipped(text: str) -> str:
    answer = ask_hidden(f"{text.rstrip(': ')} (Enter goes on without): ")
    if not answer:
        raise _Skipped
    return answer


def known_password(text: str) -> str:
    """Return the password out of the environment, or what a person types."""
    return take_password() or ask_hidden(text)


def new_password(text: str) -> str:
    """Return the password out of the environment, or what a person types twice.

    Raises:
        SecretsError: the two differ, or are empty.
    """
    if found := take_password():
        return found
    password = ask_hidden(f"{text}: ")
    if not password:
        raise SecretsError(f"The password is empty: choose one, or set {PASSWORD_VARIABLES[0]}.")
    if ask_hidden(f"{text}, again: ") != password:
        raise SecretsError("The two passwords differ, so nothing was written: run the command again.")
    return password
