"""Single keys in an encrypted file: set one, remove one, say which there are.

Knows how a file changes while another program changes it too. Shows no value. Encryption is `ciphers`, syntax is
`env_files`.
"""

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

from edgevox.core.errors import SecretsError
from edgevox.core.redaction import SECRET_SUFFIX, remember_secret
from edgevox.endpoints.ciphers import ENCRYPTED_NAMESPACE, PasswordCipher, check_name, is_encrypted
from edgevox.endpoints.env_files import check_target, read_env, write_env

LOCK_S = 10.0
"""Longest wait for another program that is changing a file of the same folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretEntry:
    """A secret that is known of, without its value."""

    name: str
    where: str
    """`environment`, `keyring`, or the path of the file."""
    encrypted: bool = False
    empty: bool = False


def set_secret(path: Path, name: str, value: str, password: Callable[[bool], str]) -> None:
    """Put one key, encrypted, into a file; the other variables stay as they are.

    Args:
        path: the file; it is made when it is missing.
        name: the variable.
        value: the key.
        password: called with whether the file has a password already; returns it, or a new one.

    Raises:
        SecretsError: the name or the value cannot be used, or the password is not the one of the file.
    """
    check_name(name)
    if not value.strip():
        raise SecretsError(f"The value of {name} is empty: paste the key when it is asked for.")
    if is_encrypted(value):
        raise SecretsError(f"The value of {name} is encrypted already: paste the key itself.")
    check_target(path)
    chosen = password(bool(_sealed(_read(path))))
    remember_secret(name, value)
    with _alone_in(path.parent):
        values = _read(path)
        sealed = _sealed(values)
        first = next(iter(sealed.items()), None)
        ours = next((text for text in sealed.values() if text.startswith(ENCRYPTED_NAMESPACE)), None)
        cipher = PasswordCipher(chosen, like=ours)
        if first is not None:
            _require_same_password(cipher, path, *first)
        write_env(path, {**values, name: cipher.seal(name, value)})


def remove_secret(path: Path, name: str) -> bool:
    """Take one variable out of a file.

    Returns:
        Whether it was there.
    """
    check_target(path)
    with _alone_in(path.parent):
        values = _read(path)
        if name not in values:
            return False
        del values[name]
        write_env(path, values)
    return True


def entries_of(path: Path) -> list[SecretEntry]:
    """Return the secrets of a file, in its order, without their values.

    Raises:
        SecretsError: it is no file of variables.
    """
    return [
        SecretEntry(name=name, where=str(path), encrypted=is_encrypted(value), empty=not (value or "").strip())
        for name, value in _read(path).items()
        if name.endswith(SECRET_SUFFIX) or is_encrypted(value)
    ]


def readable_by_others(path: Path) -> bool:
    """Return whether other users of this machine may read a file."""
    try:
        return bool(path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
    except OSError:
        return False


def _require_same_password(cipher: PasswordCipher, path: Path, name: str, ciphertext: str) -> None:
    try:
        cipher.open(name, ciphertext)
    except SecretsError as error:
        raise SecretsError(
            f"That is not the password of {path}, or {name} in it is damaged; nothing was changed. Try again, or "
            f"remove {name} first with `edgevox secrets remove {name}`."
        ) from error


def _read(path: Path) -> dict[str, str | None]:
    try:
        return read_env(path, follow=False)
    except FileNotFoundError:
        return {}


def _sealed(values: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None and is_encrypted(value)}


@contextlib.contextmanager
def _alone_in(folder: Path) -> Generator[None]:
    """Hold a lock on a folder, so that two programs that change a file in it do so one after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    deadline = time.monotonic() + LOCK_S
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() > deadline:
                    raise SecretsError(f"Another program is changing files in {folder}: try again later.") from error
                time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)
