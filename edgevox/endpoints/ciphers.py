"""Texts that hold an encrypted key, one variable each.

Knows two formats and the key that a password gives:

* `edgevox:v1:SALT:BOX`, written and read: AES-256-GCM under a key that Argon2id makes of the password and the salt. All
  values of a file share one salt, so that a file costs one derivation. The format and the name of the variable are
  authenticated with the value: moved to another name it does not open.
* `roboz:v1:SALT:TOKEN`, read only: a Fernet token with a salt of its own.

Knows nothing of files and of the environment. `cryptography` is loaded with the first password.
"""

import base64
import binascii
import os
import re
from typing import TYPE_CHECKING

from edgevox.core.errors import SecretsError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

ENCRYPTED_NAMESPACE = "edgevox:"
"""Begins every ciphertext of ours, also one of a version that this one cannot read."""
FOREIGN_NAMESPACE = "roboz:"
"""Begins ciphertexts of the older format, which are read."""

_OURS = "edgevox:v1:"
_FOREIGN = "roboz:v1:"
_SALT_BYTES = 16
_NONCE_BYTES = 12
_KEY_BYTES = 32
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class PasswordMissing(SecretsError):
    """Something is encrypted and nobody gave a password."""

    code = "secrets_password_missing"


class SecretsUnreadable(SecretsError):
    """The password is wrong, or the encrypted text is damaged or belongs to another name; which, cannot be told."""

    code = "secrets_unreadable"


def is_encrypted(value: str | None) -> bool:
    """Return whether a value is a ciphertext, of whatever version, and so never a key."""
    return value is not None and value.strip().startswith((ENCRYPTED_NAMESPACE, FOREIGN_NAMESPACE))


def check_name(name: str) -> str:
    """Return a variable's name.

    Raises:
        SecretsError: it is none.
    """
    if not _NAME.fullmatch(name):
        raise SecretsError(
            f"{name[:60]!r} is no name of a variable: use letters, digits and underscores, such as MY_KEY_SECRET."
        )
    return name


class PasswordCipher:
    """Encrypts and decrypts values with one password. Keeps the keys that it derived, one for each salt.

    Args:
        password: any text but an empty one.
        like: a ciphertext whose salt new values share, so that their file keeps to one derivation.

    Raises:
        SecretsError: the password is empty.
    """

    def __init__(self, password: str, like: str | None = None) -> None:
        if not password:
            raise PasswordMissing("The password is empty: choose one that is not.")
        try:
            self._password = password.encode()
        except UnicodeEncodeError as error:
            raise SecretsError("The password holds characters that are no text: type it again.") from error
        self._salt = _salt_of(like) or os.urandom(_SALT_BYTES)
        self._keys: dict[bytes, bytes] = {}

    def __repr__(self) -> str:
        """Tell nothing."""
        return "PasswordCipher()"

    def seal(self, name: str, value: str) -> str:
        """Return the ciphertext of a variable's value.

        Args:
            name: the variable; the ciphertext opens under this name alone.
            value: the key.
        """
        nonce = os.urandom(_NONCE_BYTES)
        box = self._aead(self._salt).encrypt(nonce, value.encode(), _bound_to(name))
        return f"{_OURS}{_encode(self._salt)}:{_encode(nonce + box)}"

    def open(self, name: str, ciphertext: str) -> str:
        """Return the value of a variable.

        Raises:
            SecretsError: another version wrote it.
            SecretsUnreadable: wrong password, damage, or the ciphertext of another variable.
        """
        text = ciphertext.strip()
        if text.startswith(_OURS):
            salt, box = _parts(name, text.removeprefix(_OURS))
            value = self._open_ours(name, salt, box)
        elif text.startswith(_FOREIGN):
            value = self._open_foreign(name, text.removeprefix(_FOREIGN))
        else:
            raise SecretsError(f"{name} was encrypted by another version of the program: encrypt it again.")
        if not value.strip():
            raise SecretsError(f"{name} is encrypted but empty: set it again with `edgevox secrets set {name}`.")
        return value

    def _open_ours(self, name: str, salt: bytes, box: bytes) -> str:
        from cryptography.exceptions import InvalidTag

        try:
            opened = self._aead(salt).decrypt(box[:_NONCE_BYTES], box[_NONCE_BYTES:], _bound_to(name))
            return opened.decode()
        except (InvalidTag, ValueError) as error:
            raise _unreadable(name) from error

    def _open_foreign(self, name: str, rest: str) -> str:
        from cryptography.fernet import Fernet, InvalidToken

        salt_text, _, token = rest.partition(":")
        salt = _decoded(name, salt_text)
        try:
            return Fernet(base64.urlsafe_b64encode(self._key(salt))).decrypt(token.encode()).decode()
        except (InvalidToken, ValueError) as error:
            raise _unreadable(name) from error

    def _aead(self, salt: bytes) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self._key(salt))

    def _key(self, salt: bytes) -> bytes:
        """Derive a key. The costs are part of both formats: RFC 9106's second choice, 64 MiB."""
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

        if salt not in self._keys:
            argon2 = Argon2id(salt=salt, length=_KEY_BYTES, iterations=3, lanes=4, memory_cost=64 * 1024)
            self._keys[salt] = argon2.derive(self._password)
        return self._keys[salt]


def _bound_to(name: str) -> bytes:
    return f"{_OURS}{name}".encode()


def _parts(name: str, rest: str) -> tuple[bytes, bytes]:
    salt, _, box = rest.partition(":")
    return _decoded(name, salt, _SALT_BYTES), _decoded(name, box, _NONCE_BYTES + 16)


def _decoded(name: str, text: str, least: int = 8) -> bytes:
    try:
        data = base64.b64decode(
            text.encode("ascii").rstrip(b"=") + b"=" * (-len(text.rstrip("=")) % 4), b"-_", validate=True
        )
    except (binascii.Error, ValueError) as error:
        raise _unreadable(name) from error
    if len(data) < least:
        raise _unreadable(name)
    return data


def _salt_of(ciphertext: str | None) -> bytes | None:
    if ciphertext is None or not ciphertext.startswith(_OURS):
        return None
    salt = ciphertext.removeprefix(_OURS).partition(":")[0]
    return _decoded("salt", salt, _SALT_BYTES)


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _unreadable(name: str) -> SecretsUnreadable:
    return SecretsUnreadable(
        f"{name} cannot be decrypted: the password is wrong or the encrypted text is damaged; nothing was loaded. "
        f"Try the password again, or set the key anew with `edgevox secrets set {name}`."
    )
