"""Asks which of several agents is meant, where no model can decide, and understands the answer.

What was asked is read from the conversation itself, so that nothing has to be remembered beside it.
"""

import re
from collections.abc import Sequence

from edgevox.agents.handoff import Handoff
from edgevox.agents.handoffs import Target, Targets
from edgevox.agents.words import either, say
from edgevox.core.messages import Message, Role
from edgevox.core.session import Session
from edgevox.tools.wording import humane

WHICH = "which_agent"
"""Kind of the message that asks."""


def which_agent(rivals: Sequence[Target], language: str) -> str:
    """Return the question that names the agents."""
    return say("which_agent", language).format(agents=either([humane(target.key) for target in rivals], language))


def answered(targets: Targets, session: Session, text: str) -> Handoff | None:
    """The hand-off that an answer to the question asks for: what was said before it, to the agent that it names.

    Args:
        targets: whom the turn may be handed to.
        session: the conversation; its last message is the answer.
        text: the answer.
    """
    asked = session.messages[-2] if len(session.messages) > 1 else None
    if asked is None or asked.kind != WHICH:
        return None
    named = [target for target in targets if _names(text, target)]
    task = _said_before(session.messages[:-2])
    if len(named) != 1 or task is None:
        return None
    return Handoff(named[0].key, task, text)


def _names(text: str, target: Target) -> bool:
    said = set(_words(text))
    return any(set(words) <= said for words in (_words(target.key), _words(target.name)) if words)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", humane(text).casefold())


def _said_before(messages: list[Message]) -> str | None:
    return next((message.plain for message in reversed(messages) if message.role is Role.USER), None)
