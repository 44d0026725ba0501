"""How fast this machine hears, speaks and answers, and what follows from it.

Knows the bounds beyond which a person waits. The engines are built by the same factories as in the assistant; one that
cannot be opened is not a candidate, and its reason is told.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from edgevox.config.catalogue import catalogue
from edgevox.config.recommend import LANGUAGE_MODELS
from edgevox.config.settings import Settings
from edgevox.core.errors import EdgeVoxError

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

SENTENCE = "The light in the kitchen is on."
QUESTION = "Say in one sentence what the sky looks like."
ANSWER_TOKENS = 24
STT_RATE = 16_000

TRIES = 3
"""Times each candidate works; the best counts, because what else the machine did then is not its fault."""
HEARING_BOUND = 0.25
"""Seconds of work for a second of speech beyond which a more exact recogniser is not worth the wait."""
SPEAKING_BOUND = 0.5
"""Seconds of work for a second of sound beyond which a nicer voice makes the person wait."""
ANSWER_BOUND = 5.0
"""Tokens a second below which an answer comes slower than it is spoken (about four tokens a second)."""

STT_BY_QUALITY = ("whisper-base", "whisper-tiny.en")
TTS_BY_QUALITY = (("kokoro", "kokoro-82m-int8"), ("piper", "piper-en-joe"), ("espeak", None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Speed:
    """What a candidate did on this machine."""

    name: str
    load_s: float = 0.0
    """Seconds to load it."""
    rate: float | None = None
    """Hearing and speaking: seconds of work for a second of sound. Answering: tokens a second. `None`: it failed."""
    fault: str = ""
    """Why it failed."""


class Bench(Protocol):
    """Measures one candidate at a time."""

    def hearing(self, model: str) -> Speed:
        """Measure a recogniser by the name of its model."""
        ...

    def speaking(self, engine: str) -> Speed:
        """Measure a voice by the name of its engine."""
        ...

    def answering(self, model: str) -> Speed:
        """Measure a language model by name."""
        ...


class EngineBench:
    """Measures the real engines, each once, loaded and let go again.

    Args:
        settings: what the person chose, threads and language among it.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._speech: Samples | None = None

    def hearing(self, model: str) -> Speed:
        """Let a recogniser hear what a voice said before, or a second of noise."""
        from edgevox.assistant.parts import PartsFactory

        settings = self._settings.model_copy(update={"stt": self._settings.stt.model_copy(update={"model": model})})
        try:
            engine = PartsFactory(settings).recognizer(settings.language)
            start = time.perf_counter()
            engine.open()
            loaded = time.perf_counter()
            sound = self._sound()
            took = min(_timed(lambda: engine.transcribe(sound)) for _ in range(TRIES))
            engine.close()
        except EdgeVoxError as error:
            return Speed(name=model, fault=str(error))
        return Speed(name=model, load_s=loaded - start, rate=took * STT_RATE / len(sound))

    def speaking(self, engine: str) -> Speed:
        """Let a voice speak a short sentence."""
        import numpy as np

        from edgevox.speech.factory import create_tts

        tts = self._settings.tts.model_copy(update={"engine": engine})
        try:
            voice = create_tts(tts.engine, None, self._settings.language, speed=tts.speed, threads=tts.threads)
            start = time.perf_counter()
            voice.open()
            loaded = time.perf_counter()
            pieces = list(voice.synthesize(SENTENCE))
            took = min(_timed(lambda: list(voice.synthesize(SENTENCE))) for _ in range(TRIES - 1))
            rate = voice.sample_rate
            voice.close()
        except EdgeVoxError as error:
            return Speed(name=engine, fault=str(error))
        sound = np.concatenate(pieces) if pieces else np.zeros(1, np.float32)
        times = np.arange(0, len(sound) / rate, 1 / STT_RATE)
        self._speech = np.interp(times, np.arange(len(sound)) / rate, sound).astype(np.float32)
        return Speed(name=engine, load_s=loaded - start, rate=took * rate / len(sound))

    def answering(self, model: str) -> Speed:
        """Let a language model write some tokens."""
        from edgevox.assistant.parts import PartsFactory

        try:
            start = time.perf_counter()
            chat = PartsFactory(self._settings).model(model)
            if chat is None:
                return Speed(name=model, fault=f"{model} cannot be opened.")
            messages = [{"role": "user", "content": QUESTION}]
            chat.complete(messages, max_tokens=1)
            loaded = time.perf_counter()
            answer = chat.complete(messages, max_tokens=ANSWER_TOKENS)
            took = time.perf_counter() - loaded
            if callable(close := getattr(chat, "close", None)):
                close()
        except EdgeVoxError as error:
            return Speed(name=model, fault=str(error))
        return Speed(name=model, load_s=loaded - start, rate=_tokens(answer) / took)

    def _sound(self) -> "Samples":
        import numpy as np

        if self._speech is None:
            return np.random.default_rng(0).normal(0.0, 0.05, STT_RATE).astype(np.float32)
        return self._speech


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What suits this machine, by measurement."""

    settings: Mapping[str, str]
    """Settings by dotted name."""
    reasons: tuple[str, ...]
    """A sentence for each."""


def choose(here: set[str], language: str, bench: Bench) -> tuple[Choice, list[Speed]]:
    """Measure what is on this machine and choose.

    Args:
        here: models that are here, by name.
        language: two-letter code of the conversation.
        bench: measures.
    """
    settings: dict[str, str] = {}
    reasons: list[str] = []
    speeds: list[Speed] = []
    for choose_one in (_choose_voice, _choose_ears, _choose_model):
        measured, setting, reason = choose_one(here, language, bench)
        speeds += measured
        settings.update(setting)
        reasons.append(reason)
    return Choice(settings=settings, reasons=tuple(reasons)), speeds


def _timed(work: Callable[[], object]) -> float:
    """Return how long something takes, seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


Outcome = tuple[list[Speed], dict[str, str], str]


def _choose_voice(here: set[str], language: str, bench: Bench) -> Outcome:
    speeds = [bench.speaking(engine) for engine, model in TTS_BY_QUALITY if _speaks(model, here, language)]
    working = [speed for speed in speeds if speed.rate is not None]
    if not working:
        return speeds, {}, "Nothing can speak here: answers are shown as text."
    chosen = next((speed for speed in working if _rate(speed) <= SPEAKING_BOUND), min(working, key=_rate))
    reason = f"Speaks with {chosen.name}: {_rate(chosen):.2f} s of work for a second of speech."
    slower = [speed for speed in working[: working.index(chosen)] if _rate(speed) > SPEAKING_BOUND]
    if slower:
        reason += f" {slower[0].name} would take {_rate(slower[0]):.2f} s."
    return speeds, {"tts.engine": chosen.name}, reason


def _choose_ears(here: set[str], language: str, bench: Bench) -> Outcome:
    speeds = [bench.hearing(model) for model in STT_BY_QUALITY if model in here and _knows(model, language)]
    working = [speed for speed in speeds if speed.rate is not None]
    if not working:
        return speeds, {}, "Nothing can hear here: type, or get a recogniser with `edgevox setup`."
    chosen = next((speed for speed in working if _rate(speed) <= HEARING_BOUND), min(working, key=_rate))
    reason = f"Hears with {chosen.name}: {_rate(chosen):.2f} s of work for a second of speech."
    return speeds, {"stt.model": chosen.name}, reason


def _choose_model(here: set[str], _language: str, bench: Bench) -> Outcome:
    speeds = [bench.answering(model) for model, _ in LANGUAGE_MODELS if model in here]
    working = [speed for speed in speeds if speed.rate is not None]
    if not working:
        return speeds, {}, "Answers from phrases and templates; no language model is here."
    chosen = next((speed for speed in working if _rate(speed) >= ANSWER_BOUND), max(working, key=_rate))
    reason = f"Answers with {chosen.name}: {_rate(chosen):.0f} tokens a second."
    if _rate(chosen) < ANSWER_BOUND:
        reason += " That is slower than speech: long answers will pause."
    return speeds, {"llm.model": chosen.name}, reason


def _speaks(model: str | None, here: set[str], language: str) -> bool:
    if model is None:
        return True
    entry = catalogue()[model]
    return {model, *entry.needs} <= here and _knows(model, language)


def _knows(model: str, language: str) -> bool:
    languages = catalogue()[model].languages
    return "*" in languages or language in languages


def _rate(speed: Speed) -> float:
    assert speed.rate is not None
    return speed.rate


def _tokens(answer: Any) -> int:
    """Return how many tokens an answer in the OpenAI shape has, by its own count, else by its length."""
    try:
        return max(1, int(answer["usage"]["completion_tokens"]))
    except (KeyError, TypeError, ValueError):
        return max(1, len(answer["choices"][0]["message"]["content"] or "") // 4)
