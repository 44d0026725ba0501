"""Commands that lack one thing: *turn on the light*, where every phrase of the tool names a room.

Matches by sound against wordings from which one needed slot was taken away. Never runs anything: what it finds is good
for a question.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgevox.intents.fuzzy import FuzzyMatcher
from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.slots import Slot, SlotKind
from edgevox.intents.templates import Template, Variant
from edgevox.intents.tokens import Reader, Token

SURE = 0.85
"""Score from which a command with a gap counts."""
_LEAST = 2
"""Words of weight, or slots, that have to be left; one word is no command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A call of which everything is known but one argument."""

    tool: str
    parameter: str
    """What was not said."""
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    score: float = 1.0


class GapMatcher:
    """Finds commands with a gap.

    Args:
        templates: compiled phrases.
        reader: of their language.
        lexicon: of their language.
    """

    def __init__(self, templates: Iterable[Template], reader: Reader, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        open_templates: dict[str, tuple[str, str]] = {}
        made: list[Template] = []
        for template in templates:
            for missing, variants in self._without_one(template):
                key = f"{template.tool.name}/{missing}"
                open_templates[key] = (template.tool.name, missing)
                made.append(
                    Template(tool=template.tool, text=template.text, compiled="", slots=(), variants=tuple(variants))
                )
        self._meant = open_templates
        self._matcher = FuzzyMatcher(made, reader, lexicon)

    def match(self, tokens: Sequence[Token]) -> list[Gap]:
        """Return what the whole of `tokens` may ask for, best first."""
        found: list[Gap] = []
        for candidate in self._matcher.match(tokens):
            tool, parameter = self._meant[candidate.tool]
            if candidate.score >= SURE and candidate.free_words == 0:
                found.append(Gap(tool=tool, parameter=parameter, arguments=candidate.arguments, score=candidate.score))
        return found

    def _without_one(self, template: Template) -> Iterator[tuple[str, list[Variant]]]:
        """Yield each needed parameter that can be asked for, with the wordings that say everything but it."""
        required = {p.name for p in template.tool.signature.parameters if p.required}
        for missing in sorted(required):
            variants = [
                Variant(left, f"{template.tool.name}/{missing}")
                for variant in template.variants
                if (left := _left(variant, missing)) is not None
                and required - {missing} <= {part.parameter for part in left if isinstance(part, Slot)}
                and self._weight(left) >= _LEAST
            ]
            if variants:
                yield missing, list(dict.fromkeys(variants))

    def _weight(self, parts: Iterable[str | Slot]) -> int:
        return sum(isinstance(part, Slot) or part not in self._lexicon.light for part in parts)


def _left(variant: Variant, missing: str) -> tuple[str | Slot, ...] | None:
    """Return a wording without a slot; `None` if it has none of that parameter, or one for any words beside it."""
    slots = [part for part in variant.parts if isinstance(part, Slot)]
    gap = next((slot for slot in slots if slot.parameter == missing), None)
    if gap is None or any(slot.kind is SlotKind.FREE for slot in slots):
        return None
    return tuple(part for part in variant.parts if part is not gap)
