"""Compiles the phrases of tools: hassil parses them, slots are tied to parameters, mistakes are named.

A template's fixed words are read the way utterances are, so that *what's* in one meets *what is* in the other.
"""

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from edgevox.core.errors import ToolDefinitionError
from edgevox.intents.changes import shown_change
from edgevox.intents.lexicons import base_language
from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.slots import Slot, SlotKind, build_slot
from edgevox.intents.tokens import Reader
from edgevox.tools.definition import Tool
from edgevox.tools.wording import nearest

_PART = re.compile(r"(\{[^{}]*\}|[()\[\]|;<>])")
_SLOT = re.compile(r"\{([^{}]*)\}")
_INLINE_RANGE = re.compile(r"(\d+)\.\.(\d+)(?:,\d+)?")
_VARIANTS = 96
"""Wordings of one template that are compared by sound; the exact match knows them all."""


@dataclass(frozen=True, slots=True)
class Variant:
    """One wording of a template: words and slots in order."""

    parts: tuple[str | Slot, ...]
    tool: str

    @property
    def words(self) -> frozenset[str]:
        """The fixed words."""
        return frozenset(part for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One phrase of one tool."""

    tool: Tool
    text: str
    """As it was written."""
    compiled: str
    """As hassil reads it: fixed words normalised, slots by their keys."""
    slots: tuple[Slot, ...]
    variants: tuple[Variant, ...]


def phrases_of(tool: Tool, language: str) -> tuple[str, ...]:
    """Return the phrases of a tool in a language, or in its base language."""
    return tool.phrases.get(language) or tool.phrases.get(base_language(language), ())


class TemplateCompiler:
    """Compiles the phrases of one language.

    Args:
        lexicon: of the language.
        reader: of the language.
        extra: names for the values of a parameter, by `parameter` or `tool.parameter`.
    """

    def __init__(self, lexicon: Lexicon, reader: Reader, extra: Mapping[str, Any]) -> None:
        self._lexicon = lexicon
        self._reader = reader
        self._extra = extra
        self._slots: dict[str, Slot] = {}

    def compile(self, tool: Tool, text: str) -> Template:
        """Compile one phrase.

        Raises:
            ToolDefinitionError: names the tool, the phrase and what is wrong with it.
        """
        if "<" in text or ">" in text:
            raise _wrong(tool, text, "rules in <angle brackets> are not known here; write the words out")
        if broken := _reason(text):
            raise _wrong(tool, text, broken)
        renamed: list[str] = []
        slots: dict[str, Slot] = {}
        for part in _PART.split(text):
            if _SLOT.fullmatch(part):
                slot = self._slot(tool, text, part[1:-1])
                slots[slot.key] = slot
                renamed.append(f"{{{slot.key}}}")
            else:
                renamed.append(self._normalised(part))
        compiled = "".join(renamed)
        variants = tuple(self._variants(tool, text, compiled, slots))
        _refuse_vague(tool, text, variants)
        return Template(tool=tool, text=text, compiled=compiled, slots=tuple(slots.values()), variants=variants)

    def _slot(self, tool: Tool, text: str, name: str) -> Slot:
        relative = name.startswith("+")
        before, _, after = name.removeprefix("+").rpartition(":")
        inline = _INLINE_RANGE.fullmatch(before)
        if before and not inline:
            raise _wrong(tool, text, f"'{{{name}}}' is not a slot; write the parameter's name alone")
        parameters = {parameter.name: parameter for parameter in tool.signature.parameters}
        wanted = after.strip()
        if wanted not in parameters:
            known = ", ".join(parameters) or "none"
            raise _wrong(
                tool, text, f"'{{{wanted}}}' is not one of its parameters{nearest(wanted, parameters)} (it has {known})"
            )
        key = f"{tool.name}.{wanted}"
        if key not in self._slots:
            self._slots[key] = build_slot(tool, parameters[wanted], self._reader, self._lexicon, self._extra)
        slot = self._slots[key]
        if relative:
            return _relative(tool, text, slot, self._lexicon.code)
        if not inline:
            return slot
        return Slot(
            key=f"{key}/{inline[1]}-{inline[2]}",
            parameter=slot.parameter,
            kind=slot.kind,
            unit=slot.unit,
            bounds=(float(inline[1]), float(inline[2])),
        )

    def _normalised(self, part: str) -> str:
        """Read fixed words as utterances are read, keeping the spaces that tie them to what is beside them."""
        if len(part) == 1 and part in "()[]|;":
            return part
        loose = part.replace("-", " ").replace("—", " ")
        words = loose.strip()
        if not words or words.startswith("'"):
            return loose
        head = loose[: len(loose) - len(loose.lstrip())]
        tail = loose[len(loose.rstrip()) :]
        return f"{head}{self._reader.normal(words)}{tail}"

    def _variants(self, tool: Tool, text: str, compiled: str, slots: Mapping[str, Slot]) -> Iterator[Variant]:
        from hassil.parse_expression import parse_sentence
        from hassil.parser import ParseError
        from hassil.sample import sample_sentence

        try:
            sentence = parse_sentence(compiled)
            sampled = itertools.islice(sample_sentence(sentence, expand_lists=False), _VARIANTS * 4)
            wordings = dict.fromkeys(" ".join(_spread(wording).split()) for wording in sampled)
        except (ParseError, ValueError, AssertionError, IndexError) as error:
            raise _wrong(tool, text, f"it cannot be read ({error or type(error).__name__})") from error
        for wording in itertools.islice(wordings, _VARIANTS):
            parts = tuple(slots[part[1:-1]] if part.startswith("{") else part for part in wording.split())
            if parts:
                yield Variant(parts, tool.name)


def _relative(tool: Tool, text: str, slot: Slot, language: str) -> Slot:
    """Return the slot for changes of a parameter."""
    if slot.kind is not SlotKind.NUMBER or slot.adjustable is None:
        name = slot.parameter
        raise _wrong(tool, text, f"'{{+{name}}}' needs a number with Adjustable(step=…) in the annotation of '{name}'")
    shown = shown_change(slot.parameter, slot.unit, language)
    return replace(slot, key=f"{slot.key}/+", kind=SlotKind.CHANGE, whole=False, shown=shown)


def _spread(wording: str) -> str:
    """Set slots apart from words that touch them."""
    return re.sub(r"(\{[^{}]*\})", r" \1 ", wording)


def _reason(text: str) -> str:
    for left, right in ("()", "[]", "{}"):
        if text.count(left) != text.count(right):
            return f"'{left}' and '{right}' do not match up"
    return "a group or a slot is empty" if re.search(r"\(\s*\)|\[\s*\]|\{\s*\}", text) else ""


def _refuse_vague(tool: Tool, text: str, variants: Iterable[Variant]) -> None:
    """Refuse phrases that match everything or cannot be taken apart."""
    listed = list(variants)
    if not listed:
        raise _wrong(tool, text, "it says nothing")
    required = {parameter.name for parameter in tool.signature.parameters if parameter.required}
    for variant in listed:
        if not variant.words and any(isinstance(p, Slot) and p.kind is SlotKind.FREE for p in variant.parts):
            raise _wrong(tool, text, "a slot for any words needs fixed words beside it, or it would match everything")
        for one, other in itertools.pairwise(variant.parts):
            if isinstance(one, Slot) and isinstance(other, Slot) and one.kind is other.kind is SlotKind.FREE:
                raise _wrong(tool, text, f"nothing tells where '{{{one.parameter}}}' ends; put a word behind it")
    said = [{part.parameter for part in variant.parts if isinstance(part, Slot)} for variant in listed]
    if not any(required <= names for names in said):
        missing = ", ".join(sorted(required - max(said, key=len)))
        raise _wrong(tool, text, f"it never says '{missing}', which has no default")


def _wrong(tool: Tool, text: str, what: str) -> ToolDefinitionError:
    return ToolDefinitionError(f'{tool.name}: the phrase "{text}" cannot be used: {what}.')
