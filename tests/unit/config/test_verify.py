"""What is saved in a model's place by mistake is recognised before anything loads it."""

import io
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgevox.config.catalogue import FileKind, ModelFile
from edgevox.config.formats import incomplete
from edgevox.config.verify import corrupt, full_fault, kind_of, quick_fault, sha256_of
from edgevox.testing import ctranslate2_file, gguf_file, onnx_file

HTML = b"\n<!DOCTYPE html><html><head><title>Sign in</title></head></html>"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 75537502\n"


def npz_file() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.npy", b"\0" * 5000)
    return packed.getvalue()


WHOLE: dict[FileKind, bytes] = {
    "gguf": gguf_file(),
    "onnx": onnx_file(),
    "ctranslate2": ctranslate2_file(),
    "npz": npz_file(),
    "tflite": struct.pack("<I", 32) + b"TFL3" + b"\0" * 500,
    "json": b'{"a": [1, 2, 3]}',
    "text": b"ein Wort\nnoch eins\n",
}


@pytest.fixture(params=sorted(WHOLE))
def kind(request: pytest.FixtureRequest) -> FileKind:
    kind: FileKind = request.param
    return kind


def put(folder: Path, data: bytes) -> Path:
    path = folder / "file"
    path.write_bytes(data)
    return path


def described(kind: FileKind, data: bytes) -> ModelFile:
    import hashlib

    return ModelFile(name="file", kind=kind, size=len(data), sha256=hashlib.sha256(data).hexdigest())


def test_a_whole_file_passes_both_checks(tmp_path: Path, kind: FileKind) -> None:
    path = put(tmp_path, WHOLE[kind])
    for expected in (described(kind, WHOLE[kind]), ModelFile(name="file", kind=kind)):
        assert quick_fault(path, expected) is None
        assert full_fault(path, expected) is None


@pytest.mark.parametrize(
    ("data", "words"),
    [(HTML, "is a web page"), (LFS, "is a git-LFS pointer"), (b"", "is empty")],
    ids=["html", "lfs", "empty"],
)  # fmt: skip
def test_the_usual_impostors_are_named_whether_or_not_the_size_is_known(
    tmp_path: Path, kind: FileKind, data: bytes, words: str
) -> None:
    path = put(tmp_path, data)
    for expected in (described(kind, WHOLE[kind]), ModelFile(name="file", kind=kind)):
        assert words in (quick_fault(path, expected) or "")


def test_a_short_file_of_known_size_is_called_truncated(tmp_path: Path, kind: FileKind) -> None:
    path = put(tmp_path, WHOLE[kind][:-1])
    assert "is truncated" in (quick_fault(path, described(kind, WHOLE[kind])) or "")


def test_a_longer_file_is_another_file(tmp_path: Path, kind: FileKind) -> None:
    path = put(tmp_path, WHOLE[kind] + b"more")
    assert "4 bytes more" in (quick_fault(path, described(kind, WHOLE[kind])) or "")


@pytest.mark.parametrize("kind", ["gguf", "onnx", "ctranslate2", "npz", "json"])
@pytest.mark.parametrize("share", [0.02, 0.2, 0.5, 0.99])
def test_a_file_of_unknown_size_is_found_short_by_its_own_table(tmp_path: Path, kind: FileKind, share: float) -> None:
    path = put(tmp_path, WHOLE[kind][: int(len(WHOLE[kind]) * share)])
    assert quick_fault(path, ModelFile(name="file", kind=kind)) is not None


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    for kind in WHOLE:
        for other, data in WHOLE.items():
            if kind not in {other, "text"}:
                path = put(tmp_path, data)
                assert quick_fault(path, ModelFile(name="file", kind=kind)), f"{other} passed for {kind}"


def test_one_wrong_byte_is_found_by_the_full_check_alone(tmp_path: Path) -> None:
    data = bytearray(WHOLE["gguf"])
    expected = described("gguf", bytes(data))
    data[-1] ^= 1
    path = put(tmp_path, bytes(data))
    assert quick_fault(path, expected) is None
    assert "SHA-256 differs" in (full_fault(path, expected) or "")


def test_a_changed_file_is_looked_at_again(tmp_path: Path) -> None:
    path = put(tmp_path, WHOLE["gguf"])
    expected = ModelFile(name="file", kind="gguf")
    assert quick_fault(path, expected) is None
    path.write_bytes(HTML)
    assert "web page" in (quick_fault(path, expected) or "")


def test_a_file_that_is_not_there_is_a_fault_and_no_exception(tmp_path: Path) -> None:
    assert "cannot be read" in (quick_fault(tmp_path / "absent", ModelFile(name="file", kind="gguf")) or "")


@pytest.mark.parametrize("size", [None, 100])
def test_a_folder_in_the_place_of_a_file_is_a_fault_and_no_exception(tmp_path: Path, size: int | None) -> None:
    assert quick_fault(tmp_path, ModelFile(name="file", kind="ctranslate2", size=size)) == "is not a file"


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(kind=st.sampled_from(sorted(WHOLE)), position=st.floats(0, 1), junk=st.binary(max_size=64))
def test_no_content_makes_a_reader_raise(tmp_path: Path, kind: FileKind, position: float, junk: bytes) -> None:
    data = bytearray(WHOLE[kind])
    start = int(position * len(data))
    data[start : start + len(junk)] = junk
    fault = incomplete(put(tmp_path, bytes(data)), kind)
    assert fault is None or fault.startswith("is ")


def test_the_progress_of_reading_adds_up(tmp_path: Path) -> None:
    path = put(tmp_path, b"x" * 3_000_000)
    sizes: list[int] = []
    sha256_of(path, sizes.append)
    assert sum(sizes) == 3_000_000


def test_the_error_names_cause_and_command(tmp_path: Path) -> None:
    assert str(corrupt(Path("/m/model.bin"), "is empty", "whisper-base")) == (
        "/m/model.bin is empty; get it again with `edgevox models get whisper-base`."
    )
    assert "edgevox models get" not in str(corrupt(Path("/m/model.bin"), "is empty", None))


@pytest.mark.parametrize(
    ("name", "kind"),
    [("model.bin", "ctranslate2"), ("x.GGUF", "gguf"), ("a.onnx.json", "json"), ("x.onnx", "onnx"), ("README", None)],
)  # fmt: skip
def test_a_name_tells_the_kind(name: str, kind: FileKind | None) -> None:
    assert kind_of(name) == kind
