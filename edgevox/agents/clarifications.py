"""Asks *which room* where a command lacks that one thing, and understands the answer.

A question is asked only where no model could guess. Nothing is remembered beside the conversation: whether an answer is
an answer is read from the question that stands in it, so it works in every front end and after a restart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from edgevox.agents.history import CLARIFICATION
from edgevox.agents.vocabulary import Explainer
from edgevox.agents.words import either
from edgevox.core.messages import Role
from edgevox.core.session import Session
from edgevox.intents.gaps import Gap
from edgevox.intents.lexicons import base_language
from edgevox.intents.matcher import PhraseMatch, PhraseMatcher
from edgevox.intents.slots import Slot, SlotKind, said_name
from edgevox.tools.wording import humane

MOST_CHOICES = 5
"""Names that a question lists."""
SCORE = 0.9
"""What a completed command counts as."""

_WHICH: Mapping[str, tuple[str, str, str, str]] = {
    "en": ("Which {name}: {choices}?", "Which {name}?", "How many {unit}?", "Which one: {choices}?"),
    "de": ("Was genau: {choices}?", "Was genau?", "Wie viele {unit}?", "Was genau: {choices}?"),
    "fr": ("Quoi exactement : {choices} ?", "Quoi exactement ?", "Combien ({unit}) ?", "Quoi exactement : {choices} ?"),
    "es": ("¿Cuál: {choices}?", "¿Cuál exactamente?", "¿Cuánto, en {unit}?", "¿Cuál: {choices}?"),
    "vi": ("Cái nào: {choices}?", "Cái nào?", "Bao nhiêu {unit}?", "Cái nào: {choices}?"),
}
"""How a name is asked for with and without a list, a number with a unit, and one of several readings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clarification:
    """A question and the calls that its answer may complete."""

    question: str
    tool: str = ""
    parameter: str = ""
    """What was not said, or said unclearly; empty when whole readings are told apart."""
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    readings: tuple[PhraseMatch, ...] = ()
    labels: tuple[str, ...] = ()
    """What each reading is called."""


class Clarifications:
    """The questions that a set of tools allows in one language.

    Args:
        matcher: understands one command.
        explainer: the vocabularies of the same tools.
    """

    def __init__(self, matcher: PhraseMatcher, explainer: Explainer) -> None:
        self._matcher = matcher
        self._explainer = explainer
        self._words = _WHICH.get(base_language(explainer.language), _WHICH["en"])

    def of(self, text: str) -> Clarification | None:
        """The question that makes a text a command; `None` when it is too far from one."""
        readings = self._matcher.readings(text)
        if len(readings) > 1:
            return self._between(readings)
        gaps = self._matcher.gaps(text)
        best = [gap for gap in gaps if gap.score >= gaps[0].score - 0.02] if gaps else []
        fullest = max((len(gap.arguments) for gap in best), default=0)
        wanted = [gap for gap in best if len(gap.arguments) == fullest]
        return self._about(wanted[0]) if len({(gap.tool, gap.parameter) for gap in wanted}) == 1 else None

    def answered(self, text: str, session: Session) -> PhraseMatch | None:
        """The command that a text completes, if it answers the question before it.

        Args:
            text: what was said.
            session: the conversation; its last message may be the text itself.
        """
        asked = _last_question(session)
        clarification = self.of(asked) if asked is not None else None
        if clarification is None:
            return None
        return self._completed(clarification, text) if clarification.parameter else self._picked(clarification, text)

    def _completed(self, asked: Clarification, text: str) -> PhraseMatch | None:
        explained = self._explainer.explain(text, asked.tool)
        if explained is None or asked.parameter not in explained.values:
            return None
        arguments = {**asked.arguments, **explained.values}
        return PhraseMatch(tool_name=asked.tool, arguments=arguments, score=SCORE, text=text)

    def _picked(self, asked: Clarification, text: str) -> PhraseMatch | None:
        reader = self._explainer.reader
        tokens = self._explainer.tokens(text)
        said = " ".join(token.word for token in tokens if not reader.is_small(token.word))
        for label, reading in zip(asked.labels, asked.readings, strict=True):
            words = (token.word for token in reader.tokens(label) if not reader.is_small(token.word))
            if said == " ".join(words):
                return reading
        kept = tuple(token.word for token in tokens if not reader.is_small(token.word) and token.word != "1")
        place = int(reader.ordinals.get(kept, 0))
        return asked.readings[place - 1] if 0 < place <= len(asked.readings) else None

    def _about(self, gap: Gap) -> Clarification | None:
        vocabulary = self._explainer.known.get(gap.tool)
        slot = vocabulary.slot(gap.parameter) if vocabulary is not None else None
        if slot is None:
            return None
        return Clarification(
            question=self._question(slot, self._choices(slot, gap.tool)),
            tool=gap.tool,
            parameter=gap.parameter,
            arguments=gap.arguments,
        )

    def _between(self, readings: Sequence[PhraseMatch]) -> Clarification | None:
        """Ask which of several readings was meant: by the one value they differ in, or by what would be done."""
        if len(readings) > MOST_CHOICES:
            return None
        tools = {reading.tool_name for reading in readings}
        different = {
            name
            for reading in readings
            for name, value in reading.arguments.items()
            if any(other.arguments.get(name) != value for other in readings)
        }
        if len(tools) > 1 or len(different) != 1:
            labels = tuple(humane(reading.tool_name) for reading in readings)
            if len(set(labels)) < len(labels):
                return None
            question = self._words[3].format(choices=either(labels, self._explainer.language))
            return Clarification(question=question, readings=tuple(readings), labels=labels)
        parameter = different.pop()
        first = readings[0]
        slot = self._slot(first.tool_name, parameter)
        if slot is None or not all(parameter in reading.arguments for reading in readings):
            return None
        values = [self._named(slot, first.tool_name, reading.arguments[parameter]) for reading in readings]
        kept = {name: value for name, value in first.arguments.items() if name != parameter}
        question = self._question(slot, values)
        return Clarification(question=question, tool=first.tool_name, parameter=parameter, arguments=kept)

    def _slot(self, tool: str, parameter: str) -> Slot | None:
        vocabulary = self._explainer.known.get(tool)
        return vocabulary.slot(parameter) if vocabulary is not None else None

    def _question(self, slot: Slot, choices: Sequence[str]) -> str:
        named, plain, counted, _ = self._words
        listed = either(choices, self._explainer.language) if choices else ""
        if slot.ask:
            stem = slot.ask.rstrip(" ?")
            return f"{stem}: {listed}?" if listed else slot.ask
        if slot.kind is SlotKind.SWITCH:
            return f"{listed[:1].upper()}{listed[1:]}?"
        name = humane(slot.parameter)
        unit = self._explainer.reader.unit_word("deg" if slot.unit in ("c", "f") else slot.unit or "")
        if slot.kind is SlotKind.NUMBER and unit:
            return counted.format(unit=unit)
        return named.format(name=name, choices=listed) if listed else plain.format(name=name)

    def _choices(self, slot: Slot, tool: str) -> list[str]:
        """What may be answered, each in its usual words; nothing where that would be a long list."""
        if slot.kind is SlotKind.SWITCH:
            switch = self._explainer.lexicon.switch_of(slot.parameter) or self._explainer.lexicon.switches[0]
            return [switch.true[0], switch.false[0]]
        if slot.kind is not SlotKind.NAMES:
            return []
        values = list({repr(value): value for _, value in slot.current(self._explainer.reader)}.values())
        return [self._named(slot, tool, value) for value in values] if len(values) <= MOST_CHOICES else []

    def _named(self, slot: Slot, tool: str, value: Any) -> str:
        parameters = self._explainer.known[tool].tool.signature.parameters
        parameter = next(p for p in parameters if p.name == slot.parameter)
        name = said_name(parameter, value, self._explainer.language)
        return name if name is not None else humane(str(value))


def _last_question(session: Session) -> str | None:
    """The words that the last reply asked about; `None` when it asked nothing."""
    messages = session.messages
    last = len(messages) - 1
    if last >= 0 and messages[last].role is Role.USER:
        last -= 1
    if last < 1 or messages[last].kind not in (CLARIFICATION, "interrupted"):
        return None
    before = messages[last - 1]
    return before.plain if before.role is Role.USER else None
