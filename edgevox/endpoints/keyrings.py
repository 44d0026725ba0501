"""The keyring of the operating system as a place for keys.

Knows the names that were stored there, in a file of names alone, because keyrings cannot be listed and asking one may
open a window. Knows no password and no file of variables. The `keyring` library is loaded when a name is stored there.
"""

# pyright: reportMissingImports=false
# The library is optional.

import json
from collections.abc import Callable
from types import ModuleType

from edgevox.core.errors import LibraryMissing, SecretsError

SERVICE = "edgevox"
"""What the entries are filed under in the keyring."""
NAMES_FILE = "keyring.json"


def keyring_names() -> tuple[str, ...]:
    """Return the names of the keys that edgevox keeps in the keyring."""
    from edgevox.config.paths import config_dir

    try:
        names = json.loads((config_dir() / NAMES_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ()
    return tuple(str(name) for name in names) if isinstance(names, list) else ()  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def write_keyring(name: str, value: str) -> None:
    """Store a key in the keyring.

    Raises:
        LibraryMissing: the `keyring` library is not installed.
        SecretsError: there is no keyring, or it is locked.
    """
    library = _library()
    _asking(lambda: library.set_password(SERVICE, name, value))
    _write_names({*keyring_names(), name})


def read_keyring(name: str) -> str | None:
    """Return a key from the keyring; `None` when it is not there.

    Raises:
        LibraryMissing: the `keyring` library is not installed.
        SecretsError: there is no keyring, or it is locked.
    """
    library = _library()
    found: list[str | None] = []
    _asking(lambda: found.append(library.get_password(SERVICE, name)))
    return found[0] or None


def remove_from_keyring(name: str) -> bool:
    """Delete a key from the keyring.

    Returns:
        Whether edgevox had stored it there.

    Raises:
        LibraryMissing: the `keyring` library is not installed.
        SecretsError: there is no keyring, or it is locked.
    """
    if name not in keyring_names():
        return False
    library = _library()
    if read_keyring(name) is not None:
        _asking(lambda: library.delete_password(SERVICE, name))
    _write_names(set(keyring_names()) - {name})
    return True


def _write_names(names: set[str]) -> None:
    from edgevox.config.files import write_atomic
    from edgevox.config.paths import config_dir

    write_atomic(config_dir() / NAMES_FILE, json.dumps(sorted(names)) + "\n")


def _library() -> ModuleType:
    try:
        import keyring
    except ImportError as error:
        raise LibraryMissing("Keys in the keyring need one more library: install edgevox[keyring].") from error
    return keyring


def _asking(ask: Callable[[], object]) -> None:
    try:
        ask()
    except Exception as error:  # back ends raise their own kinds, and what they say may hold the key
        raise SecretsError(
            f"The keyring did not answer ({type(error).__name__}): unlock it, or store the key in a file with "
            "`edgevox secrets set NAME` without --keyring."
        ) from None
