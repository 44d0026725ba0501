"""What a workflow may be built from. Each refusal is one sentence that says what to give instead."""

import math
from collections.abc import Callable, Iterable
from typing import Any, cast

from edgevox.core.errors import WorkflowInvalid


def checked_name(name: object, kind: str) -> str:
    """Return the name of a workflow.

    Raises:
        WorkflowInvalid: it is not a text, or an empty one.
    """
    if not isinstance(name, str) or not name.strip():
        raise WorkflowInvalid(f"A {kind} needs a name, but got {name!r:.80}: give it one or two words.")
    return name


def checked_agents(agents: object, owner: str) -> tuple[Any, ...]:
    """Return the agents of a workflow.

    Args:
        agents: what was given.
        owner: kind and name of the workflow, for the sentence.

    Raises:
        WorkflowInvalid: there are none, or one of them cannot answer.
    """
    if isinstance(agents, str) or not isinstance(agents, Iterable):
        raise WorkflowInvalid(f"{owner} needs a list of agents, but got {agents!r:.80}.")
    listed = tuple(cast("Iterable[Any]", agents))
    if not listed:
        raise WorkflowInvalid(f"{owner} has no agents: give it at least one.")
    return tuple(checked_agent(agent, owner) for agent in listed)


def checked_agent(agent: Any, owner: str) -> Any:
    """Return an agent that a workflow runs.

    Raises:
        WorkflowInvalid: it cannot answer, or it is a workflow that holds itself.
    """
    name = getattr(agent, "name", None)
    answers = callable(getattr(agent, "run_stream", None)) or callable(getattr(agent, "run", None))
    if isinstance(agent, type) or not isinstance(name, str) or not answers:
        raise WorkflowInvalid(
            f"{agent!r:.80} in {owner} is not an agent: "
            "give an LLMAgent, a workflow, or an object with a name and run()."
        )
    if _holds_itself(agent, ()):
        raise WorkflowInvalid(f"'{name}' in {owner} holds itself and would never end: take it out of its own children.")
    return agent


def checked_count(value: object, what: str, owner: str) -> int:
    """Return a number of times.

    Raises:
        WorkflowInvalid: it is not a whole number of at least 1.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise WorkflowInvalid(f"{what} of {owner} must be a whole number of at least 1, not {value!r:.80}.")
    return value


def checked_seconds(value: object, what: str, owner: str, *, zero: bool = False) -> float:
    """Return a time in seconds.

    Args:
        value: what was given.
        what: name of the argument.
        owner: kind and name of the workflow, for the sentence.
        zero: whether no time at all makes sense.

    Raises:
        WorkflowInvalid: it is not a finite number, or too small.
    """
    number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    if not math.isfinite(number) or number < 0 or (number == 0 and not zero):
        least = "0 or more" if zero else "more than 0"
        raise WorkflowInvalid(f"{what} of {owner} must be a number of seconds, {least}, not {value!r:.80}.")
    return number


def checked_function(value: object, what: str, owner: str) -> Callable[..., Any] | None:
    """Return a function that may be left out.

    Raises:
        WorkflowInvalid: it cannot be called.
    """
    if value is not None and not callable(value):
        raise WorkflowInvalid(f"{what} of {owner} must be a function, not {value!r:.80}.")
    return value


def _holds_itself(agent: Any, above: tuple[int, ...]) -> bool:
    """Whether a workflow is found among what it runs. Hand-offs may go in a circle: they are bounded by the turn."""
    if id(agent) in above:
        return True
    children = () if hasattr(agent, "handoffs") else getattr(agent, "children", ())
    return any(_holds_itself(child, (*above, id(agent))) for child in children)
