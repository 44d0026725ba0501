"""Reads a mailbox over IMAP: one encrypted connection for each call, closed at its end or at a stop.

Knows the protocol's folders, searches and numbers. What a mail says is `reading`'s business. The `imapclient` library
is loaded with the first connection.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportArgumentType=false
# The library is typed in parts.

import contextlib
import re
import socket
from collections.abc import Generator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from edgevox.agents.email.faults import hanging_up, told
from edgevox.agents.email.mail import MailQuery, MailSummary
from edgevox.agents.email.reading import addresses, decoded_header
from edgevox.agents.email.service import EmailError, LoginRefused
from edgevox.agents.email.settings import CONNECT_S, ImapSmtpSettings
from edgevox.agents.email.tls import context_for, require_pinned
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import LibraryMissing

if TYPE_CHECKING:
    from imapclient import IMAPClient

MOST_LISTED = 50
MOST_BYTES = 30_000_000
"""Larger mails are fetched only in their beginning."""
BEGINNING_BYTES = 1_000_000
MOST_ID = 2_147_483_647 * 2 + 1

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
"""As the protocol spells them, whatever the language of this machine."""

_WILD = frozenset("*%")
"""What stands for any name in a question for folders."""
_SIGNS = re.compile(r"[^\w@.-]")
_SPECIAL = {"drafts": b"\\Drafts", "sent": b"\\Sent"}


class Mailbox:
    """One open connection.

    Args:
        client: logged in.
        settings: whose mailbox it is.
    """

    def __init__(self, client: "IMAPClient", settings: ImapSmtpSettings) -> None:
        self._client = client
        self._settings = settings

    def folders(self) -> list[str]:
        """Return the names of the folders that hold mails."""
        return [
            str(name)
            for flags, _, name in self._client.list_folders()
            if b"\\Noselect" not in [bytes(f) for f in flags]
        ]

    def find(self, query: MailQuery) -> list[MailSummary]:
        """Return the newest mails that fit, newest first."""
        self._select(query.folder, readonly=True)
        numbers = sorted((int(number) for number in self._client.search(*_criteria(query))), reverse=True)
        chosen = numbers[: max(1, min(query.limit, MOST_LISTED))]
        if not chosen:
            return []
        fetched: Mapping[int, Any] = self._client.fetch(chosen, ["ENVELOPE", "FLAGS", "RFC822.SIZE"])
        return [_summary(query.folder, number, fetched[number]) for number in chosen if number in fetched]

    def fetch(self, mail_id: str, *, mark_read: bool) -> tuple[bytes, int, bool]:
        """Return a mail as it lies on the server, its whole size in bytes, and whether nobody had read it.

        Raises:
            EmailError: there is no such mail.
        """
        folder, number = split_id(mail_id)
        self._select(folder, readonly=not mark_read)
        about: Any = self._client.fetch([number], ["FLAGS", "RFC822.SIZE"]).get(number)
        if about is None:
            raise EmailError(f"There is no mail {mail_id[:60]!r}: take the id of a mail from a list.")
        size = int(about.get(b"RFC822.SIZE", 0))
        peek = "" if mark_read else ".PEEK"
        part = f"BODY{peek}[]" if size <= MOST_BYTES else f"BODY{peek}[]<0.{BEGINNING_BYTES}>"
        fetched: Any = self._client.fetch([number], [part]).get(number) or {}
        raw = next((value for key, value in fetched.items() if bytes(key).startswith(b"BODY")), b"")
        return bytes(raw or b""), size, b"\\Seen" not in about.get(b"FLAGS", ())

    def keep(self, role: str, raw: bytes, flags: Sequence[bytes]) -> str:
        """Put a mail into the folder of a role, `drafts` or `sent`, and return the folder's name."""
        folder = self._folder_of(role)
        if not self._client.folder_exists(folder):
            self._client.create_folder(folder)
        self._client.append(folder, raw, flags)
        return folder

    def _folder_of(self, role: str) -> str:
        named = self._settings.folders.get(role)
        if named:
            return named
        with contextlib.suppress(Exception):  # servers without special folders say so in many ways
            found = self._client.find_special_folder(_SPECIAL[role])
            if found:
                return str(found)
        return role.capitalize()

    def _select(self, folder: str, *, readonly: bool) -> None:
        if not folder.isprintable() or _WILD & set(folder) or not self._client.folder_exists(folder):
            raise EmailError(f"There is no folder {folder[:60]!r} in the mailbox: INBOX is always there.")
        self._client.select_folder(folder, readonly=readonly)


@contextlib.contextmanager
def mailbox(settings: ImapSmtpSettings, scope: CancelScope) -> Generator[Mailbox]:
    """Open a mailbox for the length of the block.

    Raises:
        EmailError: the server cannot be reached, cannot prove who it is, or refuses.
        LibraryMissing: the `imapclient` library is not installed.
        Cancelled: the scope ended; the connection is closed then.
    """
    with told(settings.imap, scope):
        client = _connected(settings)
        try:
            with hanging_up(scope, client.socket):
                _log_in(client, settings)
                yield Mailbox(client, settings)
        finally:
            _leave(client, scope)


def split_id(mail_id: str) -> tuple[str, int]:
    """Return the folder and the number of a mail.

    Raises:
        EmailError: it is no id of a mail.
    """
    folder, _, number = mail_id.strip().rpartition(":")
    if not folder or not number.isascii() or not number.isdigit() or not 0 < int(number[:12]) <= MOST_ID:
        raise EmailError(f"{mail_id[:60]!r} is no id of a mail: take one from a list, such as INBOX:12.")
    return folder, int(number)


def _connected(settings: ImapSmtpSettings) -> "IMAPClient":
    try:
        from imapclient import IMAPClient, SocketTimeout
    except ImportError as error:
        raise LibraryMissing("Mail needs one more library: install edgevox[email].") from error
    server = settings.imap
    context = context_for(server)
    timeout: Any = SocketTimeout(connect=min(CONNECT_S, server.timeout_s), read=server.timeout_s)
    client = IMAPClient(
        server.host, server.port, ssl=server.security == "tls", ssl_context=context, timeout=timeout
    )  # fmt: skip
    try:
        if server.security == "starttls":
            client.starttls(context)
        require_pinned(server, client.socket())
    except BaseException:
        with contextlib.suppress(Exception):
            client.shutdown()
        raise
    client.normalise_times = False
    return client


def _log_in(client: "IMAPClient", settings: ImapSmtpSettings) -> None:
    from imapclient.exceptions import LoginError

    try:
        client.login(settings.username, settings.password)
    except LoginError:
        raise LoginRefused(
            f"{settings.imap.where} does not accept user name and password of {settings.address}: check both."
        ) from None


def _leave(client: "IMAPClient", scope: CancelScope) -> None:
    """Say goodbye, or just close where somebody is in a hurry; neither may hold anybody up."""
    with contextlib.suppress(Exception):  # the server may be gone
        if scope.cancelled:
            client.shutdown()
        else:
            client.socket().settimeout(2.0)
            client.logout()
    with contextlib.suppress(Exception):
        client.shutdown()
    with contextlib.suppress(OSError, AttributeError):
        client.socket().shutdown(socket.SHUT_RDWR)


def _criteria(query: MailQuery) -> tuple[Any, str | None]:
    """Return what the library's search takes.

    Words are quoted here: the library leaves some as they are that a server would read as commands. Words of other
    letters go as literals, which are never read so; what is written beside them keeps no character with a meaning.
    """
    named = (("FROM", query.sender), ("SUBJECT", query.subject), ("TEXT", query.text))
    words = [(name, " ".join(value.split())[:200]) for name, value in named if value.strip()]
    since = f"SINCE {query.since:%d-}{MONTHS[query.since.month - 1]}{query.since:-%Y}" if query.since else ""
    keys = [*filter(None, [since]), *(["UNSEEN"] if query.unread_only else [])]
    if all(value.isascii() for _, value in words):
        quoted = [f'{name} "{_escaped(value)}"' for name, value in words]
        return " ".join([*quoted, *keys]) or "ALL", None
    harmless = [(name, value if not value.isascii() else _SIGNS.sub(" ", value).strip()) for name, value in words]
    return [part for pair in harmless if pair[1] for part in pair] + " ".join(keys).split(), "UTF-8"


def _escaped(value: str) -> str:
    plain = "".join(character if character.isprintable() else " " for character in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _summary(folder: str, number: int, fetched: Mapping[bytes, Any]) -> MailSummary:
    envelope: Any = fetched.get(b"ENVELOPE")
    written: Any = getattr(envelope, "date", None)
    return MailSummary(
        id=f"{folder}:{number}",
        sender=next(iter(_people(getattr(envelope, "from_", None))), ""),
        to=_people(getattr(envelope, "to", None)),
        subject=_word(getattr(envelope, "subject", None)),
        date=written.isoformat() if isinstance(written, datetime) else "",
        size=int(fetched.get(b"RFC822.SIZE", 0)),
        unread=b"\\Seen" not in fetched.get(b"FLAGS", ()),
    )


def _people(found: Any) -> list[str]:
    people: list[str] = []
    for each in found or ():
        host, box, name = (_word(getattr(each, part, None)) for part in ("host", "mailbox", "name"))
        if box and host:
            people += addresses(f'"{name}" <{box}@{host}>' if name else f"{box}@{host}")
    return people


def _word(value: bytes | None) -> str:
    return decoded_header(value.decode("utf-8", "surrogateescape")) if value else ""
