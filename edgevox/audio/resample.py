"""Changing the rate of sound as it streams, and bringing its channels to one.

Wraps soxr: anti-aliased, about 30 ms behind at 48 kHz. No sample is lost or doubled: `flush` returns what is still
inside, and the total length is exact.
"""

# pyright: reportUnknownMemberType=false
# soxr's stubs leave the element type of its arrays open.

from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from edgevox.audio.backend import Block
    from edgevox.core.frames import Samples

QUALITY = "HQ"


class Resampler:
    """Mono sound from one rate to another, block by block. One thread owns it.

    Args:
        rate_in: samples per second of what comes.
        rate_out: samples per second of what shall go on.

    Raises:
        LibraryMissing: soxr is not installed.
    """

    def __init__(self, rate_in: float, rate_out: float) -> None:
        self.rate_in = rate_in
        self.rate_out = rate_out
        self._stream = None if rate_in == rate_out else _soxr().ResampleStream(
            rate_in, rate_out, 1, dtype="float32", quality=QUALITY
        )  # fmt: skip

    def process(self, samples: "Samples") -> "Samples":
        """Return what `samples` bring; may be empty, since the filter keeps some back."""
        if self._stream is None:
            return samples
        block = np.ascontiguousarray(samples, dtype=np.float32)
        return cast("Samples", self._stream.resample_chunk(block, last=False))

    def flush(self) -> "Samples":
        """Return what is still inside and begin anew."""
        if self._stream is None:
            return np.zeros(0, dtype=np.float32)
        rest = cast("Samples", self._stream.resample_chunk(np.zeros(0, dtype=np.float32), last=True))
        self._stream.clear()
        return rest

    def reset(self) -> None:
        """Forget what is inside and begin anew."""
        if self._stream is not None:
            self._stream.clear()


def resample(samples: "Samples", rate_in: float, rate_out: float) -> "Samples":
    """Return all of `samples`, mono, at another rate."""
    if rate_in == rate_out or len(samples) == 0:
        return samples
    block = np.ascontiguousarray(samples, dtype=np.float32)
    return cast("Samples", _soxr().resample(block, rate_in, rate_out, quality=QUALITY))


def to_mono(block: "Block", channel: int | None = None) -> "Samples":
    """Return one channel of a block, or a mix.

    Devices with more than two channels are arrays of microphones: the first channel is the processed one, later ones
    are raw capsules or the loudspeaker itself, so it alone is taken.

    Args:
        block: shape (frames, channels).
        channel: which one, from 0; the last one if there are fewer. `None` mixes.
    """
    channels = block.shape[1]
    if channels == 1:
        return block[:, 0]
    if channel is not None:
        return block[:, min(channel, channels - 1)]
    if channels > 2:
        return block[:, 0]
    return cast("Samples", block.mean(axis=1, dtype=np.float32))


def _soxr() -> Any:
    try:
        import soxr
    except ImportError as error:
        from edgevox.audio.failures import library_missing

        raise library_missing(error) from error
    return soxr
