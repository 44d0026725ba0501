"""Nothing overflows at any size, and where there is no room for two panes there is one at a time."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Open = Callable[..., AbstractAsyncContextManager[Any]]

SIZES = [(20, 5), (60, 16), (80, 24), (120, 36), (200, 60)]


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_conversation_is_drawn_at_every_size(stage: Open, width: int, height: int, tmp_path: Path) -> None:
    async with stage(width, height) as on:
        for line in ("light", "garage", "unlock"):
            await on.say(line)
            await on.pilot.pause(0.05)
        await on.until(lambda: len(on.app.screen_stack) == 2, "asked")
        on.screen()
        await on.pilot.press("escape")
        await on.until(lambda: len(on.app.screen_stack) == 1, "gone")
        await on.pilot.pause()
        rows = on.screen()
        assert rows[-2 if height >= 10 else -1].startswith("›")
        assert "casa" in rows[0] or width < 40
        picture = Path(on.app.save_screenshot(path=str(tmp_path)))
        assert picture.read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_the_stop_key_is_named_wherever_there_is_a_bottom_line(stage: Open, width: int, height: int) -> None:
    async with stage(width, height) as on:
        await on.pilot.pause()
        assert height < 10 or "Esc STOP" in on.screen()[-1]


async def test_a_wide_window_shows_both_panes_and_hides_one_on_demand(stage: Open) -> None:
    async with stage(120, 36) as on:
        assert on.app.chat.display
        assert on.app.tools.display
        await on.pilot.press("f5")
        await on.until(lambda: not on.app.tools.display, "hidden")
        assert on.app.chat.display


async def test_a_narrow_window_shows_one_pane_at_a_time(stage: Open) -> None:
    async with stage(80, 24) as on:
        assert (on.app.chat.display, on.app.tools.display) == (True, False)
        await on.pilot.press("f5")
        await on.until(lambda: (on.app.chat.display, on.app.tools.display) == (False, True), "tools")
        await on.pilot.press("f5")
        await on.until(lambda: (on.app.chat.display, on.app.tools.display) == (True, False), "chat")


async def test_a_window_that_changes_its_size_is_drawn_anew(stage: Open) -> None:
    async with stage(120, 36) as on:
        await on.say("light")
        await on.shows("The kitchen light is on.")
        for width, height in [*SIZES, (1, 1), (120, 36)]:
            await on.pilot.resize_terminal(width, height)
            await on.pilot.pause(0.05)
        assert on.app.tools.display
        assert any("The kitchen light is on." in row for row in on.screen())
