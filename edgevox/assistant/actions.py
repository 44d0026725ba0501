"""The orders that look at running actions: which are under way, and that one of them should end.

Knows how a person names an action and how it is shown. What an action does is its skill's.
"""

from collections.abc import Mapping
from typing import Any, cast

from edgevox.assistant.display import clean, one_line
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.goals import RunningGoal

NOTHING = "Nothing is under way."
EVERY = "all"


def list_actions(assistant: AssistantSurface, _: str) -> str:
    """Show what is under way, one line each: number, name and arguments, for how long, what it reported last."""
    running = assistant.running_actions()
    if not running:
        return NOTHING
    width = max(len(_called(goal)) for goal in running)
    return "\n".join(f"{goal.goal_id:>2}  {_called(goal):<{width}}  {_how_far(goal)}".rstrip() for goal in running)


def cancel_actions(assistant: AssistantSurface, argument: str) -> str:
    """Ask the action of that name or number to end, all of them, or the only one there is."""
    running = assistant.running_actions()
    if not running:
        return NOTHING
    wanted = argument.strip().casefold()
    if not wanted and len(running) > 1:
        names = ", ".join(f"{goal.goal_id} ({clean(goal.name)})" for goal in running)
        return f"Which one? /cancel NAME, /cancel NUMBER or /cancel all; under way: {names}."
    chosen = [goal for goal in running if wanted in ("", EVERY, goal.goal_id, goal.name.casefold())]
    if not chosen:
        names = ", ".join(clean(goal.name) for goal in running)
        return f"No action {clean(argument)} is under way, only {names}."
    told = [goal.name for goal in chosen if assistant.cancel_action(goal.goal_id)]
    return f"Told to end: {', '.join(map(clean, told))}." if told else NOTHING


def action_names(assistant: AssistantSurface) -> list[str]:
    """What may stand after `/cancel`."""
    names = list(dict.fromkeys(goal.name for goal in assistant.running_actions()))
    return [*names, EVERY] if len(names) > 1 else names


def _called(goal: RunningGoal) -> str:
    given = ", ".join(f"{name}={value}" for name, value in goal.arguments.items())
    return one_line(f"{goal.name}({given})")


def _how_far(goal: RunningGoal) -> str:
    told = "told to end, " if goal.ending else ""
    report = f", {one_line(_reported(goal.feedback))}" if goal.feedback is not None else ""
    return f"{told}{goal.running_s:.0f} s{report}"


def _reported(feedback: Any) -> str:
    if isinstance(feedback, Mapping):
        told = dict(cast("Mapping[str, Any]", feedback))
        done = told.pop("progress", None)
        share = [f"{100 * done:.0f} %"] if isinstance(done, int | float) else []
        return ", ".join([*share, *(f"{name} {value}" for name, value in told.items())])
    return str(feedback)
