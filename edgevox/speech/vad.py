"""Silero's voice-activity model through onnxruntime, without torch.

Knows the two layouts in which the model is published and where it may lie. Does not know what a pause or an utterance
is: that is `segmenter`.
"""
# onnxruntime ships no types: its names are unknown to the checker.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from edgevox.core.errors import ModelCorrupt, ModelMissing, SpeechError
from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME
from edgevox.speech.model_files import named_file, packaged_file
from edgevox.speech.onnx import open_session

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from edgevox.core.frames import Samples

    States = tuple[NDArray[np.float32], ...]
    Step = Callable[[NDArray[np.float32], States], tuple[float, States]]

CONTEXT = 64
"""Samples of the frame before that the model reads with each frame (the model's own contract at 16 kHz)."""

WARM_FRAMES = 32
"""Frames of near silence that fill the recurrent state, so that the first real frame is judged like any other."""


class SileroVad:
    """Judges 32 ms frames one by one.

    Args:
        model: a path, or a name of the catalogue. When it is not there, the copy that the installed package
            `faster_whisper` or `silero_vad` carries is used.
    """

    def __init__(self, model: str = "silero-vad") -> None:
        self._model = model
        self._step: Step | None = None
        self._warm: States = ()
        self._states: States = ()
        self._context = np.zeros(CONTEXT, np.float32)

    def open(self) -> None:
        """Load the model on one thread and warm it. Opening twice is fine.

        Raises:
            ModelError, LibraryMissing: what is missing and the command that gets it.
        """
        if self._step is not None:
            return
        step, states = _step_of(open_session(find_model(self._model), threads=1))
        self._step = step
        self._states = states
        # Faint noise, not zeros: no microphone delivers zeros, and the state should be that of a quiet room.
        quiet = np.random.default_rng(0).normal(0, 1e-4, (WARM_FRAMES, VAD_FRAME)).astype(np.float32)
        for frame in quiet:
            self.probability(frame)
        self._warm = self._states
        self.reset()

    def probability(self, frame: "Samples") -> float:
        """Return how likely the frame holds speech, between 0 and 1.

        Args:
            frame: 512 samples, mono, 16 kHz, float32, shape (512,).

        Raises:
            SpeechError: the frame has another shape, or the model was not opened.
        """
        if self._step is None:
            raise SpeechError("The voice-activity model was used before it was opened.")
        if frame.shape != (VAD_FRAME,):
            raise SpeechError(f"Voice activity is judged on {VAD_FRAME} samples at a time, not {frame.shape}.")
        if not np.all(np.isfinite(frame)):  # one broken sample would poison the recurrent state
            frame = np.nan_to_num(frame, nan=0.0, posinf=0.0, neginf=0.0)
        value, states = self._step(np.concatenate((self._context, frame), dtype=np.float32)[None], self._states)
        self._states = states
        self._context = frame[-CONTEXT:].astype(np.float32)
        return min(1.0, max(0.0, value))

    def reset(self) -> None:
        """Forget the frames before; the next one is judged as after a quiet moment."""
        self._states = self._warm
        self._context = np.zeros(CONTEXT, np.float32)

    def close(self) -> None:
        """Let the model go. Closing twice is fine."""
        self._step = None


def find_model(model: str = "silero-vad") -> Path:
    """Return the file of the voice-activity model.

    Raises:
        ModelMissing: it is nowhere on this machine.
    """
    path = (
        named_file(model, "silero_vad.onnx")
        or packaged_file("faster_whisper", ["assets/silero_vad_v6.onnx", "assets/silero_vad.onnx"])
        or packaged_file("silero_vad", ["data/silero_vad_16k_op15.onnx", "data/silero_vad.onnx"])
    )
    if path is None:
        raise ModelMissing(f"The voice-activity model {model} is not on this machine; run: edgevox models get {model}")
    return path


def _step_of(session: Any) -> "tuple[Step, States]":
    """Return the function that judges one frame with `session`, and the states it starts from."""
    inputs = {each.name for each in session.get_inputs()}
    if {"input", "state", "sr"} <= inputs:
        return _one_state(session)
    if {"input", "h", "c"} <= inputs:
        return _two_states(session)
    raise ModelCorrupt("The voice-activity model is not one of Silero's; run: edgevox models get silero-vad")


def _one_state(session: Any) -> "tuple[Step, States]":
    rate = np.array(SAMPLE_RATE, np.int64)

    def step(window: "NDArray[np.float32]", states: "States") -> "tuple[float, States]":
        output, state = session.run(None, {"input": window, "state": states[0], "sr": rate})
        return float(np.ravel(output)[0]), (state,)

    return step, (np.zeros((2, 1, 128), np.float32),)


def _two_states(session: Any) -> "tuple[Step, States]":
    def step(window: "NDArray[np.float32]", states: "States") -> "tuple[float, States]":
        output, hidden, cell = session.run(None, {"input": window, "h": states[0], "c": states[1]})
        return float(np.ravel(output)[0]), (hidden, cell)

    return step, (np.zeros((1, 1, 128), np.float32), np.zeros((1, 1, 128), np.float32))
