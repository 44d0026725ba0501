"""Reads what stands at one place of an utterance as a value: numbers, ordinals, parts of a whole, lists, changes.

Knows words and slots; names that sound alike are `fuzzy`'s business.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from edgevox.intents.changes import change_at
from edgevox.intents.slots import Parsed, Slot, SlotKind
from edgevox.intents.tokens import Reader, Token
from edgevox.intents.units import converted

Found = tuple[int, str, Any]
"""Words taken, these words, and the value."""

_PERCENT = 100


def is_read(slot: Slot) -> bool:
    """Whether the values of a slot are read from each utterance, and not listed beforehand."""
    return slot.many or slot.kind in (SlotKind.NUMBER, SlotKind.CHANGE, SlotKind.PARSED)


def values_for(slot: Slot, tokens: Sequence[Token], reader: Reader) -> list[tuple[str, Any]]:
    """Return all that a slot could take from an utterance, as words and value."""
    return [
        (words, value) for index in range(len(tokens)) for _, words, value in values_at(slot, tokens, index, reader)
    ]


def values_at(slot: Slot, tokens: Sequence[Token], index: int, reader: Reader) -> list[Found]:
    """Return how what stands at `index` fits a slot whose values are read.

    Args:
        slot: of a kind for which `is_read` holds.
        tokens: of the utterance.
        index: of the first word.
        reader: of the language.
    """
    if slot.many:
        return list(_lists_at(slot, tokens, index, reader))
    if slot.kind is SlotKind.CHANGE:
        found = (
            change_at(slot.adjustable, slot.parameter, slot.unit, tokens, index, reader) if slot.adjustable else None
        )
        if found is None:
            return []
        value: Any = found[1].amount if slot.adjustable and slot.adjustable.by else found[1]
        return [(found[0], said(tokens, index, found[0]), value)]
    if slot.kind is SlotKind.PARSED and slot.parsed is not None:
        return list(_parsed_at(slot.parsed, tokens, index, reader.language))
    return numbers_at(slot, tokens, index, reader)


def numbers_at(slot: Slot, tokens: Sequence[Token], index: int, reader: Reader) -> list[Found]:
    """Return how the number at `index` fits the slot, alone, with its unit, as an ordinal or as a part of a whole."""
    low, high = slot.bounds or (float("-inf"), float("inf"))
    readings = dict(_plain(slot, tokens, index, reader))
    if slot.whole:
        readings |= dict(_looked_up(reader.ordinals, tokens, index))
    if slot.unit == "%":
        readings |= {taken: part * _PERCENT for taken, part in _looked_up(reader.fractions, tokens, index)}
    named = names_at(slot, tokens, index, reader) if slot.values else None
    if named is not None:
        readings.setdefault(*named)
    return [
        (taken, said(tokens, index, taken), tidy(value)) for taken, value in readings.items() if low <= value <= high
    ]


def said(tokens: Sequence[Token], index: int, taken: int) -> str:
    """Return words as they are compared."""
    return " ".join(token.word for token in tokens[index : index + taken])


def tidy(value: float) -> float:
    """Write a whole number as one."""
    return int(value) if value == int(value) else value


def names_at(slot: Slot, tokens: Sequence[Token], index: int, reader: Reader) -> tuple[int, Any] | None:
    """Return the longest name of the slot that stands at `index`, word for word: words taken, and the value.

    A name of two values is none.
    """
    longest, meant = 0, dict[str, Any]()
    for spoken, value in slot.current(reader):
        length = spoken.count(" ") + 1
        if length >= longest and said(tokens, index, length) == spoken:
            meant = {repr(value): value} if length > longest else {**meant, repr(value): value}
            longest = length
    return (longest, next(iter(meant.values()))) if len(meant) == 1 else None


def _plain(slot: Slot, tokens: Sequence[Token], index: int, reader: Reader) -> Iterator[tuple[int, float]]:
    number = tokens[index].number if index < len(tokens) else None
    if number is None:
        return
    yield 1, number
    unit = reader.unit_at(tokens, index + 1)
    in_slots_unit = converted(number, unit[0], slot.unit) if unit is not None else None
    if unit is not None and in_slots_unit is not None:
        yield 1 + unit[1], in_slots_unit


def _looked_up(table: dict[tuple[str, ...], float], tokens: Sequence[Token], index: int) -> list[tuple[int, float]]:
    found: list[tuple[int, float]] = []
    for length in {len(phrase) for phrase in table}:
        value = table.get(tuple(token.word for token in tokens[index : index + length]))
        if value is not None and index + length <= len(tokens):
            found.append((length, value))
    return found


def _parsed_at(parsed: Parsed, tokens: Sequence[Token], index: int, language: str) -> Iterator[Found]:
    for taken in range(1, min(parsed.longest, len(tokens) - index) + 1):
        spoken = " ".join(token.said for token in tokens[index : index + taken] if token.said)
        value = parsed.read(spoken, language) if spoken else None
        if value is not None:
            yield taken, said(tokens, index, taken), value


def _lists_at(slot: Slot, tokens: Sequence[Token], index: int, reader: Reader) -> Iterator[Found]:
    """Yield the lists that begin at `index`: *kitchen*, *kitchen and the office*."""
    values: list[Any] = []
    at = index
    while True:
        item = _item_at(slot, tokens, at, reader)
        if item is None:
            return
        at += item[0]
        values = [*values, *([] if item[1] in values else [item[1]])]
        yield at - index, said(tokens, index, at - index), values
        if at < len(tokens) and tokens[at].word in reader.joiners:
            at += 1
        while at < len(tokens) and reader.is_small(tokens[at].word):
            at += 1


def _item_at(slot: Slot, tokens: Sequence[Token], index: int, reader: Reader) -> tuple[int, Any] | None:
    if index >= len(tokens):
        return None
    if slot.kind is SlotKind.NUMBER:
        read = numbers_at(slot, tokens, index, reader)
        best = max(read, key=lambda found: found[0], default=None)
        return (best[0], best[2]) if best else None
    return names_at(slot, tokens, index, reader)
