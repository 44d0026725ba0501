"""Whatever comes as a mail is read somehow, and never raises."""

import random

import pytest

from edgevox.agents.email.imap import split_id
from edgevox.agents.email.reading import read_file, read_mail

HEAD = b"From: a@b.org\r\nSubject: s\r\n"


def body(raw: bytes) -> str:
    return read_mail(raw, "INBOX:1").text


@pytest.mark.parametrize(
    ("headers", "content", "text"),
    [
        (b"Content-Type: text/plain; charset=iso-8859-1", "Grüße".encode("latin-1"), "Grüße"),
        (b"Content-Type: text/plain; charset=koi8-r", "Привет".encode("koi8-r"), "Привет"),
        (b"Content-Type: text/plain; charset=no-such-set", "Grüße".encode(), "Grüße"),
        (b"Content-Type: text/plain; charset=utf-8", "Grüße".encode("latin-1"), "Grüße"),
        (b"Content-Type: text/plain", "Grüße €".encode("cp1252"), "Grüße €"),
        (b"Content-Type: text/plain; charset=utf-16", b"\xff\xfeh", "ÿþh"),
        (b"Content-Transfer-Encoding: base64", b"SGFsbG8=", "Hallo"),
        (b"Content-Transfer-Encoding: base64", b"SGFs!bG8", "Hallo"),
        (b"Content-Transfer-Encoding: quoted-printable", b"a=3Db=\r\nc", "a=bc"),
        (b"Content-Transfer-Encoding: unheard-of", b"plain", "plain"),
        (b"Content-Type: nonsense", b"still words", "still words"),
        (b"Content-Type: multipart/mixed", b"no boundary at all", "no boundary at all"),
    ],
)
def test_words_are_read_whatever_they_are_written_in(headers: bytes, content: bytes, text: str) -> None:
    assert body(HEAD + headers + b"\r\n\r\n" + content) == text


def test_words_are_taken_before_a_page_and_a_page_without_its_markup() -> None:
    page = (
        b"<html><head><title>t</title><style>p{}</style></head><body><p>Dear&nbsp;Anna,</p><p>see <a href='x'>this</a>"
        b"<br>bye</p><script>evil()</script></body></html>"
    )
    html = b"--x\r\nContent-Type: text/html\r\n\r\n" + page + b"\r\n"
    plain = b"--x\r\nContent-Type: text/plain\r\n\r\nwords\r\n"
    head = HEAD + b"Content-Type: multipart/alternative; boundary=x\r\n\r\n"
    assert body(head + plain + html + b"--x--") == "words"
    assert body(head + html + b"--x--") == "Dear Anna,\n\nsee this\nbye"
    assert body(head + html[:140]) == "Dear Anna,\n\nsee this", "half a page is still words"


@pytest.mark.parametrize(
    ("header", "subject"),
    [
        (b"Subject: =?utf-8?B?R3LDvMOfZQ==?=", "Grüße"),
        (b"Subject: =?iso-8859-1?Q?Gr=FC=DFe?= und =?utf-8?q?mehr?=", "Grüße und mehr"),
        (b"Subject: =?no-such?Q?x?=", "=?no-such?Q?x?="),
        (b"Subject: =?utf-8?B?R3LDv", "=?utf-8?B?R3LDv"),
        ("Subject: Grüße".encode(), "Grüße"),
        (b"Subject: \xff\xfe raw", "\ufffd\ufffd raw"),
        (b"Subject: a\r\n b\r\n\tc", "a b c"),
        (b"Subject: bell\x07 \x1b[31mred", "bell [31mred"),
    ],
)
def test_subjects_are_decoded_as_far_as_they_can_be(header: bytes, subject: str) -> None:
    assert read_mail(header + b"\r\n\r\nx", "INBOX:1").subject == subject


@pytest.mark.parametrize("date", [b"nonsense", b"Mon, 99 Foo 2024 99:99:99 +9999", b"", b"Mon, 1 Jan 0001 00:00:00 +0"])
def test_a_date_that_is_none_does_no_harm(date: bytes) -> None:
    assert read_mail(b"Date: " + date + b"\r\nSubject: s\r\n\r\nx", "INBOX:1").subject == "s"


def test_files_have_plain_names_and_a_mail_within_a_mail_is_one() -> None:
    inner = b"Subject: inner\r\n\r\ninside"
    raw = (
        HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nwords\r\n"
        b"--x\r\nContent-Type: image/png\r\n\r\nPNG\r\n"
        b'--x\r\nContent-Type: text/x-sh; name="../../etc/passwd"\r\nContent-Disposition: attachment\r\n\r\nsh\r\n'
        b"--x\r\nContent-Type: a/b\r\nContent-Disposition: attachment; filename*=utf-8''b%C3%BC.bin\r\n\r\nB\r\n"
        b"--x\r\nContent-Type: message/rfc822\r\n\r\n" + inner + b"\r\n--x--\r\n"
    )
    mail = read_mail(raw, "INBOX:1")
    assert mail.text == "words"
    assert [file.name for file in mail.attachments] == ["file-1", "_.._etc_passwd", "bü.bin", "file-4"]
    second, last = read_file(raw, 2), read_file(raw, 4)
    assert second is not None
    assert second.content == b"sh"
    assert last is not None
    assert b"Subject: inner" in last.content
    assert read_file(raw, 5) is None


def test_parts_within_parts_without_an_end_are_survived() -> None:
    deep = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n) for n in range(3000))
    assert read_mail(HEAD + deep + b"\r\nwords", "INBOX:1").subject == "s"
    wide = HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + b"--x\r\nContent-Type: a/b\r\n\r\ny\r\n" * 2000
    assert len(read_mail(wide, "INBOX:1").attachments) <= 200


def test_a_mail_of_noise_or_of_a_damaged_one_never_raises() -> None:
    chance = random.Random(7)
    sound = (
        HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        b"<p>words</p>\r\n--x\r\nContent-Disposition: attachment; filename==?utf-8?q?a?=\r\n\r\nf\r\n--x--\r\n"
    )
    for _ in range(300):
        damaged = bytearray(sound)
        for _ in range(chance.randrange(1, 12)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        cut = bytes(damaged[: chance.randrange(len(damaged))])
        mail = read_mail(cut, "INBOX:1")
        assert mail.id == "INBOX:1"
        for number in range(1, len(mail.attachments) + 1):
            assert read_file(cut, number) is not None
    assert read_mail(b"", "INBOX:1").text == ""


def test_an_id_is_a_folder_and_a_number() -> None:
    assert split_id(" Work/2024:odd:17 ") == ("Work/2024:odd", 17)
