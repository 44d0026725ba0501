"""Endpoints: the person's own catalogue, the ones that the settings name, servers on this machine, and keys.

Only servers on this machine are asked whether they answer; nothing is sent anywhere else.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from edgevox.cli.checks.finding import Finding, Patient, State
from edgevox.core.errors import UsageError
from edgevox.endpoints import EndpointDirectory
from edgevox.endpoints.catalog import Endpoint
from edgevox.endpoints.lookup import own_catalogue
from edgevox.endpoints.states import EndpointState, Reach, probe

AREA = "endpoints"
Look = Callable[[Mapping[str, Endpoint]], Sequence[EndpointState]]
"""Finds out the state of endpoints."""


def check_endpoints(patient: Patient) -> Iterator[Finding]:
    """Look at the catalogue and at servers on this machine."""
    yield from judge_endpoints(patient, EndpointDirectory(), lambda endpoints: probe(endpoints, only_here=True))


def judge_endpoints(patient: Patient, directory: EndpointDirectory, look: Look) -> Iterator[Finding]:
    """Say what can be used.

    Args:
        patient: whose settings may name endpoints.
        directory: every endpoint.
        look: finds out their states.
    """
    names = list(directory)  # reads the person's own catalogue
    if directory.problem:
        yield _finding("catalogue", State.PROBLEM, directory.problem, "edgevox endpoints check")
    elif own_catalogue().exists():
        yield _finding("catalogue", State.OK, f"{own_catalogue()}, {len(names)} endpoints with those that are shipped")
    yield from _named(patient, directory, look)
    states = look({name: each for name, each in directory.items() if hasattr(each, "provider")})
    yield _servers(states)
    yield _keys(states)


def _named(patient: Patient, directory: EndpointDirectory, look: Look) -> Iterator[Finding]:
    settings = patient.settings
    for setting, value in (("llm.model", settings.llm.model), ("stt.model", settings.stt.model)):
        spec = (value or "").removeprefix("endpoint:")
        try:
            found = directory.find(spec)
        except UsageError as error:
            yield _finding(setting, State.PROBLEM, str(error), "edgevox endpoints list")
            continue
        if found is not None:
            state = look({spec: found})[0]
            good = state.reach in (Reach.READY, Reach.UNASKED, Reach.ANSWERS)
            fix = f"edgevox secrets set {state.key_name}" if state.reach is Reach.NO_KEY else "edgevox endpoints probe"
            yield _finding(setting, State.OK if good else State.PROBLEM, state.detail or spec, fix)


def _servers(states: Sequence[EndpointState]) -> Finding:
    answering = sorted({_provider(state) for state in states if state.took_ms is not None})
    detail = f"{', '.join(answering)} answers on this machine" if answering else "no model server runs on this machine"
    return _finding("servers", State.OK, detail)


def _keys(states: Sequence[EndpointState]) -> Finding:
    wanted = {_provider(state): state.reach is not Reach.NO_KEY for state in states if state.key_name}
    having = ", ".join(name for name, has in wanted.items() if has)
    lacking = ", ".join(name for name, has in wanted.items() if not has)
    parts = [f"for {having}"] if having else []
    parts += [f"none for {lacking}, which need one"] if lacking else []
    return _finding("keys", State.OK, "; ".join(parts) or "no provider needs one")


def _provider(state: EndpointState) -> str:
    return state.name.partition(".")[0]


def _finding(name: str, state: State, detail: str, fix: str = "") -> Finding:
    return Finding(area=AREA, name=name, state=state, detail=detail, fix="" if state is State.OK else fix)
