"""Questions that wait for a person's yes or no: said aloud, shown, and told when they are decided."""

from collections.abc import Callable
from typing import Any

from edgevox.core.cancel import CancelScope
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.pipeline.questions import Questions
from edgevox.pipeline.state import StateBoard


def make_questions(
    speak: Callable[[str, CancelScope], object],
    board: StateBoard,
    publish: Callable[[str, Any], object],
    language: str,
) -> Questions:
    """Return what asks the person of an assistant.

    Args:
        speak: says a sentence within a scope.
        board: shows that a question is open.
        publish: takes an event's kind and payload.
        language: of the answers.
    """

    def opened(request: ApprovalRequest) -> None:
        board.set("asking", True)
        publish("approval_requested", request)

    def decided(request: ApprovalRequest, approval: Approval) -> None:
        board.set("asking", False)
        publish("approval_decided", (request, approval))

    return Questions(
        ask_aloud=lambda request, scope: speak(request.question, scope),
        on_open=opened,
        on_decided=decided,
        language=language,
    )
