"""Skills: instructions and tools that a model loads when it needs them."""

import json
from pathlib import Path
from typing import Any

import pytest

from edgevox.chains import Agent, Skill, tool
from edgevox.chains.models import Empty, Int, Message, Stop, Str
from edgevox.chains.skills import loaded_skills
from edgevox.chains.tools import stop
from edgevox.core.errors import ChainGraphError, ToolDefinitionError
from edgevox.core.skilldocs import SkillDoc
from edgevox.endpoints import MockLLMEndpoint


@tool
def dig(input: Empty, messages: list[Message]) -> Int:
    """Dig a hole and say how deep it is."""
    return Int(value=3)


@tool(chained_to=dig)
def fill(input: Int, messages: list[Message]) -> Str:
    """Fill the hole."""
    return Str(value=f"{input.value} m filled")


@tool
def water(input: Empty, messages: list[Message]) -> Str:
    """Water the plants."""
    return Str(value="wet")


GARDEN = Skill("garden", "Anything about the garden.", "Dig before you plant.", tools=[[dig, fill]])
ROSES = Skill("roses", "About roses.", "Roses need water.", tools=[water], depends_on=["garden"])


def action(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, **arguments}


def agent(*script: Any, tools: Any = (stop,), **options: Any) -> tuple[Agent, MockLLMEndpoint]:
    endpoint = MockLLMEndpoint(responses=script)
    return (
        Agent(name="demo", system_prompt="You are a test.", tools=tools, agent_endpoint=endpoint, **options),
        endpoint,
    )


def names(messages: list[Message]) -> list[str]:
    return [result.tool_name for message in messages for result in message.tool_results]


END = action("stop", value="")


def test_a_tool_of_a_skill_can_be_called_once_the_skill_is_loaded_and_not_before() -> None:
    ran: list[str] = []

    @tool
    def beat(input: Empty, messages: list[Message]) -> Empty:
        """Run before every model call."""
        ran.append("beat")
        return Empty()

    demo, endpoint = agent(action("dig"), action("garden"), action("dig"), END, skills=[GARDEN], default_tools=[beat])
    _, messages = demo.invoke()
    assert [name for name in names(messages) if name != "beat"] == ["garden", "dig", "fill", "stop"]
    assert len(endpoint.requests) == 4
    assert len(ran) == 3, "a default runs before each turn of the model; what it says wrong is mended within one"


def test_a_model_that_loads_a_skill_reads_the_instructions_and_how_its_tools_are_called() -> None:
    demo, endpoint = agent(action("garden"), END, skills=[GARDEN])
    demo.invoke()
    before, after = (str(list(request.messages)) for request in endpoint.requests)
    assert "Anything about the garden." in before
    assert "Dig before you plant." not in before
    assert "Dig before you plant." in after
    assert "Dig a hole" in after
    assert "Fill the hole" not in after


def test_loading_twice_repeats_the_text_and_doubles_no_tool() -> None:
    demo, _ = agent(action("garden"), action("garden"), action("dig"), END, skills=[GARDEN])
    _, messages = demo.invoke()
    assert names(messages) == ["garden", "garden", "dig", "fill", "stop"]


def test_a_skill_that_builds_on_another_says_so_and_the_run_goes_on() -> None:
    demo, _ = agent(action("roses"), action("garden"), action("roses"), action("water"), END, skills=[GARDEN, ROSES])
    _, messages = demo.invoke()
    results = [result for message in messages for result in message.tool_results]
    assert (results[0].ok, results[0].error_code) == (False, "not_loaded")
    assert "garden" in results[0].text
    assert [result.tool_name for result in results if result.ok] == ["garden", "roses", "water", "stop"]


def test_skills_that_are_loaded_from_the_start_are_there_in_the_first_request() -> None:
    demo, endpoint = agent(action("dig"), END, auto_loaded_skills=[GARDEN])
    _, messages = demo.invoke()
    assert "Dig before you plant." in str(list(endpoint.requests[0].messages))
    kinds = [message.kind for message in messages]
    assert kinds[:3] == ["system_message", "auto_load_banner", "auto_loaded_skill"]
    assert names(messages)[1:3] == ["dig", "fill"]


def test_which_skills_are_loaded_is_read_from_the_messages_alone() -> None:
    demo, _ = agent(action("garden"), END, skills=[GARDEN, ROSES])
    _, messages = demo.invoke()
    assert loaded_skills([GARDEN, ROSES], messages) == [GARDEN]
    assert GARDEN.is_loaded(messages)
    assert loaded_skills([GARDEN, ROSES], messages[:1]) == []


def test_two_tools_of_one_name_are_refused_when_the_agent_is_made_also_between_skills() -> None:
    other = Skill("yard", "About the yard.", "Mind the gap.", tools=[water.copy(name="dig")])
    with pytest.raises(ChainGraphError, match="dig"):
        agent(skills=[GARDEN, other])
    with pytest.raises(ChainGraphError, match="garden"):
        agent(skills=[GARDEN], tools=[water.copy(name="garden"), stop])


def test_a_chained_tool_may_have_a_name_that_another_has() -> None:
    quiet = Skill("yard", "About the yard.", "Mind the gap.", tools=[fill.copy(name="water", chained_to=dig), dig])
    demo, _ = agent(action("yard"), action("dig"), END, skills=[quiet], tools=[water, stop])
    _, messages = demo.invoke()
    assert names(messages) == ["yard", "dig", "water", "stop"]


def test_a_skill_that_builds_on_one_which_is_not_there_is_refused() -> None:
    with pytest.raises(ChainGraphError, match="roses builds on garden"):
        agent(skills=[ROSES])


def test_a_factory_makes_the_skill_for_a_context_when_it_is_called_and_each_time_anew() -> None:
    built: list[str] = []

    def build(plot: str) -> list[Any]:
        built.append(plot)

        @tool
        def name_plot(input: Empty, messages: list[Message]) -> Stop:
            """Name the plot."""
            return Stop(value=plot)

        return [name_plot]

    make = Skill.factory(name="plot", description="About a plot.", instructions="Name it.", build_tools=build)
    assert built == []
    north, _ = make("north"), make("south")
    assert built == ["north", "south"]
    demo, _ = agent(action("plot"), action("name_plot"), skills=[north])
    assert demo.invoke()[0].value == "north"


def test_a_written_procedure_becomes_a_skill() -> None:
    doc = SkillDoc(name="garden", description="Anything about the garden.", body="Dig first.", tools=("dig",))
    skill = Skill.from_doc(doc, [dig, water])
    assert (skill.name, skill.instructions, skill.active_tools) == ("garden", "Dig first.", (dig,))
    with pytest.raises(ToolDefinitionError, match="'dig', which is not among those"):
        Skill.from_doc(doc, [water])


def test_a_skill_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "garden.json"
    path.write_text(
        json.dumps(
            {
                "name": "garden",
                "description": "Anything about the garden.",
                "tools": ["water"],
                "instructions": ["Dig first.", "Then plant."],
                "depends_on": ["tools"],
            }
        )
    )
    skill = Skill.from_json(path, [dig, water])
    assert skill.instructions == "Dig first.\nThen plant."
    assert (skill.active_tools, skill.depends_on) == ((water,), ("tools",))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "cannot be read"),
        ("[]", "holds no skill"),
        ('{"name": "a", "description": "b", "instructions": "c", "colour": 1}', "no field 'colour'"),
        ('{"name": "a", "description": "b"}', "instructions must be a text"),
        ('{"name": "a", "description": " ", "instructions": "c"}', "description must be a text"),
        ('{"name": "a", "description": "b", "instructions": "c", "tools": "dig"}', "tools must be a list"),
        ('{"name": "a", "description": "b", "instructions": "c", "tools": ["hoe"]}', "names the tool 'hoe'"),
        ('{"name": "A b", "description": "b", "instructions": "c"}', "A b"),
    ],
)
def test_a_file_that_is_no_skill_is_refused_in_a_sentence(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "skill.json"
    path.write_text(content)
    with pytest.raises(ToolDefinitionError, match=words):
        Skill.from_json(path, [dig])


def test_a_missing_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ToolDefinitionError, match="cannot be read"):
        Skill.from_json(tmp_path / "none.json")


@pytest.mark.parametrize(("name", "words"), [("", "needs a text as name"), ("Garden", "Garden"), ("a-b", "a-b")])
def test_a_name_that_no_tool_may_have_is_refused(name: str, words: str) -> None:
    with pytest.raises(ToolDefinitionError, match=words):
        Skill(name, "About.", "Do.")


def test_a_written_procedure_is_given_beside_the_tools_that_it_is_about() -> None:
    doc = SkillDoc(name="watering", description="When to water.", body="Water at dawn.", tools=("water",))
    demo, endpoint = agent(action("water"), END, auto_loaded_skills=[doc], skills=[doc], tools=[water, stop])
    _, messages = demo.invoke()
    assert names(messages) == ["watering", "water", "stop"]
    assert "Water at dawn." in str(list(endpoint.requests[0].messages))
