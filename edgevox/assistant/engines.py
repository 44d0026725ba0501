"""Names of what is in use and of what could be: models, recognisers, voices. Loads none of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from edgevox.agents.team import team_of
from edgevox.assistant.display import clean
from edgevox.assistant.surface import AssistantSurface
from edgevox.core.errors import UsageError
from edgevox.core.ports import Voice
from edgevox.speech.languages import LANGUAGES

MODEL_FILE = "model.gguf"
"""What a model's file is called in the model folder; the folder has the model's name."""


def engine_names(assistant: AssistantSurface) -> tuple[str, ...]:
    """Return the language model, the recogniser and the voice in use, as far as there are any."""
    parts = assistant.voice_parts
    names = [model_name(assistant)]
    if parts.stt is not None:
        chosen = assistant.settings.stt.model
        names.append(LANGUAGES[assistant.language].ears if chosen == "auto" else str(chosen))
    if (voice := _voice_of(parts.tts)) is not None:
        names.append(str(voice.name))
    return tuple(clean(name) for name in names)


def model_name(assistant: AssistantSurface) -> str:
    """Return the name of the language model in use, or `no model`."""
    model = assistant.model
    if model is None:
        return "no model"
    name = next((str(found) for field in ("name", "spec", "model") if (found := getattr(model, field, None))), "")
    path = Path(name)
    shown = path.parent.name if path.name == MODEL_FILE and path.parent.name else path.name
    return clean(shown) if name else clean(type(model).__name__)


def voice_name(assistant: AssistantSurface) -> str:
    """Return the name of the voice that speaks."""
    voice = _voice_of(assistant.voice_parts.tts)
    return clean(str(voice.name if voice is not None else assistant.settings.tts.voice or "the default one"))


def voices_of(assistant: AssistantSurface) -> Sequence[Voice]:
    """Return the voices that could speak the language: those of the engine in use, or all on this machine."""
    from edgevox.speech.factory import available_voices

    tts = assistant.voice_parts.tts
    if tts is None:
        return available_voices(assistant.language)
    return [voice for voice in tts.voices() if voice.language == assistant.language]


def check_voice(name: str, language: str) -> None:
    """Check that there is a voice of that name on this machine, before anything is built.

    Raises:
        UsageError: there are voices, and none of them is called so; the sentence names the nearest.
    """
    from rapidfuzz import process

    from edgevox.speech.factory import available_voices

    names = [voice.name for voice in available_voices(language)]
    if not names or name in names or name.endswith(".onnx"):
        return
    near = [found[0] for found in process.extract(name, names, limit=3)]
    raise UsageError(f"There is no voice called {name!r} here: did you mean {', '.join(near)}?")


def sound_losses(assistant: AssistantSurface) -> list[tuple[str, str]]:
    """Return what the devices lost because the machine was too slow, each with its number; nothing when all is well."""
    parts = assistant.voice_parts
    counts = getattr(parts.microphone, "counts", None)
    lost = [
        ("microphone overflows", getattr(counts, "overflow", 0)),
        ("frames not heard", getattr(counts, "dropped", 0)),
        ("loudspeaker gaps", getattr(parts.speaker, "underflows", 0)),
    ]
    return [(name, str(number)) for name, number in lost if number]


def tools_of(assistant: AssistantSurface) -> list[Any]:
    """Return the tools and skills of the agent and of those it is made of or hands to: `.name` and `.description`."""
    lists = [getattr(agent, kind, None) for agent in team_of(assistant.agent) for kind in ("tools", "skills")]
    held = [tool for given in lists for tool in _listed(given)]
    return list({tool.name: tool for tool in held if hasattr(tool, "name")}.values())


def _listed(found: Any) -> list[Any]:
    """Return what a list, or a registry with `.tools`, holds."""
    inner: Any = getattr(found, "tools", found)
    return [*inner] if inner is not None else []


def _voice_of(tts: Any) -> Any:
    """The voice of a synthesiser, behind the cache that may stand before it; `None` until it is open."""
    return getattr(getattr(tts, "engine", tts), "voice", None)
