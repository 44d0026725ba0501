"""One file over HTTP: resumed, checked, cancelled, and told apart from what is sent in its place."""

import hashlib
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from edgevox.config.download import Downloader, RemoteFile
from edgevox.config.network import SourceFault, open_client
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled
from edgevox.testing import Behaviour, ModelServer

DATA = bytes(range(256)) * 1600
"""400 kB, so that a transfer has pieces."""


@pytest.fixture
def scope() -> CancelScope:
    return CancelScope()


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with open_client(0.3) as opened:
        yield opened


@pytest.fixture
def notes() -> list[str]:
    return []


@pytest.fixture
def downloader(client: httpx.Client, scope: CancelScope, notes: list[str]) -> Downloader:
    return Downloader(client, scope, on_note=notes.append, backoff_s=0.01)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "downloads" / "file.whl"


def remote(server: ModelServer, data: bytes = DATA, *, size: int | None = len(DATA)) -> RemoteFile:
    return RemoteFile(url=server.add_file("/x/file.whl", data), size=size, digest=hashlib.sha256(DATA).digest())


def beside(target: Path) -> list[str]:
    return sorted(entry.name for entry in target.parent.iterdir())


def test_a_file_arrives_whole_and_alone(server: ModelServer, downloader: Downloader, target: Path) -> None:
    seen: list[int] = []
    downloader.fetch(remote(server), target, seen.append)
    assert target.read_bytes() == DATA
    assert beside(target) == ["file.whl"]
    assert seen == sorted(seen)
    assert seen[-1] == len(DATA)


@pytest.mark.parametrize("size", [len(DATA), None])
def test_a_broken_line_is_taken_up_where_it_broke(
    server: ModelServer, downloader: Downloader, target: Path, size: int | None
) -> None:
    file = remote(server, size=size)
    server.behave("file.whl", Behaviour(kind="cut", after=100_000), Behaviour(kind="cut", after=100_000))
    downloader.fetch(file, target)
    assert target.read_bytes() == DATA
    first, second, third = server.ranges("file.whl")
    assert first == ""
    assert 0 < int(second[6:-1]) < int(third[6:-1]) < len(DATA)


def test_a_later_attempt_goes_on_and_says_what_is_here(
    server: ModelServer, downloader: Downloader, target: Path, scope: CancelScope
) -> None:
    file = remote(server)

    def stop_in_the_middle(done: int) -> None:
        if done > 100_000:
            scope.cancel()

    with pytest.raises(Cancelled):
        downloader.fetch(file, target, stop_in_the_middle)
    assert not target.exists()
    assert beside(target) == ["file.whl.part", "file.whl.part.tag"]
    seen: list[int] = []
    with open_client(1) as client:
        Downloader(client, CancelScope()).fetch(file, target, seen.append)
    assert target.read_bytes() == DATA
    assert seen[0] > 100_000
    assert beside(target) == ["file.whl"]


def test_a_file_that_changed_on_the_server_is_fetched_anew_and_never_mixed(
    server: ModelServer, downloader: Downloader, target: Path, notes: list[str]
) -> None:
    old = RemoteFile(url=server.add_file("/x/file.whl", b"old" * 100_000))
    server.behave("file.whl", Behaviour(kind="cut", after=90_000), Behaviour(kind="status", status=404))
    with pytest.raises(SourceFault):
        downloader.fetch(old, target)
    assert target.with_name("file.whl.part").stat().st_size > 0
    downloader.fetch(remote(server), target)
    assert target.read_bytes() == DATA
    assert any("starts over" in note for note in notes)


def test_a_server_without_ranges_starts_over_and_says_so(
    server: ModelServer, downloader: Downloader, target: Path, notes: list[str]
) -> None:
    file = remote(server)
    server.behave("file.whl", Behaviour(kind="cut", after=100_000), Behaviour(kind="no-range"))
    downloader.fetch(file, target)
    assert target.read_bytes() == DATA
    assert notes == [f"{server.url.removeprefix('http://')} cannot go on where it stopped: file.whl starts over"]


def test_bytes_spoilt_on_the_way_are_thrown_away_and_fetched_again(
    server: ModelServer, downloader: Downloader, target: Path, notes: list[str]
) -> None:
    file = remote(server)
    server.behave("file.whl", Behaviour(kind="cut", after=100_000))
    target.parent.mkdir(parents=True)
    part = target.with_name("file.whl.part")
    part.write_bytes(b"spoilt" * 1000)
    downloader.fetch(file, target)
    assert target.read_bytes() == DATA
    assert notes == ["file.whl was damaged on the way and starts over"]


def test_a_wrong_digest_is_refused_and_nothing_is_kept(
    server: ModelServer, downloader: Downloader, target: Path
) -> None:
    file = remote(server, b"x" * len(DATA))
    with pytest.raises(SourceFault, match="sent another file than it promised"):
        downloader.fetch(file, target)
    assert beside(target) == []


@pytest.mark.parametrize("data", [DATA[:1000], DATA + b"more"])
def test_a_file_of_the_wrong_length_is_refused(
    server: ModelServer, downloader: Downloader, target: Path, data: bytes
) -> None:
    with pytest.raises(SourceFault, match="sent another file than it promised"):
        downloader.fetch(remote(server, data), target)
    assert not target.exists()


def test_a_login_page_is_not_taken_for_the_file(server: ModelServer, downloader: Downloader, target: Path) -> None:
    file = remote(server)
    server.behave("file.whl", Behaviour(kind="html", times=None))
    with pytest.raises(SourceFault, match="answered with a web page in place of the file"):
        downloader.fetch(file, target)
    assert not target.exists()


@pytest.mark.parametrize("after", [0, 100_000])
def test_a_stall_ends_within_the_timeout_and_names_the_variables(
    server: ModelServer, downloader: Downloader, target: Path, after: int
) -> None:
    file = remote(server)
    server.behave("file.whl", Behaviour(kind="stall", after=after), Behaviour(kind="stall", times=None))
    start = time.monotonic()
    with pytest.raises(SourceFault) as caught:
        downloader.fetch(file, target)
    assert time.monotonic() - start < 5
    for word in ("sent nothing for 0.3 seconds", "HTTPS_PROXY", "SSL_CERT_FILE", "EDGEVOX_DOWNLOAD_TIMEOUT"):
        assert word in str(caught.value)


@pytest.mark.parametrize("after", [0, 100_000])
def test_a_stop_reaches_a_download_that_waits_in_silence(
    server: ModelServer, scope: CancelScope, target: Path, after: int
) -> None:
    file = remote(server)
    server.behave("file.whl", Behaviour(kind="stall", after=after, times=None))
    with open_client(20) as client:
        timer = threading.Timer(0.2, scope.cancel)
        timer.start()
        start = time.monotonic()
        with pytest.raises(Cancelled):
            Downloader(client, scope).fetch(file, target)
        timer.join()
    assert time.monotonic() - start < 2
    part = target.with_name("file.whl.part")
    assert (part.exists() and part.stat().st_size > 0) == bool(after)


def test_a_stop_reaches_a_server_that_accepts_and_never_answers(target: Path, scope: CancelScope) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent, open_client(20) as client:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/file"
        timer = threading.Timer(0.2, scope.cancel)
        timer.start()
        start = time.monotonic()
        with pytest.raises(Cancelled):
            Downloader(client, scope).fetch(RemoteFile(url=url), target)
        timer.join()
    assert time.monotonic() - start < 2


def test_a_scope_that_has_ended_opens_no_connection(
    server: ModelServer, downloader: Downloader, target: Path, scope: CancelScope
) -> None:
    file = remote(server)
    scope.cancel()
    with pytest.raises(Cancelled):
        downloader.fetch(file, target)
    assert server.requests == []


def test_a_busy_server_is_asked_again(server: ModelServer, downloader: Downloader, target: Path) -> None:
    file = remote(server)
    server.behave("file.whl", Behaviour(kind="status", status=503), Behaviour(kind="status", status=429))
    downloader.fetch(file, target)
    assert target.read_bytes() == DATA


@pytest.mark.parametrize(
    ("status", "words"),
    [(404, "no longer has the file"), (403, r"refused access \(HTTP 403\)"), (503, "answered with HTTP 503")],
)
def test_a_refusal_says_what_it_was(
    server: ModelServer, downloader: Downloader, target: Path, status: int, words: str
) -> None:
    file = remote(server)
    server.behave("file.whl", Behaviour(kind="status", status=status, times=None))
    with pytest.raises(SourceFault, match=words):
        downloader.fetch(file, target)


def test_no_network_says_so(downloader: Downloader, target: Path) -> None:
    with pytest.raises(SourceFault, match=r"127\.0\.0\.1:9 could not be reached; check the network"):
        downloader.fetch(RemoteFile(url="http://127.0.0.1:9/file"), target)


def test_a_certificate_nobody_vouches_for_is_refused_and_the_variable_named(
    tls_server: ModelServer, downloader: Downloader, target: Path
) -> None:
    with pytest.raises(SourceFault, match="could not be verified; set SSL_CERT_FILE") as caught:
        downloader.fetch(remote(tls_server), target)
    assert tls_server.requests == []
    assert "verify=False" not in str(caught.value)


def test_with_the_network_s_own_certificate_the_same_server_is_trusted(
    tls_server: ModelServer, certificate: Path, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with open_client(2) as client:
        Downloader(client, CancelScope()).fetch(remote(tls_server), target)
    assert target.read_bytes() == DATA


def test_a_certificate_bundle_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "absent.pem"))
    with pytest.raises(SourceFault, match=r"absent\.pem cannot be read; correct SSL_CERT_FILE"):
        open_client()


def test_a_proxy_is_used_and_a_proxy_that_refuses_is_named(
    server: ModelServer, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("HTTP_PROXY", server.url)
    server.add_file("http://elsewhere.invalid/file", DATA)
    with open_client(1) as client:
        Downloader(client, CancelScope()).fetch(RemoteFile(url="http://elsewhere.invalid/file"), target)
    assert target.read_bytes() == DATA
    monkeypatch.setenv("HTTPS_PROXY", server.url)
    with open_client(1) as client, pytest.raises(SourceFault, match=r"the proxy refused .*; check HTTPS_PROXY"):
        Downloader(client, CancelScope()).fetch(RemoteFile(url="https://elsewhere.invalid/file"), target)


def test_a_password_in_an_address_is_not_repeated(downloader: Downloader, target: Path) -> None:
    with pytest.raises(SourceFault) as caught:
        downloader.fetch(RemoteFile(url="http://user:CANARY@127.0.0.1:9/file?token=CANARY"), target)
    assert "CANARY" not in str(caught.value)
