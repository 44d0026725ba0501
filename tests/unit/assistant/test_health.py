"""What an agent depends on is watched while it runs, listed by `/health`, and told when it goes."""

import threading
import time
from typing import Any

from edgevox.agents.dependencies import Executable, HealthFailure
from edgevox.agents.health import HealthRecord, HealthState
from edgevox.assistant.commands import run_command
from edgevox.assistant.health import health_row
from edgevox.chains import factory
from edgevox.chains.models import Empty, Message, Str
from edgevox.testing import Conversation, ScriptedAssistant


class Service:
    """A service that answers, or does not, and counts who asks."""

    id = "service:house:1883"
    kind = "network_service"
    metadata = {"host": "house", "service": "mqtt"}  # noqa: RUF012

    def __init__(self) -> None:
        self.down = False
        self.looked = threading.Event()

    def external_dependencies(self) -> "tuple[Service, Executable]":
        return self, Executable("no-such-program-here")

    def check(self) -> HealthFailure | None:
        self.looked.set()
        return HealthFailure(reason="unreachable", message="mqtt at house is down: start it.") if self.down else None


@factory
def lights(input: Empty, messages: list[Message], ctx: Service) -> Str:
    """Say which lights are on."""
    return Str(value="none")


def test_the_command_lists_what_the_agent_and_its_model_need() -> None:
    service = Service()
    assistant = ScriptedAssistant(tools=[lights(service)])
    rows = run_command(assistant, "/health").splitlines()
    assert rows[0].startswith("✓ service:house:1883: available")
    assert rows[1].startswith("✗ executable:no-such-program-here: unavailable")
    assert "install it" in rows[1]
    service.down = True
    assert "mqtt at house is down: start it." in run_command(assistant, "/health")


def test_an_agent_that_needs_nothing_says_so() -> None:
    assert "depends on nothing" in run_command(ScriptedAssistant(), "/health")


def test_a_running_assistant_watches_and_tells() -> None:
    service = Service()
    service.down = True
    with Conversation(tools=[lights(service)]) as talk:
        assert service.looked.wait(20)
        told = _told(talk)
    assert {record.id: record.state for record in told} == {
        "service:house:1883": HealthState.UNAVAILABLE,
        "executable:no-such-program-here": HealthState.UNAVAILABLE,
    }
    assert health_row(told[0]).startswith("✗ ")


def _told(talk: Any) -> list[HealthRecord]:
    deadline = time.monotonic() + 20
    while True:
        told = [event.payload for event in talk.events if event.kind == "health_changed"]
        if len(told) == 2:
            return told
        assert time.monotonic() < deadline, told
        time.sleep(0.01)
