"""A mail server of this machine: IMAP and SMTP, encrypted from the first byte or by STARTTLS, with a mailbox."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# The servers' libraries are typed in parts.

import asyncio
import hashlib
import ssl
import threading
from argparse import Namespace
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import trustme
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from proxyprotocol.reader import ProxyProtocolReader
from pymap.backend.dict import Config, DictBackend
from pymap.imap import IMAPServer
from pysasl.hashing import BuiltinHash

from edgevox.agents.email import ImapSmtpEmailService, ImapSmtpSettings, MailServer
from edgevox.agents.email.imap import mailbox
from edgevox.core.cancel import CancelScope

USER, PASSWORD = "anna@example.org", "bridge-password-canary"


@dataclass
class Certificates:
    """What the servers prove themselves with."""

    context: ssl.SSLContext
    ca_file: Path
    fingerprint: str


@dataclass
class Outbox:
    """What the SMTP server was given."""

    mails: list[Envelope] = field(default_factory=list[Envelope])
    refuse: frozenset[str] = frozenset()
    answer: str = "250 OK"
    hold: threading.Event | None = None
    """The server does not answer before it is set."""

    async def handle_RCPT(  # noqa: N802 - the names are the library's
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refuse:
            return "550 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        while self.hold is not None and not self.hold.is_set():
            await asyncio.sleep(0.01)
        if self.answer.startswith("250"):
            self.mails.append(envelope)
        return self.answer


@dataclass
class Servers:
    """Two servers that run."""

    imap_port: int
    smtp_port: int
    certificates: Certificates
    outbox: Outbox
    security: Any

    def settings(self, **changes: Any) -> ImapSmtpSettings:
        """Return settings of the mailbox; `imap` and `smtp` change those of a server."""
        common = {"host": "127.0.0.1", "security": self.security, "ca_file": self.certificates.ca_file, "timeout_s": 10}
        imap = MailServer(**common | {"port": self.imap_port} | changes.pop("imap", {}))
        smtp = MailServer(**common | {"port": self.smtp_port} | changes.pop("smtp", {}))
        fields: dict[str, Any] = {
            "username": USER,
            "password": PASSWORD,
            "address": USER,
            "display_name": "Anna B",
        } | changes
        return ImapSmtpSettings(imap=imap, smtp=smtp, **fields)

    def service(self, **changes: Any) -> ImapSmtpEmailService:
        """Return the mailbox."""
        return ImapSmtpEmailService(self.settings(**changes))

    def put(self, raw: bytes | str, folder: str = "INBOX", flags: tuple[bytes, ...] = ()) -> None:
        """Put a mail into a folder."""
        data = raw if isinstance(raw, bytes) else raw.encode()
        with mailbox(self.settings(), CancelScope()) as box:
            client: Any = vars(box)["_client"]
            if not client.folder_exists(folder):
                client.create_folder(folder)
            client.append(folder, data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"), flags)


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """Make an authority and a certificate of this machine."""
    authority = trustme.CA()
    made = authority.issue_cert("127.0.0.1", "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.configure_cert(context)
    ca_file = tmp_path_factory.mktemp("ca") / "ca.pem"
    authority.cert_pem.write_to_path(str(ca_file))
    der = ssl.PEM_cert_to_DER_cert(made.cert_chain_pems[0].bytes().decode())
    return Certificates(context, ca_file, hashlib.sha256(der).hexdigest())


@contextmanager
def running(certificates: Certificates, security: str) -> Generator[Servers]:
    """Run both servers on a loop of their own."""
    outbox, loop, ready = Outbox(), asyncio.new_event_loop(), threading.Event()
    ports: list[int] = []

    async def start() -> None:
        ports.append(await _start_imap(certificates, security))
        ports.append(await _start_smtp(certificates, security, outbox))
        ready.set()

    def run() -> None:
        asyncio.set_event_loop(loop)
        begun = loop.create_task(start())
        loop.run_forever()
        assert begun.done()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    thread = threading.Thread(target=run, name="mail servers", daemon=True)
    thread.start()
    assert ready.wait(20)
    try:
        yield Servers(ports[0], ports[1], certificates, outbox, security)
    finally:
        if outbox.hold is not None:
            outbox.hold.set()
        loop.call_soon_threadsafe(loop.stop)
        thread.join(20)


async def _start_imap(certificates: Certificates, security: str) -> int:
    starttls = security == "starttls"
    args = Namespace(
        host="127.0.0.1", port=0, debug=False, cert=None, key=None, tls=starttls, passlib_cfg=None,
        proxy_protocol=None, demo_data=False, demo_user=USER, demo_password=PASSWORD,
    )  # fmt: skip
    backend, config = await DictBackend.init(
        args,
        ssl_context=certificates.context,
        hash_context=BuiltinHash(rounds=10),
        invalid_user_sleep=0.0,
        reject_dnsbl=False,
    )
    assert isinstance(config, Config)
    config.apply_context()
    callback: Callable[..., Any] = ProxyProtocolReader(config.proxy_protocol).get_callback(
        IMAPServer(backend.login, config)
    )
    server = await asyncio.start_server(
        callback, "127.0.0.1", 0, ssl=None if starttls else certificates.context
    )  # fmt: skip
    return int(server.sockets[0].getsockname()[1])


async def _start_smtp(certificates: Certificates, security: str, outbox: Outbox) -> int:
    def authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any) -> AuthResult:
        right = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
        return AuthResult(success=right, handled=False)

    def make() -> SMTP:
        starttls = security == "starttls"
        return SMTP(
            outbox, hostname="localhost", require_starttls=starttls,
            auth_required=True, auth_require_tls=starttls, authenticator=authenticate,
            tls_context=certificates.context if starttls else None, enable_SMTPUTF8=True, decode_data=False,
            data_size_limit=40_000_000,
        )  # fmt: skip

    loop = asyncio.get_running_loop()
    context = None if security == "starttls" else certificates.context
    server = await loop.create_server(make, "127.0.0.1", 0, ssl=context)
    return int(server.sockets[0].getsockname()[1])


@pytest.fixture
def servers(certificates: Certificates) -> Iterator[Servers]:
    """Servers that are encrypted from the first byte."""
    with running(certificates, "tls") as both:
        yield both


@pytest.fixture
def bridge(certificates: Certificates) -> Iterator[Servers]:
    """Servers that begin in the clear and encrypt before anything is said, as a Bridge does."""
    with running(certificates, "starttls") as both:
        yield both
