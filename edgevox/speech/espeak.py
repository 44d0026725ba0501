"""espeak-ng through its library: plain, and there for most languages.

Knows the library's C interface. Its state belongs to the process, so a lock keeps two engines apart; they share one
voice setting, which is set anew for every piece.
"""

import ctypes
import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import LibraryMissing, SpeechError
from edgevox.core.ports import Voice
from edgevox.speech.engine import SpeechEngine
from edgevox.speech.espeak_files import require_espeak

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.core.frames import Samples

# Constants of speak_lib.h.
_OUTPUT_SYNCHRONOUS = 2
_DO_NOT_EXIT = 0x8000
_POSITION_CHARACTER = 1
_CHARACTERS_UTF8 = 1
_PARAMETER_RATE = 1
_RATE = 165
"""Words a minute at speed 1; the library's own 175 is hurried."""

_USUAL = {"en": "en-us", "fr": "fr-fr", "pt": "pt-br", "zh": "cmn", "no": "nb"}
"""The usual voice of a language, where it is not called by the language's code."""

_CODES = {"cmn": "zh", "yue": "zh", "nb": "no"}
"""Two-letter codes of languages that the library calls otherwise."""

_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)
_lock = threading.Lock()


class _VoiceEntry(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("languages", ctypes.c_char_p),
        ("identifier", ctypes.c_char_p),
        ("gender", ctypes.c_ubyte),
        ("age", ctypes.c_ubyte),
        ("variant", ctypes.c_ubyte),
        ("xx1", ctypes.c_ubyte),
        ("score", ctypes.c_int),
        ("spare", ctypes.c_void_p),
    )


class EspeakSpeech(SpeechEngine):
    """Speaks with espeak-ng.

    Args:
        voice: a name of the library such as `de` or `en-gb`; `None` takes the usual one of the language.
        language: two-letter code.
        speed: rate of speech as a factor, from 0.5 to 2.
    """

    def __init__(self, voice: str | None = None, *, language: str = "en", speed: float = 1.0) -> None:
        super().__init__(language, speed=speed)
        self._asked = voice
        self._file = b""
        self._library: Any = None

    def voices(self) -> Sequence[Voice]:
        """One voice per language that the library speaks."""
        with _lock:
            return list(_listed(_library()[0]))

    def _load(self) -> None:
        with _lock:
            self._library, self.sample_rate = _library()
        chosen = self._choose(self._asked, default=_USUAL.get(self.language[:2], self.language[:2]))
        with _lock:
            self._file = _listed(self._library)[chosen]

    def _speak(self, text: str, scope: CancelScope | None) -> "Iterator[Samples]":
        with _lock:
            samples = self._render(text, scope)
        if scope is None or not scope.cancelled:
            yield samples.astype(np.float32) / 32768.0

    def _unload(self) -> None:
        self._library = None

    def _render(self, text: str, scope: CancelScope | None) -> "NDArray[np.int16]":
        parts: list[NDArray[np.int16]] = []

        def take(wave: Any, count: int, _events: Any) -> int:
            if count > 0 and wave:
                parts.append(np.ctypeslib.as_array(wave, shape=(count,)).astype(np.int16, copy=True))
            return 1 if scope is not None and scope.cancelled else 0  # 1 ends the synthesis

        callback = _Callback(take)
        self._library.espeak_SetSynthCallback(callback)
        data = text.encode()
        failed = (
            self._library.espeak_SetVoiceByName(self._file)
            or self._library.espeak_SetParameter(_PARAMETER_RATE, round(_RATE * self.speed), 0)
            or self._library.espeak_Synth(data, len(data) + 1, 0, _POSITION_CHARACTER, 0, _CHARACTERS_UTF8, None, None)
        )
        if failed:
            raise SpeechError("This sentence could not be spoken by espeak-ng.")
        return np.concatenate(parts) if parts else np.zeros(0, np.int16)


_loaded: list[tuple[Any, int]] = []


def _library() -> tuple[Any, int]:
    """Return the library, started once in the life of the process, and its sample rate. The lock is held."""
    if _loaded:
        return _loaded[0]
    files = require_espeak()
    try:
        library: Any = ctypes.CDLL(files.library)
    except OSError as error:
        raise LibraryMissing("espeak-ng does not load; run: pip install --force-reinstall espeakng-loader") from error
    library.espeak_ListVoices.restype = ctypes.POINTER(ctypes.POINTER(_VoiceEntry))
    library.espeak_Synth.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_void_p,
        ctypes.c_void_p,
    ]  # fmt: skip
    # The library looks for `espeak-ng-data` in the folder it is given.
    rate = int(library.espeak_Initialize(_OUTPUT_SYNCHRONOUS, 0, str(files.data.parent).encode(), _DO_NOT_EXIT))
    if rate <= 0:
        raise LibraryMissing("espeak-ng does not start; run: pip install --force-reinstall espeakng-loader")
    _loaded.append((library, rate))
    return _loaded[0]


def _listed(library: Any) -> dict[Voice, bytes]:
    """Return the voices, each with the file by which the library finds it for certain."""
    entries = library.espeak_ListVoices(None)
    voices: dict[Voice, bytes] = {}
    for index in range(1000):
        if not entries[index]:
            break
        entry = entries[index].contents
        # `languages` is a priority byte followed by the language's name.
        name = (entry.languages or b"")[1:].decode("utf-8", "replace")
        code = _CODES.get(name) or name.split("-", maxsplit=1)[0]
        voice = Voice(name=name, language=code, description=f"espeak-ng, {(entry.name or b'').decode()}")
        if name not in {each.name for each in voices}:
            voices[voice] = bytes(entry.identifier)
    return voices
