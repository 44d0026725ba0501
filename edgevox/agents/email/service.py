"""What a mail service has to offer, and what can go wrong with one. Knows no protocol."""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from edgevox.agents.email.mail import Mail, MailFile, MailQuery, MailSummary, NewMail
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import EdgeVoxError


class EmailError(EdgeVoxError):
    """A mail service did not do what it was asked; one sentence."""

    code = "email_failed"


class EmailUnreachable(EmailError):
    """The server cannot be reached, or hung up."""

    code = "email_unreachable"


class LoginRefused(EmailError):
    """The server does not take user name and password."""

    code = "email_login"


class CertificateRefused(EmailError):
    """The server cannot prove that it is the one that is meant; nothing was sent to it."""

    code = "email_certificate"


@runtime_checkable
class EmailService(Protocol):
    """A mailbox. Safe from any thread; the end of a scope ends a call within a moment, with `Cancelled`."""

    @property
    def address(self) -> str:
        """Whose mailbox it is."""
        ...

    def folders(self, scope: CancelScope | None = None) -> Sequence[str]:
        """Return the names of the folders."""
        ...

    def find(self, query: MailQuery, scope: CancelScope | None = None) -> Sequence[MailSummary]:
        """Return the newest mails that fit, newest first. Marks nothing as read."""
        ...

    def read(self, mail_id: str, scope: CancelScope | None = None) -> Mail:
        """Return a whole mail. Marks it as read."""
        ...

    def attachment(self, mail_id: str, number: int, scope: CancelScope | None = None) -> MailFile:
        """Return a file of a mail, by its number from 1."""
        ...

    def draft(self, mail: NewMail, scope: CancelScope | None = None) -> str:
        """Keep a mail among the drafts; returns the folder. Sends nothing."""
        ...

    def send(self, mail: NewMail, scope: CancelScope | None = None) -> Sequence[str]:
        """Send a mail; returns those whom the server refused, if it took it for others."""
        ...

    def external_dependencies(self) -> Sequence[Any]:
        """Return the servers it needs (`edgevox.agents.health`)."""
        ...
