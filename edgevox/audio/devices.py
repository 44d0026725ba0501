"""The devices of this machine as lines for people and records for scripts.

Which device a name means is `device_info`'s business; this module asks the sound system and writes down its answer.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from edgevox.audio.device_info import DeviceInfo, find_device, list_devices, noun_of
from edgevox.audio.system import default_system

__all__ = ["DeviceInfo", "describe_devices", "device_record", "find_device", "list_devices"]


def describe_devices(infos: Iterable[DeviceInfo] | None = None, *, everything: bool = False) -> str:
    """Return one line per device, for people.

    Args:
        infos: what the sound library shows; asked for when not given.
        everything: also show duplicates and conversions.

    Raises:
        LibraryMissing, DeviceError: there is no sound library, or it does not start.
    """
    if infos is None:
        infos = default_system().devices()
    lines = [_describe(device) for device in list_devices(infos, everything=everything)]
    return "\n".join(lines) or "There is no microphone and no loudspeaker on this machine."


def device_record(device: DeviceInfo) -> dict[str, Any]:
    """Return the device as `edgevox devices --json` shows it."""
    return {
        "number": device.index,
        "key": device.key,
        "name": device.name,
        "host": device.host,
        "inputs": device.max_inputs,
        "outputs": device.max_outputs,
        "rate": device.default_rate,
        "default_input": device.default_input,
        "default_output": device.default_output,
        "aliases": list(device.aliases),
    }


def _describe(device: DeviceInfo) -> str:
    roles = [f"{noun_of(d)} ({device.channels(d)} ch)" for d in ("input", "output") if device.channels(d)]
    marks = [f"default {noun_of(d)}" for d in ("input", "output") if device.is_default(d)]
    also = f"  also: {', '.join(device.aliases)}" if device.aliases else ""
    return f"{device.index:>2}  {device.key}  {', '.join(roles)}, {device.default_rate} Hz{_in_brackets(marks)}{also}"


def _in_brackets(marks: Sequence[str]) -> str:
    return f"  [{', '.join(marks)}]" if marks else ""
