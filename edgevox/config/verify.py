"""Whether a file is the model it should be, before anything loads it.

Knows two depths: the *quick* check that every look-up makes (size, first bytes, and for files without a known size
their own table of contents), and the *full* one that reads every byte. Does not repair anything.
"""

import hashlib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from stat import S_ISREG

from edgevox.config.catalogue import FileKind, ModelFile
from edgevox.config.files import human_size
from edgevox.config.formats import HEAD_BYTES, SHORT, impostor, incomplete, wrong_kind
from edgevox.core.errors import ModelCorrupt

CHUNK_BYTES = 1 << 20
KINDS: dict[str, FileKind] = {
    ".gguf": "gguf",
    ".onnx": "onnx",
    ".npz": "npz",
    ".tflite": "tflite",
    ".json": "json",
}
"""Format by the end of a name; other names have none that can be told."""


def kind_of(name: str) -> FileKind | None:
    """Return the format that a file of this name should have, or `None`."""
    return "ctranslate2" if name == "model.bin" else KINDS.get(Path(name).suffix.lower())


def quick_fault(path: Path, expected: ModelFile) -> str | None:
    """Return why the file cannot be the model, without reading it whole; `None` when nothing speaks against it."""
    try:
        stat = path.stat()
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if not S_ISREG(stat.st_mode):
        return "is not a file"
    if expected.size is not None and (fault := _size_fault(path, stat.st_size, expected)):
        return fault
    return _structure_fault(path, expected.kind, stat.st_size, stat.st_mtime_ns, expected.size is None)


def full_fault(path: Path, expected: ModelFile, on_bytes: Callable[[int], object] | None = None) -> str | None:
    """Return why the file is not the model, after reading every byte of it; `None` when it is.

    Args:
        path: the file.
        expected: what it should be.
        on_bytes: called with the number of bytes read, again and again.
    """
    if fault := quick_fault(path, expected):
        return fault
    if fault := incomplete(path, expected.kind):
        return fault
    if expected.sha256 is not None and sha256_of(path, on_bytes) != expected.sha256:
        return "has other content than the publisher's file (its SHA-256 differs)"
    return None


def sha256_of(path: Path, on_bytes: Callable[[int], object] | None = None) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK_BYTES):
            digest.update(chunk)
            if on_bytes is not None:
                on_bytes(len(chunk))
    return digest.hexdigest()


def corrupt(path: Path, fault: str, spec: str | None) -> ModelCorrupt:
    """Return the error for a file: its cause and what to do.

    Args:
        path: the file.
        fault: what `quick_fault` or `full_fault` said.
        spec: what `edgevox models get` fetches it by; `None` for a file that the person keeps themselves.
    """
    remedy = f"get it again with `edgevox models get {spec}`" if spec else "put the right file there or name another"
    return ModelCorrupt(f"{path} {fault}; {remedy}.")


def _size_fault(path: Path, size: int, expected: ModelFile) -> str | None:
    assert expected.size is not None
    if size == expected.size:
        return None
    try:
        fault = impostor(_head(path))
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if fault:
        return fault
    sizes = f"{human_size(size)} of {human_size(expected.size)} are there"
    return (
        f"{SHORT} ({sizes})" if size < expected.size else f"is another file: it has {size - expected.size} bytes more"
    )


@lru_cache(maxsize=256)
def _structure_fault(path: Path, kind: FileKind, _size: int, _changed: int, walk: bool) -> str | None:
    """Look into the file; remembered for as long as its size and time of change stay the same."""
    try:
        head = _head(path)
        fault = impostor(head) or wrong_kind(head, kind)
        return fault or (incomplete(path, kind) if walk else None)
    except OSError as error:
        return f"cannot be read ({error.strerror})"


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)
