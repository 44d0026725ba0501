"""The list of endpoints over the screen."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest

from edgevox.config.paths import config_dir
from edgevox.testing import ChatServer
from edgevox.tui.endpoints import EndpointsScreen

Open = Callable[..., AbstractAsyncContextManager[Any]]

CATALOGUE = """{"schema_version": 1, "providers": {"mine": {"base_url": "%s", "models": {
  "small": {"model_id": "scripted", "endpoint_type": "llm", "max_context_tokens": 4096},
  "absent": {"model_id": "other", "endpoint_type": "llm", "max_context_tokens": 4096}}}}}"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def write_catalogue(url: str) -> None:
    config_dir().mkdir(parents=True, exist_ok=True)
    (config_dir() / "endpoints.json").write_text(CATALOGUE % url, encoding="utf-8")


async def test_the_list_shows_every_endpoint_and_enter_lets_one_answer(stage: Open) -> None:
    with ChatServer() as server:
        write_catalogue(server.url)
        async with stage() as on:
            await on.pilot.press("f6")
            await on.until(lambda: isinstance(on.app.screen, EndpointsScreen), "opened")
            await on.until(lambda: "mine.small" in "\n".join(on.screen()), "listed")
            assert "ollama.qwen3_4b" in "\n".join(on.screen())
            assert "whisper" not in "\n".join(on.screen())
            await on.pilot.press("enter")
            await on.until(lambda: "model mine.small" in on.assistant.done, "switched")
            await on.shows("mine.small answers now.")
        assert server.bodies == []


async def test_p_asks_which_of_them_answer(stage: Open) -> None:
    with ChatServer() as server:
        write_catalogue(server.url)
        async with stage() as on:
            await on.pilot.press("f6")
            await on.until(lambda: "mine.small" in "\n".join(on.screen()), "listed")
            await on.pilot.press("p")
            await on.until(lambda: "answers in" in "\n".join(on.screen()), "asked")
            shown = "\n".join(on.screen())
            assert any("mine.absent" in row and "no model" in row for row in shown.splitlines())


@pytest.mark.parametrize("key", ["q", "f6", "escape"])
async def test_the_list_closes_without_a_choice(stage: Open, key: str) -> None:
    async with stage(60, 16) as on:
        await on.pilot.press("f6")
        await on.until(lambda: isinstance(on.app.screen, EndpointsScreen), "opened")
        await on.pilot.press(key)
        await on.until(lambda: len(on.app.screen_stack) == 1, "gone")
        assert not [order for order in on.assistant.done if order.startswith("model")]
