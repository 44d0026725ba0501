"""What people say around a command, and what they say twice: taken away before anything is matched."""

from collections.abc import Iterable, Sequence

from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.tokens import Reader, Token

_REPEATED = 3
"""Words that a stumble repeats at most."""


class Edges:
    """Takes away what people say around a command and what they say while they think."""

    def __init__(self, lexicon: Lexicon, reader: Reader) -> None:
        self._openings = _normal(lexicon.openings, reader)
        self._closings = _normal(lexicon.closings, reader)
        self._courtesies = _normal(lexicon.courtesies, reader)
        self._hesitations = lexicon.hesitations

    def calm(self, tokens: Sequence[Token]) -> list[Token]:
        """Leave hesitations out."""
        return [token for token in tokens if token.word not in self._hesitations]

    def strip(self, tokens: Sequence[Token]) -> list[Token]:
        """Leave polite openings and closings out, and hesitations too."""
        return _stripped(self.calm(tokens), self._openings, self._closings)

    def courteous(self, tokens: Sequence[Token]) -> list[Token]:
        """Leave out openings, and only those closings that are never part of a text that is to be kept."""
        return _stripped(tokens, self._openings, self._courtesies)


_SHARED: dict[str, tuple[Lexicon, Edges]] = {}


def edges_of(lexicon: Lexicon, reader: Reader) -> Edges:
    """Return the edges of a language; whoever asks with the same tables shares one, for reading them takes a while."""
    shared = _SHARED.get(lexicon.code)
    if shared is None or shared[0] is not lexicon:
        shared = _SHARED[lexicon.code] = (lexicon, Edges(lexicon, reader))
    return shared[1]


def _stripped(
    tokens: Sequence[Token], openings: Sequence[tuple[str, ...]], closings: Sequence[tuple[str, ...]]
) -> list[Token]:
    kept = list(tokens)
    changed = True
    while changed:
        words = tuple(token.word for token in kept)
        opening = next((p for p in openings if words[: len(p)] == p and len(words) > len(p)), ())
        rest = words[len(opening) :]
        closing = next((p for p in closings if rest[-len(p) :] == p and len(rest) > len(p)), ())
        kept = kept[len(opening) : len(kept) - len(closing)]
        changed = bool(opening or closing)
    return kept


def _normal(phrases: Iterable[Sequence[str]], reader: Reader) -> list[tuple[str, ...]]:
    read = {tuple(token.word for token in reader.tokens(" ".join(phrase))) for phrase in phrases}
    return sorted((phrase for phrase in read if phrase), key=len, reverse=True)


def without_stumbles(tokens: Sequence[Token]) -> list[Token]:
    """Say repeated words once: *turn on turn on the the light*."""
    kept = list(tokens)
    for length in range(_REPEATED, 0, -1):
        index = 0
        while index + 2 * length <= len(kept):
            first = [token.word for token in kept[index : index + length]]
            again = [token.word for token in kept[index + length : index + 2 * length]]
            if first == again and not any(token.number is not None for token in kept[index : index + length]):
                del kept[index : index + length]
            else:
                index += 1
    return kept
