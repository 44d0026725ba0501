"""Results of every kind and size, as a model may see them."""

import datetime as dt
import enum
import json
import math
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from edgevox.tools.limits import bounded, cut


class Pose(BaseModel):
    x: float
    tag: str = "a"


@dataclass
class Scan:
    angle: float
    ranges: list[float] = field(default_factory=list[float])


class Colour(enum.Enum):
    RED = "red"
    DEEP = (1, 2)


class Mute:
    def __str__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None), (True, True), (5, 5), (2.5, 2.5), ("text", "text"), (math.nan, "nan"), (math.inf, "inf"),
        ((1, 2), [1, 2]), ({3, 1, 2}, [1, 2, 3]), ({1: "a", None: "b"}, {"1": "a", "None": "b"}),
        (Pose(x=1), {"x": 1.0, "tag": "a"}), (Scan(0.5, [1.0]), {"angle": 0.5, "ranges": [1.0]}),
        (Colour.RED, "red"), (Colour.DEEP, "DEEP"), (b"abc", "[3 bytes]"), (Path("a/b"), "a/b"),
        (dt.date(2030, 1, 2), "2030-01-02"), (np.float32(1.5), 1.5), (np.int64(7), 7), (Mute(), "[Mute]"),
        ({"pose": Pose(x=2), "when": [dt.time(7, 30)]}, {"pose": {"x": 2.0, "tag": "a"}, "when": ["07:30:00"]}),
    ],
)  # fmt: skip
def test_a_value_becomes_what_json_can_hold(value: Any, expected: Any) -> None:
    assert bounded(value) == expected


@pytest.mark.parametrize(
    "value",
    ["x" * 5_000_000, list(range(1_000_000)), {f"key {n}": n for n in range(300_000)}, ["y" * 10_000] * 500,
     {"a": {"b": ["z" * 100_000] * 10}}, 10**5000, np.zeros(2_000_000), [[[["w" * 300] * 9] * 9] * 9] * 9,
     "é" * 100_000],
    ids=["text", "list", "mapping", "texts", "nested", "digits", "array", "tree", "accents"],
)  # fmt: skip
def test_a_result_of_any_size_is_bounded_and_says_what_was_cut(value: Any) -> None:
    began = time.perf_counter()
    result = bounded(value)
    assert time.perf_counter() - began < 0.5
    assert len(result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)) <= 4000
    assert isinstance(value, int | np.ndarray) or "left out" in json.dumps(result, ensure_ascii=False)


def test_a_value_that_refers_to_itself_ends() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert bounded(loop) == [1, "… [left out: refers to itself]"]


def test_a_value_without_bottom_ends() -> None:
    deep: list[Any] = []
    for _ in range(10_000):
        deep = [deep]
    assert "too deep" in json.dumps(bounded(deep))


def test_lone_surrogates_do_not_break_the_message() -> None:
    bounded("a\ud800b").encode()
    bounded(["a\ud800b"])[0].encode()


def test_a_cut_text_is_exactly_within_its_limit() -> None:
    assert cut("abc", 100) == "abc"
    assert len(cut("a" * 1000, 100)) <= 100
    assert cut("a" * 1000, 100).endswith("[960 more characters left out]")


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=200),
    lambda inner: st.lists(inner, max_size=20) | st.dictionaries(st.text(max_size=20), inner, max_size=20),
    max_leaves=60,
)


@given(json_like, st.integers(min_value=200, max_value=3000))
@settings(max_examples=150, deadline=None)
def test_whatever_comes_in_json_within_the_limit_comes_out(value: Any, limit: int) -> None:
    result = bounded(value, limit)
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, allow_nan=False)
    assert len(text) <= limit


@given(json_like)
@settings(max_examples=100, deadline=None)
def test_what_is_small_enough_comes_through_whole(value: Any) -> None:
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
        text.encode()
    except ValueError:
        return
    if len(text) < 300 and not any(len(part) > 60 for part in text.split()):
        assert bounded(value, 4000) == value
