"""Refusals of the sound library as sentences for people: the cause as far as it can be known, and what to do.

PortAudio's numbers say little: -9999 is whatever the operating system did not explain, so the sentence lists the causes
that are known to produce it.
"""

import platform
from collections.abc import Callable

from edgevox.audio.backend import BackendError, Direction, PortAudioCode
from edgevox.audio.device_info import noun_of
from edgevox.core.errors import DeviceBusy, DeviceDenied, DeviceError, DeviceMissing, LibraryMissing

INSTALL_PORTAUDIO = {
    "Linux": "install it with `apt install libportaudio2` (`dnf install portaudio`, `pacman -S portaudio`)",
    "Darwin": "install it with `brew install portaudio`",
    "Windows": "reinstall it with `pip install --force-reinstall sounddevice`",
}
PERMISSION = {
    "Darwin": "System Settings > Privacy & Security > Microphone, for the terminal program",
    "Windows": "Settings > Privacy > Microphone",
    "Linux": "the group `audio`, or the sandbox it runs in",
}
_Kind = Callable[[str, str, BackendError], DeviceError]

DENIED_WORDS = ("permission", "denied", "not permitted", "eacces", "eperm", "not authorized")
BUSY_WORDS = ("busy", "ebusy", "in use", "exclusive")


def device_error(error: BackendError, direction: Direction, name: str) -> DeviceError:
    """Return the error for people that a refusal to open a device means.

    Args:
        error: what the sound library said.
        direction: whether it should capture or play.
        name: the device, as a person knows it.
    """
    text = str(error).casefold()
    kind = _kind_by_words(text) or _KINDS.get(error.code, _unknown)
    return kind(noun_of(direction), name, error)


def library_missing(error: BaseException) -> LibraryMissing:
    """Return the error for a sound library that is not installed.

    Args:
        error: what importing it raised: `OSError` without PortAudio, `ImportError` without sounddevice.
    """
    if isinstance(error, ImportError):
        return LibraryMissing("Sound needs the voice extra: install it with `pip install 'edgevox[voice]'`.")
    remedy = INSTALL_PORTAUDIO.get(platform.system(), "install PortAudio")
    return LibraryMissing(f"The sound library PortAudio is missing: {remedy}, then start again.")


def not_starting(text: str) -> DeviceError:
    """Return the error for a sound library that is installed and does not start."""
    return DeviceError(f"The sound system does not start ({text.strip()}); `edgevox doctor` looks for the cause.")


def _kind_by_words(text: str) -> _Kind | None:
    if any(word in text for word in DENIED_WORDS):
        return _denied
    if any(word in text for word in BUSY_WORDS):
        return _busy
    return None


def _denied(noun: str, name: str, error: BackendError) -> DeviceError:
    where = PERMISSION.get(platform.system(), PERMISSION["Linux"])
    return DeviceDenied(
        f"The operating system refuses the {noun} “{name}”: allow it ({where}), end exclusive mode, or close the other "
        f"app that uses it ({error.code})."
    )


def _busy(noun: str, name: str, error: BackendError) -> DeviceError:
    return DeviceBusy(
        f"The {noun} “{name}” is in use or was unplugged: close the other app or choose another one with "
        f"`edgevox devices` ({error.code})."
    )


def _missing(noun: str, name: str, error: BackendError) -> DeviceError:
    return DeviceMissing(
        f"The {noun} “{name}” is not there: plug it in, or start the sound server, and look with `edgevox devices` "
        f"({error.code})."
    )


def _format(noun: str, name: str, error: BackendError) -> DeviceError:
    return DeviceError(
        f"The {noun} “{name}” accepts none of the usual rates and channels: choose another one with `edgevox devices` "
        f"({error.code})."
    )


def _unknown(noun: str, name: str, error: BackendError) -> DeviceError:
    return DeviceError(
        f"The {noun} “{name}” cannot be opened ({error}, {error.code}): choose another one with `edgevox devices`."
    )


_KINDS: dict[int, _Kind] = {
    PortAudioCode.HOST_ERROR: _denied,
    PortAudioCode.INVALID_DEVICE: _missing,
    PortAudioCode.DEVICE_UNAVAILABLE: _busy,
    PortAudioCode.INVALID_RATE: _format,
    PortAudioCode.INVALID_CHANNELS: _format,
}
