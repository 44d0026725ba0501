"""The sound system of this process: one library, and everybody who has a stream open in it.

The library looks for devices once, when it is loaded; looking again closes every stream. So whoever has a stream
attaches here, and a look waits until the loudspeaker has finished its sentence, closes, looks, and opens again.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from functools import cache
from typing import Protocol

from edgevox.audio.backend import AudioBackend, BackendError
from edgevox.audio.device_info import DeviceInfo
from edgevox.audio.failures import not_starting

log = logging.getLogger(__name__)

LET_GO_S = 0.5
"""How long letting a device go may take before it counts as hanging, seconds."""


class StreamOwner(Protocol):
    """Somebody with an open stream."""

    def suspend(self, timeout: float) -> bool:
        """Finish what is being played, then close the stream.

        Args:
            timeout: seconds it may take.

        Returns:
            Whether the stream is closed now; on False it stays as it was.
        """
        ...

    def resume(self) -> None:
        """Open the stream again. Must not raise: a device that is gone is reported as lost."""
        ...


class Closable(Protocol):
    """A stream, as far as letting it go is concerned."""

    def abort(self) -> None:
        """Stop at once."""
        ...

    def close(self) -> None:
        """Let the device go."""
        ...


class AudioSystem:
    """One sound library and its users.

    Args:
        backend: the library.
        let_go_s: how long letting a device go may take before it counts as hanging.
    """

    def __init__(self, backend: AudioBackend, *, let_go_s: float = LET_GO_S) -> None:
        self.backend = backend
        self._let_go_s = let_go_s
        self._owners: list[StreamOwner] = []
        self._lock = threading.Lock()
        self._scanning = threading.Lock()
        self.hanging = 0
        """Streams that could not be let go; looking for devices again would hang too."""

    def devices(self) -> Sequence[DeviceInfo]:
        """Every device that was there at the last look.

        Raises:
            LibraryMissing, DeviceError: the library is not installed, or does not start.
        """
        try:
            return self.backend.devices()
        except BackendError as error:
            raise not_starting(str(error)) from error

    def attach(self, owner: StreamOwner) -> None:
        """Note that `owner` has a stream open."""
        with self._lock:
            if owner not in self._owners:
                self._owners.append(owner)

    def detach(self, owner: StreamOwner) -> None:
        """Forget an owner; a stranger is not an error."""
        with self._lock:
            if owner in self._owners:
                self._owners.remove(owner)

    def rescan(self, timeout: float = 10.0) -> bool:
        """Look for devices again without cutting anybody short.

        Args:
            timeout: seconds the loudspeaker has to finish its sentence.

        Returns:
            Whether the look took place; False when somebody was still playing or a stream hangs.

        Raises:
            DeviceError: the sound system does not start any more.
        """
        if self.hanging or not self._scanning.acquire(blocking=False):
            return False
        try:
            return self._rescan(timeout)
        finally:
            self._scanning.release()

    def let_go(self, stream: Closable) -> bool:
        """Stop and close a stream on a thread that may be lost: a device that is gone can hang for ever.

        Returns:
            Whether it was closed in time.
        """
        done = run_expendable(lambda: _abort_and_close(stream), self._let_go_s, name="audio-close")
        if not done:
            self.hanging += 1
            self.backend.abandon()
            log.warning("a sound device hangs while it is closed; it is left behind")
        return done

    def _rescan(self, timeout: float) -> bool:
        with self._lock:
            owners = tuple(self._owners)
        suspended: list[StreamOwner] = []
        try:
            for owner in owners:
                if not owner.suspend(timeout):
                    return False
                suspended.append(owner)
            self.backend.rescan()
        except BackendError as error:
            raise not_starting(str(error)) from error
        finally:
            for owner in suspended:
                owner.resume()
        return True


def run_expendable(work: Callable[[], object], timeout: float, *, name: str) -> bool:
    """Run `work` on a thread of its own and wait for it.

    Returns:
        Whether it ended within `timeout` seconds; otherwise the thread goes on, and nobody waits for it.
    """
    thread = threading.Thread(target=work, name=name, daemon=True)
    thread.start()
    thread.join(timeout)
    return not thread.is_alive()


@cache
def default_system() -> AudioSystem:
    """Return the sound system that the microphone and the loudspeaker of this process share."""
    from edgevox.audio.sounddevice_backend import SoundDeviceBackend

    return AudioSystem(SoundDeviceBackend())


def _abort_and_close(stream: Closable) -> None:
    for step in (stream.abort, stream.close):
        try:
            step()
        except BackendError as error:
            log.debug("letting a device go: %s", error)
