"""Where a mailbox is and how its servers prove who they are. Opens nothing; a password is never shown."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from edgevox.core.errors import ConfigError
from edgevox.core.redaction import remember_secret

Security = Literal["tls", "starttls"]
TIMEOUT_S = 30.0
CONNECT_S = 10.0

_HEX = re.compile(r"[0-9a-f]{64}")
_ADDRESS = re.compile(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+")


def checked_address(text: str, what: str = "an address") -> str:
    """Return a mail address.

    Raises:
        ConfigError: it is none.
    """
    address = text.strip()
    if not _ADDRESS.fullmatch(address) or not address.isprintable() or len(address) > 254:
        raise ConfigError(f"{text[:60]!r} is not {what}: write it like anna@example.org.")
    return address


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """One server. Connections to it are encrypted, or not made.

    Raises:
        ConfigError: a value cannot be used.
    """

    host: str
    port: int
    security: Security = "tls"
    """Encrypted from the first byte, or by STARTTLS before anything is said."""
    certificate_sha256: str | None = None
    """Fingerprint of the one certificate that is taken, in hex; then nobody else vouches for it."""
    ca_file: Path | str | None = None
    """Certificates that vouch for the server, in place of the system's."""
    timeout_s: float = TIMEOUT_S
    """Seconds without a sign of life after which the server counts as gone."""

    def __post_init__(self) -> None:
        """Check what can be checked without the network."""
        if not self.host or any(character.isspace() for character in self.host):
            raise ConfigError("A mail server needs the name of its host.")
        if not 0 < self.port < 65536:
            raise ConfigError(f"{self.port} is no port of a mail server: give one from 1 to 65535.")
        if self.security not in ("tls", "starttls"):
            raise ConfigError(f"The security of {self.host} must be tls or starttls: mail is never sent in the clear.")
        if self.timeout_s <= 0:
            raise ConfigError(f"The time limit of {self.host} must be above zero seconds.")
        if self.certificate_sha256 is not None:
            object.__setattr__(self, "certificate_sha256", _fingerprint(self.certificate_sha256))

    @property
    def where(self) -> str:
        """Host and port, as people are told."""
        return f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImapSmtpSettings:
    """A mailbox that is read over IMAP and sends over SMTP.

    Raises:
        ConfigError: a value cannot be used.
    """

    imap: MailServer
    smtp: MailServer
    username: str
    password: str = field(repr=False)
    """Decrypted, such as `edgevox.endpoints.resolve_secret` returns it."""
    address: str
    """Whose mailbox it is: the sender of what is sent."""
    display_name: str = ""
    save_sent: bool = True
    """Whether a copy of what was sent is put into the folder of sent mails; some servers do so themselves."""
    folders: Mapping[str, str] = field(default_factory=dict[str, str])
    """Names of the folders `drafts` and `sent` where the server does not say them."""

    def __post_init__(self) -> None:
        """Check what can be checked without the network."""
        from edgevox.endpoints.ciphers import is_encrypted

        checked_address(self.address, "the address of a mailbox")
        if not self.username or not self.password:
            raise ConfigError(f"The mailbox {self.address} needs a user name and a password.")
        if is_encrypted(self.password):
            raise ConfigError(
                f"The password of {self.address} is still encrypted: decrypt it with edgevox.endpoints.load_secrets."
            )
        if not self.display_name.isprintable():
            raise ConfigError("The display name of a mailbox must be one line.")
        remember_secret(f"password of {self.address}", self.password)


def _fingerprint(text: str) -> str:
    plain = text.strip().lower().removeprefix("sha256:").replace(":", "").replace(" ", "")
    if not _HEX.fullmatch(plain):
        raise ConfigError("certificate_sha256 must be the 64 hex digits of a certificate's SHA-256 fingerprint.")
    return plain
