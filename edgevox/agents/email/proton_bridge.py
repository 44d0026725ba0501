"""Proton Mail through its Bridge: a program on this machine that speaks IMAP and SMTP with a certificate of its own."""

from dataclasses import dataclass, field
from pathlib import Path

from edgevox.agents.email.imap_smtp import ImapSmtpEmailService
from edgevox.agents.email.settings import TIMEOUT_S, ImapSmtpSettings, MailServer, Security
from edgevox.core.errors import ConfigError

IMAP_PORT = 1143
SMTP_PORT = 1025


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtonBridgeSettings:
    """How to reach a Bridge. Its certificate is its own, so one of `certificate_sha256` and `ca_file` has to be given.

    Raises:
        ConfigError: neither or both are given, or a value cannot be used.
    """

    username: str
    """As the Bridge shows it."""
    password: str = field(repr=False)
    """The one that the Bridge made, decrypted; not that of the account."""
    address: str = ""
    """Whose mailbox it is; the user name when empty."""
    host: str = "127.0.0.1"
    imap_port: int = IMAP_PORT
    smtp_port: int = SMTP_PORT
    security: Security = "starttls"
    certificate_sha256: str | None = None
    """Fingerprint of the Bridge's certificate (Settings → Advanced → Export TLS certificates)."""
    ca_file: Path | str | None = None
    """The exported certificate itself."""
    display_name: str = ""
    timeout_s: float = TIMEOUT_S

    def __post_init__(self) -> None:
        """Check what can be checked without the network."""
        if (self.certificate_sha256 is None) == (self.ca_file is None):
            raise ConfigError(
                "The Bridge has a certificate of its own: give either certificate_sha256 or ca_file, from its export."
            )
        self.mailbox()

    def mailbox(self) -> ImapSmtpSettings:
        """Return the same as settings of any mailbox."""
        imap, smtp = (self._server(port) for port in (self.imap_port, self.smtp_port))
        return ImapSmtpSettings(
            imap=imap,
            smtp=smtp,
            username=self.username,
            password=self.password,
            address=self.address or self.username,
            display_name=self.display_name,
            save_sent=False,  # the Bridge does so
        )

    def _server(self, port: int) -> MailServer:
        return MailServer(
            host=self.host,
            port=port,
            security=self.security,
            certificate_sha256=self.certificate_sha256,
            ca_file=self.ca_file,
            timeout_s=self.timeout_s,
        )


class ProtonBridgeEmailService(ImapSmtpEmailService):
    """The mailbox behind a Bridge (see `EmailService`).

    Args:
        settings: how to reach it.
    """

    def __init__(self, settings: ProtonBridgeSettings) -> None:
        super().__init__(settings.mailbox())
