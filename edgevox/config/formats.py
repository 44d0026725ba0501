"""How model files look inside, just far enough to tell a whole one from a part of one or from something else.

Reads headers and tables of lengths, never weights. Each reader returns the cause that a file cannot be used, or `None`.
The formats: GGUF (ggml's specification, versions 2 and 3), ONNX (protocol buffers), CTranslate2 (`model.bin`, as its
converters write it), `.npz` (a zip file), TensorFlow Lite (FlatBuffers), JSON and plain text.
"""

import json
import math
import os
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO

from edgevox.config.catalogue import FileKind

HEAD_BYTES = 512
SHORT = "is truncated: a download that did not finish"

_GGUF_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
"""Bytes of a scalar by GGUF value type; 8 is a string and 9 an array."""
_GGUF_STRING, _GGUF_ARRAY = 8, 9
_GGML_BLOCKS = {
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84),
    11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 24: (1, 1), 25: (1, 2), 26: (1, 4),
    27: (1, 8), 28: (1, 8), 30: (1, 2),
}  # fmt: skip
"""Values in a block and bytes of it by ggml tensor type: F32, F16, the Q… families, integers, F64, BF16."""
_GGUF_ALIGNMENT = "general.alignment"
_COUNT_LIMIT = 10_000_000
"""More entries than any table has: beyond it the number is noise."""


class _Malformed(Exception):
    """The bytes do not follow the format."""


def impostor(head: bytes) -> str | None:
    """Say what the file is, where it is one of the things that are often saved in a model's place.

    Args:
        head: the first `HEAD_BYTES` of the file.
    """
    if not head:
        return "is empty"
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if text.startswith((b"<!doctype", b"<html", b"<head", b"<?xml")):
        return "is a web page, not a model: a login, consent or error page was saved in its place"
    if text.startswith(b"version https://git-lfs"):
        return "is a git-LFS pointer, not the model: the repository was cloned without its large files"
    return None


def wrong_kind(head: bytes, kind: FileKind) -> str | None:
    """Say that the first bytes are not those of the format."""
    looks_right = _MAGIC[kind]
    return None if looks_right(head) else f"is not {_NAMES[kind]}"


def incomplete(path: Path, kind: FileKind) -> str | None:
    """Walk the file's own table of contents and say whether something it promises is missing.

    Raises:
        OSError: the file cannot be read.
    """
    walk = _WALKS.get(kind)
    if walk is None:
        return None
    try:
        with path.open("rb") as file:
            return SHORT if walk(file) > path.stat().st_size else None
    except EOFError:
        return SHORT
    except (_Malformed, struct.error, ValueError, zipfile.BadZipFile):
        return f"is damaged: it begins like {_NAMES[kind]} but does not go on like one"


def _looks_like_onnx(head: bytes) -> bool:
    """A model begins with its IR version (field 1, varint) and goes on with the producer, a graph or an opset."""
    return (
        len(head) > 3 and head[0] == 0x08 and head[1] < 0x40 and head[2] in {0x12, 0x1A, 0x22, 0x2A, 0x32, 0x3A, 0x42}
    )


def _looks_like_ctranslate2(head: bytes) -> bool:
    """A file begins with the version of the format, then the length and the name of the specification."""
    if len(head) < 8:
        return False
    version, length = struct.unpack_from("<IH", head)
    return 1 <= version <= 64 and 2 <= length <= 128 and head[6 : 6 + length - 1].isalnum()


def _is_text(head: bytes) -> bool:
    return b"\0" not in head


_NAMES: Mapping[FileKind, str] = {
    "gguf": "a GGUF file",
    "onnx": "an ONNX file",
    "ctranslate2": "a CTranslate2 model",
    "npz": "an .npz archive",
    "tflite": "a TensorFlow Lite model",
    "json": "a JSON file",
    "text": "a text file",
}

_MAGIC: Mapping[FileKind, Callable[[bytes], bool]] = {
    "gguf": lambda head: head.startswith(b"GGUF"),
    "onnx": _looks_like_onnx,
    "ctranslate2": _looks_like_ctranslate2,
    "npz": lambda head: head.startswith(b"PK\x03\x04"),
    "tflite": lambda head: head[4:8] == b"TFL3",
    "json": lambda head: head.lstrip()[:1] in {b"{", b"["},
    "text": _is_text,
}


def _take(file: BinaryIO, count: int) -> bytes:
    data = file.read(count)
    if len(data) < count:
        raise EOFError
    return data


def _number(file: BinaryIO, layout: str) -> int:
    return int(struct.unpack(f"<{layout}", _take(file, struct.calcsize(f"<{layout}")))[0])


def _count(file: BinaryIO, layout: str) -> int:
    value = _number(file, layout)
    if value > _COUNT_LIMIT:
        raise _Malformed
    return value


def _gguf_extent(file: BinaryIO) -> int:
    """Return where the last tensor ends; for a type that is not in the table, where it begins, and one byte of it."""
    file.seek(4)
    if _number(file, "I") not in {2, 3}:
        raise _Malformed
    tensors, values = _count(file, "Q"), _count(file, "Q")
    alignment = 32
    for _ in range(values):
        name = _take(file, _count(file, "Q"))
        kind = _number(file, "I")
        if name == _GGUF_ALIGNMENT.encode() and kind == 4:
            alignment = _number(file, "I")
        else:
            _skip_gguf_value(file, kind)
    end = max((_gguf_tensor_end(file) for _ in range(tensors)), default=0)
    start = -(-file.tell() // max(1, alignment)) * max(1, alignment)
    return start + end


def _gguf_tensor_end(file: BinaryIO) -> int:
    """Read one entry of the table of tensors: name, shape, type, offset."""
    file.seek(_count(file, "Q"), os.SEEK_CUR)
    values = math.prod(_number(file, "Q") for _ in range(_count(file, "I")))
    block, size = _GGML_BLOCKS.get(_number(file, "I"), (values, 1))
    return _number(file, "Q") + values // max(1, block) * size


def _skip_gguf_value(file: BinaryIO, kind: int) -> None:
    if kind == _GGUF_STRING:
        file.seek(_count(file, "Q"), os.SEEK_CUR)
    elif kind == _GGUF_ARRAY:
        _skip_gguf_array(file)
    elif kind in _GGUF_SIZES:
        file.seek(_GGUF_SIZES[kind], os.SEEK_CUR)
    else:
        raise _Malformed


def _skip_gguf_array(file: BinaryIO) -> None:
    kind, count = _number(file, "I"), _count(file, "Q")
    if kind in _GGUF_SIZES:
        file.seek(_GGUF_SIZES[kind] * count, os.SEEK_CUR)
        return
    for _ in range(count):
        _skip_gguf_value(file, kind)


def _onnx_extent(file: BinaryIO) -> int:
    """Walk the outermost fields of the message; the graph is one of them, with its length in front."""
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    end = 0
    while end < size:
        kind = _varint(file) & 7
        if kind == 0:
            _varint(file)
        elif kind == 2:
            file.seek(_varint(file), os.SEEK_CUR)
        elif kind in {1, 5}:
            file.seek(8 if kind == 1 else 4, os.SEEK_CUR)
        else:
            raise _Malformed
        end = file.tell()
    return end


def _varint(file: BinaryIO) -> int:
    value = 0
    for shift in range(0, 70, 7):
        byte = _take(file, 1)[0]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value
    raise _Malformed


def _ctranslate2_extent(file: BinaryIO) -> int:
    """Walk the table of variables: name, shape, type, length, data."""
    version = _number(file, "I")
    if version < 4:
        return 0  # older layouts state no lengths in bytes
    _skip_string(file)
    file.seek(4, os.SEEK_CUR)
    for _ in range(_count(file, "I")):
        _skip_string(file)
        file.seek(4 * _take(file, 1)[0] + 1, os.SEEK_CUR)
        file.seek(_number(file, "I"), os.SEEK_CUR)
    for _ in range(_count(file, "I")):
        _skip_string(file)
        _skip_string(file)
    return file.tell()


def _skip_string(file: BinaryIO) -> None:
    file.seek(_number(file, "H"), os.SEEK_CUR)


def _npz_extent(file: BinaryIO) -> int:
    """Open the archive's directory, which stands at its end."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile as error:
        raise EOFError from error
    if not names:
        raise _Malformed
    return 0


def _json_extent(file: BinaryIO) -> int:
    json.load(file)
    return 0


_WALKS: Mapping[FileKind, Callable[[BinaryIO], int]] = {
    "gguf": _gguf_extent,
    "onnx": _onnx_extent,
    "ctranslate2": _ctranslate2_extent,
    "npz": _npz_extent,
    "json": _json_extent,
}
