"""Opening a device the way it wants to be opened: its own rate and channels first, others when it refuses.

The order of the attempts is the whole of what this module knows. A device that refuses everything is tried once more
as the system's default.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from edgevox.audio.backend import BackendError, DeviceInfo, Direction, PortAudioCode, StreamRequest
from edgevox.audio.device_info import default_device, find_device, noun_of
from edgevox.audio.failures import device_error
from edgevox.audio.system import AudioSystem

USUAL_RATES = (48_000, 44_100, 32_000, 16_000, 96_000, 24_000, 22_050, 11_025, 8_000, 192_000)

RESCAN_S = 10.0
"""How long the other streams may take to pause while a lost device is looked for, seconds."""

StreamT = TypeVar("StreamT")

Opener = Callable[[StreamRequest], StreamT]
"""Opens and starts a stream. Raises `BackendError`."""

Shape = Callable[[int], tuple[int, float]]
"""Gives the frames of a block and the latency in seconds for a rate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened(Generic[StreamT]):
    """An open stream and how it came to be open."""

    stream: StreamT
    request: StreamRequest
    note: str = ""
    """One sentence when it is not the device that was asked for."""

    @property
    def device(self) -> DeviceInfo:
        """The device."""
        return self.request.device


def open_device(
    system: AudioSystem, wanted: str | None, direction: Direction, shape: Shape, opener: "Opener[StreamT]"
) -> "Opened[StreamT]":
    """Open the device that `wanted` names, or the default one when it refuses.

    Args:
        system: the sound system.
        wanted: `host:name`, a name, a part of it; `None` is the default.
        direction: whether it shall capture or play.
        shape: block and latency for a rate.
        opener: opens and starts.

    Raises:
        DeviceError, LibraryMissing: one sentence that says why and what to do.
    """
    infos = system.devices()
    device = find_device(infos, wanted, direction)
    try:
        return open_exactly(device, direction, shape, opener)
    except BackendError as error:
        other = default_device(infos, direction)
        refused = device_error(error, direction, device.name)
        if other is None or other.same_device(device):
            raise refused from error
        return _open_default(other, refused, direction, shape, opener)


def open_exactly(
    device: DeviceInfo, direction: Direction, shape: Shape, opener: "Opener[StreamT]"
) -> "Opened[StreamT]":
    """Open this device and no other, at the first rate and number of channels that it takes.

    Raises:
        BackendError: the refusal of the last attempt.
    """
    rates = _unique(device.default_rate, *USUAL_RATES)
    channels = _unique(*_channels(device, direction))
    rate, count = next(rates), next(channels)
    while True:
        block, latency = shape(rate)
        request = StreamRequest(device=device, rate=rate, channels=count, block=block, latency_s=latency)
        try:
            return Opened(stream=opener(request), request=request)
        except BackendError as error:
            # Each refusal moves on by what was refused, so that a device with one format is found in a few attempts.
            match error.code:
                case PortAudioCode.INVALID_RATE:
                    rate = _next_or_raise(rates, error)
                case PortAudioCode.INVALID_CHANNELS:
                    count = _next_or_raise(channels, error)
                case _:
                    raise


def open_again(
    system: AudioSystem, lost: DeviceInfo, direction: Direction, shape: Shape, opener: "Opener[StreamT]"
) -> "Opened[StreamT] | None":
    """Open the very device that was lost, looking for it afresh when the library does not know it any more.

    Returns:
        The open stream; `None` while the device is not there.

    Raises:
        BackendError: it is there and refuses.
    """
    known = _find_again(system, lost)
    if known is None and system.backend.can_see(lost) and system.rescan(RESCAN_S):
        known = _find_again(system, lost)
    return open_exactly(known, direction, shape, opener) if known is not None else None


def _find_again(system: AudioSystem, lost: DeviceInfo) -> DeviceInfo | None:
    return next((device for device in system.devices() if device.same_device(lost)), None)


def _open_default(
    device: DeviceInfo, refused: Exception, direction: Direction, shape: Shape, opener: "Opener[StreamT]"
) -> "Opened[StreamT]":
    try:
        opened = open_exactly(device, direction, shape, opener)
    except BackendError:
        raise refused from None
    note = f"{refused} Until then the default {noun_of(direction)} “{device.name}” is used."
    return Opened(stream=opened.stream, request=opened.request, note=note)


def _channels(device: DeviceInfo, direction: Direction) -> tuple[int, ...]:
    most = device.channels(direction)
    return (1, most) if direction == "input" else (1, min(2, most), most)


def _unique(*numbers: int) -> Iterator[int]:
    return iter(dict.fromkeys(numbers))


def _next_or_raise(choices: Iterator[int], error: BackendError) -> int:
    following = next(choices, None)
    if following is None:
        raise error
    return following
