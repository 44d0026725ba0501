"""The voice half of the assistant: devices and engines, opened in the background, each missing part said once.

Knows how the threads of a spoken turn are joined. What a turn does is `pipeline`'s business.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from edgevox.config.settings import Settings
from edgevox.core.errors import EdgeVoxError
from edgevox.core.frames import Frame, GlanceFrame, PartialSpeechFrame, TranscriptionFrame
from edgevox.core.ports import (
    MicrophoneSource,
    SpeakerSink,
    SpeechToText,
    TextToSpeech,
    VoiceActivityDetector,
    WatchedDevice,
)
from edgevox.pipeline.glance import Glance
from edgevox.pipeline.hear import Hearer, StopMonitor
from edgevox.pipeline.listen import Echo, Listener
from edgevox.pipeline.queues import FrameQueue
from edgevox.pipeline.speak import Mouth
from edgevox.speech.factory import segmenter_options
from edgevox.speech.segmenter import Segmenter

log = logging.getLogger(__name__)

WAITING_FRAMES = 64
"""Speech frames that may wait for the recogniser."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceParts:
    """Devices and engines, not open yet. A part that is `None` leaves its half of the voice off; the rest works."""

    microphone: MicrophoneSource | None = None
    speaker: SpeakerSink | None = None
    stt: SpeechToText | None = None
    tts: TextToSpeech | None = None
    vad: VoiceActivityDetector | None = None
    echo: Echo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoiceHooks:
    """What the voice tells the assistant, and asks it."""

    monitor: StopMonitor
    answers: Callable[[str], bool]
    on_heard: Callable[[TranscriptionFrame], object]
    on_partial: Callable[[TranscriptionFrame], object]
    interrupts: Callable[[], bool]
    on_interrupt: Callable[[str], object]
    wants_partials: Callable[[], bool]
    stop_words: Callable[[], Sequence[str]]
    """The words to look for in sound while `wants_partials`, most usual first."""
    moves: Callable[[], bool]
    asks: Callable[[], bool]
    last_stop: Callable[[], float]
    on_level: Callable[[float], object]
    on_hearing: Callable[[bool], object]
    on_speaking: Callable[[bool], object]
    on_first_sound: Callable[[int, float], object]
    on_notice: Callable[[str], object]
    on_lost: Callable[[str | None], object]
    on_error: Callable[[str], object]
    on_unclear: Callable[[], object]
    is_complete: Callable[[str], bool]
    own_words: Callable[[], tuple[str, ...]]
    """What the assistant itself will say sooner or later, to be synthesised ahead."""


class Voice:
    """Opens the parts it was given and runs the threads that join them.

    Args:
        parts: devices and engines; what cannot be opened is left out and said through `hooks.on_notice`.
        hooks: the assistant's side.
        settings: endpointing and the rest.
    """

    def __init__(self, parts: VoiceParts, hooks: VoiceHooks, settings: Settings) -> None:
        self._parts = parts
        self._hooks = hooks
        self._settings = settings
        self._inbox: FrameQueue[Frame] = FrameQueue(WAITING_FRAMES, coalesce=(PartialSpeechFrame, GlanceFrame))
        self._listener: Listener | None = None
        self._hearer: Hearer | None = None
        self._closing = threading.Event()
        self._wants_mute = False
        self.mouth: Mouth | None = None
        """Speaks; `None` until the loudspeaker and a voice are open."""
        self._recording: Listener | None = None
        self._recording_over = threading.Event()

    @property
    def parts(self) -> VoiceParts:
        """The devices and engines that it was given, or that replaced them."""
        return self._parts

    @property
    def listens(self) -> bool:
        """Whether a microphone is open and somebody hears what it brings."""
        return self._listener is not None

    @property
    def muted(self) -> bool:
        """Whether the microphone is deaf."""
        return self._listener is not None and self._listener.muted

    def set_muted(self, muted: bool) -> None:
        """Make the microphone deaf, or let it hear again; one that opens later starts that way."""
        self._wants_mute = muted
        if self._listener is not None:
            self._listener.muted = muted

    def open_mouth(self) -> None:
        """Open the loudspeaker and the voice."""
        speaker, tts = self._parts.speaker, self._parts.tts
        self._watch(speaker, self._speaker_changed)
        if speaker is None or tts is None or not self._opens(tts) or not self._opens(speaker):
            return
        hooks = self._hooks
        self._prepare(tts)
        self.mouth = Mouth(
            tts,
            speaker,
            on_speaking=hooks.on_speaking,
            on_first_sound=hooks.on_first_sound,
            on_error=hooks.on_error,
        )
        self.mouth.start()
        self._say_note(tts)

    def open_ears(self) -> bool:
        """Open the recogniser and the microphone, and begin to listen.

        Returns:
            Whether somebody listens now.
        """
        microphone = self._parts.microphone
        self._watch(microphone, self._microphone_changed)
        if microphone is None or not self._open_hearing() or not self._opens(microphone):
            return False
        self._listener = self._listen_to(microphone)
        self._listener.muted = self._wants_mute
        return True

    def hear_recording(self, recording: MicrophoneSource, timeout: float) -> bool:
        """Hear a recording to its end as if it came from the microphone, which is deaf meanwhile.

        Args:
            recording: where the sound comes from; it ends by itself.
            timeout: seconds to wait.

        Returns:
            Whether all of it was heard.
        """
        if not self._open_hearing() or not self._opens(recording):
            return False
        muted, self._recording_over = self.muted, threading.Event()
        self.set_muted(True)
        try:
            self._recording = self._listen_to(recording)
            return self._recording_over.wait(timeout)
        finally:
            self._recording = None
            self.set_muted(muted)

    def replace_recognizer(self, stt: SpeechToText) -> None:
        """Hear with another recogniser from the next utterance on."""
        stt.open()
        self._parts = replace(self._parts, stt=stt)
        if self._hearer is not None:
            self._hearer.replace_recognizer(stt)

    def replace_voice(self, tts: TextToSpeech) -> None:
        """Speak with another voice from the next sentence on."""
        tts.open()
        self._prepare(tts)
        self._parts = replace(self._parts, tts=tts)
        if self.mouth is not None:
            self.mouth.replace_voice(tts)
        self._say_note(tts)

    def close(self) -> None:
        """Let devices and engines go; twice is fine."""
        self._closing.set()
        if self._listener is not None:
            self._listener.close()
        if self._hearer is not None:
            self._hearer.close()
        if self.mouth is not None:
            self.mouth.close()
        for thread in (self._listener, self._hearer, self.mouth):
            if thread is not None:
                thread.join(0.5)
        for part in (self._parts.speaker, self._parts.tts, self._parts.stt, self._parts.vad):
            if part is not None:
                _close(part)

    def _opens(self, part: Any) -> bool:
        try:
            part.open()
        except EdgeVoxError as error:
            self._hooks.on_notice(str(error))
            return False
        except Exception as error:  # one broken part is said and left out; what can work goes on
            log.exception("opening %s failed", type(part).__name__)
            self._hooks.on_notice(
                f"{type(part).__name__} cannot be used ({error}); edgevox doctor looks for the cause."
            )
            return False
        return True

    def _make_hearer(self, stt: SpeechToText) -> Hearer:
        hooks = self._hooks
        return Hearer(
            stt,
            hooks.monitor,
            self._inbox,
            answers=hooks.answers,
            on_heard=hooks.on_heard,
            on_partial=hooks.on_partial,
            min_speech_s=self._settings.vad.min_speech_ms / 1000,
            is_complete=hooks.is_complete,
            on_complete=self._command_complete,
            interrupts=hooks.interrupts,
            on_interrupt=hooks.on_interrupt,
            glance=Glance(hooks.stop_words, hooks.wants_partials),
            moves=hooks.moves,
            asks=hooks.asks,
            last_stop=hooks.last_stop,
            on_error=hooks.on_error,
            on_unclear=hooks.on_unclear,
            on_end=self._recording_ended,
        )

    def _prepare(self, tts: TextToSpeech) -> None:
        """Have the assistant's own words ready, where the voice can keep them."""
        prepare = getattr(tts, "prepare", None)
        if prepare is None:
            return
        try:
            prepare(self._hooks.own_words())
        except EdgeVoxError as error:
            log.info("speaking ahead failed: %s", error)

    def _command_complete(self, ended: float) -> None:
        for listener in (self._listener, self._recording):
            if listener is not None:
                listener.end_soon(ended)

    def _say_note(self, tts: TextToSpeech) -> None:
        """Say when the voice is not the one that was asked for."""
        note = getattr(getattr(tts, "engine", tts), "note", None)
        if note:
            self._hooks.on_notice(note)

    def _watch(self, device: object, changed: Callable[[str, str], object]) -> None:
        if isinstance(device, WatchedDevice):
            device.on_change = changed

    def _microphone_changed(self, state: str, sentence: str) -> None:
        if self._listener is None or self._closing.is_set():  # a note about another device that is used instead
            if sentence and not self._closing.is_set():
                self._hooks.on_notice(sentence)
            return
        self._hooks.on_lost(None if state == "open" else sentence)

    def _speaker_changed(self, state: str, sentence: str) -> None:
        if state != "closed" and sentence and not self._closing.is_set():
            self._hooks.on_notice(sentence)

    def _recording_ended(self) -> None:
        self._recording_over.set()

    def _open_hearing(self) -> bool:
        """Open recogniser and voice activity, and start the thread that owns the recogniser, once."""
        stt, vad = self._parts.stt, self._parts.vad
        if stt is None or vad is None or self._closing.is_set() or not (self._opens(stt) and self._opens(vad)):
            return False
        if self._hearer is None:
            self._hearer = self._make_hearer(stt)
            self._hearer.start()
        return True

    def _listen_to(self, microphone: MicrophoneSource) -> Listener:
        hooks, vad = self._hooks, self._parts.vad
        assert vad is not None
        vad.reset()
        listener = Listener(
            microphone,
            vad,
            Segmenter(segmenter_options(self._settings.vad)),
            hooks.monitor,
            self._inbox,
            echo=self._parts.echo,
            wants_partials=hooks.wants_partials,
            on_level=hooks.on_level,
            on_hearing=hooks.on_hearing,
            on_lost=hooks.on_lost,
        )
        listener.start()
        return listener


def _close(part: Any) -> None:
    try:
        part.close()
    except Exception:  # closing must go on with the next part
        log.exception("closing %s failed", type(part).__name__)
