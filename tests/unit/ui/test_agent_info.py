"""A chain agent as tables in a terminal."""

import sys
from io import StringIO

from rich.console import Console

from edgevox.chains import Agent, Skill, tool
from edgevox.chains.info import describe_agent
from edgevox.chains.models import Empty, Int, Message, Str
from edgevox.chains.tools import stop
from edgevox.endpoints import MockLLMEndpoint
from edgevox.examples.chains import simple
from edgevox.testing.terminal import PseudoTerminal
from edgevox.ui.agent_info import draw_agent_info


@tool
def count(input: Empty, messages: list[Message]) -> Int:
    """Count [the] sheep."""
    return Int(value=1)


@tool(chained_to=count, chain_condition=lambda x: x.value > 3)
def report(input: Int, messages: list[Message]) -> Str:
    """Report."""
    return Str(value="many")


def test_everything_that_is_known_of_an_agent_stands_in_its_tables() -> None:
    agent = Agent(
        name="shepherd", description="Counts sheep.", system_prompt="You count [sheep]\x1b[31m.", tools=[stop],
        skills=[Skill("flock", "About the flock.", "Count first.", [count, report])], max_steps=7,
        agent_endpoint=MockLLMEndpoint(),
    )  # fmt: skip
    shown = StringIO()
    draw_agent_info(describe_agent(agent), Console(file=shown, width=140, markup=False))
    drawn = shown.getvalue()
    for words in ("shepherd", "Counts sheep.", "mock: scripted", "max_steps=7", "count if x.value > 3", "Int → Str",
                  "[skill flock]", "flock: About the flock.", "You count [sheep]␛[31m.", "system_message"):  # fmt: skip
        assert words in drawn, words
    assert "\x1b" not in drawn


def test_a_person_at_a_terminal_is_shown_tables() -> None:
    command = [sys.executable, "-m", "edgevox.cli.main", "chains", "show", simple.__file__]
    with PseudoTerminal(command, columns=120, rows=60) as window:
        drawn = window.read_until("get_quote")
        assert "│" in drawn
        assert window.wait() == 0
