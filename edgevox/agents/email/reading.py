"""Reads what came over the wire: headers, words and files of a mail, whatever its author or its path did to it.

Never raises on a mail, however broken. Knows no server.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false
# The payload of a message is a union without the types of its parts.

import contextlib
import html.parser
import re
from collections.abc import Iterator
from datetime import datetime
from email import policy
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.utils import getaddresses, parsedate_to_datetime

from edgevox.agents.email.mail import Attachment, Mail, MailFile

MOST_PARTS = 200
MOST_TEXT = 200_000
"""Characters of a mail's words that are kept."""

_SPACES = re.compile(r"[ \t\r\f\v\u00a0]+")
_EMPTY_LINES = re.compile(r"\n\s*\n\s*\n+")
_BLOCKS = frozenset(
    {"p", "div", "br", "tr", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "blockquote"}
)
_UNSEEN = frozenset({"script", "style", "head", "title", "template"})


def read_mail(raw: bytes, mail_id: str, *, size: int = 0, unread: bool = False) -> Mail:
    """Return a mail as it is read.

    Args:
        raw: the mail as the server has it, or its beginning.
        mail_id: what it is read by.
        size: bytes of the whole mail.
        unread: whether nobody has read it.
    """
    message = _parsed(raw)
    return Mail(
        id=mail_id,
        sender=next(iter(addresses(header(message, "From"))), ""),
        to=addresses(header(message, "To")),
        cc=addresses(header(message, "Cc")),
        subject=header(message, "Subject"),
        date=iso_date(header(message, "Date")),
        size=size or len(raw),
        unread=unread,
        text=_words(message, raw),
        attachments=[
            Attachment(number=number, name=file.name, type=file.type, size=len(file.content))
            for number, file in enumerate(_files(message), 1)
        ],
        message_id=header(message, "Message-ID"),
        references=header(message, "References"),
        incomplete=len(raw) < size,
    )


def read_file(raw: bytes, number: int) -> MailFile | None:
    """Return a file of a mail by its number from 1; `None` when there is none."""
    return next((file for at, file in enumerate(_files(_parsed(raw)), 1) if at == number), None)


def header(message: Message, name: str) -> str:
    """Return a header in one line, decoded as far as it can be."""
    raw = next((value for key, value in message.raw_items() if key.lower() == name.lower()), "")
    return decoded_header(str(raw))


def decoded_header(text: str) -> str:
    """Return the text of a header: encoded words decoded, bytes that are none of its character set replaced."""
    try:
        found = str(make_header(decode_header(text)))
    except Exception:  # an unknown character set, a cut encoded word
        found = text
    found = found.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return " ".join("".join(c if c.isprintable() else " " for c in found).split())


def addresses(text: str) -> list[str]:
    """Return the addresses of a header, as `Name <address>` where there is a name."""
    return [f"{name} <{address}>" if name else address for name, address in getaddresses([text]) if address]


def iso_date(text: str) -> str:
    """Return the date of a header in ISO 8601; empty when it is none."""
    try:
        found: datetime | None = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return ""
    return found.isoformat()


def _parsed(raw: bytes) -> Message:
    try:
        return BytesParser(policy=policy.compat32).parsebytes(raw)
    except RecursionError:  # parts within parts without an end
        head, _, _ = raw.partition(b"\r\n\r\n")
        return BytesParser(policy=policy.compat32).parsebytes(head, headersonly=True)


def _parts(message: Message) -> Iterator[Message]:
    """Yield the parts that hold something, as many as anybody reads; a mail within a mail is one file."""
    waiting = [message]
    for _ in range(MOST_PARTS):
        if not waiting:
            return
        part = waiting.pop(0)
        children = part.get_payload() if part.is_multipart() and part.get_content_type() != "message/rfc822" else None
        if isinstance(children, list):
            waiting[:0] = [child for child in children if isinstance(child, Message)]
        else:
            yield part


def _files(message: Message) -> Iterator[MailFile]:
    number = 0
    for part in _parts(message):
        name = _name(part)
        if part.get_content_maintype() == "multipart":
            continue  # one without parts
        if not name and part.get_content_disposition() != "attachment" and part.get_content_maintype() == "text":
            continue
        number += 1
        yield MailFile(name=name or f"file-{number}", content=_content(part), type=part.get_content_type())


def _name(part: Message) -> str:
    try:
        found = part.get_filename()
    except Exception:  # the library's own parser fails on some parameters
        return ""
    return decoded_header(found).replace("/", "_").replace("\\", "_").lstrip(".")[:200] if found else ""


def _content(part: Message) -> bytes:
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        return (
            b"".join(each.as_bytes() for each in inner if isinstance(each, Message)) if isinstance(inner, list) else b""
        )
    try:
        content = part.get_payload(decode=True)
    except Exception:  # the library's own decoders fail on some cut texts
        return b""
    return content if isinstance(content, bytes) else b""


def _words(message: Message, raw: bytes) -> str:
    plain: list[str] = []
    page: list[str] = []
    for part in _parts(message):
        if _name(part) or part.get_content_disposition() == "attachment":
            continue
        match part.get_content_type():
            case "text/plain":
                plain.append(_text(part))
            case "text/html":
                page.append(_without_markup(_text(part)))
            case _:
                continue
    words = "\n\n".join(filter(None, (text.strip() for text in plain or page)))
    if not words and not any(True for _ in _files(message)):
        words = raw.partition(b"\r\n\r\n")[2].decode("utf-8", "replace").strip()
    return _EMPTY_LINES.sub("\n\n", words.replace("\r\n", "\n"))[:MOST_TEXT]


def _text(part: Message) -> str:
    content = _content(part)
    try:
        return content.decode(part.get_content_charset("utf-8"))
    except (UnicodeError, LookupError):
        pass
    try:
        return content.decode("utf-8")
    except UnicodeError:
        return content.decode("cp1252", "replace")


def _without_markup(page: str) -> str:
    reader = _PageReader()
    with contextlib.suppress(Exception):  # half a page is still words
        reader.feed(page[: 4 * MOST_TEXT])
        reader.close()
    lines = (_SPACES.sub(" ", line).strip() for line in "".join(reader.pieces).split("\n"))
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()


class _PageReader(html.parser.HTMLParser):
    """Collects the words of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []
        self._hidden: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - the name is the library's
        if tag in _UNSEEN:
            self._hidden.append(tag)
        elif tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if self._hidden and self._hidden[-1] == tag:
            self._hidden.pop()
        elif tag in _BLOCKS:
            self.pieces.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(_SPACES.sub(" ", data.replace("\n", " ")))
