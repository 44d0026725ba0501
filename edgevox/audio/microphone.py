"""A microphone at its own rate, as mono sound at 16 kHz, with a watch that gets it back when it is lost.

The sound library's thread copies a block into a ring and leaves; the thread that reads mixes and resamples; a third
thread notices that nothing comes any more and opens the device again once it is back. Knows nothing of words.
"""

import logging
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from edgevox.audio.backend import BackendError, DeviceInfo, InputStream, StreamRequest, power_of_two_within
from edgevox.audio.failures import device_error
from edgevox.audio.opening import Opened, open_again, open_device
from edgevox.audio.recovery import SILENT_AFTER_S, DeviceState, Recovery, StateHook
from edgevox.audio.resample import Resampler, to_mono
from edgevox.audio.ring import SampleRing
from edgevox.audio.system import AudioSystem, default_system
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import EdgeVoxError
from edgevox.core.frames import SAMPLE_RATE

if TYPE_CHECKING:
    from edgevox.audio.backend import Block
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

RING_S = 10.0
"""How far the reader may fall behind before sound is lost, seconds."""
LATENCY_BLOCKS = 2
WATCH_EVERY_S = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class MicrophoneCounts:
    """What went wrong without ending anything."""

    overflow: int = 0
    """Blocks before which the device lost sound: the machine was too slow."""
    dropped: int = 0
    """Frames lost because the reader was too slow."""
    recovered: int = 0
    """How often the device came back."""


class Microphone:
    """A `MicrophoneSource` over a real device.

    Args:
        device: `host:name`, a name or a part of it; `None` is the system's default.
        channel: which channel, from 0; `None` mixes.
        block_ms: longest wished length of a block; the largest power of two within it is used.
        system: the sound system; the process's own when not given.
        on_change: called with the new state and one sentence, from the watching thread.
        watch: whether a thread watches; without one, call `check` yourself.
    """

    def __init__(
        self,
        device: str | None = None,
        *,
        channel: int | None = None,
        block_ms: float = 32.0,
        system: AudioSystem | None = None,
        clock: Clock = SYSTEM_CLOCK,
        on_change: StateHook | None = None,
        watch: bool = True,
    ) -> None:
        self.on_change = on_change
        self._wanted = device
        self._channel = channel
        self._block_s = block_ms / 1000
        self._system = system
        self._clock = clock
        self._watches = watch
        self._state = DeviceState.CLOSED
        self._problem = ""
        self._capture: _Capture | None = None
        self._device: DeviceInfo | None = None
        self._recovery = Recovery()
        self._lock = threading.RLock()
        self._changed = threading.Condition()
        self._closing = threading.Event()
        self._past = MicrophoneCounts()
        self._reading: _Reading | None = None

    @property
    def state(self) -> DeviceState:
        """Whether it is closed, open or lost."""
        return self._state

    @property
    def problem(self) -> str:
        """One sentence about what is wrong, or which other device is used instead; empty when all is well."""
        return self._problem

    @property
    def counts(self) -> MicrophoneCounts:
        """What went wrong since it was made."""
        now, past = self._capture, self._past
        return past if now is None else _add(past, now)

    @property
    def label(self) -> str:
        """The device and its rates, for a status line; empty while it is closed."""
        capture = self._capture
        if capture is None:
            return ""
        rate = capture.request.rate
        if rate == SAMPLE_RATE:
            return f"{capture.request.device.name} 16 kHz"
        return f"{capture.request.device.name} {rate / 1000:g}→16 kHz"

    @property
    def ended(self) -> bool:
        """A device never ends by itself; it ends when it is closed."""
        return self._closing.is_set()

    def open(self) -> None:
        """Find the device and start capturing. Opening twice is fine.

        Raises:
            DeviceError, LibraryMissing: one sentence that names the cause and what to do.
        """
        with self._lock:
            if self._state is not DeviceState.CLOSED:
                return
            system = self._sound()
            opened = open_device(system, self._wanted, "input", self._shape, self._opener)
            self._device = opened.device
            self._closing.clear()
            self._use(opened)
            self._state, self._problem = DeviceState.OPEN, opened.note
            system.attach(self)
        if opened.note:
            self._tell(DeviceState.OPEN, opened.note)
        if self._watches:
            threading.Thread(target=self._watch, name="audio-watch", daemon=True).start()

    def read(self, timeout: float) -> "Samples | None":
        """Return the next samples at 16 kHz; `None` when none came in time, or the device is closed."""
        while (samples := self._read_once(timeout)) is not None:
            if len(samples):
                return samples
        return None

    def close(self) -> None:
        """Let the device go. Closing twice is fine, and a device that hangs is left behind."""
        with self._lock:
            self._closing.set()
            self._state = DeviceState.CLOSED
            if self._system is not None:
                self._system.detach(self)
            self._drop_capture()
            self._reading = None
        with self._changed:
            self._changed.notify_all()

    def check(self) -> None:
        """Look whether the device still brings sound, and try to get it back when it does not."""
        with self._lock:
            change = self._judge(self._clock.monotonic())
            overdue = self._state is DeviceState.LOST and self._capture is None
        if change is not None:
            self._tell(*change)
        elif overdue and self._recovery.due(self._clock.monotonic()) and not self._reopen():
            self._recovery.failed(self._clock.monotonic())

    def suspend(self, timeout: float) -> bool:  # noqa: ARG002 - a microphone has nothing to finish
        """Close the stream while devices are looked for."""
        with self._lock:
            self._drop_capture()
        return True

    def resume(self) -> None:
        """Open the stream again after devices were looked for."""
        if self._state is not DeviceState.OPEN or self._reopen():
            return
        with self._lock:
            change = self._lose("The microphone is not there any more after the look for devices.")
        self._tell(*change)

    def _read_once(self, timeout: float) -> "Samples | None":
        """One attempt: `None` when nothing came, empty when the resampler kept it back."""
        capture, reading = self._capture, self._reading
        if reading is not None and reading.capture is not capture:
            self._reading = None
            if (rest := reading.finish()) is not None:
                return rest
        if capture is None:
            with self._changed:
                self._changed.wait_for(lambda: self._capture is not None or self.ended, timeout)
            return None
        if self._reading is None:
            self._reading = _Reading(capture, self._channel)
        return self._reading.read(timeout)

    def _judge(self, now: float) -> "tuple[DeviceState, str] | None":
        """Say what has changed, if anything has."""
        capture = self._capture
        silent = capture is None or now - capture.last_block_at >= SILENT_AFTER_S
        if self._state is DeviceState.OPEN and silent:
            name = self._device.name if self._device else ""
            return self._lose(f"The microphone “{name}” brings no sound any more; it comes back when it is plugged in.")
        if self._state is DeviceState.LOST and capture is not None:
            return self._judge_attempt(capture, now, silent=silent)
        return None

    def _judge_attempt(self, capture: "_Capture", now: float, *, silent: bool) -> "tuple[DeviceState, str] | None":
        """An open device counts as back only when sound comes from it."""
        if capture.ring.blocks > 0:
            self._past = replace(self._past, recovered=self._past.recovered + 1)
            self._state, self._problem = DeviceState.OPEN, ""
            return DeviceState.OPEN, f"The microphone “{capture.request.device.name}” is back."
        if silent:
            self._drop_capture()
            self._recovery.failed(now)
        return None

    def _lose(self, sentence: str) -> tuple[DeviceState, str]:
        self._drop_capture()
        self._state, self._problem = DeviceState.LOST, sentence
        self._recovery.lost(self._clock.monotonic())
        return DeviceState.LOST, sentence

    def _reopen(self) -> bool:
        """Open the very device again, looking for it afresh when the library does not know it.

        Runs without the lock, so that closing never waits for a device that is gone.
        """
        assert self._device is not None
        try:
            opened = open_again(self._sound(), self._device, "input", self._shape, self._opener)
        except BackendError as error:
            self._problem = str(device_error(error, "input", self._device.name))
            return False
        except EdgeVoxError as error:
            self._problem = str(error)
            return False
        if opened is None:
            return False
        with self._lock:
            if not self._closing.is_set():
                self._use(opened)
                return True
        self._sound().let_go(opened.stream.stream)
        return False

    def _sound(self) -> AudioSystem:
        if self._system is None:
            self._system = default_system()
        return self._system

    def _shape(self, rate: int) -> tuple[int, float]:
        block = power_of_two_within(rate * self._block_s)
        return block, LATENCY_BLOCKS * block / rate

    def _opener(self, request: StreamRequest) -> "_Capture":
        return _Capture(self._sound(), request, self._clock)

    def _use(self, opened: "Opened[_Capture]") -> None:
        self._capture = opened.stream
        with self._changed:
            self._changed.notify_all()

    def _drop_capture(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.ring.close()
            self._past = _add(self._past, capture)
            self._sound().let_go(capture.stream)

    def _watch(self) -> None:
        while not self._closing.wait(WATCH_EVERY_S):
            try:
                self.check()
            except Exception:  # the watch must go on: without it a lost microphone stays lost
                log.exception("watching the microphone failed")

    def _tell(self, state: DeviceState, sentence: str) -> None:
        log.info("microphone %s: %s", state, sentence)
        if self.on_change is not None:
            self.on_change(state, sentence)


class _Capture:
    """One open stream and the ring it fills."""

    def __init__(self, system: AudioSystem, request: StreamRequest, clock: Clock) -> None:
        self.request = request
        self.ring = SampleRing(int(RING_S * request.rate), request.channels)
        self.overflow = 0
        self._clock = clock
        self.last_block_at = clock.monotonic()
        self.stream: InputStream = system.backend.open_input(request, self._take)
        try:
            self.stream.start()
        except BackendError:
            system.let_go(self.stream)
            raise

    def _take(self, block: "Block", overflowed: bool) -> None:
        """Runs on the sound library's thread."""
        self.ring.put(block)
        self.last_block_at = self._clock.monotonic()
        if overflowed:
            self.overflow += 1


class _Reading:
    """The reader's side of one capture: its mix and its resampler."""

    def __init__(self, capture: _Capture, channel: int | None) -> None:
        self.capture = capture
        self._channel = channel
        self._resampler = Resampler(capture.request.rate, SAMPLE_RATE)

    def read(self, timeout: float) -> "Samples | None":
        block = self.capture.ring.get(timeout)
        return None if block is None else self._resampler.process(to_mono(block, self._channel))

    def finish(self) -> "Samples | None":
        """What the capture still held when another one took its place; `None` when nothing did."""
        import numpy as np

        parts = [part for part in (self.read(0), self._resampler.flush()) if part is not None and len(part)]
        return np.concatenate(parts) if parts else None


def _add(past: MicrophoneCounts, capture: _Capture) -> MicrophoneCounts:
    return MicrophoneCounts(
        overflow=past.overflow + capture.overflow,
        dropped=past.dropped + capture.ring.dropped,
        recovered=past.recovered,
    )
