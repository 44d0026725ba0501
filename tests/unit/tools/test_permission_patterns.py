"""Patterns of permission rules, held against a matcher that is written another way."""

import os
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule, escaped
from edgevox.tools.permissions.patterns import Pattern
from edgevox.tools.permissions.resources import as_part

LETTERS = st.sampled_from("aB.*?[]!- \n")
PATTERN_PARTS = st.lists(st.one_of(st.just("**"), st.text(LETTERS, min_size=1, max_size=4)), min_size=0, max_size=5)
NAME_PARTS = st.lists(st.text(st.sampled_from("aB.*[]!- \n"), min_size=1, max_size=3), max_size=5)


def covers(pattern: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """The meaning of a pattern, as plain recursion."""

    @cache
    def whole(p: int, n: int) -> bool:
        if p == len(pattern):
            return n == len(name)
        if pattern[p] == "**":
            return whole(p + 1, n) or (n < len(name) and whole(p, n + 1))
        return n < len(name) and part(pattern[p], name[n]) and whole(p + 1, n + 1)

    return whole(0, 0)


def part(pattern: str, text: str) -> bool:
    if not pattern:
        return not text
    first, rest = pattern[0], pattern[1:]
    if first == "*":
        return part(rest, text) or (bool(text) and part(pattern, text[1:]))
    end = pattern.find("]", 3 if pattern[1:2] == "!" else 2)
    if first == "[" and end > 0:
        return bool(text) and in_set(pattern[1:end], text[0]) and part(pattern[end + 1 :], text[1:])
    return bool(text) and first in ("?", text[0]) and part(rest, text[1:])


def in_set(inside: str, letter: str) -> bool:
    negated = inside.startswith("!")
    inside = inside[1:] if negated else inside
    found, at = False, 0
    while at < len(inside):
        if at + 2 < len(inside) and inside[at + 1] == "-":
            found = found or inside[at] <= letter <= inside[at + 2]
            at += 3
        else:
            found = found or inside[at] == letter
            at += 1
    return found != negated


@settings(max_examples=300, deadline=None)
@given(PATTERN_PARTS, NAME_PARTS)
def test_a_pattern_covers_what_a_plain_reading_of_it_covers(pattern: list[str], name: list[str]) -> None:
    assert Pattern(pattern).matches(name) is covers(tuple(pattern), tuple(name))


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@given(PATTERN_PARTS, NAME_PARTS)
def test_a_pattern_covers_what_a_plain_reading_of_it_covers_many_times(pattern: list[str], name: list[str]) -> None:
    assert Pattern(pattern).matches(name) is covers(tuple(pattern), tuple(name))


@settings(max_examples=200, deadline=None)
@given(st.text(LETTERS, min_size=1, max_size=8), st.text(LETTERS, min_size=1, max_size=8))
def test_an_escaped_name_covers_that_name_alone(name: str, other: str) -> None:
    pattern = Pattern([escaped(name)])
    assert pattern.matches([name])
    assert pattern.matches([other]) is (other == name)


def test_no_pattern_takes_long() -> None:
    assert not Pattern(["**", "a"] * 20).matches(["a"] * 200 + ["b"])
    assert not Pattern(["*a" * 25 + "b"]).matches(["a" * 2000])


@pytest.mark.parametrize(
    ("pattern", "name", "covered"),
    [
        ("notes/**", "notes", True),
        ("notes/**", "notes/.hidden/x", True),
        ("notes", "notes/x", False),
        ("*.txt", "a.txt", True),
        ("*.txt", "sub/a.txt", False),
        ("*.txt", "A.TXT", False),
        ("**/a", "a", True),
        ("**", "", True),
        ("*", ".hidden", True),
        ("*", "", False),
    ],
)
def test_the_words_of_the_documentation_hold(pattern: str, name: str, covered: bool) -> None:
    parts = [each for each in name.split("/") if each]
    assert Pattern(pattern.split("/")).matches(parts) is covered


ODD = st.text(st.sampled_from("ab/.~*[]?:\0\n\x1b \u202e\ud800\udc80\udfff"), max_size=24)


@settings(max_examples=300, deadline=None)
@given(ODD, st.sampled_from(Operation))
def test_no_text_gets_out_of_the_allowed_tree(text: str, operation: Operation) -> None:
    engine = PermissionEngine(base="/base", allow_rules=[PermissionRule(pattern="a/**")])
    inside = os.path.normpath(f"/base/{text}" if not text.startswith("/") else text).replace("//", "/")
    odd = any(c == "\0" or "\ud800" <= c <= "\udc7f" or "\udd00" <= c <= "\udfff" for c in text)
    allowed = bool(text) and not odd and (inside == "/base/a" or inside.startswith("/base/a/"))
    assert (engine.judge(operation, f"file:{text}") is ActionVerdict.allow) is allowed
    assert engine.judge(operation, text) in (ActionVerdict.deny, ActionVerdict.allow)
    assert engine.judge(operation, f"device:{text}") is ActionVerdict.deny


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=12), st.sampled_from("abc"))
def test_an_argument_never_names_another_resource(value: str, room: str) -> None:
    part = as_part(value)
    assert part == "_" or "/" not in part
    assert part not in ("", ".", "..")
    engine = PermissionEngine(allow_rules=[PermissionRule(pattern="device:light/*")])
    assert engine.judge(Operation.SWITCH, f"device:light/{part}") is ActionVerdict.allow
    assert engine.judge(Operation.SWITCH, f"device:door/{part}/{room}") is ActionVerdict.deny
