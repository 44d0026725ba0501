"""Opening a device at what it accepts, and the sentences when it accepts nothing."""

import pytest

from edgevox.audio.backend import StreamRequest
from edgevox.audio.microphone import Microphone
from edgevox.audio.speaker import Speaker
from edgevox.audio.system import AudioSystem
from edgevox.core.errors import DeviceBusy, DeviceDenied, DeviceError, DeviceMissing
from edgevox.testing import FakeAudioBackend, FakeDevice


def microphone(backend: FakeAudioBackend, device: str | None = None) -> Microphone:
    return Microphone(device, system=AudioSystem(backend), watch=False)


def opened(backend: FakeAudioBackend, device: str | None = None) -> StreamRequest:
    mic = microphone(backend, device)
    mic.open()
    mic.close()
    return backend.microphone.request


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000, 96_000])
def test_a_microphone_is_opened_at_its_own_rate(rate: int) -> None:
    backend = FakeAudioBackend(rates={rate})
    request = opened(backend)
    assert (request.rate, request.channels) == (rate, 1)
    assert len(backend.requests) == 1


def test_a_device_that_knows_one_rate_is_used_at_that_rate_and_says_so() -> None:
    backend = FakeAudioBackend([FakeDevice(name="Conf S1 hw:1,0", rates=frozenset({48_000}))])
    mic = microphone(backend, "Conf S1")
    mic.open()
    assert mic.label == "Conf S1 hw:1,0 48→16 kHz"
    mic.close()
    assert mic.label == ""


def test_a_device_that_refuses_one_channel_is_opened_with_all_it_has() -> None:
    backend = FakeAudioBackend([FakeDevice(min_in=2, max_in=2, rates=frozenset({44_100}))])
    request = opened(backend)
    assert (request.rate, request.channels) == (44_100, 2)


def test_a_rate_that_worked_yesterday_and_is_refused_today_is_replaced() -> None:
    backend = FakeAudioBackend(
        [FakeDevice(rates=frozenset({44_100, 48_000}))],
        refuse=lambda request, attempt: -9997 if attempt == 2 and request.rate == 44_100 else 0,
    )
    assert opened(backend).rate == 44_100
    assert opened(backend).rate == 48_000


def test_a_device_that_refuses_is_replaced_by_the_default_with_a_note() -> None:
    busy = FakeDevice(name="USB mic", default=False, error=-9985)
    backend = FakeAudioBackend([busy, FakeDevice(name="Built in")])
    mic = microphone(backend, "USB mic")
    mic.open()
    assert backend.microphone.request.device.name == "Built in"
    assert "“USB mic” is in use" in mic.problem
    assert "default microphone “Built in” is used" in mic.problem
    mic.close()


@pytest.mark.parametrize(
    ("code", "text", "kind", "words"),
    [
        (-9999, "Unanticipated host error", DeviceDenied, ("allow it", "exclusive mode", "other app")),
        (-9985, "Device unavailable", DeviceBusy, ("in use or was unplugged", "edgevox devices")),
        (-9996, "Invalid device", DeviceMissing, ("is not there", "sound server")),
        (-9997, "Invalid sample rate", DeviceError, ("none of the usual rates",)),
        (-9998, "Invalid number of channels", DeviceError, ("none of the usual rates and channels",)),
        (-9999, "Device or resource busy", DeviceBusy, ("in use",)),
        (-9999, "Permission denied", DeviceDenied, ("allow it",)),
        (-9986, "Internal PortAudio error", DeviceError, ("cannot be opened", "Internal PortAudio error")),
    ],
)
def test_each_refusal_becomes_one_sentence_with_its_cause_and_remedy(
    code: int, text: str, kind: type[DeviceError], words: tuple[str, ...]
) -> None:
    backend = FakeAudioBackend([FakeDevice(name="Headset", error=code, error_text=text)])
    with pytest.raises(DeviceError) as raised:
        microphone(backend).open()
    assert type(raised.value) is kind
    sentence = str(raised.value)
    assert all(word in sentence for word in ("Headset", str(code), *words))
    assert "\n" not in sentence


def test_no_device_at_all_is_said_in_one_sentence() -> None:
    backend = FakeAudioBackend([])
    with pytest.raises(DeviceMissing, match="no microphone on this machine"):
        microphone(backend).open()
    with pytest.raises(DeviceMissing, match="no loudspeaker on this machine"):
        Speaker(system=AudioSystem(backend)).open()


def test_an_unknown_device_is_not_silently_replaced() -> None:
    backend = FakeAudioBackend([FakeDevice(name="Built in")])
    with pytest.raises(DeviceMissing, match="did you mean “Built in”"):
        microphone(backend, "Bilt in").open()
    assert backend.requests == []


@pytest.mark.parametrize("rate", [8_000, 16_000, 22_050, 44_100, 48_000, 96_000])
def test_blocks_are_powers_of_two_and_the_loudspeaker_holds_at_least_20_ms(rate: int) -> None:
    backend = FakeAudioBackend(rates={rate})
    opened(backend)
    speaker = Speaker(system=AudioSystem(backend), latency_ms=20)
    speaker.open()
    speaker.close()
    for request in (backend.microphone.request, backend.loudspeaker.request):
        assert request.block & (request.block - 1) == 0
        blocks = request.latency_s * rate / request.block
        assert blocks == pytest.approx(round(blocks))
        assert round(blocks) & (round(blocks) - 1) == 0
    assert backend.loudspeaker.request.block >= 0.02 * rate
    assert backend.loudspeaker.request.latency_s >= 0.02
