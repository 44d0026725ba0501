"""The question to the person, and the one sentence that says no. Knows how to ask, not whether to."""

from collections.abc import Callable

from edgevox.core.ports import Approval, ApprovalRequest, Remembered
from edgevox.core.rule_text import FILE
from edgevox.core.session import AgentContext
from edgevox.tools.approval import approver_of, put
from edgevox.tools.permissions.model import Asked, Operation, Reason, Requirement
from edgevox.tools.permissions.resources import Resource, shown_name

Question = str | Callable[[Requirement], str] | None
"""How to ask: one text for everything, a function of the requirement, or `None` for the standard words."""
ASK_S = 20.0
"""Seconds of silence after which a question about leave is *no*."""
REMEMBERED: tuple[Remembered, ...] = ("once", "turn", "conversation", "always")


def ask_person(
    wanted: Requirement, resource: Resource, ctx: AgentContext, question: Question, timeout_s: float
) -> tuple[Asked, Approval]:
    """Ask for leave and wait for the answer; silence, absence and a stop are *no*.

    Args:
        wanted: what for.
        resource: the same resource as it is shown.
        ctx: whose person is asked, and whose scope ends the question.
        question: how to ask.
        timeout_s: seconds of silence that are *no*.
    """
    words = _words(wanted, resource, question)
    request = ApprovalRequest(
        question=words,
        tool_name="",
        timeout_s=timeout_s,
        operation=wanted.operation.value,
        resource=shown_name(str(resource)),
        scopes=REMEMBERED,
    )
    scope = ctx.scope
    approval = put(request, approver_of(ctx), scope)
    if scope.cancelled:
        approval = Approval(approved=False, by="stop", words=approval.words)
    asked = Asked(requirement=wanted, question=words, reply=approval.words, allowed=approval.approved, by=approval.by)
    return asked, approval


def why_not(approval: Approval) -> Reason:
    """Return the reason of a *no*."""
    match approval.by:
        case "timeout" | "nobody" | "stop":
            return approval.by
        case _:
            return "declined"


def denial(wanted: Requirement, reason: Reason) -> str:
    """Say that it may not be done, and what would change that; the same whether or not the resource exists."""
    what = f"{wanted.operation.value} {shown_name(wanted.resource)}"
    match reason:
        case "rule":
            return f"Not permitted: {what}. No permission rule allows it; add one to permissions.allow in the settings."
        case "timeout":
            return f"Not permitted: {what}. Nobody answered in time."
        case "nobody":
            return f"Not permitted: {what}. Nobody was there to say yes."
        case "stop":
            return f"Not permitted: {what}. It was stopped."
        case "declined":
            return f"Not permitted: {what}. The person said no."


def _words(wanted: Requirement, resource: Resource, question: Question) -> str:
    if callable(question):
        return question(wanted)
    return question or standard_question(wanted.operation, resource)


def standard_question(operation: Operation, resource: Resource) -> str:
    """Ask for leave in words."""
    name = shown_name(resource.name if resource.kind == FILE else str(resource))
    return f"May I {operation.value} {name}?"
