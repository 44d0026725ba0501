"""PortAudio through sounddevice: the back end of real microphones and loudspeakers.

The only module that imports sounddevice. Before it does, a child process tries, since loading PortAudio can end the
process that does it.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false, reportMissingParameterType=false, reportPrivateUsage=false
# sounddevice has no type information, and looking for devices again is only in its private functions.

import atexit
import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from edgevox.audio.backend import BackendError, InputCallback, InputStream, OutputStream, StreamRequest
from edgevox.audio.device_info import DeviceInfo
from edgevox.audio.failures import library_missing, not_starting
from edgevox.audio.probe import Probe, probe_devices, read_devices

if TYPE_CHECKING:
    from edgevox.audio.backend import Block

log = logging.getLogger(__name__)


class SoundDeviceBackend:
    """The sound library of this process. Loads PortAudio when it is first needed."""

    def __init__(self) -> None:
        self._sd: Any = None
        self._lock = threading.Lock()

    def devices(self) -> Sequence[DeviceInfo]:
        """Every device that PortAudio saw when it was loaded, or looked again."""
        sd = self._library()
        try:
            return read_devices(sd.query_devices(), sd.query_hostapis())
        except sd.PortAudioError as error:
            raise _refusal(error) from error

    def open_input(self, request: StreamRequest, callback: InputCallback) -> InputStream:
        """Open a microphone."""
        sd = self._library()

        def on_block(block: "Block", _frames: int, _time: object, status: Any) -> None:
            callback(block, bool(status.input_overflow))

        try:
            return _Stream(sd, sd.InputStream(callback=on_block, **_options(request)))
        except sd.PortAudioError as error:
            raise _refusal(error) from error

    def open_output(self, request: StreamRequest) -> OutputStream:
        """Open a loudspeaker."""
        sd = self._library()
        try:
            return _Stream(sd, sd.OutputStream(**_options(request)))
        except sd.PortAudioError as error:
            raise _refusal(error) from error

    def can_see(self, device: DeviceInfo) -> bool:
        """Whether a child process that loads PortAudio afresh finds the device."""
        return any(seen.same_device(device) for seen in probe_devices().devices)

    def rescan(self) -> None:
        """Load PortAudio afresh, after a child process has shown that it can be loaded."""
        sd = self._library()
        _refuse(probe_devices())
        try:
            sd._terminate()
            sd._initialize()
        except sd.PortAudioError as error:
            raise _refusal(error) from error

    def abandon(self) -> None:
        """Keep the end of the program from waiting for a stream that hangs."""
        if self._sd is not None:
            atexit.unregister(self._sd._exit_handler)

    def _library(self) -> Any:
        with self._lock:
            if self._sd is None:
                self._sd = _load()
            return self._sd


class _Stream:
    """A stream of sounddevice with its errors translated."""

    def __init__(self, sd: Any, stream: Any) -> None:
        self._sd = sd
        self._stream = stream

    def start(self) -> None:
        self._call(self._stream.start)

    def room(self) -> int:
        return int(self._call(lambda: self._stream.write_available))

    def write(self, block: "Block") -> bool:
        return bool(self._call(self._stream.write, block))

    def abort(self) -> None:
        self._call(self._stream.abort)

    def close(self) -> None:
        self._call(self._stream.close)

    @property
    def active(self) -> bool:
        return bool(self._call(lambda: self._stream.active))

    @property
    def latency_s(self) -> float:
        return float(self._stream.latency)

    def _call(self, function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except self._sd.PortAudioError as error:
            raise _refusal(error) from error


def _load() -> Any:
    _refuse(probe_devices())
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        raise library_missing(error) from error
    except Exception as error:  # it starts PortAudio when it is imported, and raises an error of its own
        raise not_starting(str(error)) from error
    return sounddevice


def _refuse(probe: Probe) -> None:
    """Raise what the child process found out, unless all is well."""
    match probe.trouble:
        case None:
            return
        case "library":
            missing = ImportError if "No module" in probe.reason else OSError
            raise library_missing(missing(probe.reason))
        case "crash" | "timeout" | "error":
            raise not_starting(probe.reason)


def _options(request: StreamRequest) -> dict[str, Any]:
    return {
        "device": request.device.index,
        "samplerate": request.rate,
        "channels": request.channels,
        "blocksize": request.block,
        "latency": request.latency_s,
        "dtype": "float32",
    }


def _refusal(error: Any) -> BackendError:
    """Translate an error of sounddevice: a sentence, PortAudio's number and, for -9999, the host's own words."""
    number = error.args[1] if len(error.args) > 1 and isinstance(error.args[1], int) else 0
    host = error.args[2] if len(error.args) > 2 else None
    words = str(host[2]) if isinstance(host, tuple) and len(host) > 2 and host[2] else str(error.args[0])
    return BackendError(number, words)
