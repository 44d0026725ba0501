"""Reading WAV files of any rate, width and number of channels, and writing 16-bit ones that are valid at every moment.

The standard library's reader refuses floating-point and extensible files; this one reads the four kinds that programs
write, and files whose writer was killed before it could note their length.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from edgevox.core.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.audio.backend import Block
    from edgevox.core.frames import Samples

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
"""Format tags (Microsoft, Multiple Channel Audio Data and WAVE Files, 2007)."""

HEADER_BYTES = 44

OTHER_FORMATS = (
    (b"fLaC", "a FLAC file"),
    (b"OggS", "an Ogg file"),
    (b"ID3", "an MP3 file"),
    (b"\xff\xfb", "an MP3 file"),
    (b"\xff\xf3", "an MP3 file"),
    (b"FORM", "an AIFF file"),
    (b".snd", "an AU file"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM file"),
    (b"NIST_1A", "a NIST Sphere file"),
    (b"version https://git-lfs", "a pointer of Git LFS, not the file itself"),
    (b"<", "a web page"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WavSound:
    """The sound of a file."""

    block: "Block"
    """Shape (frames, channels), between -1 and 1."""
    rate: int


def read_wav(path: Path) -> WavSound:
    """Read a WAV file.

    Raises:
        UsageError: there is no such file, or it is not a WAV file that can be read; the sentence says what it is.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"The recording {path} cannot be read: {error.strerror or error}.") from error
    if len(data) < 12 or data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise UsageError(_not_wav(path, data))
    chunks = _chunks(data)
    if b"fmt " not in chunks or b"data" not in chunks or len(chunks[b"fmt "]) < 16:
        raise UsageError(f"The recording {path} is a WAV file without sound in it; record it again.")
    return _decode(path, chunks[b"fmt "], chunks[b"data"])


class WavWriter:
    """Writes mono 16-bit sound, and after every block a header that says how much there is.

    Args:
        file: where to; opened for writing in binary, and seekable.
        rate: samples per second.

    Raises:
        OSError: the disk is full, or gone.
    """

    def __init__(self, file: BinaryIO, rate: int) -> None:
        self._file = file
        self._rate = rate
        self._bytes = 0
        self.write(np.zeros(0, dtype=np.float32))

    def write(self, samples: "Samples") -> None:
        """Append sound, shape (n,); what is beyond -1 and 1 is clipped."""
        data = np.round(np.clip(np.nan_to_num(samples), -1.0, 1.0) * 32767).astype("<i2").tobytes()
        self._file.seek(HEADER_BYTES + self._bytes)
        self._file.write(data)
        self._bytes += len(data)
        self._file.seek(0)
        self._file.write(self._header())
        self._file.flush()

    def _header(self) -> bytes:
        fmt = struct.pack("<4sIHHIIHH", b"fmt ", 16, PCM, 1, self._rate, 2 * self._rate, 2, 16)
        whole = struct.pack("<4sI4s", b"RIFF", HEADER_BYTES - 8 + self._bytes, b"WAVE")
        return whole + fmt + struct.pack("<4sI", b"data", self._bytes)


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """The first chunk of each kind. A length beyond the end means up to the end: the writer never finished."""
    found: dict[bytes, bytes] = {}
    position = 12
    while position + 8 <= len(data):
        kind = data[position : position + 4]
        (length,) = struct.unpack_from("<I", data, position + 4)
        body = data[position + 8 : position + 8 + length]
        if kind == b"data" and length == 0:
            body = data[position + 8 :]
        found.setdefault(kind, body)
        position += 8 + max(len(body), length if kind != b"data" else len(body)) + length % 2
    return found


def _decode(path: Path, fmt: bytes, body: bytes) -> WavSound:
    tag, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", fmt)
    if tag == EXTENSIBLE and len(fmt) >= 26:
        (tag,) = struct.unpack_from("<H", fmt, 24)
    width = bits // 8
    samples = _samples(tag, width, body[: len(body) // max(1, width * channels) * width * channels])
    if samples is None or channels == 0 or rate == 0:
        raise UsageError(
            f"The recording {path} holds compressed sound (format {tag}, {bits} bits); convert it: {_convert(path)}."
        )
    return WavSound(block=samples.reshape(-1, channels), rate=rate)


def _samples(tag: int, width: int, body: bytes) -> "NDArray[np.float32] | None":
    decode = _DECODERS.get((tag, width))
    return None if decode is None else decode(body)


def _three_bytes(body: bytes) -> "NDArray[np.float32]":
    wide = np.zeros((len(body) // 3, 4), np.uint8)
    wide[:, 1:] = np.frombuffer(body, np.uint8).reshape(-1, 3)
    return wide.view("<i4")[:, 0].astype(np.float32) / np.float32(1 << 31)


_DECODERS: "dict[tuple[int, int], Callable[[bytes], NDArray[np.float32]]]" = {
    (PCM, 1): lambda body: (np.frombuffer(body, np.uint8).astype(np.float32) - np.float32(128)) / np.float32(128),
    (PCM, 2): lambda body: np.frombuffer(body, "<i2").astype(np.float32) / np.float32(1 << 15),
    (PCM, 3): _three_bytes,
    (PCM, 4): lambda body: np.frombuffer(body, "<i4").astype(np.float32) / np.float32(1 << 31),
    (FLOAT, 4): lambda body: np.frombuffer(body, "<f4").astype(np.float32),
    (FLOAT, 8): lambda body: np.frombuffer(body, "<f8").astype(np.float32),
}
"""By format tag and bytes per sample."""


def _not_wav(path: Path, data: bytes) -> str:
    if not data:
        return f"The recording {path} is empty; record it again."
    if data[4:8] == b"ftyp":
        kind = "an MP4 or M4A file"
    else:
        kind = next((name for magic, name in OTHER_FORMATS if data.startswith(magic)), "of an unknown format")
    return f"The recording {path} is {kind}, and only WAV is read; convert it: {_convert(path)}."


def _convert(path: Path) -> str:
    return f"`ffmpeg -i {path.name} -ar 16000 -ac 1 {path.stem}-16k.wav`"
