"""The Hugging Face hub: into its own cache, watched, stopped, and its refusals in words."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.config import files as config_files
from edgevox.config.models import fetch, find
from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, DiskFull, DownloadError
from edgevox.testing import Behaviour, ModelServer, gguf_file

pytestmark = pytest.mark.slow

Adder = Callable[..., None]

SPEC = "hf:a/b:c.gguf"


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "hf" / "hub"


def leftovers(cache: Path) -> list[Path]:
    return list(cache.rglob("*.incomplete"))


def test_a_file_comes_into_the_hub_s_own_cache_with_progress(server: ModelServer, cache: Path) -> None:
    data = gguf_file(300_000)
    server.add_hub_file("a/b", "c.gguf", data)
    seen: list[Progress] = []
    found = fetch(SPEC, progress=seen.append)
    assert found.path().read_bytes() == data
    assert cache in found.path().parents
    done = [progress.done for progress in seen if progress.stage == "downloading"]
    assert done == sorted(done)
    assert done[-1] == len(data)
    asked = len(server.requests)
    assert fetch(SPEC).path() == found.path()
    assert len(server.requests) == asked


def test_an_entry_of_the_catalogue_comes_from_the_hub_too(server: ModelServer, add_models: Adder) -> None:
    server.add_hub_file("a/b", "deep/x.gguf", gguf_file())
    add_models(
        '[models.m]\nuse = "llm"\ntitle = "m"\nlicence = "l"\norigin = "https://o"\nabout_bytes = 5000\n'
        'files = [{ name = "model.gguf", kind = "gguf" }]\n[[models.m.sources]]\nkind = "hub"\nrepo = "a/b"\n'
        'files = { "model.gguf" = "deep/x.gguf" }\n'
    )
    assert fetch("m").path("model.gguf").read_bytes() == gguf_file()


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hf:no/repo:c.gguf", "has no repository no/repo"),
        ("hf:a/b@v9:c.gguf", "a/b on .* has no revision v9"),
        ("hf:a/b:d.gguf", r"a/b on .* has no file d\.gguf"),
    ],
)
def test_what_the_hub_does_not_have_is_said_by_name(server: ModelServer, spec: str, words: str) -> None:
    server.add_hub_file("a/b", "c.gguf", gguf_file())
    with pytest.raises(DownloadError, match=words):
        fetch(spec)


@pytest.mark.parametrize("data", [b"<!doctype html><html>log in</html>", b"version https://git-lfs.github.com/spec/v1"])
def test_something_else_from_the_hub_is_refused(server: ModelServer, data: bytes) -> None:
    server.add_hub_file("a/b", "c.gguf", data)
    with pytest.raises(DownloadError, match=r"c\.gguf from a/b is a"):
        fetch(SPEC)
    assert find(SPEC) is None


def test_a_damaged_file_in_the_cache_is_fetched_again(server: ModelServer) -> None:
    data = gguf_file(300_000)
    server.add_hub_file("a/b", "c.gguf", data)
    blob = fetch(SPEC).path().resolve()
    blob.write_bytes(data[:1000])
    assert find(SPEC) is None
    assert fetch(SPEC).path().read_bytes() == data


def test_a_hub_that_falls_silent_ends_within_the_timeout(
    server: ModelServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEVOX_DOWNLOAD_TIMEOUT", "1")
    server.add_hub_file("a/b", "c.gguf", gguf_file(300_000))
    server.behave("c.gguf", Behaviour(kind="stall", after=100_000, times=None))
    start = time.monotonic()
    with pytest.raises(DownloadError) as caught:
        fetch(SPEC)
    assert time.monotonic() - start < 25
    for word in ("sent nothing for 1 seconds", "HTTPS_PROXY", "SSL_CERT_FILE"):
        assert word in str(caught.value)


def test_a_hub_out_of_reach_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    start = time.monotonic()
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1:9 could not be reached"):
        fetch(SPEC)
    assert time.monotonic() - start < 10


def test_a_hub_with_a_foreign_certificate_is_refused(tls_server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", tls_server.url)
    with pytest.raises(DownloadError, match=r"certificate of .* could not be verified: set SSL_CERT_FILE"):
        fetch(SPEC)


def test_a_hub_that_was_switched_off_is_not_asked(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(DownloadError, match="switched off by HF_HUB_OFFLINE: unset"):
        fetch(SPEC)
    assert server.requests == []


def test_a_stop_ends_the_process_and_clears_what_it_left(server: ModelServer, cache: Path) -> None:
    server.add_hub_file("a/b", "c.gguf", gguf_file(300_000))
    server.behave("c.gguf", Behaviour(kind="stall", after=100_000, times=None))
    scope = CancelScope()
    threading.Thread(target=lambda: (_until(lambda: bool(leftovers(cache))), scope.cancel()), daemon=True).start()
    with pytest.raises(Cancelled):
        fetch(SPEC, scope=scope)
    assert leftovers(cache) == []


def test_a_disk_without_room_is_refused(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.add_hub_file("a/b", "c.gguf", gguf_file(300_000))
    server.behave("c.gguf", Behaviour(kind="crawl", pause_s=0.02))
    monkeypatch.setattr(config_files, "free_bytes", _little_room)
    with pytest.raises(DiskFull, match=r"c\.gguf from the hub needs"):
        fetch(SPEC)


def _little_room(_: Path) -> int:
    return 1_000_000


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
