"""Capabilities in agents that run: a window that is kept, a memory that is made while nobody speaks."""

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from edgevox.agents import AgentContext, AgentEvent
from edgevox.agents.capabilities import Cadence, Compaction, Loading, MemoryConsolidation, Site, SkillLabel, Snapshots
from edgevox.agents.capabilities.compaction import Window
from edgevox.agents.compaction.compactor import Outcome
from edgevox.agents.compaction.plan import HEADING
from edgevox.agents.deploy import DeployableAgent
from edgevox.agents.idle import Idle
from edgevox.agents.memory import MemoryFolders, RunJournal
from edgevox.agents.memory.consolidation import read_memory
from edgevox.agents.model_slot import ModelSlot
from edgevox.agents.protocol import AgentResult
from edgevox.agents.staff import librarian, orchestrator
from edgevox.agents.summaries import chosen, window_of
from edgevox.chains import AgentMode, Empty, Str, tool
from edgevox.chains.models import Message, MessageKind
from edgevox.chains.tools import stop
from edgevox.core.completion import collect
from edgevox.core.errors import EndpointUnavailable, WorkflowInvalid
from edgevox.core.events import EventBus
from edgevox.core.ports import ChatEndpoint
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import ModelRequest, ScriptedModel


@tool
def read_page(input: Empty, messages: list[Message]) -> Str:
    """Read the next page."""
    return Str(value="a long page " + "word " * 60)


def reader(endpoint: Any, *, mode: AgentMode = AgentMode.AUTONOMOUS, threshold: float | None = None) -> DeployableAgent:
    return DeployableAgent(
        name="reader", system_prompt="Read.", mode=mode, endpoint=endpoint, tools=[read_page, stop],
        capabilities=[Compaction(threshold)],
    )  # fmt: skip


def talked(folders: MemoryFolders, *said: str, agent: str = "ada") -> None:
    bus, journal = EventBus(), RunJournal(folders.logs, agent)
    journal.listen(bus)
    for words in said:
        bus.publish(AgentEvent("agent_start", agent, words))
        bus.publish(AgentEvent("agent_end", agent, AgentResult("Well.", agent)))
    journal.close()


def keeper(folders: MemoryFolders, endpoint: Any, **attributes: Any) -> DeployableAgent:
    definition = librarian(capabilities=[Snapshots(), MemoryConsolidation(), Cadence(interval_s=0.1, poll_s=0.05)])
    definition.endpoint = endpoint
    return definition.set_attributes(folders=folders, **attributes)


def test_a_long_run_is_summed_up_before_its_window_is_full() -> None:
    def answer(request: Any) -> str:
        if "list of facts" in request.last_user_text:
            return "Pages were read."
        pages.append(1)
        return '{"action": "read_page"}' if len(pages) < 12 else '{"action": "stop", "value": "read"}'

    pages: list[int] = []
    model = ScriptedModel(otherwise=answer, context_size=800)
    agent = reader(model).build().agent
    end, messages = agent.invoke()
    assert (end.value, len(pages)) == ("read", 12)
    assert [message.kind for message in messages].count(MessageKind.COMPACTED_CONTEXT) == 1
    assert sum("list of facts" in request.last_user_text for request in model.requests) >= 1
    assert any(HEADING in str(message["content"]) for message in model.requests[-1].messages)
    assert max(_read(model, request) for request in model.requests) < 800


def test_where_a_person_waits_it_acts_only_when_the_request_would_not_fit() -> None:
    def outcomes(mode: AgentMode) -> list[Outcome]:
        endpoint = MockLLMEndpoint(
            responses=[*({"action": "read_page", "rationale": ""} for _ in range(8)), *["done"] * 5],
            max_context_tokens=1600,
        )
        agent = reader(endpoint, mode=mode).build().agent
        seen: list[Any] = []
        agent.bus.subscribe("tool_call", lambda event: seen.append(event.payload.value))
        agent.invoke()
        windows = [each for each in seen if isinstance(each, Window)]
        assert 80 < max(each.used_percent for each in windows) < 97 or mode is AgentMode.AUTONOMOUS
        return [each.outcome for each in windows]

    assert Outcome.COMPACTED in outcomes(AgentMode.AUTONOMOUS)
    assert set(outcomes(AgentMode.STEERABLE)) == {Outcome.OK}


def test_an_agent_that_cannot_be_summed_up_goes_on_and_says_why() -> None:
    endpoint = MockLLMEndpoint(
        responses=[
            *({"action": "read_page", "rationale": ""} for _ in range(4)),
            EndpointUnavailable("It is down."),
            "x",
        ],
        max_context_tokens=600,
    )
    agent = reader(endpoint, threshold=0.5).build().agent
    problems: list[Any] = []
    agent.bus.subscribe("tool_call", lambda event: problems.append(getattr(event.payload.value, "problem", None)))
    agent.invoke()
    assert "It is down." in problems


def test_a_librarian_makes_a_memory_of_what_was_said_and_ends_when_nobody_talks(tmp_path: Path) -> None:
    folders = MemoryFolders.below(tmp_path)
    talked(folders, "my cat is called Tom")
    talked(folders, "beep", agent="robot")
    endpoint = MockLLMEndpoint(responses=["Their cat is Tom.", "The cat is called Tom."])
    agent = keeper(folders, endpoint, watched=["ada"]).build().agent
    result = agent.run("")
    assert result.reply == "Nobody is talking any more."
    assert read_memory(folders.memory).text == "The cat is called Tom."
    assert [call.name for call in result.tool_calls] == [
        "take_snapshots",
        "consolidate_memory",
        "wait_for_next_look",
    ] * 2


def test_a_librarian_whose_model_is_down_says_so_and_tries_again(tmp_path: Path) -> None:
    folders = MemoryFolders.below(tmp_path)
    talked(folders, "my cat is called Tom")
    endpoint = MockLLMEndpoint(responses=[EndpointUnavailable("It is down."), "Their cat is Tom.", "A cat, Tom."])
    result = keeper(folders, endpoint).build().agent.run("")
    assert [call.value.problem for call in result.tool_calls if call.name == "take_snapshots"] == ["It is down.", None]
    assert read_memory(folders.memory).text == "A cat, Tom."


def test_a_librarian_leaves_the_model_to_the_person_who_speaks(tmp_path: Path) -> None:
    folders, idle = MemoryFolders.below(tmp_path), Idle(settle_s=0)
    talked(folders, "my cat is called Tom")
    asked = threading.Event()

    def slow(_: Any) -> str:
        asked.set()
        return "word " * 500

    model = ScriptedModel(slow, "Their cat is Tom.", "A cat, Tom.", token_delay_s=0.05)
    agent = keeper(folders, model, idle=idle).build().agent
    run = threading.Thread(target=agent.run, args=("",), daemon=True)
    run.start()
    assert asked.wait(10)
    idle.disturb()
    run.join(10)
    assert not run.is_alive()
    assert read_memory(folders.memory).text == "A cat, Tom."
    assert model.cancelled == 1


def test_a_stop_ends_a_librarian_at_once(tmp_path: Path) -> None:
    folders = MemoryFolders.below(tmp_path)
    bus, journal = EventBus(), RunJournal(folders.logs, "ada")
    journal.listen(bus)
    bus.publish(AgentEvent("agent_start", "ada", "hello"))
    journal.flush()
    definition = keeper(folders, MockLLMEndpoint())
    definition.capabilities = [Cadence(interval_s=600)]
    agent, ctx = definition.build().agent, AgentContext()
    run = threading.Thread(target=agent.run, args=("", ctx), daemon=True)
    run.start()
    time.sleep(0.2)
    began = time.monotonic()
    ctx.stop.set()
    run.join(10)
    assert not run.is_alive()
    assert time.monotonic() - began < 2
    journal.close()


def test_an_orchestrator_and_a_librarian_say_what_they_lack() -> None:
    definition = orchestrator(instructions="Write tests first.")
    definition.background = [librarian()]
    with pytest.raises(WorkflowInvalid) as caught:
        definition.validate()
    told = str(caught.value)
    assert "orchestrator needs endpoint for compaction" in told
    assert "librarian needs folders and endpoint for snapshots" in told
    assert "librarian needs folders for retention" in told
    assert definition.system_prompt.endswith("Write tests first.")


def test_an_attribute_of_another_kind_is_named() -> None:
    site = Site(agent_name="ada", attributes={"root": "not a path"})
    with pytest.raises(WorkflowInvalid, match="ada needs root as Path, but has 'not a path'"):
        _ = site.root
    with pytest.raises(WorkflowInvalid, match="ada needs an endpoint"):
        _ = site.endpoint
    assert site.get("idle", Idle) is None


def test_labels_of_skills_say_when_they_are_loaded() -> None:
    assert SkillLabel(name="files").loading is Loading.ON_DEMAND


def test_a_model_slot_stands_for_whoever_answers_the_agent_it_follows() -> None:
    class Led:
        llm: Any = None

    first, second = MockLLMEndpoint(["one"], model_name="first"), ScriptedModel("two", context_size=99)
    slot, led = ModelSlot(first), Led()
    slot.follow(led)
    led.llm = slot
    assert (slot.model_name, slot.api_name, slot.max_context_tokens) == ("first", "mock", 128_000)
    assert (chosen(slot), window_of(slot)) == (first, 128_000)
    led.llm = lambda: second
    assert (slot.model_name, slot.api_name, window_of(slot)) == ("scripted", "local", 99)
    assert collect(slot.complete([{"role": "user", "content": "hi"}])).text == "two"
    assert isinstance(slot, ChatEndpoint)


def _read(model: ScriptedModel, request: ModelRequest) -> int:
    return sum(model.count_tokens(str(message["content"])) for message in request.messages)
