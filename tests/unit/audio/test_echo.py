"""The assistant's own voice, heard back by the microphone, against a person's.

Sounds are made here: noise shaped like speech, in syllables and bands that change, looped back as a room would.
"""

import time
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from edgevox.audio.echo import EchoGuard

pytestmark = pytest.mark.slow

Sound = NDArray[np.float32]

RATE = 16_000
FRAME = 512
START = 1000.0
NOISE = 10 ** (-65 / 20)
LEARNING_S = 1.2
"""How long the guard may take to learn the room, in which it lets nobody through."""


def babble(seconds: float, seed: int, level: float = 0.1) -> Sound:
    """Noise with the ups and downs of speech: syllables of 120 to 260 ms, each with formants of its own, and pauses."""
    rng = np.random.default_rng(seed)
    parts: list[Sound] = []
    while sum(len(part) for part in parts) < seconds * RATE:
        length = int(rng.uniform(0.12, 0.26) * RATE)
        spectrum = np.fft.rfft(rng.standard_normal(length))
        hz = np.fft.rfftfreq(length, 1 / RATE)
        formants = rng.uniform([250, 900, 2000], [800, 2200, 5000])
        shape = sum(np.exp(-((np.log2(np.maximum(hz, 50) / f)) ** 2) / 0.06) for f in formants)
        syllable = np.fft.irfft(spectrum * shape, n=length) * np.hanning(length) ** 0.5
        parts.append((syllable / np.sqrt((syllable**2).mean()) * rng.uniform(0.3, 1.0)).astype(np.float32))
        if rng.random() < 0.3:
            parts.append(np.zeros(int(rng.uniform(0.05, 0.25) * RATE), dtype=np.float32))
    return (np.concatenate(parts)[: int(seconds * RATE)] * level).astype(np.float32)


@dataclass
class Scene:
    """A room in which sentences are played and a microphone listens."""

    delay_s: float = 0.12
    gain_db: float | None = -20.0
    """How much quieter the echo is; `None` is headphones."""
    room: bool = False
    seconds: float = 13.0
    sentences: tuple[tuple[float, float], ...] = ((0.5, 3.5), (4.2, 7.0), (7.8, 10.0))
    people: list[tuple[float, Sound]] = field(default_factory=list[tuple[float, Sound]])
    louder_from: float | None = None
    """From when on the volume is 12 dB higher, seconds."""
    late_s: float = 0.05
    """By how much the time of a frame may be told too late."""

    def __post_init__(self) -> None:
        rng = np.random.default_rng(7)
        self.played = np.zeros(int(self.seconds * RATE), dtype=np.float32)
        for number, (begins, ends) in enumerate(self.sentences):
            sentence = babble(ends - begins, seed=number)
            self.played[int(begins * RATE) : int(begins * RATE) + len(sentence)] = sentence
        self.heard = (rng.standard_normal(len(self.played)) * NOISE).astype(np.float32)
        if self.gain_db is not None:
            self.heard += self._echo(rng)
        for at, voice in self.people:
            start = int(at * RATE)
            self.heard[start : start + len(voice)] += voice
        self.guard = EchoGuard()
        self.judged: list[bool] = []
        self.cleaned: list[Sound] = []
        self.costs: list[float] = []
        self._rng = rng

    def _echo(self, rng: np.random.Generator) -> Sound:
        assert self.gain_db is not None
        response = np.zeros(int(0.2 * RATE) if self.room else 1)
        if self.room:
            decay = np.exp(-np.arange(len(response)) / (0.06 * RATE))
            response = 0.1 * rng.standard_normal(len(response)) * decay
        response[0] = 1.0
        late = np.concatenate([np.zeros(int(self.delay_s * RATE), dtype=np.float32), self.played])
        echo = np.convolve(late, response)[: len(self.played)] * 10 ** (self.gain_db / 20)
        if self.louder_from is not None:
            echo[int(self.louder_from * RATE) :] *= 4
        return echo.astype(np.float32)

    def run(self) -> "Scene":
        """Play and listen; the reference is announced 80 ms ahead, as a loudspeaker's buffer has it."""
        pieces = [
            (START + at / RATE, self.played[at : at + 171])
            for begins, ends in self.sentences
            for at in range(int(begins * RATE), int(ends * RATE), 171)
        ]
        for number in range(len(self.heard) // FRAME):
            end = START + (number + 1) * FRAME / RATE
            while pieces and pieces[0][0] - 0.08 <= end:
                at, piece = pieces.pop(0)
                self.guard.reference(piece, at)
            frame = self.heard[number * FRAME : (number + 1) * FRAME]
            began = time.perf_counter()
            cleaned, only_echo = self.guard.process(frame, end + self._rng.uniform(0, self.late_s))
            self.costs.append(time.perf_counter() - began)
            self.judged.append(only_echo)
            self.cleaned.append(cleaned)
        return self

    def passed(self, begins: float, ends: float) -> list[float]:
        """When frames with sound in them passed as somebody's speech, in seconds."""
        frames = range(int(begins * RATE / FRAME), int(ends * RATE / FRAME))
        return [f * FRAME / RATE for f in frames if not self.judged[f] and self._level(f) > 4 * NOISE]

    def _level(self, number: int) -> float:
        frame = self.heard[number * FRAME : (number + 1) * FRAME]
        return float(np.sqrt((frame**2).mean()))


@pytest.mark.parametrize("delay_ms", [0, 80, 150, 250, 400])
@pytest.mark.parametrize("room", [False, True])
def test_the_assistant_does_not_hear_itself(delay_ms: int, room: bool) -> None:
    scene = Scene(delay_s=delay_ms / 1000, room=room).run()
    assert scene.passed(0, 13) == []
    assert scene.guard.delay_s == pytest.approx(delay_ms / 1000, abs=0.07)


@pytest.mark.parametrize("pause_s", [0.05, 0.15, 0.24])
def test_a_short_pause_between_sentences_does_not_shift_the_prediction(pause_s: float) -> None:
    begins = [0.5 + number * (1.3 + pause_s) for number in range(7)]
    scene = Scene(sentences=tuple((at, at + 1.3) for at in begins), room=True).run()
    assert scene.passed(0, 13) == []


@pytest.mark.parametrize("gain_db", [-30, -10, 0])
def test_the_loudness_of_the_loudspeaker_does_not_matter(gain_db: int) -> None:
    scene = Scene(gain_db=gain_db, room=True).run()
    assert scene.passed(LEARNING_S, 13) == []
    assert scene.guard.coupling_db is not None
    assert scene.guard.coupling_db == pytest.approx(gain_db, abs=8)


@pytest.mark.parametrize("louder_db", [0, 6])
@pytest.mark.parametrize("room", [False, True])
def test_a_person_who_speaks_at_the_same_time_is_heard(louder_db: int, room: bool) -> None:
    voice = babble(1.2, seed=77, level=0.1 * 10 ** ((-20 + louder_db) / 20))
    scene = Scene(room=room, people=[(5.0, voice), (8.3, voice)]).run()
    for begins in (5.0, 8.3):
        heard = scene.passed(begins, begins + 1.3)
        assert heard, "nothing of it passed"
        assert heard[0] - begins < 0.4
        assert len(heard) > 15
    assert scene.passed(0, 4.9) == []
    assert scene.passed(6.8, 8.2) == []


def test_the_last_of_the_echo_is_still_echo_and_a_person_soon_after_is_not() -> None:
    voice = babble(0.8, seed=5, level=0.05)
    scene = Scene(room=True, people=[(10.6, voice)]).run()
    assert scene.passed(10.0, 10.5) == []
    assert scene.passed(10.6, 10.75) != []


def test_with_headphones_nobody_is_taken_for_an_echo() -> None:
    voice = babble(1.0, seed=9, level=0.02)
    scene = Scene(gain_db=None, people=[(5.0, voice), (8.5, voice)]).run()
    assert len(scene.passed(5.0, 6.0)) > 20
    assert len(scene.passed(8.5, 9.5)) > 20


def test_while_nothing_is_played_frames_pass_untouched() -> None:
    guard = EchoGuard()
    frame = babble(0.032, seed=1)
    for number in range(20):
        cleaned, only_echo = guard.process(frame, START + number * 0.032)
        assert cleaned is frame
        assert only_echo is False


def tones(seconds: float, level: float) -> Sound:
    """A voice that is told from the echo by its lines: the harmonics of 180 Hz."""
    t = np.arange(int(seconds * RATE)) / RATE
    sound = sum(np.sin(2 * np.pi * 180 * number * t) / number for number in range(1, 12))
    return (level * sound / np.sqrt(np.mean(sound**2))).astype(np.float32)


def power(sound: Sound) -> float:
    return float((sound**2).mean())


def test_an_echo_is_made_quieter() -> None:
    scene = Scene().run()
    echo = range(int(5.0 / 0.032), int(6.5 / 0.032))
    assert power(np.concatenate([scene.cleaned[f] for f in echo])) < 0.05 * power(
        np.concatenate([scene.heard[f * FRAME : (f + 1) * FRAME] for f in echo])
    )


@pytest.mark.parametrize("room", [False, True])
def test_of_two_voices_the_persons_is_kept_and_the_echo_reduced(room: bool) -> None:
    voice = tones(1.0, level=0.06)
    begins = 8.32  # where a frame begins
    scene = Scene(room=room, people=[(begins, voice)]).run()
    frames = range(round((begins + 0.4) / 0.032), round((begins + 0.9) / 0.032))
    heard = np.concatenate([scene.heard[f * FRAME : (f + 1) * FRAME] for f in frames])
    cleaned = np.concatenate([scene.cleaned[f] for f in frames])
    alone = voice[(frames[0] - round(begins / 0.032)) * FRAME :][: len(heard)]
    parts = np.stack([alone, heard - alone], axis=1)
    of_the_person, of_the_echo = np.linalg.lstsq(parts, cleaned, rcond=None)[0]
    assert of_the_person > 0.6, "the person became quieter"
    assert of_the_echo < 0.5, "the echo is still there"


def test_the_frames_keep_their_length() -> None:
    scene = Scene(seconds=5.0, sentences=((0.5, 4.0),)).run()
    assert {len(frame) for frame in scene.cleaned} == {FRAME}


def test_after_a_flush_what_was_announced_and_never_played_is_forgotten() -> None:
    scene = Scene().run()
    guard = scene.guard
    end = START + scene.seconds
    for piece in range(100):
        guard.reference(babble(0.01, seed=piece), end + piece * 0.01)
    guard.cut(end)
    voice = babble(0.5, seed=3, level=0.05)
    judged = [guard.process(voice[n * FRAME : (n + 1) * FRAME], end + 0.032 * (n + 1))[1] for n in range(15)]
    assert not any(judged)


def test_a_louder_volume_is_learned_again() -> None:
    sentences = ((0.5, 5.0), (5.5, 10.0), (10.5, 15.0), (15.5, 19.0))
    scene = Scene(seconds=20.0, sentences=sentences, louder_from=10.2).run()
    assert scene.passed(0, 10.2) == []
    assert scene.passed(15.5, 20) == []


def test_a_frame_costs_a_small_part_of_its_own_length() -> None:
    scene = Scene(room=True).run()
    assert float(np.median(scene.costs)) < 0.004
    assert float(np.mean(scene.costs)) < 0.008
