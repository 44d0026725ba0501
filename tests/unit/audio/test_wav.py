"""WAV files of every kind that programs write, and what is not one."""

import io
import struct
from pathlib import Path

import numpy as np
import pytest

from edgevox.audio.wav import WavWriter, read_wav
from edgevox.core.errors import UsageError

TONE = (0.5 * np.sin(2 * np.pi * 440 * np.arange(1600) / 16_000)).astype(np.float32)


def wav_bytes(
    body: bytes, *, tag: int = 1, channels: int = 1, rate: int = 16_000, bits: int = 16,
    extra: bytes = b"", before: bytes = b"", length: int | None = None,
) -> bytes:  # fmt: skip
    width = bits // 8 * channels
    fmt = struct.pack("<HHIIHH", tag, channels, rate, rate * width, width, bits) + extra
    chunks = struct.pack("<4sI", b"fmt ", len(fmt)) + fmt + before
    chunks += struct.pack("<4sI", b"data", len(body) if length is None else length) + body
    return struct.pack("<4sI4s", b"RIFF", 4 + len(chunks), b"WAVE") + chunks


def as_24_bit(samples: "np.ndarray[tuple[int], np.dtype[np.float32]]") -> bytes:
    whole = (samples * (1 << 23)).astype("<i4")
    return b"".join(int(value).to_bytes(3, "little", signed=True) for value in whole)


GUID_TAIL = b"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"
EXTENSIBLE_PCM = struct.pack("<HHIH", 22, 16, 4, 1) + GUID_TAIL

KINDS = {
    "8 bit": wav_bytes((TONE * 127 + 128).astype(np.uint8).tobytes(), bits=8),
    "16 bit": wav_bytes((TONE * 32767).astype("<i2").tobytes()),
    "24 bit": wav_bytes(as_24_bit(TONE), bits=24),
    "32 bit": wav_bytes((TONE * (2**31 - 1)).astype("<i4").tobytes(), bits=32),
    "float": wav_bytes(TONE.astype("<f4").tobytes(), tag=3, bits=32),
    "double": wav_bytes(TONE.astype("<f8").tobytes(), tag=3, bits=64),
    "extensible": wav_bytes((TONE * 32767).astype("<i2").tobytes(), tag=0xFFFE, extra=EXTENSIBLE_PCM),
    "with a list of tags": wav_bytes((TONE * 32767).astype("<i2").tobytes(), before=b"LIST\x05\x00\x00\x00INFOx\x00"),
    "of a killed writer": wav_bytes((TONE * 32767).astype("<i2").tobytes(), length=0),
    "of a stream": wav_bytes((TONE * 32767).astype("<i2").tobytes(), length=0xFFFFFFFF),
    "cut in a sample": wav_bytes((TONE * 32767).astype("<i2").tobytes() + b"\x01"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_wav_file_is_read(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    path.write_bytes(KINDS[kind])
    sound = read_wav(path)
    assert sound.rate == 16_000
    assert sound.block.shape == (1600, 1)
    assert np.abs(sound.block[:, 0] - TONE).max() < 0.02


def test_channels_are_kept_apart(tmp_path: Path) -> None:
    path = tmp_path / "stereo.wav"
    both = np.stack([TONE, -TONE], axis=1)
    path.write_bytes(wav_bytes((both * 32767).astype("<i2").tobytes(), channels=2, rate=44_100))
    sound = read_wav(path)
    assert sound.rate == 44_100
    assert np.abs(sound.block - both).max() < 0.001


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"fLaC" + bytes(40), "is a FLAC file"),
        (b"OggS" + bytes(40), "is an Ogg file"),
        (b"ID3\x04" + bytes(40), "is an MP3 file"),
        (b"\x00\x00\x00\x20ftypM4A " + bytes(40), "is an MP4 or M4A file"),
        (b"<!doctype html><html>", "is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "pointer of Git LFS"),
        (b"hello there, this is text", "of an unknown format"),
        (b"RIFF", "of an unknown format"),
    ],
)
def test_what_is_no_wav_file_is_named_with_the_command_that_converts_it(
    content: bytes, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "take one.wav"
    path.write_bytes(content)
    with pytest.raises(UsageError) as raised:
        read_wav(path)
    assert words in str(raised.value)
    assert "ffmpeg -i" in str(raised.value)


def test_an_empty_a_missing_and_a_soundless_file_are_told_apart(tmp_path: Path) -> None:
    empty, folder, soundless = tmp_path / "empty.wav", tmp_path, tmp_path / "none.wav"
    empty.write_bytes(b"")
    soundless.write_bytes(struct.pack("<4sI4s", b"RIFF", 4, b"WAVE"))
    for path, words in (
        (empty, "is empty"),
        (tmp_path / "missing.wav", "cannot be read: No such file"),
        (folder, "cannot be read"),
        (soundless, "without sound"),
    ):
        with pytest.raises(UsageError, match=words):
            read_wav(path)


def test_compressed_sound_is_refused_with_a_command(tmp_path: Path) -> None:
    path = tmp_path / "phone.wav"
    path.write_bytes(wav_bytes(bytes(100), tag=7, bits=8))
    with pytest.raises(UsageError, match=r"compressed sound \(format 7, 8 bits\); convert it: `ffmpeg"):
        read_wav(path)


def test_a_file_being_written_is_valid_at_every_moment(tmp_path: Path) -> None:
    path = tmp_path / "reply.wav"
    with path.open("wb") as file:
        writer = WavWriter(file, 24_000)
        assert len(read_wav(path).block) == 0
        for count in (1, 2, 3):
            writer.write(TONE)
            sound = read_wav(path)
            assert sound.rate == 24_000
            assert len(sound.block) == count * len(TONE)
            (riff,) = struct.unpack_from("<I", path.read_bytes(), 4)
            assert riff == path.stat().st_size - 8


def test_what_is_too_loud_is_clipped_and_what_is_no_number_is_silence() -> None:
    file = io.BytesIO()
    WavWriter(file, 16_000).write(np.array([2.0, -2.0, np.nan, 0.5], dtype=np.float32))
    assert list(np.frombuffer(file.getvalue()[44:], "<i2")) == [32767, -32767, 0, 16384]
