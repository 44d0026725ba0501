"""Files that look like models and hold nothing: well-formed to the last table, a few kilobytes long."""

import random
import struct


def gguf_file(size: int = 4096, *, seed: int = 0) -> bytes:
    """Return a GGUF file with a name, a vocabulary of three and one tensor that fills it up to `size` bytes."""
    values = [
        _gguf_string("general.name") + struct.pack("<I", 8) + _gguf_string("test"),
        _gguf_string("tokens") + struct.pack("<IIQ", 9, 8, 3) + b"".join(map(_gguf_string, ("a", "b", "c"))),
        _gguf_string("context") + struct.pack("<II", 4, 2048),
    ]
    start = b"GGUF" + struct.pack("<IQQ", 3, 1, len(values)) + b"".join(values) + _gguf_string("weights")
    head_size = -(-(len(start) + 24) // 32) * 32
    data = _noise(seed, max(1, size - head_size))
    head = start + struct.pack("<IQIQ", 1, len(data), 24, 0)
    return head.ljust(head_size, b"\0") + data


def onnx_file(size: int = 2048, *, seed: int = 0) -> bytes:
    """Return an ONNX message: IR version, producer, and a graph of `size` bytes that says nothing."""
    graph = _noise(seed, size)
    return b"\x08\x08\x12\x04test" + b"\x3a" + _varint(len(graph)) + graph


def ctranslate2_file(size: int = 2048, *, seed: int = 0) -> bytes:
    """Return a CTranslate2 `model.bin` with one variable of `size` bytes and no alias."""
    data = _noise(seed, size)
    variable = _short_string("encoder/weight") + struct.pack("<BIBI", 1, size, 1, len(data)) + data
    return (
        struct.pack("<I", 6) + _short_string("WhisperSpec") + struct.pack("<II", 3, 1) + variable + struct.pack("<I", 0)
    )


def _noise(seed: int, size: int) -> bytes:
    return random.Random(seed).randbytes(size)  # noqa: S311 - the same bytes every time, for tests


def _gguf_string(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def _short_string(text: str) -> bytes:
    return struct.pack("<H", len(text) + 1) + text.encode() + b"\0"


def _varint(value: int) -> bytes:
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*data, value])
