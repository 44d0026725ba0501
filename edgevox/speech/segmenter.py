"""Cuts a stream of judged frames into utterances.

Knows how long a pause is, counted in samples. It reads no clock, owns no thread and does not judge sound: the caller
passes each frame with its probability of speech and the time it was captured. No sample is lost or doubled between
two utterances.
"""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from edgevox.core.frames import (
    SAMPLE_RATE,
    Frame,
    GlanceFrame,
    PartialSpeechFrame,
    SoftEndFrame,
    SpeechStartedFrame,
    UtteranceFrame,
)

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

Cause = Literal["silence", "maximum", "released", "closed"]

MIN_SPEECH_S = 0.15
"""Utterances with less voiced sound than this are coughs and clicks to ordinary speech, seconds. They are emitted all
the same, `UtteranceFrame.speech_s` says how short they are: a short "stop" has to be heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """What is known about an utterance when its speaker has fallen silent."""

    speech_s: float
    """Voiced sound so far, seconds."""
    longest_pause_s: float
    """The longest pause that this utterance has gone on after, seconds."""


def adaptive_end(pause: Pause, *, least: float = 0.25, usual: float = 0.5, most: float = 0.9) -> float:
    """Return how long a silence ends an utterance, seconds: longer for a speaker who has paused and gone on.

    Args:
        pause: the utterance so far.
        least: never shorter than this.
        usual: while nothing is known about the speaker's pauses.
        most: never longer than this.
    """
    return min(most, max(least, usual, 1.5 * pause.longest_pause_s))


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmenterOptions:
    """How speech is told from pauses."""

    threshold: float = 0.5
    """A frame at least this likely to be speech is voiced."""
    release: float = 0.35
    """Within speech, a frame stays voiced down to this: a wavering model does not chop words."""
    start_frames: int = 2
    """Speech begins after this many voiced frames in a row; one is a click."""
    pre_roll_s: float = 0.5
    """Sound before the first voiced frame that belongs to the utterance: soft consonants come before the voice."""
    soft_end_s: float = 0.2
    """A silence this long may be the end: transcription can start."""
    hard_end: float | Callable[[Pause], float] = adaptive_end
    """A silence this long is the end, seconds, or the function that says so; never less than the soft end."""
    max_s: float = 20.0
    """No utterance is longer; what goes on becomes the next one."""
    split_window_s: float = 2.0
    """At the longest length, the cut is at the least voiced frame of this last part."""
    partial_s: float = 0.5
    """While speech goes on, a partial is due each time this much was added, seconds."""
    glance_s: float = 0.16
    """While speech goes on, a glance is due each time this much was added, seconds."""
    glance_pauses_s: tuple[float, ...] = (0.032, 0.096)
    """Silences after which a glance is due, seconds: a word has just ended."""
    glance_window_s: float = 2.0
    """A glance is no longer than this, seconds."""
    glance_lead_s: float = 0.25
    """Sound before the run of voice that a glance looks at, seconds."""
    run_gap_s: float = 0.096
    """A silence this long within an utterance begins a new run of voice, seconds."""


@dataclass(frozen=True, slots=True)
class _Piece:
    samples: "Samples"
    at: float
    probability: float
    voiced: bool

    @property
    def end(self) -> float:
        return self.at + self.samples.size / SAMPLE_RATE


class Segmenter:
    """Turns frames into `SpeechStartedFrame`, `GlanceFrame`, `PartialSpeechFrame`, `SoftEndFrame`, `UtteranceFrame`.

    Each `UtteranceFrame` that ends in silence holds exactly the samples of the `SoftEndFrame` before it, so that a
    transcript started there is the final one; what came after the soft end is pre-roll of what follows.

    Args:
        options: how speech is told from pauses; may be replaced between two frames.
    """

    def __init__(self, options: SegmenterOptions | None = None) -> None:
        self.options = options if options is not None else SegmenterOptions()
        self.partials = False
        """Whether partials and glances are made. The consumer may change it at any time."""
        self._ring: deque[_Piece] = deque()
        self._ring_size = 0
        self._run = self._run_size = 0
        self._speaking = False
        self._held = False
        self._begin()
        self._verdict: tuple[float, float] | None = None

    @property
    def speaking(self) -> bool:
        """Whether an utterance is open."""
        return self._speaking

    def push(self, samples: "Samples", probability: float, at: float) -> list[Frame]:
        """Take one frame and return what follows from it.

        Args:
            samples: mono, 16 kHz, shape (n,); usually 512, the last of a recording may be shorter.
            probability: how likely it holds speech, between 0 and 1.
            at: when its first sample was captured, seconds on the monotonic clock.
        """
        piece = _Piece(samples, at, probability, probability >= self._bar())
        return self._while_speaking(piece) if self._speaking else self._while_quiet(piece)

    def end_after(self, ended: float, seconds: float) -> None:
        """Say how long the silence that began at `ended` must last to end the utterance.

        For who has read the soft end's words: a complete command needs less, a half sentence more. Any thread may call.

        Args:
            ended: `SoftEndFrame.ended`; a verdict on another pause is ignored.
            seconds: counted from `ended`.
        """
        self._verdict = (ended, seconds)

    def hold(self) -> list[Frame]:
        """Open an utterance now, pre-roll included, and let no silence end it: the talk key is down."""
        self._held = True
        self._soft = None
        return [] if self._speaking else self._start()

    def release(self) -> list[Frame]:
        """End the open utterance at once: the talk key was let go."""
        self._held = False
        return self._finish("released") if self._speaking else []

    def flush(self) -> list[Frame]:
        """End the open utterance: the recording is over."""
        self._held = False
        return self._finish("closed") if self._speaking else []

    def reset(self) -> None:
        """Forget everything that was heard; what was open is thrown away."""
        self._held = False
        self._rest_in(())

    # While nobody speaks

    def _while_quiet(self, piece: _Piece) -> list[Frame]:
        self._run = self._run + 1 if piece.voiced else 0
        self._run_size = self._run_size + piece.samples.size if piece.voiced else 0
        self._keep(piece)
        return self._start() if self._run >= self.options.start_frames else []

    def _keep(self, piece: _Piece) -> None:
        """Add to the ring that becomes the pre-roll, and drop what is older than the pre-roll."""
        self._ring.append(piece)
        self._ring_size += piece.samples.size
        wanted = round(self.options.pre_roll_s * SAMPLE_RATE) + self._run_size
        while self._ring_size - self._ring[0].samples.size >= wanted:
            self._ring_size -= self._ring.popleft().samples.size

    def _start(self) -> list[Frame]:
        pieces = list(self._ring)
        run, run_size = self._run, self._run_size
        began = pieces[len(pieces) - max(run, 1)].at if pieces else 0.0
        self._forget_ring()
        self._begin()
        self._speaking = True
        for index, piece in enumerate(pieces):
            # A lone voiced frame before the run is a click: it is kept as sound and not counted as speech.
            self._add(_Piece(piece.samples, piece.at, piece.probability, index >= len(pieces) - run))
        self._partial_size = self._glance_size = self._run_began = self._size - run_size
        return [SpeechStartedFrame(at=began)]

    # While somebody speaks

    def _while_speaking(self, piece: _Piece) -> list[Frame]:
        frames = self._split(piece) if self._size + piece.samples.size > self._most() else []
        if not self._speaking:  # nothing voiced is left: the frame may begin something new
            return [*frames, *self._while_quiet(piece)]
        if piece.voiced and self._silence and self._voiced:
            self._longest_pause = max(self._longest_pause, self._silence / SAMPLE_RATE)
            if _reached(self._silence, self.options.run_gap_s):
                self._run_began, self._run_voiced = self._size, 0
        self._add(piece)
        frames += self._glance(piece)
        return frames + (self._partial() if piece.voiced else self._pause())

    def _add(self, piece: _Piece) -> None:
        self._pieces.append(piece)
        self._size += piece.samples.size
        if piece.voiced:
            self._voiced += piece.samples.size
            self._run_voiced += piece.samples.size
            self._silence = 0
            self._soft = None
            self._ended = piece.end
        else:
            self._silence += piece.samples.size

    def _pause(self) -> list[Frame]:
        if self._held or not self._voiced:
            return []
        frames: list[Frame] = []
        if self._soft is None:
            if not _reached(self._silence, self.options.soft_end_s):
                return []
            self._soft = len(self._pieces)
            self._soft_samples = _joined(self._pieces)
            frames.append(SoftEndFrame(samples=self._soft_samples, ended=self._ended))
        if _reached(self._silence, self._hard_end()):
            frames += self._finish("silence")
        return frames

    def _hard_end(self) -> float:
        verdict = self._verdict
        if verdict is not None and verdict[0] == self._ended:
            return verdict[1]
        hard = self.options.hard_end
        if callable(hard):
            hard = hard(Pause(speech_s=self._voiced / SAMPLE_RATE, longest_pause_s=self._longest_pause))
        return hard

    def _glance(self, piece: _Piece) -> list[Frame]:
        """Say that it is time for a quick look: enough was added, or the voice has just fallen silent."""
        if not self.partials or not self._voiced:
            return []
        if piece.voiced:
            due = _reached(self._size - self._glance_size, self.options.glance_s)
        else:
            before = self._silence - piece.samples.size
            due = any(
                _reached(self._silence, pause) and not _reached(before, pause) for pause in self.options.glance_pauses_s
            )
        if not due:
            return []
        self._glance_size = self._size
        return [
            GlanceFrame(samples=self._last_run(), pausing=not piece.voiced, speech_s=self._run_voiced / SAMPLE_RATE)
        ]

    def _last_run(self) -> "Samples":
        """Return the last run of voice with a little sound before it, as far as the window reaches."""
        options = self.options
        wanted = self._size - self._run_began + round(options.glance_lead_s * SAMPLE_RATE)
        wanted = min(wanted, round(options.glance_window_s * SAMPLE_RATE))
        last: list[_Piece] = []
        for piece in reversed(self._pieces):
            if wanted <= 0:
                break
            last.append(piece)
            wanted -= piece.samples.size
        return _joined(last[::-1])

    def _partial(self) -> list[Frame]:
        if not self.partials or not _reached(self._size - self._partial_size, self.options.partial_s):
            return []
        self._partial_size = self._size
        return [PartialSpeechFrame(samples=_joined(self._pieces), speech_s=self._voiced / SAMPLE_RATE)]

    # Ends

    def _finish(self, cause: Cause) -> list[Frame]:
        """Close the utterance. What came after its soft end is the pre-roll of the next."""
        cut = self._soft if self._soft is not None else len(self._pieces)
        samples = self._soft_samples if self._soft is not None else _joined(self._pieces)
        ended = self._ended if self._voiced else self._pieces[-1].end if self._pieces else 0.0
        frame = UtteranceFrame(samples=samples, ended=ended, speech_s=self._voiced / SAMPLE_RATE, cause=cause)
        self._rest_in(self._pieces[cut:])
        return [frame]

    def _split(self, coming: _Piece) -> list[Frame]:
        """Close an utterance that is as long as it may be; the frames after the cut begin the next one."""
        if self._soft is not None and not self._held:
            return self._finish("maximum")
        cut = self._split_point()
        head, tail, longest_pause = self._pieces[:cut], self._pieces[cut:], self._longest_pause
        voiced = sum(each.samples.size for each in head if each.voiced) / SAMPLE_RATE
        ended = next((each.end for each in reversed(head) if each.voiced), head[-1].end)
        frame = UtteranceFrame(samples=_joined(head), ended=ended, speech_s=voiced, cause="maximum")
        if self._held or any(each.voiced for each in (*tail, coming)):
            self._begin()
            self._longest_pause = longest_pause
            for piece in tail:
                self._add(piece)
        else:
            self._rest_in(tail)
        return [frame]

    def _split_point(self) -> int:
        """Return how many pieces the closed utterance keeps: up to the least voiced frame near its end, included."""
        window = round(self.options.split_window_s * SAMPLE_RATE)
        best, lowest, seen = len(self._pieces), float("inf"), 0
        for index in range(len(self._pieces) - 1, 0, -1):
            seen += self._pieces[index].samples.size
            if seen > window:
                break
            if self._pieces[index].probability < lowest:
                best, lowest = index + 1, self._pieces[index].probability
        return best

    def _begin(self) -> None:
        """Start counting an utterance from nothing."""
        self._pieces: list[_Piece] = []
        self._size = self._voiced = self._silence = self._partial_size = self._glance_size = 0
        self._run_began = self._run_voiced = 0
        self._longest_pause = 0.0
        self._ended = 0.0
        self._soft: int | None = None
        self._soft_samples: Samples = np.zeros(0, np.float32)

    def _rest_in(self, pieces: Iterable[_Piece]) -> None:
        """Be quiet again, with `pieces` as the sound that nothing has claimed yet."""
        kept = list(pieces)
        self._speaking = False
        self._run = self._run_size = 0
        self._forget_ring()
        self._begin()
        for piece in kept:
            self._keep(piece)

    def _forget_ring(self) -> None:
        self._ring.clear()
        self._ring_size = 0

    def _most(self) -> int:
        return round(self.options.max_s * SAMPLE_RATE)

    def _bar(self) -> float:
        """What a frame must reach to be voiced now."""
        within = self._speaking and self._voiced > 0 and self._silence == 0
        return self.options.release if within else self.options.threshold


def _joined(pieces: list[_Piece]) -> "Samples":
    return np.concatenate([each.samples for each in pieces]) if pieces else np.zeros(0, np.float32)


def _reached(samples: int, seconds: float) -> bool:
    return samples >= round(seconds * SAMPLE_RATE)
