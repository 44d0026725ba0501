"""Options of a command: one token each, spelled exactly, before the operands.

Knows the grammar that most commands share; `ls` and `find` have their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from edgevox.tools.files.faults import Trouble, quoted
from edgevox.tools.files.tokens import Tag, Token

MAX_NUMBER = 10**12


@dataclass(frozen=True, slots=True)
class Given:
    """What a command was given."""

    options: Mapping[str, str]
    """Values by the option's first spelling; empty for options without one."""
    operands: tuple[Token, ...]

    def has(self, name: str) -> bool:
        """Whether the option was given."""
        return name in self.options

    def number(self, name: str, default: int) -> int:
        """The option's value as a whole number.

        Raises:
            Trouble: it is none.
        """
        text = self.options.get(name)
        return default if text is None else whole_number(name, text)


@dataclass(frozen=True, slots=True)
class Grammar:
    """Which options a command has."""

    plain: tuple[str, ...] = ()
    """Options without a value; aliases as `-r/-R`."""
    valued: Mapping[str, Tag] = field(default_factory=dict[str, Tag])
    """Options with a value, and the tag of the token that follows."""
    exclusive: tuple[tuple[str, ...], ...] = ()
    """Options of which only one may be given."""

    def read(self, tokens: Sequence[Token]) -> Given:
        """Take the options off the front.

        Raises:
            Trouble: one sentence says which token does not fit.
        """
        names = dict(self._spellings())
        options: dict[str, str] = {}
        rest = list(tokens)
        while rest and rest[0].tag is Tag.FLG:
            text = rest.pop(0).text
            if text == "--":
                break
            if text not in names:
                raise Trouble(f"{quoted(text)} is not supported; the options are {self._listed()}")
            name = names[text]
            if name in options:
                raise Trouble(f"{text} is given twice")
            options[name] = self._value(name, text, rest)
        _refuse_late_flags(rest)
        self._refuse_conflicts(options)
        return Given(options, tuple(rest))

    def _spellings(self) -> Iterable[tuple[str, str]]:
        for entry in (*self.plain, *self.valued):
            aliases = entry.split("/")
            for alias in aliases:
                yield alias, aliases[0]

    def _value(self, name: str, text: str, rest: list[Token]) -> str:
        wanted = next((tag for entry, tag in self.valued.items() if entry.split("/")[0] == name), None)
        if wanted is None:
            return ""
        if not rest or rest[0].tag is not wanted:
            raise Trouble(f"{text} needs a value: a token with the tag {wanted} after it")
        return rest.pop(0).text

    def _refuse_conflicts(self, options: Mapping[str, str]) -> None:
        for group in self.exclusive:
            both = [name for name in group if name in options]
            if len(both) > 1:
                raise Trouble(f"{both[0]} and {both[1]} exclude each other")

    def _listed(self) -> str:
        return " ".join((*self.plain, *self.valued)) or "none"


def whole_number(name: str, text: str) -> int:
    """Read digits.

    Raises:
        Trouble: there is something else, or far too many of them.
    """
    if not text.isascii() or not text.isdigit() or int(text[:15]) > MAX_NUMBER or len(text) > 14:
        raise Trouble(f"the value of {name} must be a whole number such as 10, not {quoted(text)}")
    return int(text)


def only_paths(tokens: Iterable[Token], what: str = "a path") -> list[Token]:
    """Return the operands, all of which have to be paths.

    Raises:
        Trouble: one is not.
    """
    listed = list(tokens)
    for token in listed:
        if token.tag is not Tag.PTH:
            raise Trouble(f"{quoted(token.text)} has the tag {token.tag}; {what} has the tag PTH")
    return listed


def _refuse_late_flags(operands: Iterable[Token]) -> None:
    for token in operands:
        if token.tag is Tag.FLG:
            raise Trouble(f"{quoted(token.text)} comes too late: options stand before the operands")
