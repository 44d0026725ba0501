"""The environment of programs that edgevox starts: all that they need, and no key.

Knows which variables hold secrets, by their names and by what this process has learned of them. Starts nothing.
"""

import os
from collections.abc import Collection

from edgevox.core.redaction import KNOWN, is_secret_name

PASSES = frozenset({"DBUS_SESSION_BUS_ADDRESS", "SSH_AUTH_SOCK", "XAUTHORITY"})
"""Addresses of services of the session, whose names or values look like more."""


def scrubbed_environment(
    changes: dict[str, str] | None = None, *, keep: Collection[str] = (), only: Collection[str] | None = None
) -> dict[str, str]:
    """Return the environment for a child process: this one's, without secrets.

    Left out are variables whose names say that they hold one (`..._SECRET`, `..._API_KEY`, `..._TOKEN`,
    `..._PASSWORD`, the password of the encrypted file), those that a catalogue of endpoints names, and those that hold
    a value that is known to be secret.

    Args:
        changes: variables that the child gets beside or in place of its parent's.
        keep: secrets that this child needs.
        only: pass nothing but these on; `None` passes on everything that is no secret.
    """
    names = KNOWN.names()
    passed = {
        name: value
        for name, value in os.environ.items()
        if (only is None or name in only) and (name in keep or not _is_secret(name, value, names))
    }
    return passed | (changes or {})


def _is_secret(name: str, value: str, names: Collection[str]) -> bool:
    if name in PASSES:
        return False
    return name in names or is_secret_name(name) or KNOWN.cover_known(value) != value
