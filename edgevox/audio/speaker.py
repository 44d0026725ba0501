"""A loudspeaker at its own rate that falls silent at once and knows what was heard.

`write` fills a bounded buffer; one thread moves blocks from there to the device with blocking writes, so that a busy
interpreter starves nobody as long as the device holds enough. `flush` aborts the stream from whichever thread calls it.
Knows nothing of words.
"""

import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from edgevox.audio.backend import BackendError, DeviceInfo, StreamRequest, power_of_two_holding
from edgevox.audio.failures import device_error
from edgevox.audio.opening import Opened, open_again, open_device
from edgevox.audio.playback import SLICE_S
from edgevox.audio.player import Player
from edgevox.audio.recovery import DeviceState, Recovery, StateHook
from edgevox.audio.system import AudioSystem, default_system
from edgevox.core.cancel import CancelScope
from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import DeviceError, EdgeVoxError

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

MIN_BLOCK_S = 0.02
"""Shorter blocks crackle on sound servers, seconds."""
WAIT_S = 0.02
"""How often a wait looks at its scope, seconds."""

ReferenceHook = Callable[["Samples", float], object]
"""Takes sound at 16 kHz and the moment it begins to leave the loudspeaker, seconds on the monotonic clock."""
CutHook = Callable[[float], object]
"""Takes the moment at which the loudspeaker fell silent early: what was announced for later is not played."""


class Speaker:
    """A `SpeakerSink` over a real device.

    Args:
        device: `host:name`, a name or a part of it; `None` is the system's default.
        latency_ms: how much sound lies ready in the device; more survives a busier machine.
        buffer_s: how much `write` takes before it blocks.
        system: the sound system; the process's own when not given.
        on_change: called with the new state and one sentence when the device is lost or back.
        reference: hears everything that is played, for the echo guard.
        reference_cut: hears of every flush.
    """

    def __init__(
        self,
        device: str | None = None,
        *,
        latency_ms: float = 80.0,
        buffer_s: float = 1.0,
        system: AudioSystem | None = None,
        clock: Clock = SYSTEM_CLOCK,
        on_change: StateHook | None = None,
        reference: ReferenceHook | None = None,
        reference_cut: CutHook | None = None,
    ) -> None:
        self.on_change = on_change
        self.reference = reference
        self.reference_cut = reference_cut
        self._wanted = device
        self._latency_s = max(MIN_BLOCK_S, latency_ms / 1000)
        self._buffer_s = buffer_s
        self._system = system
        self._clock = clock
        self._state = DeviceState.CLOSED
        self._problem = ""
        self._unsaid = ""
        """A loss that no caller of `write` has been told of yet."""
        self._device: DeviceInfo | None = None
        self._player: Player | None = None
        self._recovery = Recovery()
        self._ready = threading.Condition(threading.RLock())
        self._suspended = False
        self._flushes = 0
        self._written_s = 0.0
        self._base_s = 0.0
        self._underflows = 0

    @property
    def state(self) -> DeviceState:
        """Whether it is closed, open or lost."""
        return self._state

    @property
    def problem(self) -> str:
        """One sentence about what is wrong, or which other device is used instead; empty when all is well."""
        return self._problem

    @property
    def underflows(self) -> int:
        """How often the device ran dry in the middle of sound: the machine was too slow."""
        player = self._player
        return self._underflows + (player.underflows if player else 0)

    @property
    def label(self) -> str:
        """The device and its rate, for a status line; empty while it is closed."""
        player = self._player
        return "" if player is None else f"{player.request.device.name} {player.request.rate / 1000:g} kHz"

    @property
    def written_s(self) -> float:
        """Seconds of sound handed over since it was opened, less what was flushed."""
        return self._written_s

    @property
    def heard_s(self) -> float:
        """Seconds of sound that left the loudspeaker since it was opened."""
        with self._ready:
            player = self._player
            if player is None:
                return self._base_s
            if player.finished:
                # Rounding to whole frames at the device's rate must not add up over the sentences of a day.
                self._base_s = self._written_s - player.heard_s()
            return min(self._base_s + player.heard_s(), self._written_s)

    def open(self) -> None:
        """Find the device. Opening twice is fine.

        Raises:
            DeviceError, LibraryMissing: one sentence that names the cause and what to do.
        """
        with self._ready:
            if self._state is not DeviceState.CLOSED:
                return
            opened = open_device(self._sound(), self._wanted, "output", self._shape, self._opener)
            self._device = opened.device
            self._written_s = self._base_s = 0.0
            self._use(opened)
            self._problem = opened.note
            self._sound().attach(self)
        if opened.note:
            self._tell(DeviceState.OPEN, opened.note)

    def write(self, samples: "Samples", sample_rate: int, *, scope: CancelScope) -> bool:
        """Hand sound over; blocks while the buffer is full.

        Args:
            samples: mono, float32, shape (n,).
            sample_rate: samples per second of `samples`.
            scope: its end drops what has not been handed over yet; so does a flush meanwhile.

        Returns:
            Whether all of it was handed over; False also while the device is lost.

        Raises:
            DeviceError: it is not open, or it was lost since the last call (said once).
        """
        self._say_loss()
        flushes, step = self._flushes, max(1, int(sample_rate * SLICE_S))
        return all(
            self._hand_over(samples[start : start + step], sample_rate, scope, flushes)
            for start in range(0, len(samples), step)
        )

    def flush(self) -> None:
        """Fall silent and forget what was not heard; from any thread, at once."""
        with self._ready:
            self._flushes += 1
            player = self._player
            if player is not None:
                self._forget(player)
            self._ready.notify_all()
        if player is not None:
            player.silence()
        if self.reference_cut is not None:
            self.reference_cut(self._clock.monotonic())

    def drain(self, scope: CancelScope) -> bool:
        """Wait until everything handed over has been heard. Returns False when the scope ended first."""
        while not scope.cancelled:
            if self._notice_hanging() or self._state is not DeviceState.OPEN:
                return True
            with self._ready:
                left = self._written_s - self.heard_s
                if left <= 0:
                    return True
                self._ready.wait(min(WAIT_S, max(left, 0.001)))
        return False

    def close(self) -> None:
        """Let the device go. Closing twice is fine, and a device that hangs is left behind."""
        with self._ready:
            if self._state is DeviceState.CLOSED:
                return
            self._state = DeviceState.CLOSED
            player = self._drop_player()
            self._ready.notify_all()
        self._sound().detach(self)
        if player is not None:
            player.let_go()

    def suspend(self, timeout: float) -> bool:
        """Finish what was handed over, then close the stream while devices are looked for; `write` waits meanwhile."""
        with self._ready:
            self._suspended = True
        with CancelScope() as scope:
            timer = threading.Timer(timeout, scope.cancel)
            timer.start()
            done = self.drain(scope)
            timer.cancel()
        with self._ready:
            if not done:
                self._suspended = False
                self._ready.notify_all()
                return False
            player = self._drop_player()
        if player is not None:
            player.let_go()
        return True

    def resume(self) -> None:
        """Open the stream again after devices were looked for."""
        reopened = self._state is not DeviceState.OPEN or self._reopen()
        with self._ready:
            self._suspended = False
            self._ready.notify_all()
        if not reopened:
            self._lose(None, "The loudspeaker is not there any more after the look for devices; text goes on.")

    def _hand_over(self, part: "Samples", rate: int, scope: CancelScope, flushes: int) -> bool:
        """Put one slice into the buffer when there is room."""
        while not scope.cancelled:
            if self._notice_hanging():
                return False
            with self._ready:
                if self._state is not DeviceState.OPEN or flushes != self._flushes:
                    return False
                player = self._player
                if player is not None and not self._suspended and not player.full:
                    player.put(part, rate)
                    self._written_s += len(part) / rate
                    self._ready.notify_all()
                    return True
                self._ready.wait(WAIT_S)
        return False

    def _say_loss(self) -> None:
        with self._ready:
            unsaid, self._unsaid = self._unsaid, ""
            if self._state is DeviceState.CLOSED:
                raise DeviceError("The loudspeaker is not open.")
        if unsaid:
            raise DeviceError(unsaid)

    def _notice_hanging(self) -> bool:
        player = self._player
        if player is None or not player.hangs:
            return False
        self._lose(player, f"The loudspeaker “{player.request.device.name}” takes no sound any more; text goes on.")
        return True

    def _player_failed(self, player: Player, error: BackendError) -> None:
        """Runs on the player's thread."""
        sentence = str(device_error(error, "output", player.request.device.name))
        self._lose(player, f"{sentence} Text goes on.")

    def _lose(self, player: Player | None, sentence: str) -> None:
        with self._ready:
            if self._state is not DeviceState.OPEN or self._player is not player:
                return
            self._state, self._problem, self._unsaid = DeviceState.LOST, sentence, sentence
            self._drop_player()
            self._recovery.lost(self._clock.monotonic())
            self._ready.notify_all()
        self._tell(DeviceState.LOST, sentence)
        if player is not None:
            player.let_go()
        threading.Thread(target=self._recover, name="audio-out-recovery", daemon=True).start()

    def _recover(self) -> None:
        """Try to get the device back until it is, or the loudspeaker is closed."""
        while self._state is DeviceState.LOST:
            with self._ready:
                self._ready.wait(WAIT_S)
            if not self._recovery.due(self._clock.monotonic()):
                continue
            if self._reopen():
                self._tell(DeviceState.OPEN, f"The loudspeaker “{self._device.name if self._device else ''}” is back.")
                return
            self._recovery.failed(self._clock.monotonic())

    def _reopen(self) -> bool:
        """Open the very device again, without the lock, so that stopping never waits for a device that is gone."""
        assert self._device is not None
        try:
            opened = open_again(self._sound(), self._device, "output", self._shape, self._opener)
        except (BackendError, EdgeVoxError) as error:
            log.info("the loudspeaker cannot be opened yet: %s", error)
            return False
        if opened is None:
            return False
        with self._ready:
            if self._state is not DeviceState.CLOSED:
                self._use(opened)
                return True
        opened.stream.let_go()
        return False

    def _sound(self) -> AudioSystem:
        if self._system is None:
            self._system = default_system()
        return self._system

    def _shape(self, rate: int) -> tuple[int, float]:
        block = power_of_two_holding(rate * MIN_BLOCK_S)
        blocks = max(2, power_of_two_holding(self._latency_s * rate / block * 0.75))
        return block, blocks * block / rate

    def _opener(self, request: StreamRequest) -> Player:
        return Player(self, self._sound(), request, self._clock, self._ready, self._buffer_s)

    def _use(self, opened: Opened[Player]) -> None:
        self._player = opened.stream
        self._state, self._problem, self._unsaid = DeviceState.OPEN, "", ""
        self._player.run(self._player_failed)
        self._ready.notify_all()

    def _forget(self, player: Player) -> None:
        """Take back what was not heard."""
        heard = self.heard_s
        player.forget()
        self._written_s = heard
        self._base_s = heard - player.heard_s()

    def _drop_player(self) -> Player | None:
        player = self._player
        if player is not None:
            self._forget(player)
            self._base_s = self._written_s
            self._underflows += player.underflows
            self._player = None
        return player

    def _tell(self, state: DeviceState, sentence: str) -> None:
        log.info("loudspeaker %s: %s", state, sentence)
        if self.on_change is not None:
            self.on_change(state, sentence)
