"""Mails as values: what a list shows of one, a whole one, one that is to be written."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from pydantic import BaseModel, Field

INBOX = "INBOX"


class MailSummary(BaseModel):
    """What a list shows of a mail."""

    id: str
    """`FOLDER:NUMBER`; what it is read by."""
    sender: str = ""
    to: list[str] = Field(default_factory=list[str])
    subject: str = ""
    date: str = ""
    """ISO 8601 with its zone; empty when the mail says none."""
    size: int = 0
    """Bytes."""
    unread: bool = False


class Attachment(BaseModel):
    """A file in a mail, without its content."""

    number: int
    """From 1, in the order of the mail."""
    name: str
    type: str = "application/octet-stream"
    size: int = 0
    """Bytes."""


class Mail(MailSummary):
    """A mail as it is read."""

    cc: list[str] = Field(default_factory=list[str])
    text: str = ""
    """Plain words; those of a page of HTML where there are no others."""
    attachments: list[Attachment] = Field(default_factory=list[Attachment])
    message_id: str = ""
    """What answers refer to."""
    references: str = ""
    incomplete: bool = False
    """Whether the mail is so large that only its beginning was fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MailQuery:
    """What is looked for; all that is given must fit."""

    folder: str = INBOX
    text: str = ""
    """Anywhere in the mail."""
    sender: str = ""
    subject: str = ""
    since: date | None = None
    unread_only: bool = False
    limit: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class MailFile:
    """A file that goes with a mail, or came with one."""

    name: str
    content: bytes
    type: str = "application/octet-stream"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMail:
    """A mail that is to be sent or kept as a draft."""

    to: Sequence[str]
    subject: str = ""
    text: str = ""
    cc: Sequence[str] = ()
    files: Sequence[MailFile] = ()
    answers: Mail | None = None
    """The mail that it is an answer to."""

    @property
    def recipients(self) -> tuple[str, ...]:
        """Everybody it goes to, each once."""
        return tuple(dict.fromkeys((*self.to, *self.cc)))
