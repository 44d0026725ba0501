"""`VoiceBot`, `TextBot` and `EdgeVoxApp`: tools straight into a front end, and what they are given holds."""

import subprocess
import sys
from pathlib import Path

import pytest

from edgevox.assistant.build import build_assistant
from edgevox.assistant.options import Mode, Options
from edgevox.assistant.voice import VoiceParts
from edgevox.cli.text_bot import TextBot
from edgevox.cli.voice_bot import VoiceBot
from edgevox.testing.model import ScriptedModel, call
from edgevox.tools import tool

BOT = """
from edgevox.cli.main import TextBot
from edgevox.tools import tool

@tool(phrases=["ring the bell"], says="Ding.")
def ring() -> str:
    "Ring the bell."
    return "rang"

code = TextBot(tools=[ring], greeting="Hello.").run()
print("code", code)
"""


@tool(phrases=["ring the bell"], says="Ding.")
def ring() -> str:
    """Ring the bell."""
    return "rang"


def test_a_bot_chooses_its_own_front_end() -> None:
    assert VoiceBot.OPTIONS.mode is Mode.SIMPLE
    assert TextBot.OPTIONS.mode is Mode.TEXT


def test_a_text_bot_answers_from_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))
    done = subprocess.run(
        [sys.executable, "-c", BOT, "--ignored"],
        input="ring the bell\n",
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert "Hello." in done.stdout
    assert "Ding." in done.stdout
    assert "code 0" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("bot", [VoiceBot, TextBot])
def test_stop_words_of_an_app_reach_every_mode(bot: type[VoiceBot]) -> None:
    app = bot([ring], stop_words=("cease",))
    assistant = build_assistant(app.definition(), bot.OPTIONS, voice=VoiceParts(), model=ScriptedModel())
    assert assistant.is_stop("cease")
    assert assistant.is_stop("Cease!")
    assert not assistant.is_stop("ring the bell")


def test_stop_words_reach_the_full_screen_and_none_disables_them() -> None:
    app = VoiceBot([ring], stop_words=("cease",))
    silent = VoiceBot([ring], stop_words=())
    for declared, stops in ((app, True), (silent, False)):
        assistant = build_assistant(declared.definition(), Options(), voice=VoiceParts(), model=ScriptedModel())
        assert assistant.is_stop("cease") is stops
        assert assistant.is_stop("stop") is False or declared is app


def test_limits_of_an_app_reach_the_model() -> None:
    app = VoiceBot([ring], max_tokens=900, temperature=0.2, max_tool_hops=1)
    model = ScriptedModel(call("ring"), otherwise="It rang.")
    assistant = build_assistant(app.definition(), Options(text_mode=True), model=model)
    assistant.start()
    try:
        outcome = assistant.submit("please make some noise").wait(10)
    finally:
        assistant.close()
    assert outcome is not None
    assert outcome.reply == "It rang."
    assert {request.options["max_tokens"] for request in model.requests} == {900}
    assert {request.options["temperature"] for request in model.requests} == {0.2}
    assert (model.requests[-1].tool_choice, len(model.requests)) == ("none", 2)


def test_the_app_takes_tools_and_answers_their_phrases() -> None:
    definition = VoiceBot([ring], name="belfry").definition()
    assistant = build_assistant(definition, Options(text_mode=True), model=ScriptedModel())
    assistant.start()
    try:
        outcome = assistant.submit("ring the bell").wait(10)
        assert outcome is not None
        assert outcome.reply == "Ding."
        assert outcome.model_calls == 0
    finally:
        assistant.close()
