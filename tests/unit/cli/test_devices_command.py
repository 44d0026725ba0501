"""`edgevox devices`: the list, and the test that records and plays back."""

import argparse
import io
import json
import threading
import time

import numpy as np
import pytest

from edgevox.audio.system import AudioSystem, default_system
from edgevox.cli import devices
from edgevox.core.errors import DeviceMissing
from edgevox.testing import FakeAudioBackend, FakeDevice

TONE = (0.3 * np.sin(2 * np.pi * 300 * np.arange(1_024) / 48_000)).astype(np.float32)


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    devices.add_parser(parser.add_subparsers())
    return parser.parse_args(["devices", *words])


def speak_into(backend: FakeAudioBackend, loudness: float) -> threading.Event:
    """Bring sound from the microphone, once it is open, until told to stop."""
    stop = threading.Event()

    def speak() -> None:
        while not stop.wait(0.01):
            if backend.inputs and not backend.microphone.closed:
                backend.microphone.deliver((TONE * loudness)[:, None])

    threading.Thread(target=speak, daemon=True).start()
    return stop


def try_with(backend: FakeAudioBackend, loudness: float, seconds: float = 0.2) -> tuple[int, str]:
    stop, out = speak_into(backend, loudness), io.StringIO()
    code = devices.try_devices(AudioSystem(backend), seconds=seconds, out=out)
    stop.set()
    return code, out.getvalue()


def test_a_recording_is_judged_and_played_back() -> None:
    backend = FakeAudioBackend([FakeDevice(name="Desk mic")])
    code, text = try_with(backend, 1.0)
    assert code == 0
    assert "Microphone: Desk mic 48→16 kHz. Say something for 0.2 seconds." in text
    assert "Peak -10 dB. Good." in text
    assert "Loudspeaker: Desk mic 48 kHz. Listen." in text
    assert float(np.abs(backend.loudspeaker.played).max()) > 0.2
    assert backend.microphone.closed
    assert backend.loudspeaker.closed


def test_a_muted_microphone_is_said_to_be_silent() -> None:
    code, text = try_with(FakeAudioBackend(), 0.001)
    assert code == 1
    assert "That is silence: the microphone is muted" in text


@pytest.mark.parametrize(
    ("peak", "seconds", "words"),
    [(-120.0, 0.0, "no sound at all"), (-80.0, 3.0, "silence"), (-20.0, 3.0, "Good."), (0.0, 3.0, "too loud")],
)
def test_each_level_has_its_advice(peak: float, seconds: float, words: str) -> None:
    assert words in devices.judge(peak, seconds)


def test_a_test_without_a_device_is_one_sentence() -> None:
    with pytest.raises(DeviceMissing, match="no microphone on this machine"):
        devices.try_devices(AudioSystem(FakeAudioBackend([])), seconds=0.1, out=io.StringIO())


def test_recording_ends_in_time_although_nothing_comes() -> None:
    started = time.monotonic()
    recording = devices.record(time.sleep, 0.05, lambda _: None)
    assert len(recording) == 0
    assert time.monotonic() - started < 0.3


def test_the_meter_moves_on_a_terminal_only() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    backend, out = FakeAudioBackend(), Terminal()
    stop = speak_into(backend, 1.0)
    devices.try_devices(AudioSystem(backend), seconds=0.15, out=out)
    stop.set()
    assert "\r[####" in out.getvalue()
    assert "\r[" not in try_with(FakeAudioBackend(), 1.0, 0.1)[1]


def test_the_arguments_of_the_test_are_understood() -> None:
    args = parse("test", "--seconds", "1.5", "--input-device", "Conf", "--output-device", "Box")
    assert (args.seconds, args.input_device, args.output_device) == (1.5, "Conf", "Box")


def test_the_list_is_text_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    system = default_system()
    real, system.backend = system.backend, FakeAudioBackend([FakeDevice(name="Desk mic"), FakeDevice(name="dmix")])
    try:
        assert devices.run(parse()) == 0
        assert capsys.readouterr().out.startswith(" 0  ALSA:Desk mic  microphone (1 ch)")
        assert devices.run(parse("--json")) == 0
        assert [record["key"] for record in json.loads(capsys.readouterr().out)] == ["ALSA:Desk mic"]
        assert devices.run(parse("--json", "--all")) == 0
        assert len(json.loads(capsys.readouterr().out)) == 2
        system.backend = FakeAudioBackend([])
        assert devices.run(parse()) == 1
        assert "no microphone and no loudspeaker" in capsys.readouterr().out
        assert devices.run(parse("test")) == 1
        assert capsys.readouterr().err.startswith("edgevox devices: There is no microphone")
    finally:
        system.backend = real
