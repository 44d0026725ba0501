"""Looking for devices again without cutting anybody short."""

import threading
import time
from collections.abc import Sequence

import numpy as np
import pytest

from edgevox.audio.backend import BackendError
from edgevox.audio.device_info import DeviceInfo, find_device
from edgevox.audio.microphone import Microphone
from edgevox.audio.recovery import DeviceState
from edgevox.audio.speaker import Speaker
from edgevox.audio.system import AudioSystem, run_expendable
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import DeviceError
from edgevox.testing import FakeAudioBackend, FakeDevice

TONE = np.full(3_200, 0.5, dtype=np.float32)


def test_a_new_device_is_listed_after_the_sentence_has_been_spoken_to_its_end() -> None:
    backend = FakeAudioBackend([FakeDevice(name="Built in")])
    system = AudioSystem(backend)
    speaker = Speaker(system=system)
    microphone = Microphone(system=system, watch=False)
    speaker.open()
    microphone.open()
    speaker.write(TONE, 16_000, scope=CancelScope())
    backend.plug(FakeDevice(name="Headset", default=False))
    assert [device.name for device in system.devices()] == ["Built in"]
    assert system.rescan(timeout=2.0)
    assert find_device(system.devices(), "Headset", "input").name == "Headset"
    first, second = backend.outputs
    assert np.count_nonzero(np.abs(first.played) > 0.3) >= 3 * len(TONE) - 200
    assert first.closed
    assert not second.closed
    assert speaker.state is microphone.state is DeviceState.OPEN
    assert speaker.heard_s == speaker.written_s
    speaker.close()
    microphone.close()


def test_sound_that_comes_during_the_look_is_played_after_it() -> None:
    backend = FakeAudioBackend()
    system = AudioSystem(backend)
    speaker = Speaker(system=system)
    speaker.open()
    assert speaker.suspend(0.2)
    scope = CancelScope()
    written: list[bool] = []
    writer = threading.Thread(target=lambda: written.append(speaker.write(TONE, 16_000, scope=scope)))
    writer.start()
    time.sleep(0.03)
    assert written == []
    speaker.resume()
    writer.join(2)
    assert written == [True]
    assert speaker.drain(scope)
    assert np.count_nonzero(np.abs(backend.loudspeaker.played) > 0.3) > 3 * len(TONE) - 300
    speaker.close()


def test_a_look_that_would_cut_a_long_speech_does_not_take_place() -> None:
    backend = FakeAudioBackend()
    system = AudioSystem(backend)
    speaker = Speaker(system=system)
    speaker.open()
    scope = CancelScope()
    speaker.write(np.full(16_000, 0.5, dtype=np.float32), 16_000, scope=scope)
    assert system.rescan(timeout=0.05) is False
    assert backend.rescans == 0
    assert speaker.write(TONE[:16], 16_000, scope=scope), "it speaks on"
    speaker.close()


def test_a_device_that_is_gone_after_the_look_is_reported_as_lost() -> None:
    backend = FakeAudioBackend([FakeDevice(name="USB")])
    system = AudioSystem(backend)
    changes: list[DeviceState] = []
    microphone = Microphone(system=system, watch=False, on_change=lambda state, _: changes.append(state))
    microphone.open()
    backend.unplug("USB")
    assert system.rescan()
    assert changes == [DeviceState.LOST]
    microphone.close()


def test_a_library_that_does_not_start_is_an_error_for_people() -> None:
    class Broken(FakeAudioBackend):
        def devices(self) -> Sequence[DeviceInfo]:
            raise BackendError(-9999, "no sound server")

    with pytest.raises(DeviceError, match=r"does not start \(no sound server\); `edgevox doctor`"):
        AudioSystem(Broken()).devices()


def test_work_that_never_ends_is_left_behind() -> None:
    hold = threading.Event()
    assert run_expendable(lambda: None, 1, name="quick")
    started = time.monotonic()
    assert not run_expendable(hold.wait, 0.03, name="stuck")
    assert time.monotonic() - started < 0.3
    hold.set()
