"""Finding models on this machine, with the network nailed shut."""

import hashlib
import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from edgevox.config.models import find, missing, names_in, resolve, sets
from edgevox.config.paths import models_dir
from edgevox.config.upkeep import check_model, remove_model
from edgevox.core.errors import ModelCorrupt, ModelMissing, UsageError
from edgevox.testing import ctranslate2_file, gguf_file

Adder = Callable[..., None]


class NoNetwork(socket.socket):
    """A socket that fails the test when anything connects."""

    def connect(self, address: object) -> None:
        raise AssertionError(f"a connection to {address} was opened")

    connect_ex = connect  # type: ignore[assignment] - both are forbidden


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **_: object) -> object:
        raise AssertionError(f"{args} was looked up")

    monkeypatch.setattr(socket, "socket", NoNetwork)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def entry(name: str, files: Mapping[str, bytes], *, hub: bool = False) -> str:
    """Return an entry whose files have these contents, as they would come from a registry or from the hub."""
    listed = [
        f'{{ name = "{file}", kind = "{"ctranslate2" if file == "model.bin" else "gguf"}", size = {len(data)}, '
        f'sha256 = "{hashlib.sha256(data).hexdigest()}" }}'
        for file, data in files.items()
    ]
    source = f'kind = "hub"\nrepo = "test/{name}"' if hub else 'kind = "url"'
    named = ", ".join(f'"{file}" = "{file}"' for file in files)
    return (
        f'[models."{name}"]\nuse = "llm"\ntitle = "t"\nlicence = "l"\norigin = "https://o"\n'
        f'files = [{", ".join(listed)}]\n[[models."{name}".sources]]\n{source}\nfiles = {{ {named} }}\n'
    )


def put_model(name: str, files: Mapping[str, bytes]) -> None:
    for file, data in files.items():
        path = models_dir() / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def put_in_hub_cache(repo: str, file: str, data: bytes) -> Path:
    """Lay a file where the hub's own library keeps it."""
    folder = Path(os.environ["HF_HOME"]) / "hub" / f"models--{repo.replace('/', '--')}"
    commit, blob = "c" * 40, hashlib.sha256(data).hexdigest()
    for path, content in ((folder / "refs" / "main", commit.encode()), (folder / "blobs" / blob, data)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    place = folder / "snapshots" / commit / file
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(folder / "blobs" / blob)
    return place


FILES = {"model.bin": ctranslate2_file(), "model.gguf": gguf_file()}


def test_a_model_in_the_folder_is_found_without_a_socket(add_models: Adder) -> None:
    add_models(entry("both", FILES))
    assert find("both") is None
    put_model("both", FILES)
    found = resolve("both")
    assert found.folder == models_dir() / "both"
    assert found.path("model.gguf").read_bytes() == FILES["model.gguf"]
    assert found.path().name == "model.bin"
    with pytest.raises(ModelMissing, match=r"has no file voices\.npz"):
        found.path("voices.npz")


def test_a_model_in_the_hub_s_cache_is_found_without_a_socket(add_models: Adder) -> None:
    add_models(entry("cached", {"model.gguf": gguf_file()}, hub=True))
    place = put_in_hub_cache("test/cached", "model.gguf", gguf_file())
    assert resolve("cached").path() == place
    assert resolve("hf:test/cached:model.gguf").path() == place
    assert missing("cached") == []


def test_what_publishers_replaced_on_the_hub_is_not_held_to_our_digest(add_models: Adder) -> None:
    add_models(entry("cached", {"model.gguf": gguf_file(seed=1)}, hub=True))
    put_in_hub_cache("test/cached", "model.gguf", gguf_file(5000, seed=2))
    assert check_model(resolve("cached")) == []


def test_a_damaged_blob_in_the_hub_s_cache_is_found_by_the_digest_in_its_name() -> None:
    place = put_in_hub_cache("test/repo", "model.gguf", gguf_file())
    found = resolve("hf:test/repo:model.gguf")
    data = bytearray(place.read_bytes())
    data[-1] ^= 1
    place.resolve().write_bytes(bytes(data))
    assert [fault.path for fault in check_model(found)] == [place]


def test_the_folder_comes_before_the_cache_and_a_damaged_folder_does_not_hide_the_cache(add_models: Adder) -> None:
    files = {"model.gguf": gguf_file()}
    add_models(entry("cached", files, hub=True))
    place = put_in_hub_cache("test/cached", "model.gguf", files["model.gguf"])
    put_model("cached", files)
    assert resolve("cached").folder == models_dir() / "cached"
    put_model("cached", {"model.gguf": b"<html>"})
    assert resolve("cached").path() == place


def test_a_file_of_an_installed_package_is_found_without_importing_it(add_models: Adder) -> None:
    import sys

    add_models(
        '[models.packaged]\nuse = "vad"\ntitle = "t"\nlicence = "l"\norigin = "https://o"\n'
        'files = [{ name = "errors.py", kind = "text" }]\n[[models.packaged.sources]]\nkind = "installed"\n'
        'package = "tomlkit"\nfiles = { "errors.py" = "exceptions.py" }\n'
    )
    loaded = "tomlkit" in sys.modules
    assert resolve("packaged").path().name == "exceptions.py"
    assert ("tomlkit" in sys.modules) == loaded


def test_a_missing_model_says_how_large_it_is_and_the_command() -> None:
    with pytest.raises(ModelMissing, match=r"`edgevox models get whisper-base` \(133 MB\)\."):
        resolve("whisper-base")
    with pytest.raises(ModelMissing, match=r"`edgevox models get hf:a/b:c\.gguf`"):
        resolve("hf:a/b:c.gguf")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<!doctype html><html>", "is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "is a git-LFS pointer"),
        (b"", "is empty"),
        (ctranslate2_file()[:-10], r"is truncated: .* \(2 kB of 2 kB are there\)"),
        (ctranslate2_file(seed=5) + b"x", "is another file"),
    ],
)
def test_a_damaged_model_names_its_cause_and_the_command(add_models: Adder, data: bytes, words: str) -> None:
    add_models(entry("both", FILES))
    put_model("both", {**FILES, "model.bin": data})
    with pytest.raises(ModelCorrupt, match=words) as caught:
        resolve("both")
    assert "get it again with `edgevox models get both`" in str(caught.value)
    assert find("both") is None
    assert [model.name for model in missing("both")] == ["both"]


def test_a_model_without_one_of_its_files_is_damaged(add_models: Adder) -> None:
    add_models(entry("both", FILES))
    put_model("both", {"model.bin": FILES["model.bin"]})
    with pytest.raises(ModelCorrupt, match=r"model\.gguf cannot be read"):
        resolve("both")


def test_a_path_is_taken_as_it_is_and_looked_into_first(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(gguf_file())
    assert resolve(str(path)).path() == path
    assert resolve(str(tmp_path)).path("x.gguf") == path
    path.write_bytes(gguf_file()[:100])
    with pytest.raises(ModelCorrupt, match="put the right file there or name another"):
        resolve(str(path))
    with pytest.raises(ModelMissing, match="There is no file"):
        resolve(str(tmp_path / "absent.gguf"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelMissing, match="is empty"):
        resolve(str(tmp_path / "empty"))


def test_sets_and_names_mix_and_bring_what_they_need() -> None:
    assert names_in("tiny") == ["silero-vad", "whisper-tiny.en", "piper-en-joe"]
    assert names_in(["tiny", "whisper-tiny.en", "kokoro-82m-int8"]) == [
        *sets()["tiny"], "kokoro-82m-int8", "kokoro-voices",
    ]  # fmt: skip
    assert {model.name for model in missing(["whisper-base", "kokoro-82m-int8"])} == {
        "whisper-base", "kokoro-82m-int8", "kokoro-voices",
    }  # fmt: skip
    with pytest.raises(UsageError, match="did you mean whisper-base"):
        missing("whisper-bas")
    with pytest.raises(UsageError, match="is not a name of"):
        missing("hf:a/b:c.gguf")


def test_removing_frees_the_folder_and_touches_nothing_else(add_models: Adder) -> None:
    add_models(entry("both", FILES))
    put_model("both", FILES)
    put_model("other", FILES)
    assert remove_model("both") == sum(map(len, FILES.values()))
    assert find("both") is None
    assert (models_dir() / "other").exists()
    with pytest.raises(ModelMissing, match="removes nothing from elsewhere"):
        remove_model("both")
