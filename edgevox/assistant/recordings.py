"""Takes the turns in a recording as if it had been spoken into the microphone."""

from collections.abc import Callable
from pathlib import Path

from edgevox.assistant.voice import Voice
from edgevox.core.cancel import CancelReason
from edgevox.pipeline.outcome import TurnHandle, TurnOutcome


def hear_recording(
    voice: Voice,
    path: Path,
    timeout: float,
    *,
    latest: Callable[[], TurnHandle | None],
    stops: Callable[[], tuple[int, str]],
    deaf: Callable[[], str],
    unheard: Callable[[], str],
) -> TurnOutcome:
    """Listen to a file and wait for what becomes of it.

    Args:
        voice: who listens.
        path: a WAV file.
        timeout: seconds to wait beyond the recording's own length.
        latest: the turn that was submitted last.
        stops: how many stops there have been, and what caused the last.
        deaf: why nobody can listen.
        unheard: what is said when nothing was understood.

    Returns:
        The outcome of the last turn; with an error when nothing was understood or nobody can listen.

    Raises:
        UsageError: it is not a recording that can be read.
    """
    from edgevox.audio.files import FileMicrophone

    before, stopped_before = latest(), stops()[0]
    recording = FileMicrophone(path, realtime=True)
    recording.open()
    if not voice.hear_recording(recording, timeout):
        return TurnOutcome(text="", error=deaf())
    count, stopped_by = stops()
    handle = latest()
    if count > stopped_before and handle is before:
        return TurnOutcome(text=stopped_by, cancelled=CancelReason.STOP)
    outcome = handle.wait(timeout) if handle is not None and handle is not before else None
    return outcome or TurnOutcome(text="", error=unheard())
