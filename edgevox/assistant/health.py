"""`/health`: what the agent that answers depends on, and whether it is there."""

from edgevox.agents.health import (
    TIMEOUT_S,
    Dependency,
    HealthMonitor,
    HealthRecord,
    HealthState,
    dependencies_of,
)
from edgevox.assistant.surface import AssistantSurface

MARKS = {HealthState.AVAILABLE: "✓", HealthState.UNAVAILABLE: "✗", HealthState.PENDING: "…"}
LOOK_S = 10.0
"""How long the command may look at one thing."""


def health_row(record: HealthRecord) -> str:
    """Return what is known about a dependency in one line, with a mark in front."""
    return f"{MARKS[record.state]} {record.line}"


def health_monitor(assistant: AssistantSurface, *, timeout_s: float = TIMEOUT_S) -> HealthMonitor:
    """Return a monitor of what the agent and the model need that answer at the time of a look."""

    def needed() -> list[Dependency]:
        return dependencies_of(assistant.agent, assistant.model)

    return HealthMonitor(needed, timeout_s=timeout_s, bus=assistant.bus)


def show_health(assistant: AssistantSurface, _: str) -> str:
    """Look at everything once and return one line for each thing."""
    monitor = health_monitor(assistant, timeout_s=LOOK_S)
    try:
        rows = [health_row(record) for record in monitor.look()]
    finally:
        monitor.close()
    return "\n".join(rows) or f"{assistant.agent.name} depends on nothing outside edgevox."
