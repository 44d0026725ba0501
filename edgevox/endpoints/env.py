"""Keys of accounts: encrypted in a file, and handed to whoever is about to use one.

Knows which variables are secrets, where a key may come from and in which order: from the caller, the process
environment, the keyring of the operating system, a file of variables. Knows no endpoint and prints nothing. A value
that passes here is covered from then on in logs, traces and errors (`core.redaction`).
"""

import os
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import Final

from edgevox.core.errors import SecretsError
from edgevox.core.redaction import SECRET_SUFFIX, remember_secret
from edgevox.endpoints.ciphers import (
    ENCRYPTED_NAMESPACE,
    PasswordCipher,
    PasswordMissing,
    SecretsUnreadable,
    check_name,
    is_encrypted,
)
from edgevox.endpoints.env_files import check_target, read_env, serialize_env, write_env

__all__ = [
    "DEFAULT_ENCRYPTED_ENV_PATH",
    "DEFAULT_ENV_PATH",
    "ENCRYPTED_NAMESPACE",
    "PASSWORD_VARIABLES",
    "SECRET_SUFFIX",
    "decrypt_env_values",
    "encrypt_env",
    "encrypt_env_values",
    "is_encrypted",
    "load_secrets",
    "missing_secret",
    "resolve_secret",
    "serialize_env",
    "take_password",
    "unlock_secrets",
]

DEFAULT_ENV_PATH: Final = Path(".env")
"""The file of plain variables, relative to the working folder."""
DEFAULT_ENCRYPTED_ENV_PATH: Final = Path(".env.encrypt")
"""The encrypted file, relative to the working folder; read in preference to the plain one."""
PASSWORD_VARIABLES: Final = ("EDGEVOX_ENV_PASSWORD", "ROBOZ_ENV_PASSWORD")
"""Variables that may hold the password; they leave the environment when it is needed."""
TRIES = 3

Password = str | Callable[[], str]
"""A password, or what asks for it when it turns out to be needed."""

_LOADING = threading.RLock()


def load_secrets(
    path: Path | str | None = None, password: Password | None = None, *, names: Collection[str] = ()
) -> tuple[str, ...]:
    """Put the secrets of a file into the process environment: all of them, or none.

    Variables that end in `_SECRET` and encrypted ones take part; what the environment already has stays. Ciphertexts
    that the environment holds are decrypted too.

    Args:
        path: the file; `None` is `.env.encrypt` of the working folder, or `.env` where that is missing. A file that
            does not exist holds nothing.
        password: opens encrypted values, or is called to ask for it, once, when there are any; `None` takes
            `EDGEVOX_ENV_PASSWORD` out of the environment, if it is needed.
        names: further variables that are secrets.

    Returns:
        The names that were loaded.

    Raises:
        SecretsError: the file cannot be read, the password is missing or wrong, a ciphertext is damaged, of another
            version, or belongs to another name. Nothing was loaded.
    """
    with _LOADING:
        pending = _pending(_entries(path), names)
        opened = _opened(pending, password)
        if odd := next((name for name, value in opened.items() if "\0" in value), None):
            raise SecretsError(f"{odd} holds a character that no environment can: set it again; nothing was loaded.")
        for name, value in opened.items():
            remember_secret(name, value)
        os.environ.update(opened)
        return tuple(opened)


def unlock_secrets(ask: Callable[[str], str], path: Path | str | None = None) -> tuple[str, ...]:
    """Load the secrets of a file, asking a person for the password, again when it was wrong.

    Args:
        ask: shows a text and returns what was typed without showing it, such as `getpass.getpass`.
        path: see `load_secrets`.

    Returns:
        The names that were loaded.

    Raises:
        SecretsError: see `load_secrets`; for the password after three tries.
    """
    text = f"Password for {path or DEFAULT_ENCRYPTED_ENV_PATH}: "
    given: Password | None = None if _password_is_set() else lambda: ask(text)
    for tries in range(TRIES, 0, -1):
        try:
            return load_secrets(path, given)
        except (SecretsUnreadable, PasswordMissing):
            if tries == 1:
                raise
        given = lambda: ask(f"That was not it. {text}")  # noqa: E731 - one of two ways to ask
    return ()


def resolve_secret(name: str, explicit: str | None = None) -> str | None:
    """Return a key for a client that is about to use it.

    Args:
        name: the variable that holds it.
        explicit: what the caller was given; goes before everything else.

    Returns:
        The key, or `None` when nobody has it; `missing_secret` is the sentence for that.

    Raises:
        SecretsError: the key is there but encrypted, and cannot be decrypted.
    """
    if explicit is not None and explicit.strip():
        if is_encrypted(explicit):
            raise SecretsError(
                f"The key given for {name} is still encrypted: leave it out, and it is decrypted on use."
            )
        remember_secret(name, explicit)
        return explicit
    if (found := _usable(os.environ, name)) is None:
        found = _from_keyring(name)
    if found is None:
        load_secrets(names=(name,))
        found = _usable(os.environ, name)
    if found is not None:
        remember_secret(name, found)
    return found


def missing_secret(name: str) -> SecretsError:
    """Return the error of a key that nobody has; it names the command that stores one."""
    return SecretsError(f"The key {name} is not set: store it with `edgevox secrets set {name}`.")


def encrypt_env(
    path: Path | str = DEFAULT_ENV_PATH,
    password: Password | None = None,
    secret_names: Iterable[str] | None = None,
) -> Path:
    """Write an encrypted copy of a file of variables beside it; the file itself stays as it is.

    Args:
        path: a file in dotenv syntax.
        password: encrypts, or is called to ask for it when there is something to encrypt; `None` takes
            `EDGEVOX_ENV_PASSWORD` out of the environment.
        secret_names: variables to encrypt beside those that end in `_SECRET`.

    Returns:
        The encrypted file: `path` with `.encrypt` added, mode 0600.

    Raises:
        SecretsError: the source or the target is a symbolic link or no regular file, a value is encrypted already, a
            name is not there, or there is no password. Nothing was written.
    """
    source = Path(path)
    target = source.with_name(f"{source.name}.encrypt")
    try:
        values = read_env(source, follow=False)
    except FileNotFoundError as error:
        raise SecretsError(f"There is no file {source}: write the keys into it as NAME_SECRET='value'.") from error
    check_target(target)
    write_env(target, encrypt_env_values(values, password, secret_names))
    return target


def encrypt_env_values(
    values: Mapping[str, str | None], password: Password | None = None, secret_names: Iterable[str] | None = None
) -> dict[str, str | None]:
    """Return variables with the secret ones encrypted (see `encrypt_env`); blank ones stay as they are.

    Raises:
        SecretsError: a value is encrypted already, a name is not there, or there is no password.
    """
    named = {check_name(name) for name in secret_names or ()}
    if absent := sorted(named - values.keys()):
        raise SecretsError(f"There is no variable {', '.join(absent)} to encrypt: check the name.")
    for name, value in values.items():
        check_name(name)
        if is_encrypted(value):
            raise SecretsError(f"{name} is encrypted already: encrypt the file that holds the keys themselves.")
    secret = [name for name, value in values.items() if value and value.strip() and _is_secret(name, named)]
    if not secret:
        return dict(values)
    cipher = PasswordCipher(_password(password, ", ".join(secret)))
    return {name: cipher.seal(name, value or "") if name in secret else value for name, value in values.items()}


def decrypt_env_values(values: Mapping[str, str | None], password: Password | None = None) -> dict[str, str | None]:
    """Return variables with the encrypted ones decrypted: all of them, or none.

    Raises:
        SecretsError: see `load_secrets`.
    """
    opened = _opened({name: value for name, value in values.items() if value and is_encrypted(value)}, password)
    return {name: opened.get(name, value) for name, value in values.items()}


def _entries(path: Path | str | None) -> dict[str, str | None]:
    if path is None:
        path = DEFAULT_ENCRYPTED_ENV_PATH if DEFAULT_ENCRYPTED_ENV_PATH.exists() else DEFAULT_ENV_PATH
    try:
        return read_env(Path(path))
    except FileNotFoundError:
        return {}


def _pending(entries: Mapping[str, str | None], names: Collection[str]) -> dict[str, str]:
    """Return what has to be loaded: secrets that the environment lacks, or has as ciphertexts only."""
    held = {
        name: value for name, value in os.environ.items() if is_encrypted(value) and _is_secret(name, names)
    }  # fmt: skip
    wanted = {
        name: value
        for name, value in entries.items()
        if value and value.strip() and (_is_secret(name, names) or is_encrypted(value))
        if _usable(os.environ, name) is None
    }
    return {**held, **wanted}


def _opened(pending: Mapping[str, str], password: Password | None) -> dict[str, str]:
    encrypted = [name for name, value in pending.items() if is_encrypted(value)]
    if not encrypted:
        return dict(pending)
    cipher = PasswordCipher(_password(password, ", ".join(encrypted)))
    return {name: cipher.open(name, value) if name in encrypted else value for name, value in pending.items()}


def _password(given: Password | None, what: str) -> str:
    if given is not None:
        return given if isinstance(given, str) else given()
    password = take_password()
    if password is None:
        raise PasswordMissing(
            f"A password is needed for {what}: set {PASSWORD_VARIABLES[0]} before the start, or keep the key in the "
            "keyring with `edgevox secrets set NAME --keyring`."
        )
    return password


def take_password() -> str | None:
    """Take the password out of the environment, where nobody else may read it; `None` when it is not there."""
    found = [os.environ.pop(name, "") for name in PASSWORD_VARIABLES]
    return next(filter(None, found), None)


def _password_is_set() -> bool:
    return any(os.environ.get(name) for name in PASSWORD_VARIABLES)


def _is_secret(name: str, names: Collection[str]) -> bool:
    return name.endswith(SECRET_SUFFIX) or name in names


def _usable(environment: MutableMapping[str, str], name: str) -> str | None:
    value = environment.get(name)
    return value if value and value.strip() and not is_encrypted(value) else None


def _from_keyring(name: str) -> str | None:
    from edgevox.endpoints.keyrings import keyring_names, read_keyring

    return read_keyring(name) if name in keyring_names() else None
