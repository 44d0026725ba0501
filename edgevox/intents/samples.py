"""Sentences that a template understands, for help and for the answer of an assistant without a model."""

from collections.abc import Iterable, Sequence
from typing import Any

from edgevox.intents.slots import Slot, SlotKind
from edgevox.intents.templates import Template
from edgevox.intents.tokens import Reader, spelled

_ANYTHING = "…"
_USUAL = {"c": 21, "f": 70, "%": 50, "deg": 90, "min": 10, "s": 30, "h": 2, "m": 2, "cm": 50}
"""A number that is not strange in each unit."""


def sentences(templates: Iterable[Template], reader: Reader) -> list[str]:
    """Return one natural sentence for each template: its fullest wording, without plurals and the like."""
    return [_said(template, reader) for template in templates]


def _said(template: Template, reader: Reader) -> str:
    variant = min(template.variants, key=lambda variant: (-len(variant.parts), sum(map(len, variant.words))))
    words = [part if isinstance(part, str) else _filled(template, part, reader) for part in variant.parts]
    for index, part in enumerate(variant.parts):
        if isinstance(part, Slot) and part.kind is SlotKind.NUMBER and part.unit is not None:
            before, after = words[index - 1] if index else "", words[index + 1 : index + 2]
            words[index] = _with_unit(words[index], part.unit, before, after, reader)
    return " ".join(words)


def _with_unit(number: str, unit: str, before: str, after: Sequence[str], reader: Reader) -> str:
    """Say the unit of a number, unless the template says it."""
    word = reader.unit_word("deg" if unit in ("c", "f") else unit, after=before)
    return number if [word.casefold()] == list(after) else f"{number} {word}".strip()


def _filled(template: Template, slot: Slot, reader: Reader) -> str:
    """Say something that fits a slot."""
    if slot.kind is SlotKind.NUMBER:
        return _number(template, slot)
    if slot.kind is SlotKind.FREE:
        return _ANYTHING
    values = slot.current(reader)
    return values[0][0] if values else _ANYTHING


def _number(template: Template, slot: Slot) -> str:
    schema: dict[str, Any] = template.tool.parameters.get("properties", {}).get(slot.parameter, {})
    examples: Sequence[Any] = schema.get("examples", ())
    if examples:
        return str(examples[0])
    low = slot.bounds[0] if slot.bounds else schema.get("minimum", schema.get("exclusiveMinimum"))
    high = slot.bounds[1] if slot.bounds else schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None and high is not None:
        return spelled(round((low + high) / 2))
    usual = _USUAL.get(slot.unit or "", 5)
    return spelled(max(low or 0, min(usual, high if high is not None else usual)))
