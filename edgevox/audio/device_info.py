"""Which microphones and loudspeakers there are, and which one a person means.

A device is remembered by its name and its host (`ALSA`, `Core Audio`, …), never by its number: numbers change whenever
something is plugged in. Knows no sound library.
"""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from edgevox.core.errors import DeviceMissing

Direction = Literal["input", "output"]

HOST_ORDER = ("Windows WASAPI", "Core Audio", "JACK Audio Connection Kit", "ALSA", "Windows DirectSound", "MME")
"""Where the same device is shown by several hosts, the earlier host is the better way to it."""
SERVER_ALIASES = ("default", "pulse", "pipewire", "sysdefault")
"""ALSA names that all lead to the sound server."""
PLUGINS = frozenset({
    "a52", "dmix", "dsnoop", "iec958", "jack", "lavrate", "null", "oss", "samplerate", "spdif", "speex", "speexrate",
    "upmix", "usbstream", "vdownmix", "front", "rear", "center_lfe", "side", "surround21", "surround40", "surround41",
    "surround50", "surround51", "surround71", "modem", "phoneline", "hdmi",
})  # fmt: skip
"""ALSA names that are conversions, not devices."""
MME_NAME_LENGTH = 31
"""MME cuts names after so many characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceInfo:
    """One device as one host shows it."""

    name: str
    host: str
    """The host interface: `ALSA`, `Core Audio`, `Windows WASAPI`, …"""
    index: int
    """Its number until the next look at the hardware; never stored."""
    max_inputs: int = 0
    """Channels it captures at most; 0 is no microphone."""
    max_outputs: int = 0
    """Channels it plays at most; 0 is no loudspeaker."""
    default_rate: int = 48_000
    """Samples per second that it works with by itself."""
    default_input: bool = False
    default_output: bool = False
    aliases: tuple[str, ...] = field(default=())
    """Other names of the same device, in a list for people."""

    @property
    def key(self) -> str:
        """What settings store: `host:name`."""
        return f"{self.host}:{self.name}"

    def channels(self, direction: Direction) -> int:
        """Channels it has at most in that direction."""
        return self.max_inputs if direction == "input" else self.max_outputs

    def is_default(self, direction: Direction) -> bool:
        """Whether the system uses it when nobody chooses."""
        return self.default_input if direction == "input" else self.default_output

    def same_device(self, other: "DeviceInfo") -> bool:
        """Whether both are the same device, whatever their numbers."""
        return (self.name, self.host) == (other.name, other.host)


def list_devices(infos: Iterable[DeviceInfo], *, everything: bool = False) -> list[DeviceInfo]:
    """Return the devices a person would choose from: each once, by the best host, without conversions.

    Args:
        infos: what the sound library shows.
        everything: keep duplicates and conversions.
    """
    known = list(infos)
    if everything:
        return known
    shown = [device for device in known if device.name.split(":")[0].strip().lower() not in PLUGINS] or known
    return _once_per_name(_server_once(shown))


def default_device(infos: Sequence[DeviceInfo], direction: Direction) -> DeviceInfo | None:
    """Return the system's choice, or the first that can do it where the system has none; `None` without any."""
    able = [device for device in infos if device.channels(direction) > 0]
    return next((device for device in able if device.is_default(direction)), able[0] if able else None)


def find_device(infos: Sequence[DeviceInfo], text: str | None, direction: Direction) -> DeviceInfo:
    """Return the device that `text` means: `host:name`, a name, a number, or the only one whose name contains it.

    Args:
        infos: what the sound library shows.
        text: what the person wrote; `None` is the system's default. A number is one of the list as it is now; store
            the device's `key` instead.
        direction: whether it shall capture or play.

    Raises:
        DeviceMissing: there is none, or several; the sentence names the nearest.
    """
    able = [device for device in infos if device.channels(direction) > 0]
    if text is None or not text.strip():
        chosen = default_device(able, direction)
        if chosen is None:
            raise DeviceMissing(no_device_sentence(direction))
        return chosen
    for candidates in (_exact(able, text), _numbered(able, text), _containing(able, text)):
        if candidates:
            return _only(candidates, text, direction)
    raise DeviceMissing(_unknown_sentence(able, text, direction))


def no_device_sentence(direction: Direction) -> str:
    """Say that there is no device at all, and where one would come from."""
    noun = noun_of(direction)
    return (
        f"There is no {noun} on this machine; plug one in, or in a container or WSL let it reach a sound server "
        "(see docs/voice-and-devices.md). Typed input goes on."
    )


def noun_of(direction: Direction) -> str:
    """Return what a person calls a device of that direction."""
    return "microphone" if direction == "input" else "loudspeaker"


def _exact(able: Sequence[DeviceInfo], text: str) -> list[DeviceInfo]:
    wanted = text.strip().casefold()
    by_key = [device for device in able if device.key.casefold() == wanted]
    return by_key or [device for device in able if device.name.casefold() == wanted]


def _numbered(able: Sequence[DeviceInfo], text: str) -> list[DeviceInfo]:
    wanted = text.strip()
    return [device for device in able if wanted.isdecimal() and device.index == int(wanted)]


def _containing(able: Sequence[DeviceInfo], text: str) -> list[DeviceInfo]:
    wanted = text.strip().casefold()
    return [device for device in able if wanted in device.name.casefold() or wanted in device.key.casefold()]


def _only(candidates: Sequence[DeviceInfo], text: str, direction: Direction) -> DeviceInfo:
    """One device shown by several hosts is one; several devices are a question back."""
    different = _once_per_name(candidates)
    if len(different) == 1:
        return different[0]
    names = ", ".join(f"“{device.key}”" for device in different[:4])
    raise DeviceMissing(f"“{text}” fits more than one {noun_of(direction)}: {names}; write one of them in full.")


def _unknown_sentence(able: Sequence[DeviceInfo], text: str, direction: Direction) -> str:
    names = {device.name.casefold(): device.name for device in able}
    near = difflib.get_close_matches(text.strip().casefold(), names, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(f'“{names[name]}”' for name in near)}? " if near else ""
    return f"There is no {noun_of(direction)} called “{text}”; {hint}`edgevox devices` lists all of them."


def _server_once(devices: list[DeviceInfo]) -> list[DeviceInfo]:
    """Show the sound server under one of its ALSA names, with the others as aliases."""
    servers = [device for device in devices if device.host == "ALSA" and device.name in SERVER_ALIASES]
    if len(servers) < 2:
        return devices
    servers.sort(key=lambda device: SERVER_ALIASES.index(device.name))
    first, *others = servers
    merged = _with_aliases(first, others)
    return [merged if device is first else device for device in devices if device is first or device not in others]


def _once_per_name(devices: Iterable[DeviceInfo]) -> list[DeviceInfo]:
    """Keep one of those that several hosts show under the same name, by the best host."""
    kept: dict[tuple[str, bool, bool], DeviceInfo] = {}
    for device in sorted(devices, key=_host_rank):
        key = (device.name[:MME_NAME_LENGTH], device.max_inputs > 0, device.max_outputs > 0)
        if key in kept:
            kept[key] = _with_aliases(kept[key], [device], named=False)
        else:
            kept[key] = device
    return sorted(kept.values(), key=lambda device: device.index)


def _host_rank(device: DeviceInfo) -> tuple[int, int]:
    rank = HOST_ORDER.index(device.host) if device.host in HOST_ORDER else len(HOST_ORDER)
    return rank, device.index


def _with_aliases(device: DeviceInfo, others: Sequence[DeviceInfo], *, named: bool = True) -> DeviceInfo:
    """The device, standing for the others too: it is the default if one of them is."""
    return replace(
        device,
        default_input=device.default_input or any(other.default_input for other in others),
        default_output=device.default_output or any(other.default_output for other in others),
        aliases=device.aliases + (tuple(other.name for other in others) if named else ()),
    )
