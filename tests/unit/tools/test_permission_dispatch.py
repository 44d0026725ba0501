"""Calls of tools that declare what they touch: leave comes before locks, questions and bodies."""

import threading
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import pytest

from edgevox.agents import GoalHandle, skill
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import ToolDefinitionError
from edgevox.core.goals import GoalStatus
from edgevox.core.messages import ResultStatus
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.core.session import AgentContext
from edgevox.tools import ToolRegistry, build_tool, tool
from edgevox.tools.locks import LOCKS, Hold
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule

LIGHTS = PermissionRule(pattern="device:light/*", operations={Operation.SWITCH})


class Person:
    def __init__(self, *answers: Approval) -> None:
        self.answers = list(answers)
        self.questions: list[ApprovalRequest] = []

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.questions.append(request)
        return self.answers.pop(0)


class Lamp:
    """Notes what was done with it."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def switch(self, room: str) -> str:
        """Switch a light."""
        self.done.append(room)
        return room


def switching(lamp: Lamp, resources: Any = ("device:light/{room}",), **options: Any) -> ToolRegistry:
    return ToolRegistry(build_tool(lamp.switch, resources=resources, **options))


def engine(allow: Sequence[PermissionRule] = (LIGHTS,), **options: Any) -> PermissionEngine:
    return PermissionEngine(allow_rules=allow, base="/base", **options)


def test_without_permissions_nothing_that_needs_leave_runs_and_the_sentence_says_what_to_do() -> None:
    lamp = Lamp()
    for ctx in (None, AgentContext(), AgentContext(permissions=PermissionEngine())):
        result = switching(lamp).dispatch("switch", {"room": "kitchen"}, ctx)
        assert (result.status, result.error_code) == (ResultStatus.DECLINED, "not_permitted")
        assert result.error is not None
        assert "switch device:light/kitchen" in result.error
        assert "permissions.allow" in result.error
    assert lamp.done == []


def test_with_leave_it_runs() -> None:
    lamp = Lamp()
    assert switching(lamp).dispatch("switch", {"room": "kitchen"}, AgentContext(permissions=engine())).ok
    assert lamp.done == ["kitchen"]


def test_a_plain_name_is_a_lock_and_needs_no_leave() -> None:
    assert switching(Lamp(), ["lamp-of-permissions"]).dispatch("switch", {"room": "kitchen"}).ok


def test_the_author_of_a_tool_gives_leave_where_nobody_else_decides() -> None:
    lamp = Lamp()
    registry = switching(lamp, allowed=True)
    assert registry.dispatch("switch", {"room": "a"}).ok
    assert registry.dispatch("switch", {"room": "b"}, AgentContext(permissions=PermissionEngine(trusts_tools=True))).ok
    assert not registry.dispatch("switch", {"room": "c"}, AgentContext(permissions=PermissionEngine())).ok
    denying = PermissionEngine(trusts_tools=True, deny_rules=[LIGHTS])
    assert not registry.dispatch("switch", {"room": "d"}, AgentContext(permissions=denying)).ok
    assert lamp.done == ["a", "b"]


class Room(Enum):
    KITCHEN = "Kitchen"


@pytest.mark.parametrize(
    ("room", "resource"),
    [
        ("Kitchen", "device:light/kitchen"),
        ("living room", "device:light/living room"),
        ("../door", "device:light/..%2Fdoor"),
        ("..", "device:light/%2E%2E"),
        ("a/b", "device:light/a%2Fb"),
        ("%2F", "device:light/%252f"),
        ("", "device:light/_"),
        ("*", "device:light/*"),
        ("küche", "device:light/küche"),
        ("a\nb", "device:light/a%0Ab"),
    ],
)
def test_an_argument_is_one_component_of_a_name_whatever_it_holds(room: str, resource: str) -> None:
    seen: list[str] = []

    class Watching(PermissionEngine):
        def explain(self, operation: Operation, resource: str, *args: Any, **options: Any) -> Any:
            seen.append(resource)
            return super().explain(operation, resource, *args, **options)

    watching = Watching(
        deny_rules=[PermissionRule(pattern="device:door")], allow_rules=[PermissionRule(pattern="device:**")]
    )
    assert switching(Lamp()).dispatch("switch", {"room": room}, AgentContext(permissions=watching)).ok
    assert seen == [resource]


def test_lists_defaults_and_members_fill_a_name_in() -> None:
    done: list[Any] = []

    @tool(resources=["device:light/{rooms}/{level}", "device:room/{room}"])
    def dim(rooms: list[str], level: int = 3, room: Room = Room.KITCHEN) -> str:
        """Dim the lights."""
        done.append((rooms, level, room))
        return "dim"

    registry = ToolRegistry(dim)
    allow = [PermissionRule(pattern="device:light/*/3"), PermissionRule(pattern="device:room/kitchen")]
    ctx = AgentContext(permissions=engine(allow, deny_rules=[PermissionRule(pattern="device:light/c/*")]))
    assert registry.dispatch("dim", {"rooms": ["a", "b"]}, ctx).ok
    assert not registry.dispatch("dim", {"rooms": ["a", "c"]}, ctx).ok
    assert not registry.dispatch("dim", {"rooms": ["a"], "level": 4}, ctx).ok
    assert len(done) == 1


def test_a_function_says_what_a_call_touches() -> None:
    lamp = Lamp()

    def touched(arguments: Mapping[str, Any], ctx: AgentContext | None) -> list[str]:
        assert ctx is not None
        return [f"device:light/{arguments['room']}", *ctx.deps]

    registry = switching(lamp, touched)
    assert registry.dispatch("switch", {"room": "a"}, AgentContext(permissions=engine(), deps=[])).ok
    assert not registry.dispatch("switch", {"room": "b"}, AgentContext(permissions=engine(), deps=["motion:arm"])).ok
    result = registry.dispatch("switch", {"room": "c"}, AgentContext(permissions=engine(), deps=None))
    assert result.error == "switch failed: it cannot be told what it would touch."
    assert lamp.done == ["a"]


def test_what_only_looks_needs_leave_to_read() -> None:
    registry = switching(Lamp(), effect="read")
    assert not registry.dispatch("switch", {"room": "a"}, AgentContext(permissions=engine())).ok
    reading = engine([PermissionRule(pattern="device:**", operations={Operation.READ})])
    assert registry.dispatch("switch", {"room": "a"}, AgentContext(permissions=reading)).ok


def test_leave_comes_before_the_lock() -> None:
    held = LOCKS.acquire(["device:light/held"], None, 1)
    assert isinstance(held, Hold)
    try:
        result = switching(Lamp(), timeout_s=30).dispatch("switch", {"room": "held"})
        assert result.error_code == "not_permitted"
        busy = switching(Lamp(), timeout_s=0.05).dispatch(
            "switch", {"room": "held"}, AgentContext(permissions=engine())
        )
        assert busy.error == "switch could not start: device:light/held is busy."
    finally:
        held.release()


YES, NO = Approval(approved=True), Approval(approved=False)


def asking(person: Person, *ask: PermissionRule) -> AgentContext:
    return AgentContext(approver=person, permissions=engine(ask_rules=ask or (LIGHTS,)))


def test_a_person_is_asked_once_for_leave_and_confirmation_together() -> None:
    lamp, person = Lamp(), Person(YES)
    registry = switching(lamp, confirm="Shall I switch the light in the {room}?")
    assert registry.dispatch("switch", {"room": "a"}, asking(person)).ok
    assert [asked.question for asked in person.questions] == ["Shall I switch the light in the a?"]
    assert person.questions[0].resource == "device:light/a"


def test_a_denial_by_rule_comes_before_the_confirmation() -> None:
    person = Person()
    result = switching(Lamp(), confirm=True).dispatch(
        "switch", {"room": "a"}, AgentContext(approver=person, permissions=PermissionEngine())
    )
    assert result.error_code == "not_permitted"
    assert person.questions == []


def test_a_remembered_yes_for_the_resource_does_not_confirm_a_call() -> None:
    person = Person(Approval(approved=True, remember="conversation"), NO)
    registry, ctx = switching(Lamp(), confirm=True), asking(person)
    assert registry.dispatch("switch", {"room": "a"}, ctx).ok
    result = registry.dispatch("switch", {"room": "a"}, ctx)
    assert (result.status, result.error) == (ResultStatus.DECLINED, "switch was not run: the person said no.")
    assert [bool(asked.scopes) for asked in person.questions] == [True, False]


def test_no_is_declined_and_a_stop_is_a_stop() -> None:
    lamp, registry = Lamp(), switching(Lamp())
    result = registry.dispatch("switch", {"room": "a"}, asking(Person(NO)))
    assert (result.status, result.error_code) == (ResultStatus.DECLINED, "declined")

    class Stopping:
        def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
            scope.cancel(CancelReason.STOP)
            return YES

    ctx = asking(Person())
    ctx.approver = Stopping()
    assert registry.dispatch("switch", {"room": "a"}, ctx).status is ResultStatus.CANCELLED
    assert lamp.done == []


def test_an_action_that_nobody_can_be_asked_for_begins_only_with_plain_leave() -> None:
    began = threading.Event()

    @skill(resources=["motion:base"])
    def drive(handle: GoalHandle) -> str:
        """Drive."""
        began.set()
        return f"driven {handle.status}"

    motion = PermissionRule(pattern="motion:base", operations={Operation.MOVE})
    for permissions, told in [
        (None, "No permission rule"),
        (engine([motion], ask_rules=[motion]), "Nobody was there"),
        (engine([motion], deny_rules=[motion]), "No permission rule"),
    ]:
        handle = drive.start(AgentContext(permissions=permissions))
        assert handle.status is GoalStatus.FAILED
        assert told in str(handle.error)
    assert not began.is_set()
    assert drive.start(AgentContext(permissions=engine([motion]))).poll(5) is GoalStatus.SUCCEEDED


def test_a_resource_that_names_no_argument_is_refused_when_it_is_declared() -> None:
    with pytest.raises(ToolDefinitionError, match=r"\{house\}, which is not one of its parameters"):
        switching(Lamp(), ["device:{house}"])


def test_the_default_of_an_engine_may_be_a_question() -> None:
    person = Person(YES)
    ctx = AgentContext(approver=person, permissions=PermissionEngine(default_verdict=ActionVerdict.ask))
    assert switching(Lamp()).dispatch("switch", {"room": "living_room"}, ctx).ok
    assert person.questions[0].question == "May I switch light living room?"
