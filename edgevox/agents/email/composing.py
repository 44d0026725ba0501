"""Writes a mail as it goes over the wire. A line's end in an address or a subject never becomes a header of its own."""

import mimetypes
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

from edgevox.agents.email.mail import MailFile, NewMail
from edgevox.agents.email.service import EmailError
from edgevox.agents.email.settings import ImapSmtpSettings, checked_address

MOST_BYTES = 25_000_000
"""What most servers take."""
MOST_RECIPIENTS = 50


def composed(mail: NewMail, settings: ImapSmtpSettings) -> EmailMessage:
    """Return a mail, ready to be sent.

    Raises:
        EmailError: it has nobody to go to, too many, or is too large.
        ConfigError: an address is none.
    """
    for address in mail.recipients:
        checked_address(address)
    if not mail.to:
        raise EmailError("The mail has nobody to go to: name at least one address.")
    if len(mail.recipients) > MOST_RECIPIENTS:
        raise EmailError(f"The mail goes to {len(mail.recipients)} people; {MOST_RECIPIENTS} is the most at once.")
    if sum(len(file.content) for file in mail.files) > MOST_BYTES:
        raise EmailError("The files are larger than servers take: send fewer, or smaller ones.")
    message = EmailMessage(policy=policy.SMTP)
    name, _, domain = settings.address.rpartition("@")
    message["From"] = Address(settings.display_name, name, domain)
    message["To"] = ", ".join(mail.to)
    if mail.cc:
        message["Cc"] = ", ".join(mail.cc)
    message["Subject"] = " ".join(mail.subject.split())
    message["Date"] = formatdate(localtime=True)
    message["Message-ID"] = make_msgid(domain=domain)
    _refer(message, mail)
    message.set_content(mail.text if mail.text.endswith("\n") else f"{mail.text}\n")
    for file in mail.files:
        _attach(message, file)
    return message


def _refer(message: EmailMessage, mail: NewMail) -> None:
    if mail.answers is None or not mail.answers.message_id:
        return
    before = f"{mail.answers.references} {mail.answers.message_id}".split()
    message["In-Reply-To"] = mail.answers.message_id.split()[-1]
    message["References"] = " ".join(before[-20:])


def _attach(message: EmailMessage, file: MailFile) -> None:
    guessed = mimetypes.guess_type(file.name)[0] or file.type
    kind, _, subtype = guessed.partition("/")
    if kind in ("text", "message", "multipart") or not subtype:
        kind, subtype = "application", "octet-stream"
    name = "".join(character if character.isprintable() else "_" for character in file.name)
    message.add_attachment(file.content, maintype=kind, subtype=subtype, filename=name)
