"""Names of what is in use, and of what a person may have meant."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from edgevox.assistant.engines import check_voice, engine_names, tools_of, voice_name, voices_of
from edgevox.core.errors import UsageError
from edgevox.core.ports import Voice
from edgevox.testing.assistant import ScriptedAssistant

TOOLS = [SimpleNamespace(name="set_light"), SimpleNamespace(name="get_pose")]


@pytest.fixture
def assistant() -> ScriptedAssistant:
    return ScriptedAssistant()


@pytest.fixture
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("EDGEVOX_HOME", "EDGEVOX_MODELS", "HF_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))


def test_engines_are_named_as_far_as_there_are_any(assistant: ScriptedAssistant) -> None:
    assert engine_names(assistant) == ("scripted-1b",)
    assistant.voice_parts.stt = object()
    assistant.voice_parts.tts = SimpleNamespace(voice=SimpleNamespace(name="joe"), voices=lambda: ())
    assistant.settings.stt.model = "auto"
    assert engine_names(assistant) == ("scripted-1b", "whisper-tiny.en", "joe")
    assistant.model = SimpleNamespace(name="/models/qwen2.5-coder-1.5b-instruct/model.gguf")
    assert engine_names(assistant)[0] == "qwen2.5-coder-1.5b-instruct"
    assistant.model = None
    assert engine_names(assistant)[0] == "no model"


def test_tools_held_by_a_registry_and_skills_are_found() -> None:
    agent = SimpleNamespace(name="scout", tools=SimpleNamespace(tools=TOOLS[:1]), skills=TOOLS[1:])
    assistant = ScriptedAssistant()
    assistant.agent = agent  # pyright: ignore[reportAttributeAccessIssue] # another shape of agent on purpose
    assert [tool.name for tool in tools_of(assistant)] == ["set_light", "get_pose"]


def test_only_voices_of_the_language_are_listed(assistant: ScriptedAssistant) -> None:
    voices = [Voice(name="joe", language="en"), Voice(name="hans", language="de")]
    assistant.voice_parts.tts = SimpleNamespace(voice=voices[0], voices=lambda: voices)
    assert [voice.name for voice in voices_of(assistant)] == ["joe"]
    assert voice_name(assistant) == "joe"
    assistant.voice_parts.tts = None
    assert voice_name(assistant) == "joe"


@pytest.mark.usefixtures("no_models")
def test_a_voice_that_is_here_is_accepted_and_another_names_the_nearest(assistant: ScriptedAssistant) -> None:
    here = [voice.name for voice in voices_of(assistant)]
    if not here:
        pytest.skip("no voice at all on this machine: not even espeak-ng")
    check_voice(here[0], "en")
    check_voice("/somewhere/my-voice.onnx", "en")
    with pytest.raises(UsageError, match=r"There is no voice called 'nobody' here: did you mean .*\?"):
        check_voice("nobody", "en")
