"""Tools that ask first: a clear yes runs them, everything else does not."""

import threading
import time
from typing import Any, cast

import pytest

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.messages import ResultStatus
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.tools import ToolRegistry, build_tool


class Person:
    """Answers questions the way a test says."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.asked: list[ApprovalRequest] = []

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.asked.append(request)
        return cast("Approval", self.answer(scope) if callable(self.answer) else self.answer)


class Files:
    def __init__(self) -> None:
        self.deleted: list[str] = []

    def delete_file(self, path: str, force: bool = False) -> str:
        """Delete a file."""
        self.deleted.append(path)
        return f"deleted {path}"


def delete(
    files: Files, person: Person | None, scope: CancelScope | None = None, confirm: bool | str = True
) -> ToolCallResult:
    registry = ToolRegistry(build_tool(files.delete_file, confirm=confirm))
    return registry.dispatch("delete_file", {"path": "notes.txt"}, AgentContext(approver=person, scope=scope))


def test_a_yes_runs_the_tool_and_the_question_says_what_it_will_do() -> None:
    files, person = Files(), Person(Approval(approved=True, by="voice"))
    assert delete(files, person).ok
    assert files.deleted == ["notes.txt"]
    assert person.asked[0].question == "Shall I delete file, path notes.txt?"
    assert person.asked[0].arguments == {"path": "notes.txt"}


def test_a_no_does_not() -> None:
    files, person = Files(), Person(Approval(approved=False, by="voice"))
    result = delete(files, person)
    assert (result.status, result.error_code) == (ResultStatus.DECLINED, "declined")
    assert "the person said no" in (result.error or "")
    assert files.deleted == []


def test_silence_is_no() -> None:
    files, person = Files(), Person(Approval(approved=False, by="timeout"))
    assert "nobody answered in time" in (delete(files, person).error or "")
    assert files.deleted == []


def test_an_empty_room_is_no() -> None:
    files = Files()
    assert delete(files, None).status is ResultStatus.DECLINED
    assert ToolRegistry(build_tool(files.delete_file, confirm=True)).dispatch("delete_file", {"path": "x"}).ok is False
    assert files.deleted == []


def test_a_broken_approver_is_no() -> None:
    def broken(scope: CancelScope) -> Approval:
        raise RuntimeError("no screen")

    files = Files()
    assert delete(files, Person(broken)).status is ResultStatus.DECLINED
    assert files.deleted == []


@pytest.mark.parametrize("answer", [None, True, "yes"])
def test_an_answer_that_is_none_is_no(answer: Any) -> None:
    files = Files()
    assert delete(files, Person(answer)).status is ResultStatus.DECLINED
    assert files.deleted == []


def test_a_stop_ends_the_question() -> None:
    release = threading.Event()

    def think(scope: CancelScope) -> Approval:
        release.wait(10)
        return Approval(approved=True)

    files, scope = Files(), CancelScope()
    threading.Timer(0.05, lambda: scope.cancel(CancelReason.STOP)).start()
    began = time.monotonic()
    assert delete(files, Person(think), scope).status is ResultStatus.CANCELLED
    assert time.monotonic() - began < 0.5
    release.set()
    assert files.deleted == []


def test_a_yes_at_the_moment_of_the_stop_runs_nothing() -> None:
    def stop_and_approve(scope: CancelScope) -> Approval:
        scope.cancel(CancelReason.STOP)
        return Approval(approved=True)

    files = Files()
    assert delete(files, Person(stop_and_approve), CancelScope()).status is ResultStatus.CANCELLED
    assert files.deleted == []


def test_bad_arguments_are_refused_before_anybody_is_asked() -> None:
    person = Person(Approval(approved=True))
    registry = ToolRegistry(build_tool(Files().delete_file, confirm=True))
    assert registry.dispatch("delete_file", {}, AgentContext(approver=person)).error_code == "bad_arguments"
    assert person.asked == []


def test_the_question_can_be_the_tools_own_and_hides_secrets() -> None:
    def pay(amount: float, pin: str) -> str:
        return "paid"

    person = Person(Approval(approved=False))
    built = build_tool(pay, confirm="Pay {amount} with {pin}?", secret_fields=["pin"])
    ToolRegistry(built).dispatch("pay", {"amount": 5, "pin": "4711"}, AgentContext(approver=person))
    assert person.asked[0].question == "Pay 5.0 with •••?"
    assert "4711" not in repr(person.asked[0])


def test_a_question_with_a_hole_in_it_is_still_asked() -> None:
    person = Person(Approval(approved=True))
    assert delete(Files(), person, confirm="Delete {nothing}?").ok
    assert person.asked[0].question.startswith("Shall I delete file")


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("de", "notes.txt löschen?"),
        ("de-AT", "notes.txt löschen?"),
        ("en", "Delete notes.txt?"),
        ("vi", "Delete notes.txt?"),
    ],
)
def test_a_question_is_put_in_the_language_of_the_run(language: str, question: str) -> None:
    files, person = Files(), Person(Approval(approved=True))
    questions = {"en": "Delete {path}?", "de": "{path} löschen?"}
    registry = ToolRegistry(build_tool(files.delete_file, confirm=questions))
    registry.dispatch("delete_file", {"path": "notes.txt"}, AgentContext(approver=person, language=language))
    assert [request.question for request in person.asked] == [question]
    assert files.deleted == ["notes.txt"]
