"""A dependency that goes is told in the chat, on the screen and in the simple display."""

import io
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from edgevox.agents.health import HealthRecord, HealthState
from edgevox.core.events import AgentEvent
from edgevox.testing import ScriptedAssistant
from edgevox.ui.narrator import Narrator
from edgevox.ui.screen import PlainScreen

Open = Callable[..., AbstractAsyncContextManager[Any]]

GONE = HealthRecord(
    id="service:house:1883", kind="network_service", state=HealthState.UNAVAILABLE, message="mqtt is down: start it."
)


async def test_what_has_gone_is_told_in_the_chat(stage: Open) -> None:
    async with stage() as on:
        on.assistant.emit("health_changed", GONE)
        await on.shows("✗ service:house:1883: unavailable. mqtt is down: start it.")


def test_what_has_gone_is_told_in_the_simple_display() -> None:
    written = io.StringIO()
    narrator = Narrator(ScriptedAssistant(), PlainScreen(written))
    narrator.tell(AgentEvent("health_changed", payload=GONE))
    assert "mqtt is down: start it." in written.getvalue()
