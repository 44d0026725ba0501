"""A look for devices that can kill the process that does it, done in another one."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from edgevox.audio.probe import probe_devices, read_devices

HOSTS = [
    {"name": "ALSA", "default_input_device": -1, "default_output_device": 1},
    {"name": "OSS", "default_input_device": 0, "default_output_device": -1},
]
DEVICES = [
    {"name": "a", "hostapi": 1, "max_input_channels": 2, "max_output_channels": 0, "default_samplerate": 44100.0},
    {"name": "b", "hostapi": 0, "max_input_channels": 0, "max_output_channels": 2, "default_samplerate": 48000.0},
]


def child(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def test_a_child_that_crashes_leaves_the_parent_alive_with_the_reason() -> None:
    probe = probe_devices(
        command=child("import os, signal, sys; print('boom', file=sys.stderr, flush=True); os.abort()")
    )
    assert probe.trouble == "crash"
    assert "SIGABRT (boom)" in probe.reason
    assert probe.devices == ()


def test_a_segmentation_fault_is_named() -> None:
    probe = probe_devices(command=child("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"))
    assert signal.Signals.SIGSEGV.name in probe.reason


def test_a_sound_system_that_does_not_answer_is_given_up() -> None:
    probe = probe_devices(0.1, command=child("import time; time.sleep(60)"))
    assert probe.trouble == "timeout"
    assert "did not answer within 0.1 s" in probe.reason


@pytest.mark.parametrize(
    ("code", "trouble", "words"),
    [
        ('print(\'{"trouble": "library", "reason": "PortAudio library not found"}\')', "library", "not found"),
        ("print('noise'); print('[1]')", "error", "printed nothing"),
        ("pass", "error", "printed nothing"),
        ("import sys; print('no module', file=sys.stderr); sys.exit(1)", "error", "no module"),
    ],
)
def test_other_troubles_are_told_apart(code: str, trouble: str, words: str) -> None:
    probe = probe_devices(command=child(code))
    assert probe.trouble == trouble
    assert words in probe.reason


def test_a_program_that_cannot_be_started_is_no_crash_of_ours(tmp_path: Path) -> None:
    assert probe_devices(command=[str(tmp_path / "missing")]).trouble == "error"


def test_the_two_tables_become_devices_with_the_first_default_of_each_direction() -> None:
    first, second = read_devices(DEVICES, HOSTS)
    assert (first.name, first.host, first.index, first.max_inputs, first.default_rate) == ("a", "OSS", 0, 2, 44_100)
    assert first.default_input
    assert not first.default_output
    assert second.default_output
    assert read_devices([], []) == []


def test_the_child_loads_nothing_heavier_than_the_sound_library() -> None:
    code = (
        "import sys, edgevox.audio.probe; "
        "print([m for m in ('numpy', 'pydantic', 'soxr', 'sounddevice') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ)
    assert done.stdout.strip() == "[]"
