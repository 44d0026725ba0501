"""A keyring in memory, for tests of whoever keeps keys in the keyring of the operating system."""

# pyright: reportMissingImports=false, reportUntypedBaseClass=false, reportUnknownMemberType=false
# The library is optional and has no types of its own.

from collections.abc import Generator
from contextlib import contextmanager

import keyring
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError


class MemoryKeyring(KeyringBackend):
    """Keeps passwords while the test runs; a locked one refuses."""

    priority = 1.0  # pyright: ignore[reportAssignmentType] - the base computes it

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        """Return what was kept."""
        self._refuse_when_locked()
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep a password."""
        self._refuse_when_locked()
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        """Forget a password."""
        self._refuse_when_locked()
        if self.kept.pop((service, username), None) is None:
            raise PasswordDeleteError(username)

    def _refuse_when_locked(self) -> None:
        if self.locked:
            raise KeyringLocked("the keyring is locked")


@contextmanager
def memory_keyring() -> Generator[MemoryKeyring]:
    """Make a keyring in memory the one of the process."""
    before = keyring.get_keyring()
    mine = MemoryKeyring()
    keyring.set_keyring(mine)
    try:
        yield mine
    finally:
        keyring.set_keyring(before)
