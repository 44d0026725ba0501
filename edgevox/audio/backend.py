"""The seam to the sound library: what edgevox asks of it, and the shape of its refusals.

`sounddevice_backend` wraps PortAudio; `edgevox.testing.FakeAudioBackend` is the other implementation. Nothing here
knows which one is used.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Protocol

from edgevox.audio.device_info import DeviceInfo, Direction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Block = NDArray[np.float32]
    """Interleaved sound as the device has it, shape (frames, channels), between -1 and 1."""

__all__ = [
    "AudioBackend",
    "BackendError",
    "DeviceInfo",
    "Direction",
    "InputCallback",
    "InputStream",
    "OutputStream",
    "PortAudioCode",
    "StreamRequest",
    "power_of_two_holding",
    "power_of_two_within",
]

InputCallback = Callable[["Block", bool], object]
"""Takes a block, valid during the call only, and whether the device lost sound before it."""


class PortAudioCode(IntEnum):
    """The refusals that edgevox tells apart (portaudio.h, `PaErrorCode`)."""

    HOST_ERROR = -9999
    INVALID_CHANNELS = -9998
    INVALID_RATE = -9997
    INVALID_DEVICE = -9996
    DEVICE_UNAVAILABLE = -9985


class BackendError(Exception):
    """The sound library refused.

    Args:
        code: its number for the refusal; 0 when it gave none.
        text: its words.
    """

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamRequest:
    """How a device shall be opened."""

    device: DeviceInfo
    rate: int
    """Samples per second and channel."""
    channels: int
    block: int
    """Frames per block, a power of two."""
    latency_s: float
    """How much sound may lie between program and device, seconds."""


class InputStream(Protocol):
    """An open microphone; its callback runs on a thread of the sound library."""

    def start(self) -> None:
        """Begin to capture. Raises `BackendError`."""
        ...

    def abort(self) -> None:
        """Stop at once."""
        ...

    def close(self) -> None:
        """Let the device go. May hang when the device is gone; `AudioSystem.let_go` takes care of that."""
        ...

    @property
    def active(self) -> bool:
        """Whether the library believes that it captures."""
        ...

    @property
    def latency_s(self) -> float:
        """Seconds between sound and callback, as the library says."""
        ...


class OutputStream(Protocol):
    """An open loudspeaker that is written to."""

    def start(self) -> None:
        """Begin to play what is written. Raises `BackendError`."""
        ...

    def room(self) -> int:
        """Frames that can be written without waiting. Raises `BackendError`."""
        ...

    def write(self, block: "Block") -> bool:
        """Hand a block over; blocks while the device is full. Returns whether the device had run dry before.

        Raises:
            BackendError: the device is gone, or the stream was aborted meanwhile.
        """
        ...

    def abort(self) -> None:
        """Fall silent at once and forget what was not played."""
        ...

    def close(self) -> None:
        """Let the device go. May hang when the device is gone; `AudioSystem.let_go` takes care of that."""
        ...

    @property
    def latency_s(self) -> float:
        """Seconds of sound that the device holds when it is full."""
        ...


class AudioBackend(Protocol):
    """The sound library of this process."""

    def devices(self) -> Sequence[DeviceInfo]:
        """Every device that was there when the library last looked.

        Raises:
            LibraryMissing: the library is not installed.
            BackendError: it does not start.
        """
        ...

    def open_input(self, request: StreamRequest, callback: InputCallback) -> InputStream:
        """Open a microphone, not started yet. Raises `BackendError`."""
        ...

    def open_output(self, request: StreamRequest) -> OutputStream:
        """Open a loudspeaker, not started yet. Raises `BackendError`."""
        ...

    def can_see(self, device: DeviceInfo) -> bool:
        """Whether a fresh look at the hardware finds a device of that name and host. May take a second."""
        ...

    def rescan(self) -> None:
        """Look for devices again. Every stream must be closed. Raises `BackendError`."""
        ...

    def abandon(self) -> None:
        """Never try to shut the library down again: a stream hangs in it."""
        ...


def power_of_two_within(frames: float) -> int:
    """Return the largest power of two that is not above `frames`: sound servers crackle with other periods."""
    return 1 << max(4, math.floor(math.log2(max(frames, 1.0))))


def power_of_two_holding(frames: float) -> int:
    """Return the smallest power of two that is not below `frames`."""
    return 1 << max(0, math.ceil(math.log2(max(frames, 1.0))))
