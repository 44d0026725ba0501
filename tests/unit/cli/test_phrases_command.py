"""`edgevox phrases`: what it counts, what it lists, and what it says about a table that cannot be read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.cli.main import main

AGENT = """
from typing import Literal

from edgevox.examples.agents.framework import AgentApp
from edgevox.tools import tool

@tool(phrases={"en": ["turn {on} the {room} light"], "de": ["Licht {room} {on}"]})
def set_light(room: Literal["kitchen", "bedroom"], on: bool, level: int = 100) -> str:
    '''Turn a light on or off.'''
    return room

@tool(phrases=["go to the {place}"])
def drive(place: Literal["kitchen", "garage"]) -> str:
    '''Drive.'''
    return place

@tool(phrases=["(visit|go to) the {room}"])
def visit(room: Literal["kitchen", "attic"]) -> str:
    '''Visit.'''
    return room

APP = AgentApp("Test", tools=[set_light, drive, visit])
"""
ON = '{"room": "kitchen", "on": true}'

Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Said:
    """Writes a table, runs the command on it, and returns its exit code, output and complaints."""
    agent = tmp_path / "lamp.py"
    agent.write_text(AGENT, encoding="utf-8")

    def run(*lines: str, options: tuple[str, ...] = (), name: str | None = None) -> tuple[int, str, str]:
        table = tmp_path / "said.tsv"
        table.write_text("\n".join(lines), encoding="utf-8")
        code = main(["phrases", "test", name or str(agent), str(table), *options])
        heard = capsys.readouterr()
        return code, heard.out, heard.err

    return run


def row(output: str, part: str) -> list[str]:
    """The numbers of a part, without the signs of percent."""
    line = next(line for line in output.splitlines() if line.split()[:1] == [part])
    return [word for word in line.split()[1:] if word != "%"]


def test_matches_misses_and_false_ones_are_counted(said: Said) -> None:
    code, output, _ = said(
        "# a comment",
        "",
        f"set_light\t{ON}\tturn on the kitchen light",
        f"set_light\t{ON}\tlet there be light",
        f"set_light\t{ON}\tturn off the kitchen light",
        "-\t-\thow are you",
        "-\t-\tgo to the garage",
    )
    assert code == 0
    assert row(output, "all")[:8] == ["3", "1", "1", "1", "33.3", "2", "1", "33.3"]
    assert "line 5: turn off the kitchen light → set_light(on=False, room=kitchen)" in output
    assert "line 4: let there be light" in output
    assert "line 7: go to the garage → drive(place=garage)" in output
    assert "how are you" not in output


def test_parts_languages_and_agents_are_told_apart(said: Said) -> None:
    lines = (
        f"seen\tlamp\ten\tset_light\t{ON}\tturn on the kitchen light",
        f"unseen\tlamp\tde\tset_light\t{ON}\tLicht kitchen an",
        f"unseen\tlamp\tde\tset_light\t{ON}\tHokuspokus",
        "unseen\tother\ten\tfly\t{}\tfly away",
    )
    _, output, _ = said(*lines)
    assert row(output, "seen")[:5] == ["1", "1", "0", "0", "100.0"]
    assert row(output, "unseen")[:5] == ["2", "1", "1", "0", "50.0"]
    assert row(output, "all")[:5] == ["3", "2", "1", "0", "66.7"]
    _, output, _ = said(*lines, options=("--part", "unseen", "--quiet"))
    assert "Hokuspokus" not in output
    assert "seen" not in [line.split()[0] for line in output.splitlines()]
    _, output, _ = said(*lines, options=("--language", "en"))
    assert row(output, "seen")[0] == "1"


def test_several_commands_are_a_list(said: Said) -> None:
    both = '[{"room": "kitchen", "on": true}, {"room": "bedroom", "on": true}]'
    _, output, _ = said(f"set_light+set_light\t{both}\tturn on the kitchen and the bedroom light")
    assert row(output, "all")[:4] == ["1", "1", "0", "0"]
    _, output, _ = said(f"set_light\t{ON}\tturn on the kitchen and the bedroom light")
    assert "set_light(on=True, room=kitchen) + set_light(on=True, room=bedroom)" in output


def test_arguments_with_a_default_may_be_left_out_and_others_may_not(said: Said) -> None:
    _, output, _ = said('set_light\t{"room": "kitchen", "on": true, "level": 100}\tturn on the kitchen light')
    assert row(output, "all")[1] == "1"
    _, output, _ = said('set_light\t{"room": "kitchen"}\tturn on the kitchen light')
    assert row(output, "all")[3] == "1"


def test_sentences_that_two_tools_claim_are_named(said: Said) -> None:
    _, output, _ = said("-\t-\tgo to the kitchen")
    assert "“go to the kitchen” (en) is also a phrase of visit" in output
    _, output, _ = said('drive\t{"place": "kitchen"}\tgo to the kitchen')
    assert "line 1: go to the kitchen (between drive and visit)" in output


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (("--min-coverage", "50"), 0, ""),
        (("--min-coverage", "50.1"), 1, "coverage is 50.0 %, less than 50.1 %"),
        (("--min-precision", "100"), 0, ""),
        (("--min-coverage", "101"), 2, "between 0 and 100"),
        (("--min-coverage", "much"), 2, "no number of percent"),
    ],
)
def test_too_little_ends_with_1(said: Said, options: tuple[str, ...], code: int, words: str) -> None:
    lines = (f"set_light\t{ON}\tturn on the kitchen light", f"set_light\t{ON}\tlet there be light")
    ended, output, complaint = said(*lines, options=options)
    assert ended == code
    assert words in output + complaint


def test_a_false_match_costs_precision(said: Said) -> None:
    lines = (f"set_light\t{ON}\tturn on the kitchen light", "-\t-\tgo to the garage")
    code, output, _ = said(*lines, options=("--min-precision", "99"))
    assert code == 1
    assert "precision is 50.0 %" in output


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("set_light\tturn on the light", "line 1: it has 2 columns"),
        ("set_light\t{on}\tturn on the light", "line 1: the arguments are no JSON"),
        ("set_light\t5\tturn on the light", "line 1: the arguments must be one JSON object"),
        ('set_light+drive\t{"a": 1}\tboth', "line 1: the arguments must be a list of 2 JSON objects"),
        ("-\t{}\thow are you", "line 1: what is no command has -"),
        ("set_light\t{}\t ", "line 1: it has no sentence"),
        ("set_ligth\t{}\tturn on", "Line 1: "),
        ("seen\tothers\ten\tfly\t{}\tfly", "has no sentence for lamp; it has some for others"),
        ("# nothing", "has no sentence for lamp; it has some for nobody"),
    ],
)
def test_a_table_that_cannot_be_read_is_one_sentence_with_the_line(said: Said, line: str, words: str) -> None:
    code, output, complaint = said(line)
    assert (code, output) == (2, "")
    assert words in complaint
    assert len(complaint.splitlines()) == 1


def test_a_file_that_is_none_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "latin.tsv").write_bytes("-\t-\tgrüß dich".encode("latin-1"))
    for path, words in (
        (tmp_path / "none.tsv", "There is no file"),
        (tmp_path, "is a folder"),
        (tmp_path / "latin.tsv", "UTF-8"),
    ):
        assert main(["phrases", "test", "home", str(path)]) == 2
        complaint = capsys.readouterr().err
        assert words in complaint
        assert len(complaint.splitlines()) == 1


def test_unknown_parts_and_agents_are_named(said: Said) -> None:
    line = f"seen\tset_light\t{ON}\tturn on the kitchen light"
    assert "its parts are seen" in said(line, options=("--part", "sen"))[2]
    assert "does not say which agent" in said(line, name="all")[2]
    assert "no agent called 'hom'" in said(line, name="hom")[2]


@pytest.mark.slow
def test_all_agents_of_a_table_are_asked(said: Said) -> None:
    _, output, _ = said(
        'x\thome\ten\tget_time\t{}\twhat time is it', 'x\trobot\ten\tget_pose\t{}\twhere are you', name="all"
    )  # fmt: skip
    assert row(output, "x")[:2] == ["2", "2"]


def test_phrases_are_listed_with_an_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = tmp_path / "lamp.py"
    agent.write_text(AGENT, encoding="utf-8")
    assert main(["phrases", "list", str(agent)]) == 0
    listed = capsys.readouterr().out
    assert "set_light\n  turn {on} the {room} light\n    “turn on the kitchen light”" in listed
    assert main(["phrases", "list", str(agent), "--language", "de"]) == 0
    assert capsys.readouterr().out == "set_light\n  Licht {room} {on}\n    “Licht kitchen an”\n"
    assert main(["phrases", "list", str(agent), "--language", "fr"]) == 2
    assert "no phrases in 'fr'; it has some in de, en" in capsys.readouterr().err
