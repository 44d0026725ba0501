"""Does what the mail tools order, once there is leave for all of it.

Knows the permission engine and the files that go with mails; talks to the service only when everything is permitted. A
refusal reads the same whether or not there is such a file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from edgevox.agents.email.composing import MOST_BYTES
from edgevox.agents.email.mail import Mail, MailFile, MailQuery, MailSummary, NewMail
from edgevox.agents.email.service import EmailService
from edgevox.agents.email.settings import checked_address
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ToolFailure
from edgevox.core.running import current_run
from edgevox.core.session import AgentContext
from edgevox.tools.files import handles
from edgevox.tools.files.faults import Trouble, quoted, told
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.leave import engine_for, real_base
from edgevox.tools.files.places import Place
from edgevox.tools.files.writing import put
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule, Requirement
from edgevox.tools.permissions.resources import as_part

MAILS = PermissionRule(pattern="email:**", operations=[Operation.READ, Operation.CREATE, Operation.SEND])
SENDING = PermissionRule(pattern="email:**", operations=[Operation.SEND])
SHOWN_TEXT = 200
"""Characters of a mail's words that the question before sending repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A mail as an agent wants it: with paths, not yet with files."""

    to: Sequence[str]
    cc: Sequence[str]
    subject: str
    text: str
    paths: Sequence[str]
    reply_to: str | None

    @property
    def recipients(self) -> tuple[str, ...]:
        """Everybody it goes to, each once."""
        return tuple(dict.fromkeys((*self.to, *self.cc)))


class Desk:
    """A mailbox with rules about it.

    Args:
        service: the mailbox.
        base: folder that relative paths are below.
        allow: what may be done beside reading mails, writing drafts and, when a person says yes, sending.
        ask: what of it a person has to say yes to.
        deny: what may not be done.
        takes_precedence: for what both lists cover.
        principal: the agent that the rules' principals mean.
    """

    def __init__(
        self,
        service: EmailService,
        *,
        base: Path | str | None,
        allow: Sequence[PermissionRule],
        ask: Sequence[PermissionRule],
        deny: Sequence[PermissionRule],
        takes_precedence: ActionVerdict,
        principal: str,
    ) -> None:
        self._service = service
        self._base = real_base(base if base is not None else Path.cwd())
        self._engine = PermissionEngine(
            allow_rules=(MAILS, *allow),
            ask_rules=(SENDING, *ask),
            deny_rules=deny,
            takes_precedence=takes_precedence,
            base=self._base,
            principal=principal,
        )

    def external_dependencies(self) -> Sequence[Any]:
        """Return the servers that the mailbox needs."""
        return self._service.external_dependencies()

    def find(self, query: MailQuery) -> Sequence[MailSummary]:
        """Return mails that fit, newest first."""
        ctx = _context()
        self._require(ctx, Operation.READ, _folder_resource(query.folder))
        return self._service.find(query, ctx.scope)

    def read(self, mail_id: str) -> Mail:
        """Return a mail."""
        ctx = _context()
        self._require(ctx, Operation.READ, _folder_resource(mail_id.rpartition(":")[0]))
        return self._service.read(mail_id, ctx.scope)

    def save(self, mail_id: str, number: int, path: str) -> tuple[str, int]:
        """Put a file of a mail at a path that nothing has; returns the path and its bytes."""
        ctx = _context()
        try:
            gate = self._gate(ctx, "save_attachment")
            place = gate.place(path)
            self._require(ctx, Operation.READ, _folder_resource(mail_id.rpartition(":")[0]))
            gate.demand((Operation.CREATE, place))
            gate.plain(place)
            file = self._service.attachment(mail_id, number, ctx.scope)
            put(place.path, [file.content], replace=False)
        except Trouble as error:
            raise _failure(error) from error
        except OSError as error:
            raise ToolFailure(f"{quoted(path)} was not written: {told(error)}.") from error
        return place.path, len(file.content)

    def draft(self, order: Order) -> str:
        """Keep a mail as a draft and return the folder."""
        ctx = _context()
        places = self._attached(ctx, order, "draft_email")
        self._require(ctx, Operation.CREATE, "email:drafts")
        return self._service.draft(self._made(ctx, order, places), ctx.scope)

    def send(self, order: Order) -> Sequence[str]:
        """Send a mail, when the person says yes; returns those whom the server refused."""
        ctx = _context()
        for address in order.recipients:
            checked_address(address)
        self._refuse_denied(ctx, order)
        places = self._attached(ctx, order, "send_email")
        self._ask_to_send(ctx, order, places)
        return self._service.send(self._made(ctx, order, places), ctx.scope)

    def _refuse_denied(self, ctx: AgentContext, order: Order) -> None:
        """Refuse before anybody is asked anything."""
        engine = engine_for(self._engine, ctx)
        for resource in _sent(order):
            if engine.judge(Operation.SEND, resource) is ActionVerdict.deny:
                self._require(ctx, Operation.SEND, resource)

    def _attached(self, ctx: AgentContext, order: Order, command: str) -> list[Place]:
        """Take leave to read the files that go with a mail; none is opened yet."""
        gate = self._gate(ctx, command)
        try:
            places = [gate.place(path) for path in order.paths]
            gate.demand(*((Operation.READ, place) for place in places))
        except Trouble as error:
            raise _failure(error) from error
        return places

    def _ask_to_send(self, ctx: AgentContext, order: Order, places: Sequence[Place]) -> None:
        """Ask once for the whole mail: recipients, subject, the beginning of its words, its files."""
        engine = engine_for(self._engine, ctx)
        asks = [each for each in _sent(order) if engine.judge(Operation.SEND, each) is not ActionVerdict.allow]
        if asks:
            decision = engine.authorise([Requirement(Operation.SEND, asks[0])], ctx, question=_question(order, places))
            ctx.scope.check()
            if not decision.allowed:
                raise ToolFailure(decision.message, error_code="not_permitted")

    def _made(self, ctx: AgentContext, order: Order, places: Sequence[Place]) -> NewMail:
        answered = None
        if order.reply_to:
            self._require(ctx, Operation.READ, _folder_resource(order.reply_to.rpartition(":")[0]))
            answered = self._service.read(order.reply_to, ctx.scope)
        return NewMail(
            to=order.to,
            cc=order.cc,
            subject=order.subject or _answer_to(answered),
            text=order.text,
            files=[_read(place) for place in places],
            answers=answered,
        )

    def _gate(self, ctx: AgentContext, command: str) -> Gate:
        return Gate(engine_for(self._engine, ctx), self._base, ctx, command)

    def _require(self, ctx: AgentContext, operation: Operation, resource: str) -> None:
        decision = engine_for(self._engine, ctx).authorise([Requirement(operation, resource)], ctx)
        ctx.scope.check()
        if not decision.allowed:
            raise ToolFailure(decision.message, error_code="not_permitted")


def _context() -> AgentContext:
    run = current_run()
    return run.ctx if run is not None else AgentContext(scope=CancelScope())


def _folder_resource(folder: str) -> str:
    return f"email:folder/{as_part(folder)}"


def _sent(order: Order) -> list[str]:
    """The resources of sending: every recipient, and every file by its name."""
    people = [f"email:to/{as_part(address)}" for address in order.recipients]
    return people + [f"email:attachment/{as_part(path.rpartition('/')[2])}" for path in order.paths]


def _question(order: Order, places: Sequence[Place]) -> str:
    subject = f" about “{_line(order.subject, 80)}”" if order.subject.strip() else ""
    files = f", with {', '.join(_line(place.name, 60) for place in places)}" if places else ""
    words = f" It says: {_line(order.text, SHOWN_TEXT)}" if order.text.strip() else ""
    return f"Shall I send a mail to {_line(', '.join(order.recipients), 200)}{subject}{files}?{words}"


def _line(text: str, most: int) -> str:
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _answer_to(answered: Mail | None) -> str:
    if answered is None:
        return ""
    subject = answered.subject
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _read(place: Place) -> MailFile:
    content = bytearray()
    try:
        with handles.reading(place.path) as descriptor:
            for piece in handles.chunks_of(descriptor):
                content += piece
                if len(content) > MOST_BYTES:
                    raise ToolFailure(f"{quoted(place.text)} is larger than mail servers take.", error_code="too_large")
    except OSError as error:
        raise ToolFailure(f"{quoted(place.text)} cannot be sent along: {told(error)}.") from error
    return MailFile(name=place.name, content=bytes(content))


def _failure(error: Trouble) -> ToolFailure:
    words = str(error)
    return ToolFailure(f"{words[:1].upper()}{words[1:]}.", error_code="not_permitted")
