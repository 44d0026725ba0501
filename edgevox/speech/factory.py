"""Chooses the back ends for a language and a machine, and builds them without loading them.

Knows what is on the machine and what is fast enough. A back end's module is imported only when it is chosen, its
library only when it is opened.
"""

from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Literal

from edgevox.config import models
from edgevox.config.settings import VadSettings
from edgevox.config.threads import thread_plan
from edgevox.core.errors import LanguageUnsupported, UsageError
from edgevox.core.ports import SpeechToText, TextToSpeech, Voice, VoiceActivityDetector
from edgevox.speech.languages import ENGLISH_EARS, LANGUAGES, MANY_EARS, Language, language_of

if TYPE_CHECKING:
    from edgevox.speech.segmenter import SegmenterOptions
    from edgevox.speech.whisper_model import WhisperModel

Engine = Literal["auto", "piper", "kokoro", "espeak"]

ESPEAK = "espeak-ng"

KOKORO_THREADS = 2
"""With fewer, Kokoro takes longer than it speaks (real-time factor 1.2 to 1.4 on one thread, 0.75 on two)."""


def create_vad(model: str = "silero-vad") -> VoiceActivityDetector:
    """Return the voice-activity detector.

    Args:
        model: a name of the catalogue, or a path.
    """
    from edgevox.speech.vad import SileroVad

    return SileroVad(model)


def segmenter_options(settings: VadSettings) -> "SegmenterOptions":
    """Return what the settings say about pauses; call it again when they change."""
    from edgevox.speech.segmenter import SegmenterOptions, adaptive_end

    usual = settings.end_ms / 1000
    return SegmenterOptions(
        threshold=settings.threshold,
        release=max(0.01, settings.threshold - 0.15),
        start_frames=settings.start_frames,
        pre_roll_s=settings.pre_roll_ms / 1000,
        soft_end_s=settings.soft_end_ms / 1000,
        hard_end=lambda pause: adaptive_end(pause, usual=usual, most=max(0.9, usual)),
        max_s=settings.max_utterance_s,
    )


def create_stt(
    model_size: str = "auto",
    language: str | None = "en",
    *,
    compute_type: str = "auto",
    beam_size: int = 1,
    threads: int | None = None,
) -> SpeechToText:
    """Return the recogniser. Nothing is loaded until it is opened.

    Args:
        model_size: a size such as `tiny`, a name of the catalogue, a folder, or `auto` for what suits the language.
            What is named is what is loaded, never something near it.
        language: two-letter code that it listens for; `None` or `auto` detects it for every utterance.
        compute_type: as CTranslate2 names them, or `auto`.
        beam_size: hypotheses kept in final transcriptions.
        threads: threads of one transcription; `None` takes the machine's share.

    Raises:
        LanguageUnsupported, ModelError, UsageError: one sentence that says what is missing and the command.
    """
    from edgevox.speech.model_files import whisper_folder
    from edgevox.speech.whisper import WhisperRecognizer

    spoken = None if language in (None, "auto") else language_of(language)
    name = _ears(spoken) if model_size == "auto" else model_size
    if spoken is not None and spoken.code != "en" and name.endswith(".en"):
        raise LanguageUnsupported(
            f"{name} hears English alone, not {spoken.name}: leave --stt out, or name {MANY_EARS}."
        )
    count = threads or thread_plan().stt

    def load() -> "WhisperModel":
        from edgevox.speech.whisper_model import WhisperModel

        return WhisperModel(whisper_folder(name), compute_type=compute_type, threads=count)

    return WhisperRecognizer(load, language=spoken.code if spoken else None, beam_size=beam_size)


def create_tts(
    engine: Engine = "auto",
    voice: str | None = None,
    language: str = "en",
    *,
    speed: float = 1.0,
    threads: int | None = None,
) -> TextToSpeech:
    """Return the synthesiser. Nothing is loaded until it is opened.

    Args:
        engine: which; `auto` takes the fastest adequate one on this machine, or the one that has the voice.
        voice: a name that `/voices` lists, or a path of a Piper voice.
        language: two-letter code that it speaks.
        speed: rate of speech as a factor, from 0.5 to 2.
        threads: threads of one synthesis; `None` takes the machine's share.

    Raises:
        LanguageUnsupported, UsageError: one sentence that says what is missing and the command.
    """
    spoken = language_of(language)
    count = threads or thread_plan().tts
    if not 0.5 <= speed <= 2.0:
        raise UsageError(f"A voice speaks at 0.5 to 2 times its speed, not {speed:g}.")
    if engine == "auto":
        engine = _engine_of(voice, spoken) or _fastest(spoken, count)
    if engine not in _ENGINES:
        raise UsageError(f"There is no speech engine called {engine!r}: choose auto, piper, kokoro or espeak.")
    return _ENGINES[engine](voice, spoken.code, speed, count)


def available_voices(language: str | None = None) -> Sequence[Voice]:
    """Return the voices on this machine, fastest engine first, without loading one.

    Args:
        language: two-letter code; `None` lists all.
    """
    from edgevox.speech.espeak_files import find_espeak
    from edgevox.speech.piper import piper_voices

    voices: list[Voice] = [*piper_voices(), *_kokoro_voices()]
    if find_espeak() is not None:
        voices += [Voice(name=each.code, language=each.code, description=ESPEAK) for each in LANGUAGES.values()]
    code = language_of(language).code if language else None
    return [each for each in voices if code in (None, each.language)]


def _ears(spoken: Language | None) -> str:
    """Return the recogniser's model for a language: its own, or another on this machine that hears it."""
    wanted = spoken.ears if spoken else MANY_EARS
    if models.find(wanted) is not None:
        return wanted
    if wanted == ENGLISH_EARS and models.find(MANY_EARS) is not None:
        return MANY_EARS
    if spoken is not None and wanted == MANY_EARS:
        raise LanguageUnsupported(
            f"Hearing {spoken.name} needs the model {MANY_EARS}, which is not on this machine: "
            f"get it with `edgevox models get {MANY_EARS}`."
        )
    return wanted


def _engine_of(voice: str | None, spoken: Language) -> Engine | None:
    """Return the engine that has a voice of this name, or the nearest of the language; `None` when there is none."""
    if voice is None:
        return None
    if voice.endswith(".onnx") or voice.startswith("piper-"):
        return "piper"
    named = {each.name: each for each in available_voices(spoken.code)}
    near = get_close_matches(voice, named, n=1, cutoff=0.6)
    if not near:
        return None
    if near[0].startswith("piper-"):
        return "piper"
    return "espeak" if named[near[0]].description == ESPEAK else "kokoro"


def _fastest(spoken: Language, threads: int) -> Engine:
    from edgevox.speech.espeak_files import find_espeak
    from edgevox.speech.piper import piper_voices

    if any(each.language == spoken.code for each in piper_voices()):
        return "piper"
    kokoro = spoken.kokoro and any(each.language == spoken.code for each in _kokoro_voices())
    espeak = find_espeak() is not None
    if kokoro and (threads >= KOKORO_THREADS or not espeak or spoken.code == "en"):
        return "kokoro"
    if espeak:
        return "espeak"
    raise LanguageUnsupported(
        f"No voice on this machine speaks {spoken.name}: "
        + ("run `edgevox models get piper-en-joe`." if spoken.code == "en" else "run: pip install espeakng-loader")
    )


def _kokoro_voices() -> Sequence[Voice]:
    from edgevox.speech.kokoro import MODEL, VOICES, kokoro_voices

    voices = models.find(VOICES)
    if voices is None or models.find(MODEL) is None:
        return ()
    return kokoro_voices(voices.path("voices.npz"))


def _piper(voice: str | None, language: str, speed: float, threads: int) -> TextToSpeech:
    from edgevox.speech.piper import PiperSpeech

    return PiperSpeech(voice, language=language, speed=speed, threads=threads)


def _kokoro(voice: str | None, language: str, speed: float, threads: int) -> TextToSpeech:
    from edgevox.speech.kokoro import KokoroSpeech

    return KokoroSpeech(voice, language=language, speed=speed, threads=threads)


def _espeak(voice: str | None, language: str, speed: float, _threads: int) -> TextToSpeech:
    from edgevox.speech.espeak import EspeakSpeech

    return EspeakSpeech(voice, language=language, speed=speed)


_ENGINES: Mapping[str, Callable[[str | None, str, float, int], TextToSpeech]] = {
    "piper": _piper,
    "kokoro": _kokoro,
    "espeak": _espeak,
}
