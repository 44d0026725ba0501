"""The page about the built-in agents: every sentence in its tables is understood, every script in it runs."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mujoco")

from edgevox.agents import AgentContext, LLMAgent
from edgevox.examples.agents import dev_toolbox, home_assistant, robot_commander, robot_panda, robot_scout
from edgevox.examples.agents.house import HOUSE
from edgevox.testing import ScriptedModel

PAGE = (Path(__file__).parents[3] / "docs" / "built-in-agents.md").read_text(encoding="utf-8")
APPS = {
    "Home": home_assistant.APP,
    "Dev": dev_toolbox.APP,
    "Rover": robot_commander.APP,
    "Scout": robot_scout.APP,
    "Panda": robot_panda.APP,
}
COLUMNS = ("en", "de", "fr", "es", "vi")


def agent_of(name: str) -> LLMAgent:
    definition = APPS[name].definition()
    model = ScriptedModel(otherwise="MODEL")
    return LLMAgent(name, tools=definition.tools, skills=definition.skills, llm=model)


AGENTS = {name: agent_of(name) for name in APPS}


def sentences() -> Iterator[tuple[str, str, str]]:
    """Agent, language and sentence of every cell."""
    for section in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]:
        name = section.split("\n", 1)[0].strip()
        for row in re.findall(r"^\|(.+)\|$", section, flags=re.MULTILINE):
            cells = [cell.strip() for cell in row.split("|")]
            if len(cells) == len(COLUMNS) + 1 and cells[1] not in ("English", "---"):
                yield from ((name, language, cell) for language, cell in zip(COLUMNS, cells[1:], strict=True))


def test_the_page_has_a_table_for_every_agent() -> None:
    assert {name for name, _, _ in sentences()} == set(APPS)
    assert len(list(sentences())) > 150


@pytest.mark.slow
@pytest.mark.parametrize(("name", "language", "sentence"), list(sentences()))
def test_every_sentence_of_the_page_is_understood(name: str, language: str, sentence: str) -> None:
    assert AGENTS[name].matches_phrase(sentence, language)


@pytest.mark.parametrize(
    ("block", "said", "reply"),
    [
        (0, "reading time", "Enjoy your book."),
        (1, "what is the weather in Oslo", "In Oslo it is 3.5 degrees and foggy, says the garden."),
        (1, "what is the weather in Rome", "Sorry, there is no weather for Rome from the garden."),
    ],
)
def test_every_script_of_the_page_does_what_it_says(block: int, said: str, reply: str) -> None:
    names: dict[str, Any] = {"__name__": "script"}
    exec(re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)[block], names)
    assert AGENTS["Home"].run(said, AgentContext(deps=HOUSE)).reply == reply
