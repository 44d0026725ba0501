"""Streams of judged frames, made to measure."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME, Frame
from edgevox.speech.segmenter import Segmenter

FRAME_S = VAD_FRAME / SAMPLE_RATE


class Stream:
    """Feeds a segmenter with numbered samples, so that every emitted sample tells where it came from."""

    def __init__(self, segmenter: Segmenter, start: float = 100.0) -> None:
        self.segmenter = segmenter
        self.start = start
        self.fed = 0
        self.frames: list[Frame] = []

    @property
    def now(self) -> float:
        """When the next sample is captured, seconds."""
        return self.start + self.fed / SAMPLE_RATE

    def push(self, probabilities: Iterable[float]) -> list[Frame]:
        """Feed one frame per probability and return what followed."""
        out: list[Frame] = []
        for probability in probabilities:
            samples: NDArray[np.float32] = np.arange(self.fed, self.fed + VAD_FRAME).astype(np.float32)
            out += self.segmenter.push(samples, probability, self.now)
            self.fed += VAD_FRAME
        self.frames += out
        return out

    def speech(self, seconds: float) -> list[Frame]:
        """Feed so many seconds of certain speech, rounded to frames."""
        return self.push([0.95] * round(seconds / FRAME_S))

    def silence(self, seconds: float) -> list[Frame]:
        """Feed so many seconds of certain silence, rounded to frames."""
        return self.push([0.02] * round(seconds / FRAME_S))

    def of(self, kind: type[Any]) -> list[Any]:
        """Return the frames of one kind."""
        return [each for each in self.frames if isinstance(each, kind)]


@pytest.fixture
def stream() -> Stream:
    """Return a stream into a segmenter with the default options."""
    return Stream(Segmenter())


@pytest.fixture(scope="session")
def new_stream() -> type[Stream]:
    """Return the class, for tests that choose options."""
    return Stream
