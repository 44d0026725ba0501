"""Links of a chain that touch something get leave like any other call, whatever way their resources are declared."""

from collections.abc import Mapping
from typing import Any

import pytest

from edgevox.agents import AgentContext
from edgevox.chains import Agent, AgentMode, Empty, Str, stop, tool
from edgevox.chains.models import Message
from edgevox.core.errors import ToolFailure
from edgevox.core.messages import ResultStatus
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.tools import ToolRegistry
from edgevox.tools.permissions import PermissionEngine, PermissionRule
from edgevox.tools.permissions.judging import RuleSet

LIGHTS = PermissionRule(pattern="device:light/*", operations={"switch"})


def of_call(arguments: Mapping[str, Any], ctx: AgentContext | None) -> list[str]:
    return [f"device:light/{arguments['value']}"]


class House:
    def __init__(self, resources: Any) -> None:
        self.done: list[str] = []

        @tool
        def wish(input: Empty, messages: list[Message]) -> Str:
            """Wish for light."""
            return Str(value="kitchen")

        @tool(chained_to=wish, resources=resources)
        def light(input: Str, messages: list[Message]) -> Str:
            """Switch a light."""
            self.done.append(input.value)
            return input

        self.light = light
        self.tools = [wish, light, stop]

    def agent(self, permissions: PermissionEngine | None = None) -> Agent:
        return Agent(
            name="House",
            tools=self.tools,
            default_tools=[self.tools[0], stop],
            mode=AgentMode.DETERMINISTIC,
            permissions=permissions,
        )


WAYS = [("device:light/{value}",), ("device:light/kitchen",), of_call]


def statuses(messages: list[Message]) -> list[ResultStatus]:
    return [block.status for message in messages for block in message.tool_results if block.tool_name == "light"]


@pytest.mark.parametrize("resources", WAYS)
def test_a_link_without_leave_does_not_run(resources: Any) -> None:
    house = House(resources)
    with pytest.raises(ToolFailure, match="Not permitted: switch device:light/kitchen"):
        house.agent().invoke()
    assert house.done == []


@pytest.mark.parametrize("resources", WAYS)
def test_a_link_with_leave_runs(resources: Any) -> None:
    house = House(resources)
    _, messages = house.agent(PermissionEngine(allow_rules=[LIGHTS])).invoke()
    assert house.done == ["kitchen"]
    assert statuses(messages) == [ResultStatus.SUCCESS]


def test_the_person_of_the_run_denies_what_the_agent_allows() -> None:
    house = House(of_call)
    person = PermissionEngine(person=RuleSet.of(deny=[PermissionRule(pattern="device:**")]))
    with pytest.raises(ToolFailure, match="Not permitted"):
        house.agent(PermissionEngine(allow_rules=[LIGHTS])).invoke(None, AgentContext(permissions=person))
    assert house.done == []


def test_a_link_is_asked_about() -> None:
    asked: list[str] = []

    class Person:
        def ask(self, request: ApprovalRequest, scope: Any) -> Approval:
            asked.append(request.question)
            return Approval(approved=True)

    house = House(of_call)
    ctx = AgentContext(approver=Person(), permissions=PermissionEngine(allow_rules=[LIGHTS], ask_rules=[LIGHTS]))
    house.agent().invoke(None, ctx)
    assert house.done == ["kitchen"]
    assert asked == ["May I switch light kitchen?"]


@pytest.mark.parametrize("resources", WAYS)
def test_a_value_that_is_handed_on_fills_a_name_in(resources: Any) -> None:
    house = House(resources)
    registry = ToolRegistry(house.light)
    allowed = AgentContext(permissions=PermissionEngine(allow_rules=[LIGHTS]))
    assert registry.dispatch("light", Str(value="kitchen"), allowed, origin="chain").ok  # pyright: ignore[reportArgumentType]
    assert not registry.dispatch("light", Str(value="kitchen"), AgentContext(), origin="chain").ok  # pyright: ignore[reportArgumentType]
