"""Keeps what was synthesised, so that a reply that comes again sounds at once.

Knows texts and their sound. Does not know which replies will come again: that is said with `prepare`.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from edgevox.core.cancel import CancelScope
from edgevox.core.ports import TextToSpeech, Voice

if TYPE_CHECKING:
    from edgevox.core.frames import Samples


class CachedSpeech:
    """A synthesiser that remembers.

    The cache belongs to one engine with one voice and one speed, so the text alone is its key.

    Args:
        engine: what makes the sound.
        capacity_s: seconds of sound to keep; the least recently used goes first.
        longest_s: a longer text is not kept: it will not come again.
    """

    def __init__(self, engine: TextToSpeech, *, capacity_s: float = 300.0, longest_s: float = 12.0) -> None:
        self._engine = engine
        self._capacity_s = capacity_s
        self._longest_s = longest_s
        self._kept: OrderedDict[str, tuple[Samples, ...]] = OrderedDict()
        self._kept_s = 0.0

    @property
    def sample_rate(self) -> int:
        """Samples per second of what it returns."""
        return self._engine.sample_rate

    @property
    def engine(self) -> TextToSpeech:
        """What makes the sound."""
        return self._engine

    def open(self) -> None:
        """Load the model and the voice. Opening twice is fine."""
        self._engine.open()

    def voices(self) -> Sequence[Voice]:
        """The voices on this machine."""
        return self._engine.voices()

    def prepare(self, texts: Iterable[str], scope: CancelScope | None = None) -> int:
        """Synthesise texts ahead; a cancelled scope ends it.

        Returns:
            How many of them are kept now.

        Raises:
            SpeechError: one of them cannot be spoken.
        """
        wanted = list(texts)
        for text in wanted:
            for _ in self.synthesize(text, scope):
                pass
        return sum(text in self._kept for text in wanted)

    def holds(self, text: str) -> bool:
        """Whether `text` sounds at once."""
        return text in self._kept

    def synthesize(self, text: str, scope: CancelScope | None = None) -> "Iterator[Samples]":
        """Yield the sound of `text`: what was kept, else what the engine makes."""
        kept = self._kept.get(text)
        if kept is None:
            yield from self._make(text, scope)
            return
        self._kept.move_to_end(text)
        for samples in kept:
            if scope is not None and scope.cancelled:
                return
            yield samples

    def close(self) -> None:
        """Let the model and the sound go. Closing twice is fine."""
        self._kept.clear()
        self._kept_s = 0.0
        self._engine.close()

    def _make(self, text: str, scope: CancelScope | None) -> "Iterator[Samples]":
        made: list[Samples] = []
        for samples in self._engine.synthesize(text, scope):
            made.append(samples)
            yield samples
        if scope is None or not scope.cancelled:
            self._keep(text, tuple(made))

    def _keep(self, text: str, made: "tuple[Samples, ...]") -> None:
        length_s = self._seconds(made)
        if not made or length_s > self._longest_s:
            return
        self._kept[text] = made
        self._kept_s += length_s
        while self._kept_s > self._capacity_s:
            _, oldest = self._kept.popitem(last=False)
            self._kept_s -= self._seconds(oldest)

    def _seconds(self, parts: "tuple[Samples, ...]") -> float:
        return sum(part.size for part in parts) / self.sample_rate
