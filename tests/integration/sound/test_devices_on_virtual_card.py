"""The real microphone and loudspeaker through PortAudio, ALSA and a sound server."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from virtual_sound_card import VirtualSoundCard

from edgevox.audio.devices import describe_devices, list_devices
from edgevox.audio.echo import EchoGuard
from edgevox.audio.microphone import Microphone
from edgevox.audio.probe import probe_devices
from edgevox.audio.recovery import DeviceState
from edgevox.audio.resample import resample, to_mono
from edgevox.audio.sounddevice_backend import SoundDeviceBackend
from edgevox.audio.speaker import Speaker
from edgevox.audio.system import AudioSystem
from edgevox.audio.wav import read_wav
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import DeviceMissing

pytestmark = [pytest.mark.sound, pytest.mark.timeout(120)]

Sound = NDArray[np.float32]

DATA = Path(__file__).parents[2] / "data"
SPOKEN = ("librivox_0930", "go_forward_ten_meters", "go_somewhere_and_do_something", "eight_of_spades")
"""What the loudspeaker says, 12 s."""
INTERRUPTION = DATA / "speech_human_ten_of_clubs.wav"


def chirp(seconds: float, rate: int, level: float = 0.3) -> Sound:
    t = np.arange(int(seconds * rate)) / rate
    return (level * np.sin(2 * np.pi * (200 * t + 600 * t * t))).astype(np.float32)


def recording(path: Path) -> Sound:
    """A recording at 16 kHz, its loudest sample at half of full scale."""
    sound = read_wav(path)
    samples = resample(to_mono(sound.block), sound.rate, 16_000)
    return (samples * (0.5 / np.abs(samples).max())).astype(np.float32)


def speech() -> Sound:
    return np.concatenate([recording(DATA / f"speech_human_{name}.wav") for name in SPOKEN])


class Reader:
    """Reads a microphone on a thread of its own, as the pipeline does."""

    def __init__(self, microphone: Microphone, on_samples: Callable[[Sound], object] = lambda _: None) -> None:
        self._microphone = microphone
        self._on_samples = on_samples
        self._parts: list[Sound] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Reader":
        self._microphone.open()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join(5)
        self._microphone.close()

    @property
    def heard(self) -> Sound:
        return np.concatenate([np.zeros(0, dtype=np.float32), *self._parts])

    def wait_for_sound(self, seconds: float = 5.0) -> bool:
        deadline, begun = time.monotonic() + seconds, len(self.heard)
        while time.monotonic() < deadline:
            if len(self.heard) > begun:
                return True
            time.sleep(0.02)
        return False

    def _run(self) -> None:
        while not self._stop.is_set():
            samples = self._microphone.read(0.1)
            if samples is not None:
                self._parts.append(samples)
                self._on_samples(samples)


@pytest.fixture
def system(virtual_card: VirtualSoundCard) -> AudioSystem:
    return AudioSystem(SoundDeviceBackend())


@pytest.fixture
def speaker(system: AudioSystem) -> Iterator[Speaker]:
    made = Speaker(system=system)
    made.open()
    yield made
    made.close()


def test_the_devices_of_the_card_are_listed_once(system: AudioSystem) -> None:
    shown = list_devices(system.devices())
    assert [device.name for device in shown] == ["conference", "default"]
    assert shown[1].aliases == ("pulse",)
    assert "[default microphone, default loudspeaker]" in describe_devices(system.devices())


def test_a_child_process_sees_the_same_devices(system: AudioSystem) -> None:
    probe = probe_devices()
    assert probe.trouble is None
    assert {device.key for device in probe.devices} == {device.key for device in system.devices()}


def test_the_microphone_hears_a_chirp_whole_and_at_its_level(
    virtual_card: VirtualSoundCard, system: AudioSystem
) -> None:
    played = chirp(2.0, 48_000)
    microphone = Microphone(system=system)
    with Reader(microphone) as reader:
        assert reader.wait_for_sound()
        time.sleep(0.2)
        virtual_card.play_into_microphone(played, 48_000)
        time.sleep(0.5)
        counts = microphone.counts
    heard, expected = reader.heard, resample(played, 48_000, 16_000)
    at = int(np.correlate(heard, expected, mode="valid").argmax())
    difference = heard[at : at + len(expected)] - expected
    assert np.sqrt((difference**2).mean()) < 0.02, "a lost or doubled sample would shift the rest"
    assert np.abs(heard).max() == pytest.approx(0.3, abs=0.02)
    assert (counts.overflow, counts.dropped) == (0, 0)


@pytest.mark.parametrize("device", ["conference", "ALSA:pulse", None])
def test_a_device_is_found_by_its_name(virtual_card: VirtualSoundCard, system: AudioSystem, device: str | None) -> None:
    with Reader(Microphone(device, system=system)) as reader:
        assert reader.wait_for_sound()
        virtual_card.play_into_microphone(chirp(0.5, 16_000), 16_000)
        time.sleep(0.4)
    assert np.abs(reader.heard).max() > 0.2


def test_an_unknown_device_is_one_sentence(system: AudioSystem) -> None:
    with pytest.raises(DeviceMissing, match="did you mean “conference”"):
        Microphone("conferense", system=system).open()


@pytest.mark.parametrize("rate", [16_000, 22_050, 24_000, 48_000])
def test_the_loudspeaker_plays_a_sentence_whole_and_knows_when_it_was_heard(
    virtual_card: VirtualSoundCard, speaker: Speaker, rate: int
) -> None:
    scope = CancelScope()
    with virtual_card.recorder() as recorded:
        began = time.monotonic()
        assert speaker.write(chirp(1.0, rate), rate, scope=scope)
        assert speaker.drain(scope)
        took = time.monotonic() - began
        time.sleep(0.4)
    sounding = recorded.sounding(threshold=0.02)
    assert sounding is not None
    assert sounding[1] - sounding[0] == pytest.approx(1.0, abs=0.02)
    assert took == pytest.approx(1.0, abs=0.1)
    assert np.abs(recorded.samples).max() == pytest.approx(0.3, abs=0.03)
    assert speaker.heard_s == speaker.written_s
    assert speaker.underflows == 0


def test_a_flush_is_silent_within_30_ms(
    virtual_card: VirtualSoundCard, speaker: Speaker, record_property: Callable[[str, object], None]
) -> None:
    silent_after: list[float] = []
    for _ in range(5):
        scope = CancelScope()
        with virtual_card.recorder() as recorded:
            threading.Thread(target=speaker.write, args=(chirp(3.0, 24_000), 24_000), kwargs={"scope": scope}).start()
            time.sleep(0.5)
            asked = time.monotonic()
            speaker.flush()
            returned = time.monotonic() - asked
            time.sleep(0.3)
        sounding = recorded.sounding(threshold=0.02)
        assert sounding is not None
        assert returned < 0.03
        silent_after.append(sounding[1] - recorded.at(asked) / recorded.rate)
        assert speaker.written_s == speaker.heard_s
    record_property("silent_after_ms", [round(1000 * seconds, 1) for seconds in silent_after])
    # The recording itself is up to 20 ms behind.
    assert sorted(silent_after)[2] < 0.05


def test_a_busy_interpreter_does_not_make_the_sound_choppy(virtual_card: VirtualSoundCard, speaker: Speaker) -> None:
    stop = threading.Event()

    def burn() -> None:
        """Hold the interpreter for about 50 ms at a time, as a model's Python code does."""
        pattern = list(range(400_000))
        while not stop.is_set():
            began = time.perf_counter()
            while time.perf_counter() - began < 0.05:
                sorted(pattern, reverse=True)
            time.sleep(0.001)

    burner = threading.Thread(target=burn)
    scope = CancelScope()
    with virtual_card.recorder() as recorded:
        burner.start()
        speaker.write(chirp(5.0, 24_000, 0.3), 24_000, scope=scope)
        assert speaker.drain(scope)
        time.sleep(0.3)
        stop.set()
        burner.join()
    sounding = recorded.sounding(threshold=0.02)
    assert sounding is not None
    assert speaker.underflows == 0
    assert sounding[1] - sounding[0] == pytest.approx(5.0, abs=0.03)


def test_a_microphone_that_falls_silent_is_lost_and_comes_back(
    virtual_card: VirtualSoundCard, system: AudioSystem
) -> None:
    changes: list[DeviceState] = []
    back = threading.Event()

    def note(state: DeviceState, _: str) -> None:
        changes.append(state)
        if state is DeviceState.OPEN:
            back.set()

    microphone = Microphone(system=system, on_change=note)
    with Reader(microphone) as reader:
        assert reader.wait_for_sound()
        with virtual_card.without_microphone():
            deadline = time.monotonic() + 5
            while DeviceState.LOST not in changes and time.monotonic() < deadline:
                time.sleep(0.05)
            assert changes == [DeviceState.LOST]
        assert back.wait(20)
        assert reader.wait_for_sound()
        virtual_card.play_into_microphone(chirp(0.5, 16_000), 16_000)
        time.sleep(0.4)
        assert microphone.counts.recovered == 1
    assert np.abs(reader.heard[-16_000:]).max() > 0.2


def test_a_loudspeaker_that_takes_nothing_any_more_never_hangs_the_writer(
    virtual_card: VirtualSoundCard, speaker: Speaker
) -> None:
    scope = CancelScope()
    speaker.write(chirp(0.2, 24_000), 24_000, scope=scope)
    assert speaker.drain(scope)
    with virtual_card.without_loudspeaker():
        began = time.monotonic()
        assert speaker.write(chirp(5.0, 24_000), 24_000, scope=scope) is False
        assert time.monotonic() - began < 5
        assert speaker.state is DeviceState.LOST
        assert speaker.drain(scope)


def test_devices_are_looked_for_again_without_losing_the_sentence(
    virtual_card: VirtualSoundCard, speaker: Speaker, system: AudioSystem
) -> None:
    scope = CancelScope()
    with virtual_card.recorder() as recorded:
        speaker.write(chirp(0.8, 24_000), 24_000, scope=scope)
        assert system.rescan(timeout=5)
        assert speaker.write(chirp(0.3, 24_000), 24_000, scope=scope)
        assert speaker.drain(scope)
        time.sleep(0.3)
    loud = np.count_nonzero(np.abs(recorded.samples) > 0.02) / recorded.rate
    assert loud == pytest.approx(1.1 * 0.95, abs=0.06)


def run_with_guard(
    virtual_card: VirtualSoundCard, system: AudioSystem, spoken: Sound, interrupt: tuple[float, Path] | None = None
) -> list[tuple[float, float, bool]]:
    """Play speech in a room that echoes; return time, level and judgement of every frame the microphone brought."""
    guard = EchoGuard()
    frames: list[tuple[float, float, bool]] = []
    rest = np.zeros(0, dtype=np.float32)
    began = time.monotonic()

    def judge(samples: Sound) -> None:
        nonlocal rest
        rest = np.concatenate([rest, samples])
        while len(rest) >= 512:
            frame, rest = rest[:512], rest[512:]
            now = time.monotonic()
            _, only_echo = guard.process(frame, now)
            frames.append((now - began, float(np.sqrt((frame**2).mean())), only_echo))

    loudspeaker = Speaker(system=system, reference=guard.reference, reference_cut=guard.cut)
    with virtual_card.loopback(latency_ms=100, gain_db=-20), Reader(Microphone(system=system), judge) as reader:
        assert reader.wait_for_sound()
        loudspeaker.open()
        began = time.monotonic()
        scope = CancelScope()
        if interrupt is not None:
            threading.Timer(interrupt[0], virtual_card.start_playing, args=(interrupt[1],)).start()
        loudspeaker.write(spoken, 16_000, scope=scope)
        loudspeaker.drain(scope)
        time.sleep(0.6)
        loudspeaker.close()
    return frames


def test_the_assistant_does_not_hear_itself_in_a_room_that_echoes(
    virtual_card: VirtualSoundCard, system: AudioSystem
) -> None:
    frames = run_with_guard(virtual_card, system, speech())
    loud = [(at, only_echo) for at, level, only_echo in frames if level > 0.002 and at > 0]
    assert len(loud) > 100, "the echo must be there to be told"
    leaks = [at for at, only_echo in loud if not only_echo]
    assert leaks == []


def test_a_person_who_interrupts_is_heard_above_the_echo(virtual_card: VirtualSoundCard, system: AudioSystem) -> None:
    frames = run_with_guard(virtual_card, system, speech(), interrupt=(7.0, INTERRUPTION))
    before = [at for at, level, only_echo in frames if 0 < at < 6.9 and level > 0.002 and not only_echo]
    during = [at for at, level, only_echo in frames if 7.0 < at < 9.0 and level > 0.02 and not only_echo]
    assert before == []
    assert len(during) > 12


def test_a_broken_configuration_kills_the_child_and_not_the_program(virtual_card: VirtualSoundCard) -> None:
    environment = os.environ | {"ALSA_CONFIG_PATH": str(virtual_card.folder / "missing.conf")}
    code = (
        "from edgevox.audio.devices import describe_devices\n"
        "from edgevox.core.errors import DeviceError\n"
        "try:\n    describe_devices()\n"
        "except DeviceError as error:\n    print('ALIVE', error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0
    assert "ALIVE The sound system does not start (the sound library crashed with SIGABRT" in done.stdout


def test_the_device_test_of_the_command_line_records_and_plays_back(virtual_card: VirtualSoundCard) -> None:
    player = virtual_card.start_playing(chirp(6.0, 16_000), 16_000)
    with virtual_card.recorder() as recorded:
        done = subprocess.run(
            [sys.executable, "-m", "edgevox.cli.main", "devices", "test", "--seconds", "1"],
            env=os.environ | virtual_card.env, capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
    player.wait(10)
    assert done.returncode == 0, done.stderr
    assert "Good." in done.stdout
    sounding = recorded.sounding(threshold=0.02)
    assert sounding is not None
    assert sounding[1] - sounding[0] > 0.8
