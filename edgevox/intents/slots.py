"""What may stand in a template's `{slot}`: the names, switches and numbers that a parameter's annotation allows."""

import enum
import logging
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any, Literal, Union, cast

from edgevox.core.errors import ToolDefinitionError
from edgevox.intents.changes import Adjustable
from edgevox.intents.lexicons import base_language
from edgevox.intents.lexicons.lexicon import Lexicon
from edgevox.intents.tokens import Reader
from edgevox.intents.units import unit_of
from edgevox.tools.definition import Tool
from edgevox.tools.signature import Parameter

log = logging.getLogger(__name__)

Names = Mapping[Any, "str | Sequence[str]"] | Iterable[str]
"""Values with the ways they are said, or values that are said as they are written."""
LiveNames = Callable[[], Names]


class Spoken:
    """How the values of a parameter are said, where their own spelling does not tell.

    For a switch and for a number these words come beside those that are understood anyway: `{False: "kill"}`.

    Use it in an annotation: `Annotated[Room, Spoken({"office": ["study", "den"]}, de={"office": "Büro"})]`, or
    `Annotated[str, Spoken(list_contacts)]` for names that change while the program runs.

    Args:
        names: for every language; a callable is asked at every match and has to be quick.
        ask: how a person is asked for a value that was not said: "Which room?"; a mapping has one for each language.
        by_language: for one language each, beside `names`.
    """

    def __init__(
        self,
        names: Names | LiveNames | None = None,
        /,
        *,
        ask: str | Mapping[str, str] = "",
        **by_language: Names | LiveNames,
    ) -> None:
        self._names = names
        self._ask: Mapping[str, str] = {"en": ask} if isinstance(ask, str) else ask
        self._by_language = by_language

    def question(self, language: str) -> str:
        """How a person is asked for a value in a language; empty when nothing was said about it."""
        return self._ask.get(base_language(language), "")

    def own(self, language: str) -> list[Names | LiveNames]:
        """What holds in a language alone."""
        source = self._by_language.get(base_language(language))
        return [] if source is None else [source]

    def sources(self, language: str) -> list[Names | LiveNames]:
        """What holds in a language."""
        return ([] if self._names is None else [self._names]) + self.own(language)


class Parsed:
    """Values that a function of yours reads from words: times of day, dates, chess moves.

    Use it in an annotation: `Annotated[str, Parsed(read_time)]`.

    Args:
        read: called with words and a two-letter code; returns the value, or `None` when the words are none. Has to be
            quick, for it is called often.
        longest: words that a value has at most.
        verbatim: whether the value is the words themselves, and is to keep the signs that stand between them.
        example: a value as an example says it.
    """

    def __init__(
        self, read: Callable[[str, str], Any], *, longest: int = 4, verbatim: bool = False, example: str = ""
    ) -> None:
        self.read = read
        self.verbatim = verbatim
        self.longest = longest
        self.example = example


class SlotKind(StrEnum):
    """What a slot takes."""

    NAMES = "names"
    SWITCH = "switch"
    NUMBER = "number"
    CHANGE = "change"
    """By how much a number is to change: *warmer*, *down by ten*."""
    PARSED = "parsed"
    """What a function reads."""
    FREE = "free"
    """Any words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One parameter of one tool, as templates use it."""

    key: str
    """Unique among all tools."""
    parameter: str
    kind: SlotKind
    values: tuple[tuple[str, Any], ...] = ()
    """Words as they are compared, with the value that they stand for."""
    live: tuple[LiveNames, ...] = field(default=(), compare=False)
    unit: str | None = None
    shown: str = ""
    """A value as an example says it; empty when there is none to say."""
    bounds: tuple[float, float] | None = None
    """What the template itself allows: `{0..100:level}`."""
    many: bool = False
    """Whether it takes several values in a row: *the kitchen and the office*."""
    whole: bool = False
    """Whether it counts, so that *the second* is 2."""
    adjustable: Adjustable | None = None
    parsed: Parsed | None = None
    ask: str = ""
    """How a person is asked for the value, in the language of the slot; empty where nothing was said about it."""

    def current(self, reader: Reader) -> tuple[tuple[str, Any], ...]:
        """The values now, live names included."""
        if not self.live:
            return self.values
        return _distinct([*self.values, *(pair for source in self.live for pair in _asked(source, reader, self.key))])


def build_slot(
    tool: Tool,
    parameter: Parameter,
    reader: Reader,
    lexicon: Lexicon,
    extra: Mapping[str, Any],
) -> Slot:
    """Read what a parameter's annotation says about how its values are spoken.

    Raises:
        ToolDefinitionError: values of that type cannot be spoken.
    """
    annotation, metadata, many = _taken_apart(parameter.annotation)
    key = f"{tool.name}.{parameter.name}"
    ask = next((part.question(lexicon.code) for part in metadata if isinstance(part, Spoken)), "")
    sources = _sources(metadata, extra, key, parameter.name, lexicon.code)
    live = tuple(source for source in sources if callable(source))
    said = [pair for source in sources if not callable(source) for pair in _pairs(source, reader)]
    own = _own_values(annotation, reader)
    kind = SlotKind.PARSED if any(isinstance(part, Parsed) for part in metadata) else _kind(annotation)
    if own or ((said or live) and kind not in (SlotKind.SWITCH, SlotKind.NUMBER)):
        shown = _shown(parameter, _members(annotation), lexicon.code)
        return Slot(
            key=key,
            parameter=parameter.name,
            kind=SlotKind.NAMES,
            values=_distinct([*own, *said]),
            live=live,
            shown=shown,
            many=many,
            ask=ask,
        )
    if kind is None or (many and kind is not SlotKind.NUMBER):
        raise _unspeakable(tool, parameter, annotation)
    slot = Slot(key=key, parameter=parameter.name, kind=kind, values=tuple(dict(said).items()), many=many, ask=ask)
    return _told_apart(slot, annotation, metadata, reader, lexicon)


def _told_apart(slot: Slot, annotation: Any, metadata: tuple[Any, ...], reader: Reader, lexicon: Lexicon) -> Slot:
    """Add what belongs to the kind of a slot that has no names alone."""
    match slot.kind:
        case SlotKind.SWITCH:
            values = dict(_switch(slot.parameter, lexicon, reader)) | dict(slot.values)
            return replace(slot, values=tuple(values.items()), shown=_told(slot.parameter, lexicon))
        case SlotKind.NUMBER:
            unit = unit_of(slot.parameter)
            adjustable = next((part for part in metadata if isinstance(part, Adjustable)), None)
            return replace(slot, unit=unit, whole=annotation is int and unit is None, adjustable=adjustable)
        case SlotKind.PARSED:
            parsed = next(part for part in metadata if isinstance(part, Parsed))
            return replace(slot, parsed=parsed, shown=parsed.example)
        case _:
            return slot


def _unspeakable(tool: Tool, parameter: Parameter, annotation: Any) -> ToolDefinitionError:
    shown = getattr(annotation, "__name__", str(annotation))
    return ToolDefinitionError(
        f"{tool.name}: a phrase cannot hold '{{{parameter.name}}}', for a {shown} cannot be spoken in one; "
        "leave it out of the phrases or split it into simple parameters."
    )


def _distinct(pairs: Iterable[tuple[str, Any]]) -> tuple[tuple[str, Any], ...]:
    """Leave out what is there twice; two values with one name stay, and make the name ambiguous."""
    return tuple({(words, repr(value)): (words, value) for words, value in pairs}.values())


def _shown(parameter: Parameter, members: Sequence[tuple[str, Any]], language: str) -> str:
    """Say the first value of a parameter the way `Spoken` says it, or as it is written."""
    if not members:
        return ""
    word, value = members[0]
    return said_name(parameter, value, language, own_first=True) or word.replace("_", " ")


def _told(parameter: str, lexicon: Lexicon) -> str:
    switch = lexicon.switch_of(parameter) or next(iter(lexicon.switches), None)
    return (switch.told or switch.true[0]) if switch else ""


def said_name(parameter: Parameter, value: Any, language: str, *, own_first: bool = False) -> str | None:
    """Return the first way in which `Spoken` says a value of the parameter; `None` when it says nothing of it.

    Args:
        parameter: with its annotation.
        value: of the parameter.
        language: two-letter code.
        own_first: ask only what holds in this language alone, for the value's own spelling is as good as other words.
    """
    annotation, metadata, _ = _taken_apart(parameter.annotation)
    if annotation in (bool, int, float):  # words beside those that every switch and number has, for ears alone
        return None
    spoken = [part for part in metadata if isinstance(part, Spoken)]
    for source in [s for part in spoken for s in (part.own(language) if own_first else part.sources(language)[::-1])]:
        if isinstance(source, Mapping) and value in source:
            ways = cast("Mapping[Any, str | Sequence[str]]", source)[value]
            return ways if isinstance(ways, str) else next(iter(ways), None)
    return None


def _taken_apart(annotation: Any) -> tuple[Any, tuple[Any, ...], bool]:
    """Return what one value is, what the annotation says beside it, and whether several are taken."""
    annotation, metadata = _unwrapped(annotation)
    if typing.get_origin(annotation) not in (list, set, frozenset, tuple, Sequence):
        return annotation, metadata, False
    items = [part for part in typing.get_args(annotation) if part is not ...]
    if len(items) != 1:
        return annotation, metadata, False
    item, below = _unwrapped(items[0])
    return item, (*metadata, *below), True


def _unwrapped(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """Take an annotation out of `Annotated` and `Optional`."""
    if typing.get_origin(annotation) is Annotated:
        inner, *metadata = typing.get_args(annotation)
        annotation, below = _unwrapped(inner)
        return annotation, (*metadata, *below)
    if typing.get_origin(annotation) in (Union, types.UnionType):
        branches = [part for part in typing.get_args(annotation) if part is not type(None)]
        speakable = [part for part in branches if _kind(_unwrapped(part)[0]) or _members(_unwrapped(part)[0])]
        return _unwrapped((speakable or branches)[0])
    return annotation, ()


def _sources(
    metadata: tuple[Any, ...], extra: Mapping[str, Any], key: str, parameter: str, language: str
) -> list[Names | LiveNames]:
    found: list[Names | LiveNames] = []
    for part in metadata:
        if isinstance(part, Spoken):
            found += part.sources(language)
        elif isinstance(part, types.FunctionType | types.MethodType):
            found.append(cast("LiveNames", part))
    for name in (parameter, key):
        source: Any = extra.get(name)
        if source is not None:
            found += source.sources(language) if isinstance(source, Spoken) else [source]
    return found


def _kind(annotation: Any) -> SlotKind | None:
    if annotation is bool:
        return SlotKind.SWITCH
    if annotation in (int, float):
        return SlotKind.NUMBER
    return SlotKind.FREE if annotation is str else None


def _members(annotation: Any) -> list[tuple[str, Any]]:
    """The values of a `Literal` or an `Enum` with the words that name them."""
    if typing.get_origin(annotation) is Literal:
        return [(str(value), value) for value in typing.get_args(annotation)]
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return [(m.value if isinstance(m.value, str) else m.name, m.value) for m in annotation]
    return []


def _own_values(annotation: Any, reader: Reader) -> list[tuple[str, Any]]:
    return [
        (spoken, value) for word, value in _members(annotation) if (spoken := reader.normal(word.replace("_", " ")))
    ]


def _pairs(names: Names, reader: Reader) -> list[tuple[str, Any]]:
    if isinstance(names, Mapping):
        said = cast("Mapping[Any, str | Sequence[str]]", names)
        return [
            (spoken, value)
            for value, ways in said.items()
            for way in ((ways,) if isinstance(ways, str) else ways)
            if (spoken := reader.normal(str(way)))
        ]
    listed = [str(name) for name in names]
    return [(spoken, name) for name in listed if (spoken := reader.normal(name.replace("_", " ")))]


def _asked(source: LiveNames, reader: Reader, key: str) -> list[tuple[str, Any]]:
    try:
        return _pairs(source(), reader)
    except Exception:  # other people's code; without its names the rest still matches
        log.exception("the live names of %s cannot be read", key)
        return []


def _switch(parameter: str, lexicon: Lexicon, reader: Reader) -> tuple[tuple[str, Any], ...]:
    """Return how a switch is told: with its own opposites first, then with those that fit every switch.

    A parameter called `closed` is true when the thing is closed.
    """
    own = lexicon.switch_of(parameter)
    inverted = own is not None and parameter.lower().rpartition("_")[2] in own.negative
    spoken: dict[str, bool] = {}
    for switch in ([own] if own is not None else []) + [s for s in lexicon.switches if s.general or own is None]:
        turned = inverted and switch is own
        for words, value in ((switch.true, not turned), (switch.false, turned)):
            for word in words:
                spoken.setdefault(reader.normal(word), value)
    return tuple(spoken.items())
