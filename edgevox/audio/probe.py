"""Looking for devices in a child process, because looking can kill the process that does it.

PortAudio is known to crash where the operating system forbids the microphone, and alsa-lib aborts on a broken
configuration. The child dies, the parent says why. Run as `python -m edgevox.audio.probe` it is the child and prints
JSON; it imports nothing heavier than sounddevice.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# sounddevice has no type information.

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from edgevox.audio.device_info import DeviceInfo
from edgevox.config.child_env import scrubbed_environment

TIMEOUT_S = 10.0
"""A look takes 0.1 s; a sound server that hangs must not hang the program."""

Trouble = Literal["library", "crash", "timeout", "error"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What a look at the hardware brought."""

    devices: tuple[DeviceInfo, ...] = ()
    trouble: Trouble | None = None
    """`None` when the look succeeded, also when it found nothing."""
    reason: str = ""
    """What went wrong, in words; empty when nothing did."""


def probe_devices(timeout: float = TIMEOUT_S, *, command: Sequence[str] | None = None) -> Probe:
    """Look for devices in a child process.

    Args:
        timeout: seconds after which the child is ended.
        command: what to run instead of this module.
    """
    try:
        done = subprocess.run(
            list(command or (sys.executable, "-m", "edgevox.audio.probe")),
            capture_output=True, timeout=timeout, stdin=subprocess.DEVNULL, check=False, env=_environment(),
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        reason = f"the sound system did not answer within {timeout:g} s; restart the sound server"
        return Probe(trouble="timeout", reason=reason)
    except OSError as error:
        return Probe(trouble="error", reason=f"no child process could be started ({error})")
    if done.returncode < 0:
        return Probe(trouble="crash", reason=_crash_reason(done.returncode, done.stderr))
    return _read_report(done.stdout, done.stderr)


def read_devices(devices: Sequence[Mapping[str, Any]], hosts: Sequence[Mapping[str, Any]]) -> list[DeviceInfo]:
    """Return sounddevice's two tables, `query_devices()` and `query_hostapis()`, as devices.

    Only the first host that has a default counts as the system's choice.
    """
    return [
        DeviceInfo(
            name=str(device["name"]),
            host=str(hosts[int(device["hostapi"])]["name"]),
            index=index,
            max_inputs=int(device["max_input_channels"]),
            max_outputs=int(device["max_output_channels"]),
            default_rate=round(float(device["default_samplerate"])) or 48_000,
            default_input=index == _default_of(hosts, "default_input_device"),
            default_output=index == _default_of(hosts, "default_output_device"),
        )
        for index, device in enumerate(devices)
    ]


def main() -> int:
    """Be the child: print the two tables, or what kept them from being read."""
    try:
        import sounddevice
    except (ImportError, OSError) as error:
        report: dict[str, Any] = {"trouble": "library", "reason": str(error)}
    except Exception as error:  # sounddevice starts PortAudio when it is imported and raises an error of its own
        report = {"trouble": "error", "reason": str(error)}
    else:
        report = {"devices": list(sounddevice.query_devices()), "hosts": list(sounddevice.query_hostapis())}
    print(json.dumps(report))
    return 0


def _default_of(hosts: Sequence[Mapping[str, Any]], which: str) -> int:
    return next((int(host[which]) for host in hosts if int(host[which]) >= 0), -1)


def _read_report(stdout: bytes, stderr: bytes) -> Probe:
    try:
        report = json.loads(stdout.decode("utf-8", "replace").strip().splitlines()[-1])
        if "trouble" in report:
            return Probe(trouble=report["trouble"], reason=str(report["reason"]))
        return Probe(devices=tuple(read_devices(report["devices"], report["hosts"])))
    except (IndexError, ValueError, KeyError, TypeError):
        return Probe(trouble="error", reason=_last_line(stderr) or "the look for devices printed nothing")


def _crash_reason(returncode: int, stderr: bytes) -> str:
    try:
        name = signal.Signals(-returncode).name
    except ValueError:
        name = f"signal {-returncode}"
    said = _last_line(stderr)
    words = f" ({said})" if said else ""
    hint = (
        "allow the microphone for the terminal program in System Settings > Privacy & Security"
        if sys.platform == "darwin"
        else "check the sound configuration (ALSA_CONFIG_PATH, ~/.asoundrc) and the sound server"
    )
    return f"the sound library crashed with {name}{words}; {hint}"


def _last_line(stderr: bytes) -> str:
    lines = stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def _environment() -> dict[str, str]:
    """The child finds this package where the parent found it, installed or not."""
    paths = [path for path in sys.path if path]
    return scrubbed_environment({"PYTHONPATH": os.pathsep.join(paths), "PYTHONIOENCODING": "utf-8"})


if __name__ == "__main__":
    sys.exit(main())
