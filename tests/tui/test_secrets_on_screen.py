"""Neither the screen, its export, nor the report of a crash shows a key."""

import io
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest
from rich.console import Console

from edgevox.core.messages import ToolUseBlock
from edgevox.core.redaction import REDACTED, remember_secret
from edgevox.core.tools import ToolCallResult
from edgevox.testing.assistant import Reply, ScriptedAssistant
from edgevox.tui import EdgeVoxApp

Open = Callable[..., AbstractAsyncContextManager[Any]]

URL = "https://h/v1?q=1&apikey=url-canary-77"
KEY = "screen-canary-0123456789"


@pytest.fixture(autouse=True)
def known() -> None:
    remember_secret("SCREEN_CANARY_SECRET", KEY)


async def test_cards_chat_and_the_exported_picture_are_covered(stage: Open) -> None:
    result = ToolCallResult(name="fetch", arguments={"url": URL, "token": "url-canary-77"}, error=f"no {KEY} at {URL}")
    script = {"go": Reply(calls=[result], pieces=[f"It said {KEY} ", f"and {URL}."])}
    async with stage(assistant=ScriptedAssistant(script)) as on:
        await on.say("go")
        use = ToolUseBlock(tool_name="fetch", tool_use_id="x", input={"url": URL, "api_key": "url-canary-77"})
        on.assistant.emit("tool_use", use)
        on.assistant.emit("error", f"401 at {URL}")
        await on.until(lambda: len(on.app.tools.cards) == 2, "two cards")
        await on.until(lambda: sum(REDACTED in row for row in on.screen()) >= 4, "covered")
        picture = on.app.export_screenshot()
        for shown in ("\n".join(on.screen()), picture):
            assert "canary" not in shown
            assert "fetch" in shown


async def test_the_report_of_a_crash_holds_neither_keys_nor_locals(monkeypatch: pytest.MonkeyPatch) -> None:
    app = EdgeVoxApp(assistant=ScriptedAssistant())
    printed = io.StringIO()
    monkeypatch.setattr(app, "error_console", Console(file=printed, width=200))

    class Account:
        def __init__(self) -> None:
            self.api_key = KEY

        def __repr__(self) -> str:
            return f"Account({self.api_key})"

    def crash() -> None:
        account = Account()
        raise RuntimeError(f"cannot draw {account!r}")

    async def run() -> None:
        async with app.run_test() as pilot:
            app.call_later(crash)
            await pilot.pause()

    with pytest.raises(RuntimeError, match="cannot draw"):
        await run()
    assert "RuntimeError: cannot draw" in printed.getvalue()
    assert "canary" not in printed.getvalue()
