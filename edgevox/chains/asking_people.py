"""Tools that ask the person and wait for the answer."""
# ruff: noqa: ARG001 - the form of a typed tool is fixed

from typing import Annotated

from pydantic import Field

from edgevox.chains.io import interact_with_user
from edgevox.chains.models.truncation import NO_MESSAGE
from edgevox.core.filtering import filter_messages
from edgevox.core.messages import Message, Role
from edgevox.core.values import Empty, Str
from edgevox.tools import Tool, tool

PATIENCE_S = 86_400.0
"""How long a tool may wait for a person: its own limit and the end of the run are what ends it, seconds."""
NO_REPLY = "Nobody answered in time."
"""What a tool returns when no answer came."""
AT_START = "prompt_user_at_start"
OPENING = "What can I do for you?"


class Question(Empty):
    """What to ask, and how long to wait."""

    value: Annotated[str, Field(min_length=1, description="the question, in words for the person")]
    timeout_seconds: Annotated[
        float | None, Field(gt=0, description="seconds to wait for the answer; leave out to wait as long as it takes")
    ] = None


def asking(name: str = "prompt_user", *, timeout_s: float | None = None, fallback: str = NO_REPLY) -> Tool:
    """Make a tool by which a model asks the person and gets the words of the answer.

    Args:
        name: of the tool.
        timeout_s: seconds that an answer may take where the model says nothing; `None` is for ever.
        fallback: what the tool returns when no answer came.
    """

    @tool(timeout_s=PATIENCE_S)
    def ask_person(input: Question, messages: list[Message]) -> Str:
        """Ask the person something and wait for the answer."""
        limit = input.timeout_seconds if input.timeout_seconds is not None else timeout_s
        reply = interact_with_user(input.value, timeout_s=limit)
        return Str(value=fallback if reply is None else reply)

    return ask_person.rename(name)


def asking_at_start(question: str = OPENING, *, timeout_s: float | None = None, fallback: str = NO_REPLY) -> Tool:
    """Make a default tool that asks the person once, before a model has said anything in the run.

    Args:
        question: what is asked.
        timeout_s: seconds that the answer may take; `None` is for ever.
        fallback: what the tool returns when no answer came.
    """

    @tool(timeout_s=PATIENCE_S)
    def prompt_user_at_start(input: Empty, messages: list[Message]) -> Str:
        """Ask the person what to do, once."""
        if filter_messages(messages, Role.ASSISTANT) or filter_messages(messages, caller=AT_START):
            return Str(value="", truncation=NO_MESSAGE)
        reply = interact_with_user(question, timeout_s=timeout_s)
        return Str(value=fallback if reply is None else reply)

    return prompt_user_at_start


prompt_user = asking()
"""Asks the person and waits; every agent that may ask people has it without being given it."""
ask = asking("ask")
"""The same by a shorter name, beside `say`."""
prompt_user_at_start = asking_at_start()
"""Asks what it can do, as a default tool, before the model's first word."""
