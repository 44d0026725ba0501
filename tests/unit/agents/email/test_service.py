"""Mail over real servers of this machine: read, searched, written and sent, encrypted or not at all."""

import contextlib
import socket
import threading
import time
from datetime import date
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents.email import (
    CertificateRefused,
    EmailError,
    EmailService,
    EmailUnreachable,
    ImapSmtpEmailService,
    LoginRefused,
    MailFile,
    MailQuery,
    NewMail,
    ProtonBridgeEmailService,
    ProtonBridgeSettings,
)
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, ConfigError

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH:UserWarning")

ACCOUNT: dict[str, Any] = {"username": "anna@example.org", "password": "x"}
PLAIN = "From: Bob <bob@example.org>\nTo: anna@example.org\nSubject: {subject}\nDate: Mon, 6 May 2024 10:00:00 +0200\n"
WITH_FILE = (
    PLAIN.format(subject="With a file")
    + "Message-ID: <1@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
    "--x\nContent-Type: text/plain; charset=utf-8\n\nLook at this.\n"
    "--x\nContent-Type: application/pdf; name=a.pdf\nContent-Disposition: attachment; filename=a.pdf\n"
    "Content-Transfer-Encoding: base64\n\nJVBERi0x\n--x--\n"
)


def put_some(servers: Any) -> None:
    servers.put(PLAIN.format(subject="First") + "\nabout apples\n", flags=(b"\\Seen",))
    servers.put(PLAIN.format(subject="=?utf-8?q?Gr=C3=BC=C3=9Fe?=").replace("bob", "carl") + "\nabout pears\n")
    servers.put(WITH_FILE)


def test_mails_are_listed_newest_first_and_read(servers: Any) -> None:
    put_some(servers)
    service = servers.service()
    assert isinstance(service, EmailService)
    listed = service.find(MailQuery())
    assert [mail.subject for mail in listed] == ["With a file", "Grüße", "First"]
    assert [mail.unread for mail in listed] == [True, True, False]
    assert listed[0].sender == "Bob <bob@example.org>"
    assert listed[0].date.startswith("2024-05-06T10:00:00")
    assert len(service.find(MailQuery(limit=1))) == 1
    mail = service.read(listed[0].id)
    assert (mail.text, mail.to, mail.incomplete) == ("Look at this.", ["anna@example.org"], False)
    assert [(file.number, file.name, file.size) for file in mail.attachments] == [(1, "a.pdf", 6)]
    assert service.attachment(mail.id, 1) == MailFile(name="a.pdf", content=b"%PDF-1", type="application/pdf")
    assert service.find(MailQuery())[0].unread is False, "it was read"
    assert "INBOX" in service.folders()


def test_mails_are_found_by_words_sender_subject_date_and_being_unread(servers: Any) -> None:
    put_some(servers)
    service = servers.service()

    def found(**query: Any) -> list[str]:
        return [mail.subject for mail in service.find(MailQuery(**query))]

    assert found(text="apples") == ["First"]
    assert found(sender="carl") == ["Grüße"]
    assert found(subject="file") == ["With a file"]
    assert found(unread_only=True) == ["With a file", "Grüße"]
    assert found(text="plums") == []
    assert found(subject="Grüße", sender="carl", unread_only=True) == ["Grüße"]
    assert len(found(since=date(2020, 1, 1))) == 3
    assert found(since=date(2100, 1, 1)) == []


@pytest.mark.parametrize(
    ("mail_id", "sentence"),
    [
        ("INBOX:99", "no mail"), ("Nowhere:1", "no folder"), ("*:1", "no folder"), ("INB%:1", "no folder"),
        ("INBOX\r\nA1 LOGOUT:1", "no folder"), ('" INBOX:1', "no folder"), ("12", "no id"), ("INBOX:0", "no id"),
        ("INBOX:x", "no id"), (":5", "no id"), ("INBOX:99999999999999999999", "no id"), ("INBOX:1 2", "no id"),
    ],
)  # fmt: skip
def test_a_mail_that_is_not_there_is_one_sentence(servers: Any, mail_id: str, sentence: str) -> None:
    with pytest.raises(EmailError, match=sentence):
        servers.service().read(mail_id)


def test_a_file_that_is_not_there_is_one_sentence(servers: Any) -> None:
    servers.put(WITH_FILE)
    with pytest.raises(EmailError, match="no file 7"):
        servers.service().attachment("INBOX:101", 7)


def test_a_mail_is_sent_to_everybody_with_its_files_and_kept(servers: Any) -> None:
    servers.put(WITH_FILE)
    service = servers.service()
    answered = service.read(service.find(MailQuery())[0].id)
    new = NewMail(
        to=["bob@example.org"], cc=["carl@example.org"], subject="Schöne\r\nGrüße", text="Hallo Bob,\nhier.",
        files=[MailFile(name="notes.txt", content=b"line\n"), MailFile(name="bild.png", content=b"\x89PNG")],
        answers=answered,
    )  # fmt: skip
    assert list(service.send(new)) == []
    (envelope,) = servers.outbox.mails
    assert envelope.mail_from == "anna@example.org"
    assert envelope.rcpt_tos == ["bob@example.org", "carl@example.org"]
    sent = message_from_bytes(envelope.content, policy=policy.default)
    assert sent["Subject"] == "Schöne Grüße"
    assert str(sent["From"]) == "Anna B <anna@example.org>"
    assert (sent["In-Reply-To"], sent["References"]) == ("<1@example.org>", "<1@example.org>")
    assert sent["Message-ID"].endswith("@example.org>")
    assert [part.get_filename() for part in sent.iter_attachments()] == ["notes.txt", "bild.png"]
    body = sent.get_body()
    assert body is not None
    assert body.get_content() == "Hallo Bob,\r\nhier.\r\n"
    assert [mail.subject for mail in service.find(MailQuery(folder="Sent"))] == ["Schöne Grüße"]


def test_a_draft_is_kept_and_nothing_is_sent(servers: Any) -> None:
    service = servers.service(folders={"drafts": "Entwürfe"})
    assert service.draft(NewMail(to=["bob@example.org"], subject="Later", text="x")) == "Entwürfe"
    assert [mail.subject for mail in service.find(MailQuery(folder="Entwürfe"))] == ["Later"]
    assert servers.outbox.mails == []


def test_recipients_whom_the_server_refuses_are_named(servers: Any) -> None:
    servers.outbox.refuse = frozenset({"gone@example.org"})
    service = servers.service(save_sent=False)
    assert list(service.send(NewMail(to=["bob@example.org", "gone@example.org"], text="x"))) == ["gone@example.org"]
    with pytest.raises(EmailError, match="none of its recipients"):
        service.send(NewMail(to=["gone@example.org"], text="x"))
    servers.outbox.answer = "552 too much"
    with pytest.raises(EmailError, match="code 552"):
        service.send(NewMail(to=["bob@example.org"], text="x"))


@pytest.mark.parametrize("address", ["bob", "bob@", "a@b\nBcc: c@d.org", "a b@c.org", "a@b,c@d.org", "<a@b.org>", ""])
def test_what_is_no_address_is_refused_before_anything_is_sent(servers: Any, address: str) -> None:
    with pytest.raises(ConfigError, match="is not an address"):
        servers.service().send(NewMail(to=[address], text="x"))
    assert servers.outbox.mails == []


def test_a_wrong_password_is_one_sentence_without_it(servers: Any) -> None:
    service = servers.service(password="wrong-canary")
    for attempt in (lambda: service.find(MailQuery()), lambda: service.send(NewMail(to=["b@example.org"], text="x"))):
        with pytest.raises(LoginRefused, match="does not accept") as refused:
            attempt()
        assert "canary" not in str(refused.value)
    assert "canary" not in f"{service!r} {servers.settings()!r}"


def test_a_certificate_of_nobody_known_is_refused(servers: Any) -> None:
    stranger = {"ca_file": None}
    service = servers.service(imap=stranger, smtp=stranger)
    with pytest.raises(CertificateRefused, match="set ca_file or certificate_sha256"):
        service.find(MailQuery())
    with pytest.raises(CertificateRefused):
        service.send(NewMail(to=["bob@example.org"], text="x"))


@pytest.mark.parametrize("kind", ["servers", "bridge"])
def test_a_pinned_certificate_is_taken_and_every_other_is_refused(kind: str, request: pytest.FixtureRequest) -> None:
    both: Any = request.getfixturevalue(kind)
    right = {"ca_file": None, "certificate_sha256": f"SHA256:{both.certificates.fingerprint.upper()}"}
    wrong = {"ca_file": None, "certificate_sha256": "0" * 64}
    assert both.service(imap=right).find(MailQuery()) == []
    assert list(both.service(smtp=right, save_sent=False).send(NewMail(to=["b@example.org"], text="x"))) == []
    with pytest.raises(CertificateRefused, match="not the pinned one"):
        both.service(imap=wrong).find(MailQuery())
    with pytest.raises(CertificateRefused, match="not the pinned one"):
        both.service(smtp=wrong).send(NewMail(to=["b@example.org"], text="x"))
    assert len(both.outbox.mails) == 1


def test_a_bridge_is_reached_with_its_own_certificate(bridge: Any) -> None:
    ports: dict[str, Any] = {"imap_port": bridge.imap_port, "smtp_port": bridge.smtp_port}
    account: dict[str, Any] = {"username": "anna@example.org", "password": "bridge-password-canary"}
    settings = ProtonBridgeSettings(**ports, **account, certificate_sha256=bridge.certificates.fingerprint)
    service = ProtonBridgeEmailService(settings)
    assert list(service.send(NewMail(to=["bob@example.org"], subject="Hi", text="x"))) == []
    assert "Sent" not in service.folders(), "the Bridge keeps the copy"
    assert "canary" not in repr(settings)
    other = ProtonBridgeSettings(**ports, **account, ca_file=bridge.certificates.ca_file)
    assert ProtonBridgeEmailService(other).find(MailQuery()) == []


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"certificate_sha256": "0" * 64, "ca_file": "x.pem"},
        {"certificate_sha256": "abc"},
        {"ca_file": "x.pem", "password": ""},
        {"ca_file": "x.pem", "password": "edgevox:v1:x:y"},
        {"ca_file": "x.pem", "password": "roboz:v1:x:y"},
        {"ca_file": "x.pem", "imap_port": 0},
        {"ca_file": "x.pem", "security": "none"},
        {"ca_file": "x.pem", "username": "anna"},
        {"ca_file": "x.pem", "host": ""},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        ProtonBridgeSettings(**ACCOUNT | wrong)


def test_a_file_of_certificates_that_is_none_is_one_sentence(servers: Any, tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("nothing")
    for path in (tmp_path / "ca.pem", tmp_path / "gone.pem"):
        with pytest.raises(EmailError, match="holds no certificates"):
            servers.service(imap={"ca_file": path}).find(MailQuery())


def test_a_server_that_is_down_is_one_sentence(servers: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    service = servers.service(imap={"port": port}, smtp={"port": port})
    for attempt in (lambda: service.find(MailQuery()), lambda: service.send(NewMail(to=["b@example.org"], text="x"))):
        with pytest.raises(EmailUnreachable, match="cannot be reached"):
            attempt()
    first, second = service.external_dependencies()
    assert (first.service, second.service) == ("imap", "smtp")
    assert first.check() is not None
    assert servers.service().external_dependencies()[0].check() is None


@pytest.mark.parametrize(
    "greeting", [b"", b"* OK hel", b"\x15\x03\x01\x00\x02\x02(", b"HTTP/1.1 400 Bad Request\r\n\r\n"]
)
def test_a_server_that_breaks_off_or_speaks_something_else_is_one_sentence(servers: Any, greeting: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as odd:

        def answer() -> None:
            for _ in range(2):
                connection, _ = odd.accept()
                with connection, contextlib.suppress(OSError):  # the other side may have hung up already
                    connection.sendall(greeting)
                    connection.shutdown(socket.SHUT_WR)

        threading.Thread(target=answer, daemon=True).start()
        port = {"port": odd.getsockname()[1], "timeout_s": 5}
        service = servers.service(imap=port, smtp=port)
        for attempt in (
            lambda: service.find(MailQuery()),
            lambda: service.send(NewMail(to=["b@example.org"], text="x")),
        ):
            with pytest.raises(EmailUnreachable):
                attempt()


def test_a_server_that_says_nothing_does_not_hold_anybody_for_ever(servers: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        service = servers.service(imap={"port": silent.getsockname()[1], "timeout_s": 0.2})
        with pytest.raises(EmailUnreachable, match="does not answer"):
            service.find(MailQuery())


def test_a_stop_while_the_server_is_thinking_comes_back_at_once(servers: Any) -> None:
    servers.outbox.hold = threading.Event()
    scope = CancelScope()
    threading.Timer(0.5, scope.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        servers.service(smtp={"timeout_s": 60}).send(NewMail(to=["bob@example.org"], text="x"), scope)
    assert time.monotonic() - began < 5
    assert servers.outbox.mails == []


def test_a_scope_that_has_ended_opens_no_connection(servers: Any) -> None:
    scope = CancelScope()
    scope.cancel()
    with pytest.raises(Cancelled):
        servers.service(imap={"port": 1}).find(MailQuery(), scope)


def test_a_huge_mail_is_read_in_its_beginning(servers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from edgevox.agents.email import imap

    monkeypatch.setattr(imap, "MOST_BYTES", 200_000)
    monkeypatch.setattr(imap, "BEGINNING_BYTES", 50_000)
    servers.put(PLAIN.format(subject="Huge") + "\n" + "0123456789" * 7 + "\n" + ("x" * 70 + "\n") * 5_000)
    service: ImapSmtpEmailService = servers.service()
    (listed,) = service.find(MailQuery())
    mail = service.read(listed.id)
    assert mail.incomplete
    assert mail.size > 300_000
    assert mail.text.startswith("0123456789")
    assert len(mail.text) < 60_000
    with pytest.raises(EmailError, match="too large"):
        service.attachment(listed.id, 1)


def test_files_beyond_what_servers_take_are_refused(servers: Any) -> None:
    big = MailFile(name="big", content=bytes(25_000_001))
    with pytest.raises(EmailError, match="larger than servers take"):
        servers.service().send(NewMail(to=["bob@example.org"], text="x", files=[big]))
    with pytest.raises(EmailError, match="50 is the most"):
        servers.service().send(NewMail(to=[f"p{n}@example.org" for n in range(51)], text="x"))


def half_a_mail(certificates: Any, listener: socket.socket) -> None:
    """Speak just enough IMAP to promise a mail, send half of it, and hang up."""
    connection, _ = listener.accept()
    with certificates.context.wrap_socket(connection, server_side=True) as client:
        client.sendall(b"* OK [CAPABILITY IMAP4rev1] ready\r\n")
        for line in client.makefile("rb"):
            tag, command = [*line.split(None, 3), b"", b""][:2]
            name = line.upper()
            if command.upper() == b"CAPABILITY":
                client.sendall(b"* CAPABILITY IMAP4rev1\r\n")
            elif b"LIST" in name:
                client.sendall(b'* LIST () "/" INBOX\r\n')
            elif b"RFC822.SIZE" in name:
                client.sendall(b"* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 1000)\r\n")
            elif b"BODY" in name:
                client.sendall(b"* 1 FETCH (UID 1 BODY[] {1000}\r\nSubject: half\r\n\r\nThis is")
                return
            client.sendall(tag + b" OK done\r\n")


def test_a_server_that_hangs_up_in_the_middle_of_a_mail_is_one_sentence(servers: Any) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=half_a_mail, args=(servers.certificates, listener), daemon=True)
        thread.start()
        service = servers.service(imap={"port": listener.getsockname()[1]})
        with pytest.raises(EmailUnreachable, match="hung up"):
            service.read("INBOX:1")
        thread.join(20)
        assert not thread.is_alive()


@pytest.mark.parametrize("sender", ["", "ü"])
@pytest.mark.parametrize("text", ['a" OR ALL "', "(SEEN)", "a\r\nA1 LOGOUT", "{5}", "ü\\", "*", 'pears"'])
def test_words_that_look_like_commands_are_words(servers: Any, text: str, sender: str) -> None:
    put_some(servers)
    found = servers.service().find(MailQuery(text=text, sender=sender))
    assert found == [], "none is from ü, and none holds such words"
