"""What every synthesiser shares: normalising, cutting into pieces, stopping, errors.

Knows the life of a stream of sound. A back end knows one library and says one piece.
"""

import logging
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import EdgeVoxError, SpeechError
from edgevox.core.ports import Voice
from edgevox.speech.normalise import normalise, speakable
from edgevox.speech.splitter import MAX_CHARS, SentenceSplitter
from edgevox.speech.voices import choose_voice

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

log = logging.getLogger(__name__)

SENTENCE_GAP_S = 0.18
CLAUSE_GAP_S = 0.06
"""Silence between the pieces of one text, seconds: a breath after a sentence, less after a clause."""


class SpeechEngine(ABC):
    """A synthesiser. One thread owns it.

    A back end implements `_load`, `_speak` and `voices`; `_unload` where there is something to let go.

    Args:
        language: two-letter code of what it speaks.
        speed: rate of speech as a factor, from 0.5 to 2.
        max_chars: longest piece that it is given, characters.
    """

    def __init__(self, language: str, *, speed: float = 1.0, max_chars: int = MAX_CHARS) -> None:
        self.language = language
        self.speed = speed
        self.sample_rate = 0
        """Samples per second; known once it is open."""
        self.voice: Voice | None = None
        """The voice that speaks, once it is open."""
        self.note: str | None = None
        """Why another voice speaks than the one asked for."""
        self._max_chars = max_chars
        self._is_open = False

    def open(self) -> None:
        """Load the model and the voice. Opening twice is fine.

        Raises:
            ModelError, LibraryMissing, SpeechError: one sentence that says what to do.
        """
        if self._is_open:
            return
        try:
            self._load()
        except EdgeVoxError:
            raise
        except Exception as error:  # a library's own failures, whatever they are, become one sentence
            raise SpeechError(f"The voice could not be loaded ({_brief(error)}); run: edgevox doctor") from error
        self._is_open = True

    def synthesize(self, text: str, scope: CancelScope | None = None) -> "Iterator[Samples]":
        """Yield the sound of `text` piece by piece.

        Args:
            text: a sentence or more, as a person reads it.
            scope: its end ends the stream before the next piece.

        Raises:
            SpeechError: this text could not be spoken to its end; the next one may be.
        """
        if not self._is_open:
            raise SpeechError("The voice was used before it was opened.")
        pieces = self._pieces(text)
        for index, piece in enumerate(pieces):
            yield from self._guarded(piece, scope)
            if index + 1 < len(pieces) and not _ended(scope):
                yield self._gap(piece)

    def close(self) -> None:
        """Let the model go. Closing twice is fine."""
        if self._is_open:
            self._is_open = False
            self._unload()

    @abstractmethod
    def voices(self) -> Sequence[Voice]:
        """The voices on this machine."""

    @abstractmethod
    def _load(self) -> None:
        """Load the model and set `sample_rate`."""

    @abstractmethod
    def _speak(self, text: str, scope: CancelScope | None) -> "Iterator[Samples]":
        """Yield the sound of one piece of normalised text. May raise anything."""

    def _choose(self, asked: str | None, *, default: str | None = None) -> Voice:
        """Set and return the voice: the one asked for, or the nearest of the same language with a note."""
        self.voice, self.note = choose_voice(self.voices(), asked, self.language, default=default)
        if self.note:
            log.warning(self.note)
        return self.voice

    def _unload(self) -> None:
        """Let go of what `_load` took."""
        return

    def _pieces(self, text: str) -> list[str]:
        splitter = SentenceSplitter(self.language, max_chars=self._max_chars)
        spoken = normalise(text, self.language)
        return [piece for piece in splitter.feed(spoken) + splitter.finish() if speakable(piece)]

    def _guarded(self, piece: str, scope: CancelScope | None) -> "Iterator[Samples]":
        stream = self._speak(piece, scope)
        while not _ended(scope):
            try:
                samples = next(stream, None)
            except EdgeVoxError:
                raise
            except Exception as error:  # a library's own failures end this sentence, never the turn
                raise SpeechError(f"This sentence could not be spoken ({_brief(error)}).") from error
            if samples is None:
                return
            if samples.size:
                yield np.clip(np.nan_to_num(samples), -1.0, 1.0).astype(np.float32, copy=False)

    def _gap(self, piece: str) -> "Samples":
        seconds = SENTENCE_GAP_S if piece[-1] in ".!?…。！？" else CLAUSE_GAP_S
        return np.zeros(round(seconds * self.sample_rate), np.float32)


def _ended(scope: CancelScope | None) -> bool:
    return scope is not None and scope.cancelled


def _brief(error: Exception) -> str:
    """Return the first line of an error, short enough for one sentence."""
    lines = str(error).strip().splitlines()
    return lines[0][:120] if lines else type(error).__name__
