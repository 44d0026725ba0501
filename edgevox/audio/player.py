"""One open output stream and the thread that feeds it.

Moves sound from the buffer to the device in short writes as soon as there is room, so that it is hardly ever inside the
sound library when somebody wants silence; pads with silence, rests when nothing comes. What is lost and what is opened
again is `speaker`'s business.
"""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import numpy as np

from edgevox.audio.backend import BackendError, OutputStream, StreamRequest
from edgevox.audio.playback import PlaybackBuffer, PlayClock, ReferenceTap
from edgevox.audio.system import AudioSystem
from edgevox.core.clock import Clock
from edgevox.core.frames import SAMPLE_RATE

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

LEAD_S = 0.03
"""Silence is handed over when the device has less than this left, so that new sound never queues behind more."""
TAIL_S = 0.3
"""Silence that follows the last sound before the device rests, seconds."""
HANG_S = 2.0
"""A device that takes nothing for longer is gone, seconds."""
LOCK_S = 0.008
"""How long `silence` waits for a write to end before it aborts beside it, seconds."""
IDLE_S = 0.5
SLACK_S = 0.1
"""How much more a device may hold than it says, seconds."""


class Listens(Protocol):
    """Who hears what is played."""

    reference: "Callable[[Samples, float], object] | None"


class Player:
    """Plays what is put until it is let go.

    `put`, `forget`, `full`, `finished` and `heard_s` belong under the lock of `ready`.

    Args:
        listens: whose `reference` hears what is played.
        system: the sound system.
        request: how to open the device.
        ready: notified when there is sound to play or room for more.
        buffer_s: how much sound may wait.

    Raises:
        BackendError: the device refused.
    """

    def __init__(
        self,
        listens: Listens,
        system: AudioSystem,
        request: StreamRequest,
        clock: Clock,
        ready: threading.Condition,
        buffer_s: float,
    ) -> None:
        self.request = request
        self.underflows = 0
        self._listens = listens
        self._system = system
        self._clock = clock
        self._ready = ready
        self._buffer = PlaybackBuffer(request.rate, buffer_s)
        self._play_clock = PlayClock()
        self._tap: ReferenceTap | None = None
        self._stream: OutputStream = system.backend.open_output(request)
        self._device = threading.Lock()
        """Held while the device is started or written to; taken before the lock of `ready`, never inside it."""
        self._epoch = 0
        """Grows with every flush; a block from before it is not played."""
        self._aborts = 0
        """Flushes that have not reached the device yet; nothing is played before they have."""
        self._running = False
        self._fed = False
        """Whether sound followed sound without waiting, so that a dry device means a slow machine."""
        self._sounded_at = 0.0
        self._over = False
        self._stuck_since: float | None = None
        """Since when the device has had no room, or has been writing; `None` when neither."""

    @property
    def full(self) -> bool:
        """Whether there is no room for another slice."""
        return self._buffer.full

    @property
    def hangs(self) -> bool:
        """Whether the device has not taken a block for too long."""
        since = self._stuck_since
        return since is not None and self._clock.monotonic() - since > HANG_S

    def heard_s(self) -> float:
        """Return the seconds of sound that left the loudspeaker."""
        return self._play_clock.heard_s(self._clock.monotonic())

    @property
    def finished(self) -> bool:
        """Whether everything that was put has been heard."""
        return self._buffer.empty and self._play_clock.finished(self._clock.monotonic())

    def put(self, samples: "Samples", rate: int) -> None:
        """Add a slice of sound."""
        self._buffer.put(samples, rate)

    def forget(self) -> None:
        """Drop what was not heard; `silence` or `let_go` must follow."""
        self._epoch += 1
        self._aborts += 1
        self._running = False
        self._buffer.clear()
        self._play_clock.cut(self._clock.monotonic())

    def silence(self) -> None:
        """Make the device silent: beside a write that goes on, if that does not end within milliseconds."""
        locked = self._device.acquire(timeout=LOCK_S)
        try:
            self._stream.abort()
        except BackendError as error:
            log.debug("silencing the loudspeaker: %s", error)
        finally:
            if locked:
                self._device.release()
            with self._ready:
                self._aborts -= 1
                self._ready.notify_all()

    def run(self, failed: "Callable[[Player, BackendError], object]") -> None:
        """Start the thread. `failed(player, error)` is called on it when the device refuses."""
        threading.Thread(target=self._run, args=(failed,), name="audio-out", daemon=True).start()

    def let_go(self) -> None:
        """End the thread and close the device, which may hang."""
        with self._ready:
            self._over = True
            self._epoch += 1
            self._tap = None
            self._ready.notify_all()
        self._system.let_go(self._stream)

    def _run(self, failed: "Callable[[Player, BackendError], object]") -> None:
        while not self._over:
            with self._ready:
                epoch = self._epoch
                step = self._next_step(epoch)
            try:
                step(epoch)
            except BackendError as error:
                # A flush makes the device refuse the block that was on its way: that is no fault.
                if epoch == self._epoch:
                    failed(self, error)
                    return
            except Exception as error:  # whatever ends this thread must be said, or nothing is heard again
                log.exception("playing failed")
                failed(self, BackendError(0, str(error)))
                return

    def _next_step(self, epoch: int) -> Callable[[int], None]:
        """Wait until there is something to do and return it."""
        while not self._over and epoch == self._epoch:
            if not self._aborts and self._buffer.frames:
                return self._play
            self._fed = False
            if self._aborts or (not self._running and self._buffer.empty):
                self._ready.wait(IDLE_S)
            elif not self._wait_while_device_has_enough() and not self._buffer.finish():
                silent_for = self._clock.monotonic() - self._sounded_at
                return self._rest if silent_for > TAIL_S else self._pad
        return _nothing

    def _wait_while_device_has_enough(self) -> bool:
        """Whether something has happened that is worth another look."""
        spare = self._play_clock.ends_at - self._clock.monotonic() - LEAD_S
        return spare > 0 and self._running and self._ready.wait(spare)

    def _play(self, epoch: int) -> None:
        with self._device:
            if not self._begin(epoch):
                return
            full = self._stream.room() < self._piece
            if not full:
                self._play_piece(epoch)
        with self._ready:
            if full and epoch == self._epoch:
                self._note_full()
                self._ready.wait(self._piece / self.request.rate / 2)
            self._ready.notify_all()

    def _play_piece(self, epoch: int) -> None:
        with self._ready:
            if epoch != self._epoch:
                return
            samples = self._buffer.take(self._piece)
            now = self._sounded_at = self._clock.monotonic()
            starts_at = self._play_clock.starts_at(now)
            self._play_clock.handed(len(samples) / self.request.rate, now)
            fed, self._fed = self._fed, True
        self._tell_reference(samples, starts_at)
        if self._write(samples) and fed:
            self.underflows += 1

    def _note_full(self) -> None:
        """The device has no room: it holds about as much as it can, unless it has stopped taking anything."""
        now = self._clock.monotonic()
        holds = self._stream.latency_s
        self._play_clock.holds(holds - self.request.block / self.request.rate, holds + SLACK_S, now)
        if self._stuck_since is None:
            self._stuck_since = now
        elif now - self._stuck_since > HANG_S:
            raise BackendError(0, "it takes no sound any more")

    @property
    def _piece(self) -> int:
        """Frames of one write."""
        return max(1, self.request.block // 2)

    def _pad(self, epoch: int) -> None:
        silence = np.zeros(self._piece, dtype=np.float32)
        with self._device:
            if not self._begin(epoch):
                return
            with self._ready:
                if epoch != self._epoch:
                    return
                self._play_clock.handed(len(silence) / self.request.rate, self._clock.monotonic(), silence=True)
            self._finish_reference()
            self._write(silence)

    def _rest(self, epoch: int) -> None:
        with self._device:
            if epoch == self._epoch and self._running:
                self._stream.abort()
                self._running = False

    def _begin(self, epoch: int) -> bool:
        """Start the device if it rests. Returns whether the block may still be played."""
        if epoch != self._epoch:
            return False
        if not self._running:
            self._start()
            with self._ready:
                self._running = epoch == self._epoch
        return True

    def _start(self) -> None:
        try:
            self._stream.start()
        except BackendError:
            # A flush may have aborted while it was being started, and the library then believes that it still runs.
            self._stream.abort()
            self._stream.start()

    def _write(self, samples: "Samples") -> bool:
        """Write one block to every channel. Returns whether the device had run dry."""
        block = np.repeat(samples[:, np.newaxis], self.request.channels, axis=1)
        self._stuck_since = self._clock.monotonic()
        try:
            return self._stream.write(block)
        finally:
            self._stuck_since = None

    def _tell_reference(self, samples: "Samples", starts_at: float) -> None:
        if self._listens.reference is None or self._over:
            return
        if self._tap is None:
            self._tap = ReferenceTap(self.request.rate, SAMPLE_RATE)
        for piece, at in self._tap.feed(samples, starts_at):
            self._listens.reference(piece, at)

    def _finish_reference(self) -> None:
        tap, self._tap = self._tap, None
        if tap is not None and self._listens.reference is not None:
            for piece, at in tap.finish():
                self._listens.reference(piece, at)


def _nothing(_: int) -> None:
    """The step after everything has changed."""
