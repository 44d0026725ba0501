"""Gives slots for any words back what was really said.

A matcher compares words; signs between them mean nothing to it and everything to a calculator (`2 * -3`) or a note
(`rm -rf /`). Knows text only.
"""

import re

_NO_WORD = re.compile(r"^\W+|\W+$")
_SIGN = re.compile(r"[^\w\s.,;:!?¡¿'’\"“”…-]")
_SENTENCE_END = " \t\n.?!…。？！"


def restored(value: str, text: str) -> str | None:
    """Return the words of `value` as they stand in `text`; `None` when they do not stand there in one piece.

    Args:
        value: what a matcher put into the slot: the words, perhaps without their signs.
        text: the whole utterance.
    """
    wanted = [word for word in map(_bare, value.split()) if word]
    pieces = text.split()
    for start in range(len(pieces)):
        if _bare(pieces[start]) != (wanted[0] if wanted else None):
            continue
        end = _matched(pieces, start, wanted)
        if end is not None:
            return _outer_signs_off(" ".join(pieces[start:end]), last=end == len(pieces))
    return None


def has_signs(text: str) -> bool:
    """Whether a text holds signs beyond those of plain sentences, so that dropping one could change its meaning."""
    return _SIGN.search(text) is not None


def _matched(pieces: list[str], start: int, wanted: list[str]) -> int | None:
    """Where the wanted words end that begin at `start`; pieces without a word may stand between them."""
    found = 0
    for index in range(start, len(pieces)):
        word = _bare(pieces[index])
        if word and (found == len(wanted) or word != wanted[found]):
            return None if found < len(wanted) else index
        found += bool(word)
    return len(pieces) if found == len(wanted) else None


def _bare(piece: str) -> str:
    return _NO_WORD.sub("", piece).casefold()


def _outer_signs_off(words: str, *, last: bool) -> str:
    """Take the end of the sentence away; signs that belong to the words stay."""
    return words.rstrip(_SENTENCE_END) if last else words.rstrip(_SENTENCE_END + ",;:")
