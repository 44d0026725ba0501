"""The list of agents: built-in ones, the person's folder, other packages, scripts; a broken one stops nobody."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import pytest

from edgevox.agents import AgentDefinition, LLMAgent, ToyWorld
from edgevox.agents.cards import card_of
from edgevox.agents.registry import AgentEntry, AgentRegistry, find_agent
from edgevox.core.errors import AgentError, UsageError
from edgevox.tools import tool

SCRIPT = """
from edgevox.examples.agents.framework import AgentApp
APP = AgentApp("Gardener", description="Waters the plants.")
"""


@tool(phrases={"en": ["water the {plant}"], "de": ["gieß die {plant}"]})
def water(plant: str) -> str:
    """Water a plant.

    Args:
        plant: which one
    """
    return f"{plant} watered"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's own folder of agents."""
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    own = tmp_path / "config" / "agents"
    own.mkdir(parents=True)
    return own


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    """Install a package that declares agents: its module and its entry points."""
    site = tmp_path / "site"
    site.mkdir()
    monkeypatch.setattr(sys, "path", [str(site), *sys.path])

    def install(module: str, points: str) -> None:
        (site / "garden_agents.py").write_text(module)
        metadata = site / "garden-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: garden\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text(f"[edgevox.agents]\n{points}\n")

    yield install
    sys.modules.pop("garden_agents", None)


def test_a_script_in_the_persons_folder_is_an_agent(folder: Path) -> None:
    (folder / "my_garden.py").write_text(SCRIPT)
    (folder / "_draft.py").write_text("1/0")
    registry = AgentRegistry.discover()
    card = registry.get("my-garden").card()
    assert (card.title, card.description, card.source) == (
        "Gardener",
        "Waters the plants.",
        str(folder / "my_garden.py"),
    )
    assert not any("draft" in name for name in registry.names())


def test_a_broken_script_is_named_and_the_others_stay(folder: Path) -> None:
    (folder / "broken.py").write_text("1/0")
    (folder / "ends.py").write_text("raise SystemExit(3)")
    (folder / "garden.py").write_text(SCRIPT)
    registry = AgentRegistry.discover()
    assert {"garden", "home"} <= {card.name for card in registry.cards()}
    assert any("broken.py, line 1 cannot be run: ZeroDivisionError" in problem for problem in registry.problems)
    assert any("ends.py ends the program" in problem for problem in registry.problems)


def test_a_name_that_is_taken_is_left_out_with_a_sentence(folder: Path) -> None:
    (folder / "home.py").write_text(SCRIPT)
    registry = AgentRegistry.discover()
    assert registry.get("home").definition().name == "Home"
    assert any("The agent home of" in problem and "is left out" in problem for problem in registry.problems)


def test_packages_declare_agents_in_every_form(folder: Path, package: Callable[[str, str], None]) -> None:
    package(
        "from edgevox.agents import AgentDefinition, LLMAgent\n"
        "DEFINED = AgentDefinition(name='Rose', description='Prunes.')\n"
        "READY = LLMAgent('Tulip', 'Blooms.')\n"
        "def make():\n    return DEFINED\n"
        "NOTHING = 42\n",
        "rose = garden_agents:DEFINED\ntulip = garden_agents:READY\nmade = garden_agents:make\n"
        "nothing = garden_agents:NOTHING\nmissing = garden_agents:MISSING",
    )
    registry = AgentRegistry.discover()
    cards = {card.name: card for card in registry.cards()}
    assert (cards["rose"].title, cards["rose"].source) == ("Rose", "package garden")
    assert (cards["tulip"].title, cards["tulip"].description) == ("Tulip", "Blooms.")
    assert cards["made"].title == "Rose"
    assert not {"nothing", "missing"} & cards.keys()
    assert any("The agent nothing (package garden) is a int" in problem for problem in registry.problems)
    assert any("The agent missing (package garden) cannot be loaded" in problem for problem in registry.problems)


def test_an_unknown_name_names_the_nearest(folder: Path) -> None:
    with pytest.raises(UsageError, match="There is no agent called 'hoem'; did you mean home"):
        AgentRegistry.discover().get("hoem")
    with pytest.raises(UsageError, match="edgevox-agent list shows the names"):
        AgentRegistry.discover().get("xyzzy")


def test_a_card_says_what_an_agent_can_do() -> None:
    definition = AgentDefinition(name="Rose", description="Prunes.", tools=[water], deps=ToyWorld())
    card = card_of(definition, "rose", "a test")
    assert (card.tools, card.skills, card.languages, card.simulator) == (("water",), (), ("de", "en"), "ToyWorld")
    assert card.phrases == ("water the …",)


@pytest.mark.parametrize(
    ("template", "example"),
    [
        ("(turn|switch) {on} [the] {room} (light|lights)", "turn on the living room light"),
        ("[please] go [over|back] to [the|a] {room}", "go to the living room"),
        ("light[s] {on} ((in|at) the {room}|everywhere)", "light on in the living room"),
        ("call it {label}", "call it …"),
    ],
)
def test_a_card_shows_the_plainest_reading_of_a_phrase(template: str, example: str) -> None:
    @tool(phrases=[template])
    def switch(room: Literal["living_room", "kitchen"] = "kitchen", on: bool = True, label: str = "") -> None:
        """Switch."""

    assert card_of(AgentDefinition(name="Casa", tools=[switch]), "casa", "a test").phrases == (example,)


def test_a_function_that_makes_no_agent_is_a_sentence() -> None:
    entry = AgentEntry("odd", "a test", lambda: lambda: "nothing")
    with pytest.raises(AgentError, match=r"The agent odd \(a test\) is a str; declare an AgentApp"):
        entry.target()


def test_a_ready_made_agent_is_its_own_definition() -> None:
    agent = LLMAgent("Tulip", "Blooms.")
    assert AgentEntry("tulip", "a test", lambda: agent).definition().build() is agent


def test_an_agent_is_found_by_name_for_a_handoff(folder: Path) -> None:
    (folder / "garden.py").write_text(SCRIPT)
    assert find_agent("garden").name == "Gardener"
