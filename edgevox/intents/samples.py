"""Sentences that a template understands, for help and for the answer of an assistant without a model."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from edgevox.intents.slots import Slot, SlotKind
from edgevox.intents.templates import Template
from edgevox.intents.tokens import Reader, spelled

if TYPE_CHECKING:
    from hassil import Expression

_SLOT = re.compile(r"\{([^{}]+)\}")
_ANYTHING = "…"
_USUAL = {"c": 21, "f": 70, "%": 50, "deg": 90, "min": 10, "s": 30, "h": 2, "m": 2, "cm": 50}
"""A number that is not strange in each unit."""


def sentences(templates: Iterable[Template], reader: Reader) -> list[str]:
    """Return one natural sentence for each template."""
    return [_Sampler(template, reader).sentence() for template in templates]


def wordings(template: Template, reader: Reader, limit: int) -> list[str]:
    """Return the ways in which one template can be said, with the first value of each slot.

    Args:
        template: compiled.
        reader: of its language.
        limit: how many at most.
    """
    sampler = _Sampler(template, reader)
    return [
        " ".join(sampler.filled(part) if isinstance(part, Slot) else part for part in variant.parts)
        for variant in template.variants[:limit]
    ]


class _Sampler:
    """Says one template the way its author wrote it: the first of each choice, without what may be left out.

    Articles stay, and so does whatever holds a slot that the tool cannot do without.
    """

    def __init__(self, template: Template, reader: Reader) -> None:
        self._template = template
        self._reader = reader
        self._slots = {
            f"+{slot.parameter}" if slot.kind is SlotKind.CHANGE else slot.parameter: slot for slot in template.slots
        }
        parameters = template.tool.signature.parameters
        self._required = {parameter.name for parameter in parameters if parameter.required}

    def sentence(self) -> str:
        """Say it."""
        from hassil import parse_sentence

        words = " ".join(self._said(parse_sentence(self._template.text).expression).split()).split(" ")
        return " ".join(self._with_units(words))

    def _said(self, expression: "Expression") -> str:
        from hassil import Alternative, Group, ListReference, TextChunk

        if isinstance(expression, TextChunk):
            return expression.original_text
        if isinstance(expression, ListReference):
            return f"{{{expression.slot_name}}}"
        if isinstance(expression, Alternative):
            first = self._said(expression.items[0])
            return first if not expression.is_optional or self._stays(first) else ""
        return "".join(self._said(item) for item in expression.items) if isinstance(expression, Group) else ""

    def _stays(self, optional: str) -> bool:
        if any(f"{{{name}}}" in optional for name in self._required):
            return True
        words = [token.word for token in self._reader.tokens(optional)]
        return "{" not in optional and all(self._reader.is_small(word) for word in words)

    def _with_units(self, words: Sequence[str]) -> list[str]:
        """Fill the slots in, numbers with their units unless the template says them."""
        filled: list[str] = []
        for index, word in enumerate(words):
            found = _SLOT.search(word)
            slot = self._slots.get(found[1]) if found else None
            if found is None or slot is None:
                filled.append(word)
                continue
            before = words[index - 1].casefold() if index else ""
            said = self._measured(slot, before, following=words[index + 1 : index + 2])
            filled.append(word[: found.start()] + said + word[found.end() :])
        return filled

    def _measured(self, slot: Slot, before: str, following: Sequence[str]) -> str:
        said = self.filled(slot)
        if slot.kind is not SlotKind.NUMBER or slot.unit is None:
            return said
        unit = self._reader.unit_word("deg" if slot.unit in ("c", "f") else slot.unit, after=before)
        return said if list(following) == [unit] else f"{said} {unit}".strip()

    def filled(self, slot: Slot) -> str:
        """Say a value of a slot."""
        if slot.kind is SlotKind.NUMBER:
            return self._number(slot)
        if slot.kind is SlotKind.FREE:
            return _ANYTHING
        live = slot.current(self._reader) if not slot.shown else ()
        if slot.shown or not live:
            return slot.shown or _ANYTHING
        words, value = live[0]
        return str(value) if self._reader.normal(str(value)) == words else words

    def _number(self, slot: Slot) -> str:
        schema: dict[str, Any] = self._template.tool.parameters.get("properties", {}).get(slot.parameter, {})
        examples: Sequence[Any] = schema.get("examples", ())
        if examples:
            return str(examples[0])
        low = slot.bounds[0] if slot.bounds else schema.get("minimum", schema.get("exclusiveMinimum"))
        high = slot.bounds[1] if slot.bounds else schema.get("maximum", schema.get("exclusiveMaximum"))
        usual = _USUAL.get(slot.unit or "", 5)
        if (low is not None and usual < low) or (high is not None and usual > high):
            usual = round((low + high) / 2) if low is not None and high is not None else low or high or usual
        return spelled(usual)
