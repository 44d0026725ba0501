"""How alike two words sound, as far as spelling tells.

For English, spelling is first reduced to rough sounds (*like* and *light* differ in one). Elsewhere letters count.
"""

import functools
import re
import unicodedata

from rapidfuzz.distance import Indel

_SOUNDS = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"[^a-z]", ""),
        (r"(.)\1+", r"\1"),
        (r"^kn|^gn", "n"),
        (r"^wr", "r"),
        (r"^x", "s"),
        (r"eigh", "A"),
        (r"igh", "Y"),
        (r"ough", "o"),
        (r"augh", "o"),
        (r"gh", ""),
        (r"ph", "f"),
        (r"tch|ch", "C"),
        (r"sh|tion|cian", "S"),
        (r"th", "0"),
        (r"dge|dg", "J"),
        (r"ck|c(?=[aouklrt]|$)|q", "k"),
        (r"c", "s"),
        (r"x", "ks"),
        (r"wh", "w"),
        (r"z", "s"),
        (r"a([b-df-hj-np-tv-zCSJ0])e$", r"A\1"),
        (r"i([b-df-hj-np-tv-zCSJ0])e$", r"Y\1"),
        (r"o([b-df-hj-np-tv-zCSJ0])e$", r"O\1"),
        (r"u([b-df-hj-np-tv-zCSJ0])e$", r"U\1"),
        (r"ee|ea|ie|ey$", "E"),
        (r"ai|ay|ei", "A"),
        (r"oo|ew|ue|ou", "U"),
        (r"oa|ow", "O"),
        (r"y$", "E"),
        (r"e$", ""),
        (r"(.)\1+", r"\1"),
    )
]


@functools.lru_cache(maxsize=8192)
def sounds(word: str) -> str:
    """Reduce an English word to rough sounds."""
    for pattern, sound in _SOUNDS:
        word = pattern.sub(sound, word)
    return word


@functools.lru_cache(maxsize=8192)
def unaccented(word: str) -> str:
    """Leave accents out, which recognition and keyboards often do."""
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


@functools.lru_cache(maxsize=32768)
def likeness(one: str, other: str, *, english: bool) -> float:
    """Return how alike two words are, between 0 and 1."""
    if one == other:
        return 1.0
    letters = Indel.normalized_similarity(one, other)
    if english:
        sound = 0.98 * Indel.normalized_similarity(sounds(one), sounds(other))
    else:
        sound = 0.95 * Indel.normalized_similarity(unaccented(one), unaccented(other))
    return max(letters, sound)
