"""Microphones, loudspeakers and the library that reaches them."""

from collections.abc import Iterable, Iterator

from edgevox.audio.device_info import DeviceInfo, Direction, find_device, list_devices, noun_of
from edgevox.audio.failures import library_missing
from edgevox.audio.probe import Probe, probe_devices
from edgevox.cli.checks.finding import Finding, Patient, State
from edgevox.core.errors import DeviceMissing


def check_sound(patient: Patient) -> Iterable[Finding]:
    """Look for devices in a child process, and for the ones the settings name."""
    return judge_sound(probe_devices(), patient)


def judge_sound(probe: Probe, patient: Patient) -> Iterator[Finding]:
    """Say what a look for devices means."""
    yield _library(probe)
    if probe.trouble is not None:
        return
    yield _device(probe.devices, patient.settings.audio.input_device, "input")
    yield _device(probe.devices, patient.settings.audio.output_device, "output")


def _library(probe: Probe) -> Finding:
    if probe.trouble is None:
        count = len(list_devices(probe.devices))
        return Finding(
            area="sound", name="PortAudio", state=State.OK, detail=f"works and sees {count} devices.", voice=True
        )
    detail, fix = f"{probe.reason}.", "edgevox devices"
    if probe.trouble == "library":
        missing = ImportError if "No module" in probe.reason else OSError
        detail = str(library_missing(missing(probe.reason)))
        fix = detail.split("`")[1] if "`" in detail else ""
    return Finding(area="sound", name="PortAudio", state=State.PROBLEM, detail=detail, fix=fix, voice=True)


def _device(devices: Iterable[DeviceInfo], wanted: str | None, direction: Direction) -> Finding:
    name = noun_of(direction)
    try:
        device = find_device(tuple(devices), wanted, direction)
    except DeviceMissing as error:
        return Finding(
            area="sound", name=name, state=State.PROBLEM, detail=str(error), fix="edgevox devices", voice=True
        )
    detail = f"{device.key}, {device.default_rate} Hz; `edgevox devices test` tries it."
    return Finding(area="sound", name=name, state=State.OK, detail=detail, voice=True)
