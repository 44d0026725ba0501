"""The Kokoro voices through kokoro-onnx.

Knows which voice speaks which language and how many phonemes the model takes at once. Normalising, pieces and errors
are `engine`'s.
"""
# kokoro_onnx and onnxruntime are only partly typed.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

import logging
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import LibraryMissing, ModelCorrupt, SpeechError
from edgevox.core.ports import Voice
from edgevox.speech.engine import SpeechEngine
from edgevox.speech.espeak_files import require_espeak
from edgevox.speech.model_files import require_file
from edgevox.speech.onnx import open_session
from edgevox.speech.phonemes import split_phonemes

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

MODEL = "kokoro-82m-int8"
VOICES = "kokoro-voices"

MAX_PHONEMES = 510
"""Phonemes in one inference: the style table has so many rows."""

MAX_CHARS = 200
"""A longer piece keeps its listener waiting."""

_DIALECTS = {
    "a": ("en", "en-us", "American English"),
    "b": ("en", "en-gb", "British English"),
    "e": ("es", "es", "Spanish"),
    "f": ("fr", "fr-fr", "French"),
    "h": ("hi", "hi", "Hindi"),
    "i": ("it", "it", "Italian"),
    "p": ("pt", "pt-br", "Brazilian Portuguese"),
}
"""By the first letter of a voice's name. Japanese and Chinese voices need phonemes that espeak-ng does not make."""

_DEFAULTS = {"en": "af_heart", "es": "ef_dora", "fr": "ff_siwi", "hi": "hf_alpha", "it": "if_sara", "pt": "pf_dora"}


class KokoroSpeech(SpeechEngine):
    """Speaks with a Kokoro voice.

    Args:
        voice: a name such as `af_heart`; `None` takes the usual one of the language.
        language: two-letter code.
        speed: rate of speech as a factor, from 0.5 to 2.
        threads: threads of one inference.
        model: name of the catalogue or path of the model.
        voices: name of the catalogue or path of the voices.
    """

    def __init__(
        self,
        voice: str | None = None,
        *,
        language: str = "en",
        speed: float = 1.0,
        threads: int = 2,
        model: str = MODEL,
        voices: str = VOICES,
    ) -> None:
        super().__init__(language, speed=speed, max_chars=MAX_CHARS)
        self._asked = voice
        self._threads = threads
        self._model = model
        self._voices = voices
        self._kokoro: Any = None

    def voices(self) -> Sequence[Voice]:
        """The voices of the file that espeak-ng can make phonemes for."""
        return kokoro_voices(require_file(self._voices, "voices.npz"))

    def _load(self) -> None:
        try:
            from kokoro_onnx import Kokoro
            from kokoro_onnx.config import EspeakConfig
        except ImportError as error:
            raise LibraryMissing(
                "The Kokoro voices need the library kokoro-onnx, which is missing or does not load; "
                "run: pip install 'edgevox[kokoro]'"
            ) from error
        for noisy in ("phonemizer", "kokoro_onnx"):
            logging.getLogger(noisy).setLevel(logging.ERROR)
        espeak = require_espeak()
        model, voices = require_file(self._model, "model.onnx"), require_file(self._voices, "voices.npz")
        self._choose(self._asked, default=_DEFAULTS.get(self.language[:2]))
        self._kokoro = Kokoro.from_session(
            open_session(model, threads=self._threads),
            str(voices),
            EspeakConfig(lib_path=espeak.library, data_path=str(espeak.data)),
        )
        self.sample_rate = 24_000
        if not self._phonemes("test"):
            raise SpeechError("espeak-ng makes no phonemes; run: pip install --force-reinstall espeakng-loader")

    def _speak(self, text: str, scope: CancelScope | None) -> "Iterator[Samples]":
        assert self.voice is not None
        for batch in split_phonemes(self._phonemes(text), MAX_PHONEMES):
            if scope is not None and scope.cancelled:
                return
            samples, _rate = self._kokoro.create(batch, voice=self.voice.name, speed=self.speed, is_phonemes=True)
            yield np.asarray(samples, np.float32).reshape(-1)

    def _unload(self) -> None:
        self._kokoro = None

    def _phonemes(self, text: str) -> str:
        assert self.voice is not None
        return str(self._kokoro.tokenizer.phonemize(text, _DIALECTS[self.voice.name[0]][1]))


def kokoro_voices(path: Path) -> list[Voice]:
    """Return the voices of a voices file without reading their data.

    Raises:
        ModelCorrupt: it is not such a file.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = sorted(Path(name).stem for name in archive.namelist() if name.endswith(".npy"))
    except (OSError, zipfile.BadZipFile) as error:
        raise ModelCorrupt(f"{path} is not a file of Kokoro voices; run: edgevox models verify {VOICES}") from error
    return [
        Voice(name=name, language=_DIALECTS[name[0]][0], description=f"Kokoro, {_DIALECTS[name[0]][2]}")
        for name in names
        if name[:1] in _DIALECTS and name[1:3] in ("f_", "m_")
    ]
