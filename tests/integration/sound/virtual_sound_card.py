"""A microphone to speak into and a loudspeaker to listen to, for tests of the whole way through PortAudio.

Knows `.ci/sound-card` and PulseAudio's command-line programs. Does not know edgevox.
"""

import os
import shutil
import subprocess
import tempfile
import threading
import time
import wave
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

SCRIPT = Path(__file__).parents[3] / ".ci" / "sound-card"
PROGRAMS = ("pulseaudio", "pactl", "paplay", "parec")
RECORD_RATE = 48_000
"""Samples per second of what `record_speaker` returns."""
CLIENT_LATENCY_MS = 10
"""How far behind the sound a recording program may be."""


def why_not() -> str | None:
    """Return why this machine cannot have a virtual sound card; `None` when it can."""
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        return f"{', '.join(missing)} not installed: apt-get install pulseaudio pulseaudio-utils libasound2-plugins"
    return None


class Recording:
    """What the loudspeaker plays, while and after it is recorded: mono, 48 kHz."""

    rate = RECORD_RATE

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._data = bytearray()
        self._arrived: list[tuple[float, int]] = []
        self._reader = threading.Thread(target=self._read, name="speaker-recording", daemon=True)
        self._reader.start()

    @property
    def samples(self) -> Samples:
        """Everything up to now, shape (n,), between -1 and 1."""
        usable = len(self._data) // 2 * 2
        return np.frombuffer(bytes(self._data[:usable]), dtype="<i2").astype(np.float32) / np.float32(32768)

    @property
    def seconds(self) -> float:
        """Length of what was recorded up to now."""
        return len(self._data) / 2 / self.rate

    def at(self, when: float) -> int:
        """Return how many samples had arrived at `when`, seconds on the monotonic clock."""
        return max((count for arrived, count in self._arrived if arrived <= when), default=0)

    def sounding(self, threshold: float = 0.01, window_s: float = 0.005) -> tuple[float, float] | None:
        """Return when sound louder than `threshold` began and ended, seconds from the start; `None` in silence."""
        window = int(self.rate * window_s)
        samples = self.samples
        count = len(samples) // window
        if count == 0:
            return None
        loud = np.flatnonzero(np.abs(samples[: count * window]).reshape(count, window).max(axis=1) > threshold)
        if len(loud) == 0:
            return None
        return float(loud[0]) * window_s, float(loud[-1] + 1) * window_s

    def stop(self) -> None:
        """End the recording; what has arrived stays."""
        self._process.terminate()
        self._process.wait(5)
        self._reader.join(5)

    def _read(self) -> None:
        assert self._process.stdout is not None
        while chunk := os.read(self._process.stdout.fileno(), 4096):
            self._data.extend(chunk)
            self._arrived.append((time.monotonic(), len(self._data) // 2))


class VirtualSoundCard:
    """One sound server with a microphone (`vmic`) and a loudspeaker (`vspk`) made of software.

    Args:
        folder: where its socket and configuration lie; short, since the path of a socket is limited to 107 bytes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env: dict[str, str] = {}
        """What points PortAudio, ALSA and PulseAudio at this card; set by `start`."""

    def start(self) -> None:
        """Start the server. Raises `CalledProcessError` when it does not come up."""
        done = subprocess.run(
            [str(SCRIPT), "start", str(self.folder)], check=True, capture_output=True, text=True, timeout=30
        )
        self.env = dict(line.split("=", 1) for line in done.stdout.splitlines())

    def stop(self) -> None:
        """End the server. Stopping twice is fine."""
        subprocess.run([str(SCRIPT), "stop", str(self.folder)], check=True, timeout=30)

    def start_playing(self, sound: Path | Samples, rate: int = 16_000) -> "subprocess.Popen[bytes]":
        """Begin to play a WAV file, or mono samples at `rate`, into the microphone; returns the player."""
        path = sound if isinstance(sound, Path) else self._wav(sound, rate)
        return subprocess.Popen(["paplay", "--device=vmic", str(path)], env=self._environment())

    def play_into_microphone(self, sound: Path | Samples, rate: int = 16_000, *, timeout: float = 60) -> None:
        """Play a WAV file, or mono samples at `rate`, into the microphone and wait for its end."""
        player = self.start_playing(sound, rate)
        if player.wait(timeout) != 0:
            raise RuntimeError(f"paplay failed with exit code {player.returncode}")

    @contextmanager
    def recorder(self) -> Generator[Recording]:
        """Record the loudspeaker for the length of a `with` block."""
        command = ["parec", "--device=vspk.monitor", "--format=s16le", f"--rate={RECORD_RATE}", "--channels=1"]
        command.append(f"--latency-msec={CLIENT_LATENCY_MS}")
        process = subprocess.Popen(command, env=self._environment(), stdout=subprocess.PIPE)
        recording = Recording(process)
        try:
            self._wait_for_sound(recording)
            yield recording
        finally:
            recording.stop()

    def record_speaker(self, seconds: float) -> Recording:
        """Record the loudspeaker for so long and return the recording."""
        with self.recorder() as recording:
            before = recording.seconds
            while recording.seconds - before < seconds:
                time.sleep(0.02)
        return recording

    @contextmanager
    def loopback(self, latency_ms: int = 100, gain_db: float = -20.0) -> Generator[None]:
        """Let the microphone hear the loudspeaker for the length of a `with` block, as in a room.

        Args:
            latency_ms: how much later.
            gain_db: how much quieter (negative).
        """
        module = self._pactl(
            "load-module", "module-loopback", "source=vspk.monitor", "sink=vmic", f"latency_msec={latency_ms}",
            "source_dont_move=true", "sink_dont_move=true",
        ).strip()  # fmt: skip
        try:
            self._pactl("set-sink-input-volume", self._sink_input_of(module), f"{gain_db}dB")
            yield
        finally:
            self._pactl("unload-module", module)

    @contextmanager
    def without_microphone(self) -> Generator[None]:
        """Take the microphone away for the length of a `with` block: nothing reaches the programs that listen to it."""
        self._pactl("suspend-source", "microphone", "1")
        self._pactl("suspend-sink", "vmic", "1")
        try:
            yield
        finally:
            self._pactl("suspend-sink", "vmic", "0")
            self._pactl("suspend-source", "microphone", "0")

    @contextmanager
    def without_loudspeaker(self) -> Generator[None]:
        """Take the loudspeaker away for the length of a `with` block: it takes nothing from programs any more."""
        self._pactl("suspend-sink", "vspk", "1")
        try:
            yield
        finally:
            self._pactl("suspend-sink", "vspk", "0")

    def _sink_input_of(self, module: str) -> str:
        index = ""
        for line in self._pactl("list", "sink-inputs").splitlines():
            if line.startswith("Sink Input #"):
                index = line.removeprefix("Sink Input #")
            elif line.strip() == f"Owner Module: {module}":
                return index
        raise RuntimeError(f"module {module} plays nowhere")

    def _wait_for_sound(self, recording: Recording, timeout: float = 10) -> None:
        deadline = time.monotonic() + timeout
        while recording.seconds == 0:
            if time.monotonic() > deadline:
                raise RuntimeError("the recording of the loudspeaker did not start")
            time.sleep(0.005)

    def _wav(self, samples: Samples, rate: int) -> Path:
        path = self.folder / f"played-{time.monotonic_ns()}.wav"
        with wave.open(str(path), "wb") as wav:
            wav.setnchannels(1)
            wav.setsampwidth(2)
            wav.setframerate(rate)
            wav.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
        return path

    def _pactl(self, *arguments: str) -> str:
        command = ["pactl", *arguments]
        return subprocess.run(
            command, env=self._environment(), check=True, capture_output=True, text=True, timeout=10
        ).stdout

    def _environment(self) -> dict[str, str]:
        return os.environ | self.env | {"LC_ALL": "C"}


@contextmanager
def running_card() -> Generator[VirtualSoundCard]:
    """Start a card in a folder of its own, and end it and remove the folder afterwards."""
    with tempfile.TemporaryDirectory(prefix="card-", ignore_cleanup_errors=True) as folder:
        card = VirtualSoundCard(Path(folder))
        card.start()
        try:
            yield card
        finally:
            card.stop()
