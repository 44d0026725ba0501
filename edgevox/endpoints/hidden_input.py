"""What a person types without seeing it: passwords and keys.

Knows a terminal and a pipe. Knows no file and no key.
"""

import getpass
import sys

from edgevox.core.errors import SecretsError
from edgevox.endpoints.env import PASSWORD_VARIABLES, take_password


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
