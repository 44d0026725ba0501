"""The shape of a language's tables."""

from collections.abc import Mapping
from dataclasses import dataclass, field


def words(text: str) -> frozenset[str]:
    """Read a table row: words between spaces."""
    return frozenset(text.split())


def phrases(text: str) -> tuple[tuple[str, ...], ...]:
    """Read a table of phrases between bars, longest first, each as its words."""
    split = [tuple(phrase.split()) for phrase in text.split("|")]
    return tuple(sorted((phrase for phrase in split if phrase), key=len, reverse=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberWords:
    """How numbers are said, beyond what the number formatter knows."""

    point: frozenset[str] = frozenset()
    """What stands before decimals: *point*."""
    minus: frozenset[str] = frozenset()
    joiner: str | None = None
    """What may stand between hundreds and the rest: *and*."""
    thousand: frozenset[str] = frozenset()
    one: frozenset[str] = frozenset()
    """Articles that are a one before a unit: *a minute*."""
    misheard: Mapping[str, int] = field(default_factory=dict[str, int])
    """Words that recognition writes for a number, which count as it before a unit: *to metres*."""
    halves: tuple[tuple[str, ...], ...] = ()
    """What adds a half to the number before it: *and a half*."""
    fixed: Mapping[str, float] = field(default_factory=dict[str, float])
    """Words and phrases with a value of their own: *half a*."""
    ordinals: Mapping[str, int] = field(default_factory=dict[str, int])
    """Ways to say a place in a row that the number formatter does not know: *last* is -1."""
    ordinal_endings: tuple[str, ...] = ()
    """What makes an ordinal of digits: *2nd*."""
    fractions: Mapping[str, float] = field(default_factory=dict[str, float])
    """Parts of a whole, where a percentage is wanted: *half*."""
    decimal_comma: bool = True
    """Whether 21,5 is twenty-one and a half."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """One pair of opposites: *on* and *off*, *open* and *closed*."""

    true: tuple[str, ...]
    """The first is how a reply says it."""
    false: tuple[str, ...]
    told: str = ""
    """How an example tells it to be on, where that is another form than a reply's."""
    names: frozenset[str] = frozenset()
    """Parameters that mean this pair (`open`, `opened`)."""
    negative: frozenset[str] = frozenset()
    """Parameters that mean it the other way round (`closed`)."""
    general: bool = False
    """Whether any switch may be told with it; otherwise only a parameter that means it, or one that means no pair."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """One language."""

    code: str
    openings: tuple[tuple[str, ...], ...] = ()
    """Polite or idle beginnings that ask for nothing."""
    closings: tuple[tuple[str, ...], ...] = ()
    courtesies: tuple[tuple[str, ...], ...] = ()
    """The closings that are never part of a text that is to be kept: *remind me to call Sam, please*."""
    conjunctions: frozenset[str] = frozenset()
    """Words that may begin a second command."""
    connectors: tuple[tuple[str, ...], ...] = ()
    """What may stand between two commands: *and then*."""
    joiners: frozenset[str] = frozenset()
    """What may stand between two names of one list: *the kitchen and the office*."""
    negations: frozenset[str] = frozenset()
    """Words that turn a command into its refusal, wherever they stand."""
    hesitations: frozenset[str] = frozenset()
    """Sounds that mean nothing anywhere."""
    light: frozenset[str] = frozenset()
    """Words whose presence or absence changes no command."""
    distinct: frozenset[str] = frozenset()
    """Common words that are never taken for one that sounds like them, as *meeting* for *heating*."""
    guards: frozenset[str] = frozenset()
    """Words that turn a command into something else (negation, question, report, condition) or into its opposite."""
    contractions: Mapping[str, str] = field(default_factory=dict[str, str])
    """Written out before anything is compared."""
    homophones: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, "tuple[str, ...]"])
    """What recognition writes, and which words were probably said."""
    switches: tuple[Switch, ...] = ()
    """What can be on or off, open or closed; the first is what a switch is called that is none of the others."""
    counted: Mapping[str, str] = field(default_factory=dict[str, str])
    """How units are said after a number, as `one|many`."""
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    """Unit words to units of `edgevox.intents.units`."""
    unit_joiners: frozenset[str] = frozenset()
    """What may stand between *1 hour* and *30 minutes*."""
    percent: str = "percent"
    degrees: str = "degrees"
    numbers: NumberWords = field(default_factory=NumberWords)
    english_sounds: bool = False
    """Whether spelling is reduced to sound the English way."""
    and_word: str = "&"
    """For lists in replies."""
    done: str = ""
    """Said when a tool worked and has nothing to tell."""
    failed: str = "{error}"
    """How a failure is told; `{error}` is the reason."""
    declined: str = "{error}"
    not_permitted: str = "{error}"
    """How it is told that no rule permits it."""
    stopped: str = "{error}"

    @property
    def true(self) -> tuple[str, ...]:
        """Every word for *on*."""
        return tuple(word for switch in self.switches for word in switch.true) or ("true",)

    @property
    def false(self) -> tuple[str, ...]:
        """Every word for *off*."""
        return tuple(word for switch in self.switches for word in switch.false) or ("false",)

    def switch_of(self, parameter: str) -> Switch | None:
        """Return the pair that a parameter means by its name."""
        tail = parameter.lower().removeprefix("is_").rpartition("_")[2]
        return next((s for s in self.switches if tail in s.names or tail in s.negative), None)
