"""Cuts a string of phonemes into batches that a model takes at once, so that every word is spoken."""

import re

_BREAKS = (re.compile(r".*[.!?…]\s", re.DOTALL), re.compile(r".*[,;:—]\s", re.DOTALL), re.compile(r".*\s", re.DOTALL))
"""Where to cut, best first: after a sentence, a clause, a word."""


def split_phonemes(phonemes: str, limit: int) -> list[str]:
    """Return batches of at most `limit` phonemes that together hold every phoneme but the spaces between batches.

    Args:
        phonemes: in the International Phonetic Alphabet, with marks and spaces.
        limit: phonemes in a batch.
    """
    rest = " ".join(phonemes.split())
    batches: list[str] = []
    while len(rest) > limit:
        cut = _cut(rest[: limit + 1], limit)
        batches.append(rest[:cut].rstrip())
        rest = rest[cut:].lstrip()
    return [batch for batch in (*batches, rest) if batch]


def _cut(head: str, limit: int) -> int:
    for pattern in _BREAKS:
        match = pattern.match(head)
        # A cut near the beginning would leave a stump that sounds hurried.
        if match is not None and match.end() >= limit // 4:
            return match.end()
    return limit
