"""What the agents of this machine depend on outside edgevox: programs, services, models behind an address."""

from collections.abc import Iterator

from edgevox.agents.health import Dependency, HealthMonitor, HealthRecord, HealthState, dependencies_of
from edgevox.cli.checks.finding import Finding, Patient, State

LOOK_S = 10.0
"""Longest look at one of them."""


def check_dependencies(_: Patient) -> Iterator[Finding]:
    """Look at everything that the agents of the list name, each thing once."""
    dependencies = list(_named_by_agents())
    if not dependencies:
        detail = "the agents of this machine need nothing outside edgevox."
        yield Finding(area="dependencies", name="dependencies", state=State.OK, detail=detail)
        return
    monitor = HealthMonitor(dependencies, timeout_s=LOOK_S)
    try:
        yield from map(as_finding, monitor.look())
    finally:
        monitor.close()


def as_finding(record: HealthRecord) -> Finding:
    """Return what is known about a dependency as a line of the report."""
    about = ", ".join(value for name, value in record.metadata.items() if name not in ("command", "port"))
    well = f"answers in {record.latency_ms} ms" + (f" ({about})" if about else "")
    return Finding(
        area="dependencies",
        name=record.id,
        state=State.OK if record.state is HealthState.AVAILABLE else State.PROBLEM,
        detail=well if record.state is HealthState.AVAILABLE else record.message or "nothing is known about it.",
    )


def _named_by_agents() -> Iterator[Dependency]:
    from edgevox.agents.registry import AgentRegistry
    from edgevox.core.errors import EdgeVoxError

    seen: set[str] = set()
    registry = AgentRegistry.discover()
    for name in registry.names():
        try:
            definition = registry.get(name).definition()
        except EdgeVoxError:  # the list of agents says what is wrong with it
            continue
        for dependency in dependencies_of(definition):
            if dependency.id not in seen:
                seen.add(dependency.id)
                yield dependency
