"""Asks a person before a tool runs that cannot be undone. Silence, absence and every fault are *no*."""

import logging
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from edgevox.core.answers import read_answer
from edgevox.core.cancel import CancelScope
from edgevox.core.ports import Approval, ApprovalRequest, Approver, UserChannel
from edgevox.core.session import AgentContext
from edgevox.tools.wording import humane
from edgevox.tools.workers import POOL, Waited

if TYPE_CHECKING:
    from edgevox.tools.definition import Tool

log = logging.getLogger(__name__)

GRACE_S = 1.0
"""Seconds an approver may be late with its own timeout before it counts as hanging."""


def question(tool: "Tool", arguments: Mapping[str, Any], language: str = "en") -> str:
    """Say what is about to be done, as a question that yes or no answers.

    Args:
        tool: about to run.
        arguments: of the call.
        language: two-letter code; a tool with questions for several languages asks in English where it has none.
    """
    shown = {name: _spoken(value) for name, value in tool.shown(arguments).items()}
    words = _words_of(tool, language)
    if words:
        try:
            return words.format_map(shown)
        except (KeyError, IndexError, ValueError, AttributeError):  # a question with a hole in it is still asked
            log.warning("the question of %s cannot be filled in: %s", tool.name, words)
    details = ", ".join(f"{humane(name)} {value}" for name, value in shown.items())
    return f"Shall I {humane(tool.name)}{f', {details}' if details else ''}?"


def _words_of(tool: "Tool", language: str) -> str:
    """The tool's own question; empty when it has none."""
    if isinstance(tool.confirm, Mapping):
        return tool.confirm.get(language) or tool.confirm.get(language.partition("-")[0]) or tool.confirm.get("en", "")
    return tool.confirm if isinstance(tool.confirm, str) else ""


def ask(
    tool: "Tool", arguments: Mapping[str, Any], approver: Approver | None, scope: CancelScope, language: str = "en"
) -> Approval:
    """Put the tool's question and wait for the answer, no longer than the question may take.

    Args:
        tool: whose run needs a yes.
        arguments: of the call, already checked.
        approver: who can ask; `None` when nobody is there.
        scope: its end is *no*.
        language: of the question.
    """
    request = ApprovalRequest(
        question=question(tool, arguments, language), tool_name=tool.name, arguments=tool.shown(arguments)
    )
    return put(request, approver, scope)


class ChannelApprover:
    """Asks through the way to the person that a run has, where nothing else there takes a yes.

    Args:
        channel: the way to the person.
        language: two-letter code of the answers.
    """

    def __init__(self, channel: UserChannel, language: str = "en") -> None:
        self._channel = channel
        self._language = language

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        """Ask and wait; anything but a plain yes is *no*."""
        words = self._channel.request_input(request.question, request.timeout_s, scope)
        if words is None:
            return Approval(approved=False, by="stop" if scope.cancelled else "timeout")
        answer = read_answer(words, self._language)
        if answer is None or not answer.approved:
            return Approval(approved=False, words=words)
        remember = answer.remember if answer.remember in request.scopes else "once"
        return Approval(approved=True, remember=remember, words=words)


def approver_of(ctx: AgentContext | None) -> Approver | None:
    """Return who can be asked in a run; `None` when nobody is there."""
    if ctx is None:
        return None
    if ctx.approver is not None:
        return ctx.approver
    return ChannelApprover(ctx.channel, ctx.language) if ctx.channel is not None else None


def put(request: ApprovalRequest, approver: Approver | None, scope: CancelScope) -> Approval:
    """Put one question to a person and wait for the answer; silence, absence, a fault and a stop are *no*.

    Args:
        request: the question.
        approver: who can ask; `None` when nobody is there.
        scope: its end is *no* at once.
    """
    if approver is None:
        return Approval(approved=False, by="nobody")
    job = POOL.submit(lambda: approver.ask(request, scope), f"approval of {request.tool_name or request.resource}")
    waited = job.wait(scope, request.timeout_s + GRACE_S)
    if waited is Waited.CANCELLED:
        return Approval(approved=False, by="stop")
    if waited is Waited.TIMEOUT:
        return Approval(approved=False, by="timeout")
    if job.error is not None:
        log.error("asking %r failed", request.question, exc_info=job.error)
        return Approval(approved=False, by="nobody")
    return job.value if isinstance(job.value, Approval) else Approval(approved=False, by="nobody")


def _spoken(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return humane(value) if isinstance(value, str) and value.isidentifier() else str(value)
