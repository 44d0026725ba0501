"""The ear: sound in, speech out.

One thread takes the microphone's samples, lets the safety monitor hear them first, and cuts speech into utterances. It
knows nothing of words.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Protocol

from edgevox.core.clock import SYSTEM_CLOCK, Clock
from edgevox.core.errors import EdgeVoxError
from edgevox.core.frames import (
    SAMPLE_RATE,
    AudioFrame,
    EndFrame,
    Frame,
    PartialSpeechFrame,
    SpeechStartedFrame,
    StopFrame,
    UtteranceFrame,
)
from edgevox.core.ports import MicrophoneSource, VoiceActivityDetector
from edgevox.pipeline.queues import FrameQueue

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

READ_TIMEOUT_S = 0.1
COMPLETE_END_S = 0.3
"""Silence that ends an utterance whose words are a whole command already, seconds."""
LEVEL_EVERY = 3
"""Frames between two reports of the level: about ten a second."""


class Segmenter(Protocol):
    """Cuts a stream of judged frames into utterances (`edgevox.speech.segmenter`)."""

    partials: bool
    """Whether `PartialSpeechFrame`s are wanted."""

    def push(self, samples: "Samples", probability: float, at: float) -> list[Frame]:
        """Take one frame of 512 samples and return what it brought to an end."""
        ...

    def end_after(self, ended: float, seconds: float) -> None:
        """Say how long the silence that began at `ended` must last to end the utterance; from any thread."""
        ...

    def flush(self) -> list[Frame]:
        """End what is open: the recording is over."""
        ...

    def reset(self) -> None:
        """Forget what is open."""
        ...


class Echo(Protocol):
    """Tells the assistant's own voice from the person's (`edgevox.audio.echo`)."""

    def process(self, frame: "Samples", at: float) -> "tuple[Samples, bool]":
        """Return the frame, cleaned where possible, and whether it is only echo; `at` is when its last sample came."""
        ...


class Monitor(Protocol):
    """The safety monitor, as far as the ear and the hearing need it."""

    def process(self, frame: Frame) -> Iterator[Frame]:
        """Yield what may go on; a `StopFrame` when the frame asked to stop, which has then been done."""
        ...


class Listener:
    """Runs the listen thread.

    Args:
        microphone: where sound comes from, open; closed here when the thread ends.
        vad: the voice-activity detector, open; it is the caller's to close.
        segmenter: cuts speech into utterances.
        monitor: hears every frame first.
        outbox: where speech goes.
        echo: removes the assistant's own voice; `None` with headphones.
        wants_partials: whether somebody wants to look at speech before it ends (something speaks or moves).
        on_level: called about ten times a second with the level, 0 to 1.
        on_hearing: called with whether the person is speaking.
        on_lost: called with one sentence when the microphone fails, and with `None` when it is back.
        clock: where time comes from.
    """

    def __init__(
        self,
        microphone: MicrophoneSource,
        vad: VoiceActivityDetector,
        segmenter: Segmenter,
        monitor: Monitor,
        outbox: FrameQueue[Frame],
        *,
        echo: Echo | None = None,
        wants_partials: Callable[[], bool] = lambda: False,
        on_level: Callable[[float], object] = lambda _: None,
        on_hearing: Callable[[bool], object] = lambda _: None,
        on_lost: Callable[[str | None], object] = lambda _: None,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._microphone = microphone
        self._vad = vad
        self._segmenter = segmenter
        self._monitor = monitor
        self._outbox = outbox
        self._echo = echo
        self._wants_partials = wants_partials
        self._on_level = on_level
        self._on_hearing = on_hearing
        self._on_lost = on_lost
        self._clock = clock
        self._closing = threading.Event()
        self.muted = False
        """A muted microphone is not listened to at all."""
        self._hearing = False
        self._count = 0
        self._thread = threading.Thread(target=self._run, name="listen", daemon=True)

    def start(self) -> None:
        """Begin to listen; the microphone is open."""
        self._thread.start()

    def close(self) -> None:
        """Stop listening; returns at once, the thread ends within its read timeout."""
        self._closing.set()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the thread has ended."""
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        try:
            for frame, at in self._frames():
                self.hear_frame(frame, at)
            self._send(self._segmenter.flush())
            self._outbox.put(EndFrame())
        except EdgeVoxError as error:
            self._on_lost(str(error))
        except Exception:  # the ear must say that it is deaf, whatever deafened it
            log.exception("listening failed")
            self._on_lost("The microphone stopped working; the log says why. Typed input goes on.")
        finally:
            self._microphone.close()

    def _frames(self) -> "Iterator[tuple[Samples, float]]":
        """Yield frames of 512 samples, each with the time of its first one, until the microphone has ended."""
        from edgevox.speech.framing import FrameCutter

        cutter = FrameCutter()
        while not self._closing.is_set():
            samples = self._microphone.read(READ_TIMEOUT_S)
            if samples is not None:
                yield from cutter.feed(samples, self._clock.monotonic() - len(samples) / SAMPLE_RATE)
            elif self._microphone.ended:
                yield cutter.padded_rest()
                return

    def end_soon(self, ended: float) -> None:
        """A whole command was said before the silence that began at `ended`: a short one is enough; any thread."""
        self._segmenter.end_after(ended, COMPLETE_END_S)

    def hear_frame(self, frame: "Samples", at: float) -> None:
        """Take one frame through echo guard, safety monitor, voice activity and segmenter.

        Args:
            frame: 512 samples at 16 kHz.
            at: when its first sample was captured, monotonic seconds.
        """
        self._report_level(frame)
        if self.muted:
            return
        captured = at + len(frame) / SAMPLE_RATE
        frame, only_echo = self._echo.process(frame, captured) if self._echo else (frame, False)
        if not only_echo:
            heard = self._monitor.process(AudioFrame(samples=frame, started=at))
            if any(isinstance(out, StopFrame) for out in heard):
                self._segmenter.reset()
                return
        probability = 0.0 if only_echo else self._vad.probability(frame)
        self._segmenter.partials = self._wants_partials()
        self._send(self._segmenter.push(frame, probability, at))

    def _send(self, frames: list[Frame]) -> None:
        for frame in frames:
            self._follow(frame)
            self._outbox.put(frame)

    def _follow(self, frame: Frame) -> None:
        match frame:
            case SpeechStartedFrame() | PartialSpeechFrame():
                hearing = True
            case UtteranceFrame():
                hearing = frame.cause == "maximum"
            case _:
                return
        if hearing != self._hearing:
            self._hearing = hearing
            self._on_hearing(hearing)

    def _report_level(self, frame: "Samples") -> None:
        self._count += 1
        if self._count % LEVEL_EVERY == 0:
            rms = float((frame * frame).mean()) ** 0.5
            self._on_level(min(1.0, rms * 4.0))
