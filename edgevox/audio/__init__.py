"""Microphone, loudspeaker and the echo between them.

Knows devices, rates and rings of samples. Does not know words. Nothing heavy is imported here: each name is looked up
in its own module when it is first asked for.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.audio.devices import DeviceInfo, describe_devices, find_device
    from edgevox.audio.echo import EchoGuard
    from edgevox.audio.files import FileMicrophone, FileSpeaker, NullSpeaker
    from edgevox.audio.microphone import Microphone
    from edgevox.audio.speaker import Speaker
    from edgevox.audio.system import AudioSystem

_HOMES = {
    "AudioSystem": "edgevox.audio.system",
    "DeviceInfo": "edgevox.audio.devices",
    "EchoGuard": "edgevox.audio.echo",
    "FileMicrophone": "edgevox.audio.files",
    "FileSpeaker": "edgevox.audio.files",
    "Microphone": "edgevox.audio.microphone",
    "NullSpeaker": "edgevox.audio.files",
    "Speaker": "edgevox.audio.speaker",
    "describe_devices": "edgevox.audio.devices",
    "find_device": "edgevox.audio.devices",
}

__all__ = [
    "AudioSystem",
    "DeviceInfo",
    "EchoGuard",
    "FileMicrophone",
    "FileSpeaker",
    "Microphone",
    "NullSpeaker",
    "Speaker",
    "describe_devices",
    "find_device",
]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
