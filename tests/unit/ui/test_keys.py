"""Bytes to keys: the same keys however the bytes are cut, and an escape key that is not the beginning of another."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgevox.ui.keys import Key, KeyReader


def keys(*pieces: bytes) -> list[Key]:
    reader = KeyReader()
    found = [key for piece in pieces for key in reader.feed(piece)]
    return found + reader.timeout()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\x1b[A", "up"),
        (b"\x1bOB", "down"),
        (b"\x1b[3~", "delete"),
        (b"\x1bOP", "f1"),
        (b"\x1b[13~", "f3"),
        (b"\r", "enter"),
        (b"\x7f", "backspace"),
        (b"\t", "tab"),
        (b"\x11", "ctrl+q"),
        (b"\x1b", "escape"),
    ],
)
def test_a_key_is_known_by_its_bytes(data: bytes, name: str) -> None:
    assert [key.name for key in keys(data)] == [name]


@given(st.lists(st.integers(1, 40), max_size=6))
def test_the_same_keys_come_however_the_bytes_are_cut(places: list[int]) -> None:
    data = "hé\x1b[A日\x1b[200~two\nlines\x1b[201~\x1bOP\x1b[1;5Cx\r".encode()
    cuts = sorted({0, len(data), *(place for place in places if place < len(data))})
    pieces = [data[start:end] for start, end in pairwise(cuts)]
    assert keys(*pieces) == keys(data)


def test_escape_followed_by_a_letter_is_two_keys() -> None:
    assert [key.name for key in keys(b"\x1bx")] == ["escape", "text"]
    assert [key.name for key in keys(b"\x1b\x1b")] == ["escape", "escape"]


def test_a_lone_escape_waits_for_its_rest() -> None:
    reader = KeyReader()
    assert reader.feed(b"\x1b") == []
    assert reader.waiting
    assert reader.feed(b"[A") == [Key("up")]
    assert not reader.waiting


def test_an_unknown_sequence_is_swallowed_whole() -> None:
    assert keys(b"\x1b[?62;c", b"a") == [Key("text", "a")]
    assert keys(b"\x1b[<35;10;5M", b"b") == [Key("text", "b")]


def test_pasted_text_is_one_key_with_its_lines() -> None:
    assert keys(b"\x1b[200~one\ntwo\x1b[201~") == [Key("paste", "one\ntwo")]


def test_bytes_that_are_no_text_do_no_harm() -> None:
    assert [key.name for key in keys(b"\xff\xfe", b"a")] == ["text", "text", "text"]
