"""The orders about endpoints: which there are, which answers, and that another one should.

Knows how a person names an endpoint and how lists read. Which endpoints there are, `edgevox.endpoints` knows.
"""

from collections.abc import Sequence
from typing import Any

from edgevox.assistant.display import clean, one_line
from edgevox.assistant.engines import model_name
from edgevox.assistant.parts import LOCAL
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.errors import EndpointUnavailable, UsageError
from edgevox.endpoints import EndpointDirectory
from edgevox.endpoints.states import EndpointState, Reach, describe, probe

PROBE = "probe"
MARKS = {
    Reach.READY: "·",
    Reach.UNASKED: "·",
    Reach.ANSWERS: "✓",
    Reach.NO_KEY: "✗",
    Reach.NOT_HERE: "✗",
    Reach.DOWN: "✗",
    Reach.NO_MODEL: "✗",
}


def list_endpoints(assistant: AssistantSurface, argument: str) -> str:
    """Show every endpoint that can answer, one line each; with `probe`, ask those that could answer whether they do.

    Raises:
        UsageError: the argument is another.
    """
    if argument not in ("", PROBE):
        raise UsageError(f"/endpoints takes {PROBE}, or nothing: /endpoints {PROBE} asks which of them answer.")
    states, problem = endpoint_states(asked=argument == PROBE)
    now = current_name(assistant, states)
    rows = [endpoint_row(state, states, now=state.name == now) for state in states]
    ending = f"/endpoint NAME lets another one answer, /endpoint {LOCAL} the model on this machine."
    return "\n".join([*rows, *([one_line(problem)] if problem else ()), ending])


def choose_endpoint(assistant: AssistantSurface, argument: str) -> str:
    """Say which endpoint answers and what it has taken, or let another one answer from the next turn on.

    Raises:
        EdgeVoxError: there is none of that name, or it cannot be used now; nothing was changed.
    """
    if not argument:
        return _in_use(assistant)
    if argument == LOCAL:
        assistant.set_model(LOCAL)
        return f"The model on this machine answers now: {model_name(assistant)}."
    found = EndpointDirectory().find(argument)
    if found is None:
        raise UsageError(f"There is no endpoint {clean(argument)}; /endpoints lists them.")
    provider = getattr(found, "provider", None)
    if provider is not None and provider.is_here:
        state = probe({argument: found})[0]
        if state.reach is Reach.DOWN:
            raise EndpointUnavailable(state.detail)
    assistant.set_model(argument)
    return f"{clean(argument)} answers now."


def endpoint_states(*, asked: bool) -> tuple[list[EndpointState], str]:
    """Return every chat endpoint, and what is wrong with the person's own catalogue.

    Args:
        asked: whether providers are asked if they answer.
    """
    directory = EndpointDirectory()
    chats = {name: each for name, each in directory.items() if hasattr(each, "complete")}
    return (probe(chats) if asked else describe(chats)), directory.problem


def endpoint_row(state: EndpointState, among: Sequence[EndpointState], *, now: bool = False) -> str:
    """Return an endpoint in one line: a mark, its name, where it is, and what it lacks."""
    names, hosts = (max(len(getattr(each, field)) for each in among) for field in ("name", "where"))
    lacks = "" if state.reach in (Reach.READY, Reach.UNASKED, Reach.ANSWERS) else state.reach
    took = f"answers in {state.took_ms:.0f} ms" if state.took_ms is not None and not lacks else ""
    mark = "▸" if now else MARKS[state.reach]
    return clean(f"{mark} {state.name:<{names}}  {state.where:<{hosts}}  {lacks or took}").rstrip()


def endpoint_names(_: AssistantSurface) -> list[str]:
    """What may stand after `/endpoint`."""
    return [LOCAL, *(name for name, each in EndpointDirectory().items() if hasattr(each, "complete"))]


def current_name(assistant: AssistantSurface, states: Sequence[EndpointState]) -> str:
    """Return the name of the endpoint that answers; empty when it is none of these."""
    model: Any = assistant.model
    host = getattr(getattr(model, "provider", None), "host", "this machine")
    names = (model_name(assistant), str(getattr(model, "model_name", "")))
    return next((state.name for state in states if state.where == host and state.model in names), "")


def _in_use(assistant: AssistantSurface) -> str:
    model: Any = assistant.model
    tally = getattr(model, "tally", None)
    if tally is None:
        return f"{model_name(assistant)} answers, on this machine; /endpoints lists the others."
    failed = f", {tally.failed_attempts} attempts failed" if tally.failed_attempts else ""
    return (
        f"{model_name(assistant)} at {clean(model.provider.host)} answers: {tally.calls} questions, "
        f"{tally.prompt_tokens:,} tokens read, {tally.completion_tokens:,} written{failed}; /endpoints has others."
    )
