"""Builds what an assistant is made of from settings: engines, devices, models. Nothing is opened here."""

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from edgevox.assistant.voice import VoiceParts
from edgevox.config.settings import Settings, load_settings_or_defaults
from edgevox.core.errors import EdgeVoxError, LibraryMissing, UsageError
from edgevox.core.ports import ChatModel, SpeechToText, TextToSpeech
from edgevox.endpoints import EndpointDirectory, LLMEndpoint, TranscriptionEndpoint

T = TypeVar("T")

LOCAL = "local"
"""Stands for the model on this machine that answers without any endpoint."""


class PartsFactory:
    """Engines, devices and models for one person's settings.

    Args:
        settings: what the person chose.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.endpoints = EndpointDirectory()
        """Every endpoint that can be named; the person's own catalogue is read when it is first asked."""

    def voice_parts(
        self,
        *,
        devices: bool = True,
        speaks: bool = True,
        answer_to: Path | None = None,
        lacking: list[str] | None = None,
    ) -> VoiceParts:
        """Everything a spoken conversation needs.

        Args:
            devices: use the microphone and the loudspeaker; False leaves them out.
            speaks: False leaves synthesis and loudspeaker out.
            answer_to: a file that is written instead of playing.
            lacking: takes one sentence for each engine that cannot be had, which is then left out.

        Raises:
            EdgeVoxError: an engine cannot serve the language or the voice, and `lacking` was not given.
        """
        from edgevox.speech.factory import create_vad

        settings = self.settings
        parts = VoiceParts(
            stt=_or_say(lambda: self.recognizer(settings.language), lacking),
            vad=create_vad(),
            tts=_or_say(lambda: self.synthesizer(settings.language), lacking) if speaks else None,
        )
        if devices:
            parts = self._with_devices(parts)
        elif answer_to is not None:
            from edgevox.audio.files import FileSpeaker

            parts = replace(parts, speaker=FileSpeaker(answer_to))
        else:
            from edgevox.audio.files import NullSpeaker

            parts = replace(parts, speaker=NullSpeaker())
        return parts if speaks else replace(parts, speaker=None)

    def recognizer(self, language: str) -> SpeechToText:
        """Speech to text for a language. Raises `LanguageUnsupported` with what is missing."""
        named = self.endpoints.find(self.settings.stt.model.removeprefix("endpoint:"))
        if named is None:
            return self._local_recognizer(self.settings.stt.model, language)
        if not isinstance(named, TranscriptionEndpoint):
            raise UsageError(f"{self.settings.stt.model} is a chat model: name a transcription model for hearing.")
        from edgevox.endpoints.recognizer import endpoint_recognizer

        wanted = self.settings.stt.language or language
        beside = _or_say(lambda: self._local_recognizer("auto", language), [])
        return endpoint_recognizer(named, language=None if wanted == "auto" else wanted, beside=beside)

    def _local_recognizer(self, model: str, language: str) -> SpeechToText:
        from edgevox.speech.factory import create_stt

        stt = self.settings.stt
        return create_stt(
            model,
            stt.language or language,
            compute_type=stt.compute_type,
            beam_size=stt.beam_size,
            threads=stt.threads,
        )

    def synthesizer(self, language: str, voice: str | None = None) -> TextToSpeech:
        """Text to speech for a language. Raises `LanguageUnsupported` or `VoiceUnknown` with what is missing."""
        from edgevox.speech.cache import CachedSpeech
        from edgevox.speech.factory import create_tts

        tts = self.settings.tts
        engine = create_tts(tts.engine, voice or tts.voice, language, speed=tts.speed, threads=tts.threads)
        return CachedSpeech(engine)

    def engines(self, language: str, *, hears: bool, speaks: bool) -> tuple[SpeechToText | None, TextToSpeech | None]:
        """Engines for another language, as far as the assistant hears and speaks."""
        stt = self.recognizer(language) if hears else None
        return stt, self.synthesizer(language) if speaks else None

    def voice(self, name: str, language: str) -> TextToSpeech:
        """Text to speech with another voice."""
        return self.synthesizer(language, voice=name)

    def model(self, spec: str | None = None) -> ChatModel | None:
        """The language model of that name, or the person's own choice; `None` when there is none on this machine.

        Args:
            spec: a name of the catalogue, a path, an address, an endpoint, or `local` for one on this machine.

        Raises:
            EdgeVoxError: the name means nothing, or what it names is not here.
        """
        settings = self.settings
        chosen = self._local_choice() if spec == LOCAL else spec or settings.llm.model
        if chosen is not None and chosen.startswith(("http://", "https://")):
            return LLMEndpoint(chosen)
        named = self.endpoints.find(chosen) if chosen is not None else None
        if isinstance(named, LLMEndpoint):
            return named
        if isinstance(named, TranscriptionEndpoint):
            raise UsageError(f"{chosen} writes down what is said and cannot answer: give it as stt.model (--stt).")
        from edgevox.llm.factory import open_model

        if spec == LOCAL:
            settings = settings.model_copy(update={"llm": settings.llm.model_copy(update={"model": None})})
        model = open_model(named.model_name if named is not None else chosen, settings)
        if find_spec("llama_cpp") is None:
            raise LibraryMissing("The language model is here but not what runs it: pip install 'edgevox[llm]'.")
        return model

    def _local_choice(self) -> str | None:
        """The model on this machine that the person chose; `None`, the best one, where they chose endpoints alone."""
        kept, _ = load_settings_or_defaults()
        for chosen in (self.settings.llm.model, kept.llm.model):
            if chosen is not None and "://" not in chosen and not isinstance(self.endpoints.find(chosen), LLMEndpoint):
                return chosen
        return None

    def _with_devices(self, parts: VoiceParts) -> VoiceParts:
        """Add microphone and loudspeaker, and the guard that tells one what the other plays."""
        from edgevox.audio.echo import EchoGuard
        from edgevox.audio.microphone import Microphone
        from edgevox.audio.speaker import Speaker

        audio, echo = self.settings.audio, EchoGuard()
        microphone = Microphone(audio.input_device, channel=audio.input_channel, block_ms=audio.block_ms)
        speaker = Speaker(
            audio.output_device,
            latency_ms=audio.output_latency_ms,
            reference=echo.reference,
            reference_cut=echo.cut,
        )
        return replace(parts, microphone=microphone, speaker=speaker, echo=echo)


def _or_say(make: Callable[[], T], lacking: list[str] | None) -> T | None:
    try:
        return make()
    except EdgeVoxError as error:
        if lacking is None:
            raise
        lacking.append(str(error))
        return None
