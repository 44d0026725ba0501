"""The mail service over IMAP and SMTP. Opens a connection for each call and keeps none."""

from collections.abc import Sequence

from edgevox.agents.dependencies import NetworkService
from edgevox.agents.email.composing import composed
from edgevox.agents.email.imap import mailbox
from edgevox.agents.email.mail import Mail, MailFile, MailQuery, MailSummary, NewMail
from edgevox.agents.email.reading import read_file, read_mail
from edgevox.agents.email.service import EmailError
from edgevox.agents.email.settings import ImapSmtpSettings
from edgevox.agents.email.smtp import deliver
from edgevox.core.cancel import CancelScope


class ImapSmtpEmailService:
    """A mailbox behind two servers (see `EmailService`).

    Args:
        settings: where they are and whose mailbox it is.
    """

    def __init__(self, settings: ImapSmtpSettings) -> None:
        self._settings = settings

    @property
    def address(self) -> str:
        """Whose mailbox it is."""
        return self._settings.address

    def __repr__(self) -> str:
        """Name the mailbox, never its password."""
        return f"{type(self).__name__}({self.address})"

    def folders(self, scope: CancelScope | None = None) -> Sequence[str]:
        """Return the names of the folders."""
        with mailbox(self._settings, scope or CancelScope()) as box:
            return box.folders()

    def find(self, query: MailQuery, scope: CancelScope | None = None) -> Sequence[MailSummary]:
        """Return the newest mails that fit, newest first. Marks nothing as read."""
        with mailbox(self._settings, scope or CancelScope()) as box:
            return box.find(query)

    def read(self, mail_id: str, scope: CancelScope | None = None) -> Mail:
        """Return a whole mail. Marks it as read."""
        with mailbox(self._settings, scope or CancelScope()) as box:
            raw, size, unread = box.fetch(mail_id, mark_read=True)
        return read_mail(raw, mail_id, size=size, unread=unread)

    def attachment(self, mail_id: str, number: int, scope: CancelScope | None = None) -> MailFile:
        """Return a file of a mail, by its number from 1."""
        with mailbox(self._settings, scope or CancelScope()) as box:
            raw, size, _ = box.fetch(mail_id, mark_read=False)
        if len(raw) < size:
            raise EmailError("The mail is too large for its files to be fetched: open it in a mail program.")
        file = read_file(raw, number)
        if file is None:
            raise EmailError(f"The mail has no file {number}: read it to see which files it has.")
        return file

    def draft(self, mail: NewMail, scope: CancelScope | None = None) -> str:
        """Keep a mail among the drafts; returns the folder. Sends nothing."""
        raw = composed(mail, self._settings).as_bytes()
        with mailbox(self._settings, scope or CancelScope()) as box:
            return box.keep("drafts", raw, [b"\\Draft", b"\\Seen"])

    def send(self, mail: NewMail, scope: CancelScope | None = None) -> Sequence[str]:
        """Send a mail; returns those whom the server refused, if it took it for others.

        A copy goes into the folder of sent mails where the settings say so; a copy that cannot be kept is no reason to
        say that the mail was not sent.
        """
        message = composed(mail, self._settings)
        refused = deliver(message, mail.recipients, self._settings, scope or CancelScope())
        if self._settings.save_sent:
            self._keep_copy(message.as_bytes())
        return refused

    def external_dependencies(self) -> tuple[NetworkService, NetworkService]:
        """Return the two servers it needs."""
        imap, smtp = self._settings.imap, self._settings.smtp
        return NetworkService(imap.host, imap.port, "imap"), NetworkService(smtp.host, smtp.port, "smtp")

    def _keep_copy(self, raw: bytes) -> None:
        import logging

        try:
            with mailbox(self._settings, CancelScope()) as box:
                box.keep("sent", raw, [b"\\Seen"])
        except EmailError as error:
            logging.getLogger(__name__).warning("no copy of a sent mail was kept: %s", error)
