"""Finds utterances in sound that comes in blocks of any length: cutter, voice-activity model and segmenter in one.

Knows the order of the three. Does not know where the sound comes from, nor what is said.
"""

from typing import TYPE_CHECKING

from edgevox.core.frames import Frame
from edgevox.core.ports import VoiceActivityDetector
from edgevox.speech.framing import FrameCutter
from edgevox.speech.segmenter import Segmenter

if TYPE_CHECKING:
    from edgevox.core.frames import Samples


class SpeechDetector:
    """Turns blocks of sound into the frames of `Segmenter`.

    Args:
        vad: judges 32 ms frames; opened and closed with the detector.
        segmenter: makes utterances of them; reach it as `.segmenter` for `partials`, `hold` and `end_after`.
    """

    def __init__(self, vad: VoiceActivityDetector, segmenter: Segmenter | None = None) -> None:
        self.segmenter = segmenter if segmenter is not None else Segmenter()
        self.probability = 0.0
        """How likely the last frame held speech."""
        self._vad = vad
        self._cutter = FrameCutter()

    def open(self) -> None:
        """Load the voice-activity model. Opening twice is fine."""
        self._vad.open()

    def feed(self, samples: "Samples", at: float) -> list[Frame]:
        """Take a block of sound and return what follows from it.

        Args:
            samples: mono, 16 kHz, shape (n,), any length.
            at: when the first of them was captured, seconds on the monotonic clock.
        """
        frames: list[Frame] = []
        for frame, started in self._cutter.feed(samples, at):
            self.probability = self._vad.probability(frame)
            frames += self.segmenter.push(frame, self.probability, started)
        return frames

    def hold(self) -> list[Frame]:
        """Open an utterance: the talk key is down."""
        return self.segmenter.hold()

    def release(self) -> list[Frame]:
        """End the open utterance, with the samples that do not fill a frame: the talk key was let go."""
        return self._push_rest() + self.segmenter.release()

    def flush(self) -> list[Frame]:
        """End the open utterance, with the samples that do not fill a frame: the recording is over."""
        return self._push_rest() + self.segmenter.flush()

    def reset(self) -> None:
        """Forget everything that was heard."""
        self._cutter.rest()
        self._vad.reset()
        self.segmenter.reset()
        self.probability = 0.0

    def close(self) -> None:
        """Let the voice-activity model go. Closing twice is fine."""
        self._vad.close()

    def _push_rest(self) -> list[Frame]:
        rest, started = self._cutter.rest()
        # Too short to be judged by itself: it goes with the frame before it.
        return self.segmenter.push(rest, self.probability, started) if rest.size else []
