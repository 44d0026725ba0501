"""The form of a call: tagged tokens, read as pipelines that operators join.

Knows which commands and operators there are; what a command makes of its own tokens is the command's business.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from edgevox.tools.files.faults import quoted

COMMANDS = (
    "cp", "mv", "pwd", "cat", "head", "tail", "wc", "tee", "touch", "mkdir", "grep", "rg", "ls", "find", "diff", "gio",
    "rm",
)  # fmt: skip
PIPE = "|"
JOINS = ("&&", "||", ";")
MAX_TOKENS = 2000
"""Tokens of one call; a person never needs as many, a runaway model is stopped here."""
MAX_TEXT = 100_000
"""Characters of one token."""


class Tag(StrEnum):
    """What a token is."""

    CMD = "CMD"
    """A command's name."""
    FLG = "FLG"
    """One option as it is spelled, or `--`."""
    ARG = "ARG"
    """The value of an option, a pattern, or content."""
    PTH = "PTH"
    """A path."""
    CTL = "CTL"
    """An operator between commands."""


class Token(NamedTuple):
    """One text and what it is."""

    text: str
    tag: Tag


@dataclass(frozen=True, slots=True)
class Stage:
    """One command with its tokens."""

    name: str
    tokens: tuple[Token, ...]

    def __str__(self) -> str:
        """Write it on one line, for reports."""
        return " ".join([self.name, *(_shown(token) for token in self.tokens)])


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Commands that feed each other, and the operator before them."""

    join: str
    """`&&`, `||` or `;`; the first pipeline has `;`."""
    stages: tuple[Stage, ...]


_END = Token("", Tag.CTL)


def read_sequence(pairs: Iterable[Sequence[str]]) -> tuple[Pipeline, ...]:
    """Read a call's tokens.

    Args:
        pairs: `[text, tag]` each.

    Raises:
        ValueError: nothing of it can run; one sentence says what to change.
    """
    tokens = [_token(pair) for pair in pairs]
    if not tokens:
        raise ValueError('There is no command: begin with ["ls","CMD"], for example.')
    if len(tokens) > MAX_TOKENS:
        raise ValueError(f"The call has {len(tokens)} tokens; {MAX_TOKENS} is the most.")
    pipelines: list[Pipeline] = []
    join, stages, current = ";", list[Stage](), list[Token]()
    for token in [*tokens, _END]:
        if token.tag is not Tag.CTL:
            current.append(token)
            continue
        stages.append(_stage(current, token.text))
        current = []
        if token.text != PIPE:
            pipelines.append(Pipeline(join, tuple(stages)))
            join, stages = token.text, []
    return tuple(pipelines)


def _token(pair: Sequence[str]) -> Token:
    text, tag = pair
    if tag not in Tag.__members__:
        raise ValueError(f"{quoted(tag)} is no tag: use {', '.join(Tag)}.")
    if len(text) > MAX_TEXT:
        raise ValueError(f"A token has {len(text)} characters; {MAX_TEXT} is the most.")
    if any("\ud800" <= c <= "\udfff" and not "\udc80" <= c <= "\udcff" for c in text):
        raise ValueError("A token holds half of a character, which no file could: write it whole.")
    token = Token(text, Tag(tag))
    if token.tag is Tag.CMD and text not in COMMANDS:
        raise ValueError(f"There is no command {quoted(text)}: use {', '.join(COMMANDS)}.")
    if token.tag is Tag.CTL and text not in (PIPE, *JOINS):
        raise ValueError(f"There is no operator {quoted(text)}: use {PIPE} {' '.join(JOINS)}.")
    return token


def _stage(tokens: list[Token], operator: str) -> Stage:
    if not tokens:
        where = f"before {operator}" if operator else "at the end"
        raise ValueError(f"A command is missing {where}: an operator stands between two commands.")
    if tokens[0].tag is not Tag.CMD:
        raise ValueError(f"{quoted(tokens[0].text)} stands where a command should: begin with a CMD token.")
    for token in tokens[1:]:
        if token.tag is Tag.CMD:
            raise ValueError(
                f"{token.text} follows {tokens[0].text} without an operator: put a CTL token between them."
            )
    return Stage(tokens[0].text, tuple(tokens[1:]))


def _shown(token: Token) -> str:
    text = quoted(token.text)
    return text if " " in text or text == "''" or "\\" in text or token.text in (PIPE, *JOINS) else text[1:-1]
