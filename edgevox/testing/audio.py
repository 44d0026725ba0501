"""A sound library without sound: devices with the quirks of real ones, whose microphone hears what a test says.

`FakeAudioBackend` goes where PortAudio would; `MicFake` and `FakeSpeaker` go where a whole microphone or loudspeaker
would.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from edgevox.audio.backend import BackendError, InputCallback, PortAudioCode, StreamRequest
from edgevox.audio.device_info import DeviceInfo
from edgevox.audio.files import NullSpeaker
from edgevox.audio.resample import resample
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.core.frames import Samples


@dataclass(frozen=True, slots=True, kw_only=True)
class FakeDevice:
    """A device and what it accepts."""

    name: str = "Fake device"
    host: str = "ALSA"
    rates: frozenset[int] = frozenset({48_000})
    """Rates it accepts; the smallest is its own."""
    min_in: int = 1
    max_in: int = 1
    min_out: int = 1
    max_out: int = 1
    default: bool = True
    error: int = 0
    """PortAudio's number for a refusal that every attempt meets; 0 for none."""
    error_text: str = "Unanticipated host error"

    def info(self, index: int) -> DeviceInfo:
        """The device as a list shows it."""
        return DeviceInfo(
            name=self.name, host=self.host, index=index, max_inputs=self.max_in, max_outputs=self.max_out,
            default_rate=min(self.rates), default_input=self.default and self.max_in > 0,
            default_output=self.default and self.max_out > 0,
        )  # fmt: skip


class FakeAudioBackend:
    """A sound library with the devices it is given.

    Args:
        devices: what is plugged in.
        rates: the rates of the one device that there is when `devices` is not given.
        refuse: called with every request and the number of the attempt, from 1; a number it returns is the refusal.
        room_s: how much sound the loudspeaker holds.
    """

    def __init__(
        self,
        devices: Sequence[FakeDevice] | None = None,
        *,
        rates: Iterable[int] = (48_000,),
        refuse: Callable[[StreamRequest, int], int] = lambda _request, _attempt: 0,
        room_s: float = 0.08,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self.plugged = list(devices) if devices is not None else [FakeDevice(rates=frozenset(rates))]
        """What is plugged in now; the library sees a change after `rescan`."""
        self.inputs: list[FakeInput] = []
        """Every microphone that was opened, in order."""
        self.outputs: list[FakeOutput] = []
        """Every loudspeaker that was opened, in order."""
        self.requests: list[StreamRequest] = []
        """Every attempt to open something, in order."""
        self.rescans = 0
        self.abandoned = False
        self.refuse = refuse
        self.room_s = room_s
        self._clock = clock
        self._seen = list(self.plugged)

    def devices(self) -> Sequence[DeviceInfo]:
        """What the library saw at its last look."""
        return [device.info(index) for index, device in enumerate(self._seen)]

    def open_input(self, request: StreamRequest, callback: InputCallback) -> "FakeInput":
        """Open a microphone."""
        device = self._check(request, lambda d: (d.min_in, d.max_in))
        self.inputs.append(FakeInput(request, callback, device))
        return self.inputs[-1]

    def open_output(self, request: StreamRequest) -> "FakeOutput":
        """Open a loudspeaker."""
        self._check(request, lambda d: (d.min_out, d.max_out))
        self.outputs.append(FakeOutput(request, self.room_s, self._clock))
        return self.outputs[-1]

    def can_see(self, device: DeviceInfo) -> bool:
        """Whether a fresh look finds the device."""
        return any(plugged.info(0).same_device(device) for plugged in self.plugged)

    def rescan(self) -> None:
        """Look again; refuses while a stream is open, as PortAudio would end it."""
        if any(not stream.closed for stream in (*self.inputs, *self.outputs)):
            raise BackendError(-9999, "a stream would be lost")
        self.rescans += 1
        self._seen = list(self.plugged)

    def abandon(self) -> None:
        """Note that a stream hangs."""
        self.abandoned = True

    def unplug(self, name: str) -> None:
        """Take a device away: its streams fall silent and refuse."""
        self.plugged = [device for device in self.plugged if device.name != name]
        for stream in (*self.inputs, *self.outputs):
            if stream.request.device.name == name:
                stream.gone = True

    def plug(self, device: FakeDevice) -> None:
        """Plug a device in; the library sees it after the next `rescan`."""
        self.plugged.append(device)

    @property
    def microphone(self) -> "FakeInput":
        """The microphone that was opened last."""
        return self.inputs[-1]

    @property
    def loudspeaker(self) -> "FakeOutput":
        """The loudspeaker that was opened last."""
        return self.outputs[-1]

    def _check(self, request: StreamRequest, limits: "Callable[[FakeDevice], tuple[int, int]]") -> FakeDevice:
        self.requests.append(request)
        if code := self.refuse(request, len(self.requests)):
            raise BackendError(code, "refused")
        device = next((d for d in self.plugged if d.info(0).same_device(request.device)), None)
        if device is None:
            raise BackendError(PortAudioCode.INVALID_DEVICE, "Invalid device")
        if device.error:
            raise BackendError(device.error, device.error_text)
        if request.rate not in device.rates:
            raise BackendError(PortAudioCode.INVALID_RATE, "Invalid sample rate")
        least, most = limits(device)
        if not least <= request.channels <= most:
            raise BackendError(PortAudioCode.INVALID_CHANNELS, "Invalid number of channels")
        return device


class FakeInput:
    """An open microphone that hears what a test says."""

    def __init__(self, request: StreamRequest, callback: InputCallback, device: FakeDevice) -> None:
        self.request = request
        self.device = device
        self.active = False
        self.closed = False
        self.gone = False
        """A microphone that is gone brings nothing more and says nothing about it."""
        self.hangs = threading.Event()
        """While this is set, closing takes for ever."""
        self.latency_s = request.latency_s
        self._callback = callback

    def start(self) -> None:
        """Begin to capture."""
        self.active = True

    def abort(self) -> None:
        """Stop."""
        _hang_while(self.hangs)
        self.active = False

    def close(self) -> None:
        """Let go."""
        self.active, self.closed = False, True

    def hear(self, samples: "Samples", rate: int = SAMPLE_RATE, *, overflows: Iterable[int] = ()) -> None:
        """Bring mono sound in blocks, as the device has it: at its rate, on all its channels.

        Args:
            samples: shape (n,).
            rate: samples per second of `samples`.
            overflows: numbers of the blocks, from 0, before which the device says that it lost sound.
        """
        self.deliver(resample(samples, rate, self.request.rate)[:, np.newaxis], overflows=overflows)

    def deliver(self, frames: "NDArray[np.float32]", *, overflows: Iterable[int] = ()) -> None:
        """Bring frames at the device's rate, shape (n, channels); one channel goes to all. The last block is short."""
        lost = frozenset(overflows)
        block = self.request.block
        for number, start in enumerate(range(0, len(frames), block)):
            if not self.active or self.gone:
                return
            part = np.repeat(frames[start : start + block], self.request.channels // frames.shape[1], axis=1)
            self._callback(part, number in lost)


class FakeOutput:
    """An open loudspeaker that plays in real time and keeps what it played."""

    def __init__(self, request: StreamRequest, room_s: float, clock: Clock) -> None:
        self.request = request
        self.latency_s = room_s
        self.closed = False
        self.gone = False
        """A loudspeaker that is gone refuses every write."""
        self.stuck = False
        """A loudspeaker that is stuck has no room any more and says nothing about it."""
        self.hangs = threading.Event()
        """While this is set, closing takes for ever."""
        self.starts = 0
        self.aborts = 0
        self.underflows: deque[bool] = deque()
        """What the next writes say about a dry device."""
        self._clock = clock
        self._blocks: list[tuple[float, NDArray[np.float32]]] = []
        self._ends_at = 0.0
        self._running = False

    @property
    def played(self) -> "Samples":
        """Everything that was written and not cut off, silence included, first channel."""
        if not self._blocks:
            return np.zeros(0, dtype=np.float32)
        return np.concatenate([block[:, 0] for _, block in self._blocks])

    @property
    def channels_written(self) -> set[int]:
        """How many channels the blocks had."""
        return {block.shape[1] for _, block in self._blocks}

    def start(self) -> None:
        """Begin."""
        self._refuse_if_gone()
        if self._running:
            raise BackendError(-9982, "Stream is not stopped")
        self._running = True
        self.starts += 1

    def room(self) -> int:
        """Frames it takes now."""
        self._refuse_if_gone()
        if self.stuck:
            return 0
        waiting = max(0.0, self._ends_at - self._clock.monotonic())
        return max(0, int((self.latency_s - waiting) * self.request.rate))

    def write(self, block: "NDArray[np.float32]") -> bool:
        """Take a block."""
        self._refuse_if_gone()
        if not self._running:
            raise BackendError(-9983, "Stream is stopped")
        now = self._clock.monotonic()
        self._ends_at = max(self._ends_at, now) + len(block) / self.request.rate
        self._blocks.append((now, block.copy()))
        return self.underflows.popleft() if self.underflows else False

    def abort(self) -> None:
        """Fall silent: what was not played yet is lost."""
        _hang_while(self.hangs)
        self.aborts += 1
        self._running = False
        waiting = max(0.0, self._ends_at - self._clock.monotonic())
        self._cut(round(waiting * self.request.rate))
        self._ends_at = 0.0

    def close(self) -> None:
        """Let go."""
        self.closed = True
        self._running = False

    def _cut(self, frames: int) -> None:
        while frames > 0 and self._blocks:
            at, block = self._blocks.pop()
            if len(block) > frames:
                self._blocks.append((at, block[:-frames]))
            frames -= len(block)

    def _refuse_if_gone(self) -> None:
        if self.gone or self.closed:
            raise BackendError(PortAudioCode.HOST_ERROR, "Unanticipated host error")


class MicFake:
    """A `MicrophoneSource` that brings what a test says, at 16 kHz.

    Args:
        sound: what it brings first, shape (n,).
        ends: end after what was said, as a recording does; otherwise wait for more.
        error: what opening raises.
    """

    def __init__(self, sound: "Samples | None" = None, *, ends: bool = True, error: Exception | None = None) -> None:
        self.is_open = False
        self.ends = ends
        self._error = error
        self._rest = np.zeros(0, dtype=np.float32) if sound is None else sound.astype(np.float32)
        self._ready = threading.Condition()
        self._closed = False

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._closed or (self.ends and len(self._rest) == 0)

    def open(self) -> None:
        """Open, or raise what it was told to."""
        if self._error is not None:
            raise self._error
        self.is_open = True

    def say(self, sound: "Samples") -> None:
        """Bring more sound, shape (n,)."""
        with self._ready:
            self._rest = np.concatenate([self._rest, sound.astype(np.float32)])
            self._ready.notify_all()

    def read(self, timeout: float) -> "Samples | None":
        """Return up to 32 ms."""
        with self._ready:
            self._ready.wait_for(lambda: len(self._rest) > 0 or self.ended, timeout)
            if self._closed or len(self._rest) == 0:
                return None
            samples, self._rest = self._rest[:VAD_FRAME], self._rest[VAD_FRAME:]
            return samples

    def close(self) -> None:
        """Close."""
        with self._ready:
            self._closed = True
            self.is_open = False
            self._ready.notify_all()


class FakeSpeaker(NullSpeaker):
    """A `SpeakerSink` that keeps what it was given.

    Args:
        realtime: take as long as a device would, so that it can be interrupted.
    """

    def __init__(self, *, realtime: bool = False, clock: Clock = SYSTEM_CLOCK) -> None:
        super().__init__(realtime=realtime, clock=clock)
        self.pieces: list[tuple[Samples, int]] = []
        """Pieces of sound and their rates."""
        self.flushed = 0

    def flush(self) -> None:
        """Note it, and forget what was not heard."""
        self.flushed += 1
        super().flush()

    def _keep(self, samples: "Samples", rate: int) -> None:
        self.pieces.append((samples.copy(), rate))


def _hang_while(event: threading.Event) -> None:
    while event.is_set():
        time.sleep(0.005)
