"""What people say to the built-in agents: how much of it needs no model, and that nothing is done by mistake.

The sentences of the unseen part were not looked at while phrases were written, its figures were; those of the fresh
part were written when the phrases were finished. `edgevox phrases test all FILE` says what is missed.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from edgevox.cli.agent import find_app
from edgevox.cli.phrase_report import Agents, Figures, Judged, Verdict, judge
from edgevox.cli.phrase_table import read_table

TABLE = Path(__file__).parents[2] / "data" / "built_in_utterances.tsv"
LANGUAGES = ("en", "de", "fr", "es", "vi")
LEAST_COVERAGE: Mapping[str, float] = {"seen": 95.0, "unseen": 85.0, "fresh": 85.0}
PARTS = ("seen", "unseen", "fresh")
LEAST_PRECISION = 99.0
MEDIAN_MS = 3.0


@cache
def judged() -> tuple[Judged, ...]:
    """Every sentence of the table, said to its agent."""
    rows = read_table(TABLE)
    found: list[Judged] = []
    for name in dict.fromkeys(row.agent for row in rows):
        found += judge(Agents(name, find_app(name).definition()), [row for row in rows if row.agent == name])
    return tuple(found)


def part(name: str) -> list[Judged]:
    return [each for each in judged() if each.row.part == name]


def test_the_table_is_large_and_half_of_it_is_unseen() -> None:
    seen, unseen = len(part("seen")), len(part("unseen"))
    assert seen + unseen >= 300
    assert unseen >= 0.45 * (seen + unseen)
    assert {each.row.language for each in judged()} == set(LANGUAGES)


@pytest.mark.parametrize("name", PARTS)
def test_most_commands_are_understood_without_a_model(name: str) -> None:
    figures = Figures.of(part(name))
    assert figures.coverage >= LEAST_COVERAGE[name], figures.counts


@pytest.mark.parametrize("name", PARTS)
def test_what_is_understood_is_right(name: str) -> None:
    figures = Figures.of(part(name))
    assert figures.precision >= LEAST_PRECISION, figures.counts


@pytest.mark.parametrize("name", PARTS)
def test_what_is_no_command_is_never_carried_out(name: str) -> None:
    assert [each.row.line for each in part(name) if each.verdict is Verdict.FALSE] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_understood(language: str) -> None:
    figures = Figures.of(each for each in judged() if each.row.language == language)
    assert figures.coverage >= LEAST_COVERAGE["unseen"], figures.counts


def test_understanding_takes_a_moment() -> None:
    median = Figures.of(judged()).median_ms
    if median >= MEDIAN_MS:  # a busy machine gets a second chance
        judged.cache_clear()
        median = Figures.of(judged()).median_ms
    assert median < MEDIAN_MS


TALK = (
    "five", "21", "20 percent", "ten minutes", "the kitchen", "kitchen", "off", "yes", "no", "move", "movie", "cool",
    "the light is nice", "lights are on", "the bedroom light is on", "how are you", "what can you do",
    "turn off the music",
    "turn on the radio", "set the table", "set a meeting for five", "set a meeting for fifteen", "how old is paris",
    "London is calling", "time is money", "go away", "go to hell", "look at me", "that is right", "two meters is far",
    "I ran ten meters", "where is my phone", "take the trash out", "open the window", "close the door",
    "give me a break",
    "find my keys", "delete everything", "two plus two is five", "what is two", "what is love", "kill the process",
    "cut the crap", "make it so", "keep it up", "warm welcome", "raise your hand", "everything off limits",
    "check please",
    "visit my grandmother", "wait in line", "stay in the kitchen", "bring me a beer", "park the car", "home", "base",
    "should I turn on the kitchen light", "what if I turn off all the lights", "he turned off the kitchen light",
)  # fmt: skip
"""Everyday talk that is no command to any of the agents."""


@pytest.mark.parametrize("name", ["home", "robot", "robot-scout", "dev", "robot-panda"])
def test_everyday_talk_moves_and_switches_nothing(name: str) -> None:
    agents = Agents(name, find_app(name).definition())
    acted = {text: match.tool_name for text in TALK if (match := agents.match(text, "en")) is not None}
    assert acted == {}
