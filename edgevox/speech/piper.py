"""The Piper voices through piper-tts.

Knows Piper's files. Normalising, pieces and errors are `engine`'s.
"""
# piper and onnxruntime are only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from edgevox.config import models
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import LanguageUnsupported, LibraryMissing, ModelCorrupt, VoiceUnknown
from edgevox.core.ports import Voice
from edgevox.speech.engine import SpeechEngine
from edgevox.speech.espeak_files import has_data
from edgevox.speech.model_files import packaged_file
from edgevox.speech.onnx import open_session

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

PREFIX = "piper-"
"""How the catalogue names Piper voices."""

USUAL = "piper-en-joe"


class PiperSpeech(SpeechEngine):
    """Speaks with a Piper voice.

    Args:
        voice: a name of the catalogue, or the path of an `.onnx` file with its `.onnx.json` beside it; `None` takes the
            first on this machine that speaks the language.
        language: two-letter code.
        speed: rate of speech as a factor, from 0.5 to 2.
        threads: threads of one inference.
    """

    def __init__(self, voice: str | None = None, *, language: str = "en", speed: float = 1.0, threads: int = 2) -> None:
        super().__init__(language, speed=speed)
        self._asked = voice
        self._threads = threads
        self._voice: Any = None
        self._config: Any = None

    def voices(self) -> Sequence[Voice]:
        """The Piper voices of the catalogue that are on this machine."""
        return piper_voices()

    def _load(self) -> None:
        try:
            from piper import PiperVoice, SynthesisConfig
            from piper.config import PiperConfig
        except ImportError as error:
            raise LibraryMissing(
                "The Piper voices need the library piper-tts, which is missing or does not load; "
                "run: pip install 'edgevox[voice]'"
            ) from error
        model, settings = self._files()
        data = packaged_file("piper", ["espeak-ng-data/phontab"])
        if data is None or not has_data(data.parent):
            raise LibraryMissing("The data of piper-tts is missing; run: pip install --force-reinstall piper-tts")
        config = _config(settings, PiperConfig)
        spoken = str(config.espeak_voice)[:2]
        if spoken != self.language[:2]:
            raise LanguageUnsupported(f"The voice {model.name} speaks {spoken!r}, not {self.language!r}.")
        self._voice = PiperVoice(
            session=open_session(model, threads=self._threads), config=config, espeak_data_dir=data.parent
        )
        if self.voice is None:
            self.voice = Voice(name=self._asked or model.stem, language=spoken)
        self._config = SynthesisConfig(length_scale=config.length_scale / self.speed)
        self.sample_rate = int(config.sample_rate)

    def _speak(self, text: str, scope: CancelScope | None) -> "Iterator[Samples]":
        for chunk in self._voice.synthesize(text, self._config):
            if scope is not None and scope.cancelled:
                return
            yield np.asarray(chunk.audio_float_array, np.float32).reshape(-1)

    def _unload(self) -> None:
        self._voice = None

    def _files(self) -> tuple[Path, Path]:
        """Return the model and its settings."""
        name = self._asked
        if name is None or not (name in models.catalogue() or Path(name).expanduser().exists()):
            # Without any voice the usual one is named, so that the error says how to get it.
            name = self._choose(name).name if self.voices() or self.language[:2] != "en" else USUAL
        found = models.resolve(name)
        model = found.path()
        settings = found.files.get(f"{model.name}.json", model.with_name(f"{model.name}.json"))
        if model.suffix != ".onnx" or not settings.is_file():
            raise VoiceUnknown(f"{name} is not a Piper voice: it needs an .onnx file and its .onnx.json beside it.")
        return model, settings


def piper_voices() -> list[Voice]:
    """Return the Piper voices of the catalogue that are on this machine, without loading them."""
    return [
        Voice(name=name, language=entry.languages[0] if entry.languages else "en", description=entry.title)
        for name, entry in models.catalogue().items()
        if entry.use == "tts" and name.startswith(PREFIX) and models.find(name) is not None
    ]


def _config(path: Path, kind: Any) -> Any:
    try:
        return kind.from_dict(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelCorrupt(f"{path} is not the settings of a Piper voice; run: edgevox models verify") from error
