"""The question to the person, and the one sentence that says no. Knows how to ask, not whether to."""

from collections.abc import Callable, Mapping

from edgevox.core.ports import Approval, ApprovalRequest, Remembered
from edgevox.core.rule_text import FILE
from edgevox.core.session import AgentContext
from edgevox.tools.approval import approver_of, put
from edgevox.tools.permissions.model import Asked, Operation, Reason, Requirement
from edgevox.tools.permissions.resources import Resource, shown_name
from edgevox.tools.wording import humane

Question = str | Callable[[Requirement], str | None] | None
"""How to ask: one text for everything, a function of the requirement, or `None` for the standard words."""
ASK_S = 20.0
"""Seconds of silence after which a question about leave is *no*."""
_QUESTIONS: Mapping[str, Mapping[Operation, str]] = {
    "en": {
        Operation.READ: "May I read {name}?",
        Operation.CREATE: "May I write {name}?",
        Operation.DELETE: "May I delete {name}?",
        Operation.SEND: "May I send {name}?",
        Operation.MOVE: "May I move {name}?",
        Operation.SWITCH: "May I switch {name}?",
        Operation.RUN: "May I run {name}?",
        Operation.USE: "May I use {name}?",
    },
    "de": {
        Operation.READ: "Darf ich {name} lesen?",
        Operation.CREATE: "Darf ich {name} schreiben?",
        Operation.DELETE: "Darf ich {name} löschen?",
        Operation.SEND: "Darf ich {name} senden?",
        Operation.MOVE: "Darf ich {name} bewegen?",
        Operation.SWITCH: "Darf ich {name} schalten?",
        Operation.RUN: "Darf ich {name} ausführen?",
        Operation.USE: "Darf ich {name} benutzen?",
    },
    "fr": {
        Operation.READ: "Puis-je lire {name} ?",
        Operation.CREATE: "Puis-je écrire {name} ?",
        Operation.DELETE: "Puis-je supprimer {name} ?",
        Operation.SEND: "Puis-je envoyer {name} ?",
        Operation.MOVE: "Puis-je bouger {name} ?",
        Operation.SWITCH: "Puis-je commander {name} ?",
        Operation.RUN: "Puis-je exécuter {name} ?",
        Operation.USE: "Puis-je utiliser {name} ?",
    },
    "es": {
        Operation.READ: "¿Puedo leer {name}?",
        Operation.CREATE: "¿Puedo escribir {name}?",
        Operation.DELETE: "¿Puedo borrar {name}?",
        Operation.SEND: "¿Puedo enviar {name}?",
        Operation.MOVE: "¿Puedo mover {name}?",
        Operation.SWITCH: "¿Puedo accionar {name}?",
        Operation.RUN: "¿Puedo ejecutar {name}?",
        Operation.USE: "¿Puedo usar {name}?",
    },
    "vi": {
        Operation.READ: "Tôi đọc {name} được không?",
        Operation.CREATE: "Tôi ghi {name} được không?",
        Operation.DELETE: "Tôi xóa {name} được không?",
        Operation.SEND: "Tôi gửi {name} được không?",
        Operation.MOVE: "Tôi di chuyển {name} được không?",
        Operation.SWITCH: "Tôi điều khiển {name} được không?",
        Operation.RUN: "Tôi chạy {name} được không?",
        Operation.USE: "Tôi dùng {name} được không?",
    },
}
_REPLACING: Mapping[str, str] = {
    "en": "May I write over {name}?",
    "de": "Darf ich {name} überschreiben?",
    "fr": "Puis-je remplacer {name} ?",
    "es": "¿Puedo sobrescribir {name}?",
    "vi": "Tôi ghi đè {name} được không?",
}
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
    words = _words(wanted, resource, question, ctx.language)
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


def _words(wanted: Requirement, resource: Resource, question: Question, language: str) -> str:
    own = question(wanted) if callable(question) else question
    return own or standard_question(wanted.operation, resource, language)


def standard_question(operation: Operation, resource: Resource, language: str = "en") -> str:
    """Ask for leave in words, in English where the language has none.

    Args:
        operation: what is to be done.
        resource: to what.
        language: two-letter code.
    """
    table = _QUESTIONS.get(language[:2], _QUESTIONS["en"])
    return table[operation].format(name=shown_name(_called(resource)))


def replacing_question(path: str, language: str = "en") -> str:
    """Ask for leave to write over a file, which deletes what it held; in English where the language has no words.

    Args:
        path: of the file.
        language: two-letter code.
    """
    return _REPLACING.get(language[:2], _REPLACING["en"]).format(name=shown_name(path))


def _called(resource: Resource) -> str:
    """What a person calls it: a path as it is, other names as words."""
    if resource.kind == FILE:
        return resource.name
    words = humane(resource.name.replace("/", " "))
    return words if resource.kind in ("device", "motion") else f"{resource.kind} {words}"
