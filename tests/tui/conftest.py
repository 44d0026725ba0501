"""The app around a scripted assistant, driven by a pilot."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

import pytest
from textual.pilot import Pilot

from edgevox.core.messages import Origin, ResultStatus
from edgevox.core.tools import ToolCallResult
from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.tui import EdgeVoxApp

LIGHT = ToolCallResult(
    name="set_light", arguments={"room": "kitchen", "on": True}, result="on", runtime_ms=4, origin=Origin.PHRASE
)
GARAGE = ToolCallResult(
    name="set_light", arguments={"room": "garage"}, status=ResultStatus.ERROR, error="there is no garage", runtime_ms=3
)
SCRIPT = {
    "light": Reply(calls=[LIGHT], pieces=["The kitchen ", "light is on."]),
    "garage": Reply(calls=[GARAGE], pieces=["There is no garage."], model_calls=1),
    "markup": Reply(pieces=["[kitchen] is on ", "[/done] \x1b[31m"]),
    "go": Reply(pieces=["Driving."], holds=True),
    "fail": Reply(error="The model is gone."),
    "unlock": Reply(asks="Unlock the door?", pieces=["Unlocked."]),
    "enter": Reply(asks="May I switch door?", scopes=("once", "conversation", "always"), pieces=["Entered."]),
}


@dataclass(slots=True)
class Stage:
    """One app on a stage."""

    app: EdgeVoxApp
    assistant: ScriptedAssistant
    pilot: Pilot[int]

    async def until(self, condition: Callable[[], object], what: str = "", timeout: float = 10.0) -> None:
        """Let the app run until the condition holds."""
        deadline = time.monotonic() + timeout
        while not condition():
            assert time.monotonic() < deadline, f"never happened: {what or condition}"
            await self.pilot.pause(0.02)

    async def say(self, line: str) -> None:
        """Type a line and send it."""
        await self.pilot.press(*line, "enter")

    async def shows(self, text: str) -> None:
        """Let the app run until the chat shows a text."""
        await self.until(lambda: text in self.chat, f"{text!r} in {self.chat!r}")

    @property
    def chat(self) -> str:
        """The words of the chat."""
        return "\n".join(entry.text for entry in self.app.chat.entries)

    def screen(self) -> list[str]:
        """What is on the screen, row by row."""
        width, height = self.app.size
        rows = self.app.screen._compositor.render_strips()  # pyright: ignore[reportPrivateUsage] # what a terminal would get
        shown = ["".join(segment.text for segment in row) for row in rows]
        assert len(shown) == height
        assert all(row.cell_length == width for row in rows)
        return shown


Open = Callable[..., AbstractAsyncContextManager[Stage]]


@pytest.fixture
def stage() -> Open:
    """Open the app in a window of a size, around an assistant."""

    @asynccontextmanager
    async def run(
        width: int = 120, height: int = 36, assistant: ScriptedAssistant | None = None
    ) -> AsyncGenerator[Stage]:
        assistant = assistant or ScriptedAssistant(SCRIPT, greeting="I am casa.")
        app = EdgeVoxApp(assistant=assistant)
        async with app.run_test(size=(width, height)) as pilot:
            opened = Stage(app, assistant, pilot)
            await opened.until(lambda: "start" in assistant.done, "started")
            yield opened
        await asyncio.sleep(0)

    return run
