"""Builds what an assistant is made of from settings: engines, devices, models. Nothing is opened here."""

from dataclasses import replace
from pathlib import Path

from edgevox.assistant.voice import VoiceParts
from edgevox.config.settings import Settings
from edgevox.core.ports import ChatModel, SpeechToText, TextToSpeech


class PartsFactory:
    """Engines, devices and models for one person's settings.

    Args:
        settings: what the person chose.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def voice_parts(self, *, devices: bool = True, speaks: bool = True, answer_to: Path | None = None) -> VoiceParts:
        """Everything a spoken conversation needs.

        Args:
            devices: use the microphone and the loudspeaker; False leaves them out.
            speaks: False leaves synthesis and loudspeaker out.
            answer_to: a file that is written instead of playing.

        Raises:
            EdgeVoxError: an engine cannot serve the language or the voice that was asked for.
        """
        from edgevox.speech.factory import create_vad

        settings = self._settings
        parts = VoiceParts(
            stt=self.recognizer(settings.language),
            vad=create_vad(),
            tts=self.synthesizer(settings.language) if speaks else None,
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
        from edgevox.speech.factory import create_stt

        stt = self._settings.stt
        return create_stt(
            stt.model,
            stt.language or language,
            compute_type=stt.compute_type,
            beam_size=stt.beam_size,
            threads=stt.threads,
        )

    def synthesizer(self, language: str, voice: str | None = None) -> TextToSpeech:
        """Text to speech for a language. Raises `LanguageUnsupported` or `VoiceUnknown` with what is missing."""
        from edgevox.speech.cache import CachedSpeech
        from edgevox.speech.factory import create_tts

        tts = self._settings.tts
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

        Raises:
            EdgeVoxError: the name means nothing, or what it names is not here.
        """
        settings = self._settings
        chosen = spec or settings.llm.model
        if chosen is not None and chosen.startswith(("http://", "https://")):
            from edgevox.endpoints import RemoteModel

            return RemoteModel(chosen)
        from edgevox.llm.factory import open_model

        return open_model(chosen, settings)

    def _with_devices(self, parts: VoiceParts) -> VoiceParts:
        """Add microphone and loudspeaker, and the guard that tells one what the other plays."""
        from edgevox.audio.echo import EchoGuard
        from edgevox.audio.microphone import Microphone
        from edgevox.audio.speaker import Speaker

        audio, echo = self._settings.audio, EchoGuard()
        microphone = Microphone(audio.input_device, channel=audio.input_channel, block_ms=audio.block_ms)
        speaker = Speaker(
            audio.output_device,
            latency_ms=audio.output_latency_ms,
            reference=echo.reference,
            reference_cut=echo.cut,
        )
        return replace(parts, microphone=microphone, speaker=speaker, echo=echo)
