"""`edgevox devices`: which microphones and loudspeakers there are, and whether they work."""

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from edgevox.cli.exits import FAILED, OK, carried_out

if TYPE_CHECKING:
    from edgevox.audio.system import AudioSystem
    from edgevox.core.frames import Samples

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

METER_WIDTH = 30
METER_FLOOR_DB = -60.0
SILENT_DB = -55.0
"""A peak below this is the noise of the electronics."""
CLIPPED_DB = -0.5
"""A peak above this was too loud for the device."""
READ_S = 0.1


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `devices` and its test; each sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("devices", help="list microphones and loudspeakers", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON for other programs")
    parser.add_argument("--all", action="store_true", help="show duplicates and conversions too")
    parser.set_defaults(run=run, devices_command=_list)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    testing = commands.add_parser("test", help="record for a moment, show the level, and play it back")
    testing.add_argument("--seconds", type=float, default=3.0, metavar="N", help="how long to record (default: 3)")
    testing.add_argument("--input-device", metavar="NAME", help="which microphone")
    testing.add_argument("--output-device", metavar="NAME", help="which loudspeaker")
    testing.set_defaults(devices_command=_test)
    return parser


def run(args: argparse.Namespace) -> int:
    """Run the command that was chosen and return the exit code: 0 all is well, 1 something is wrong."""
    return carried_out(lambda: args.devices_command(args), name="edgevox devices")


def try_devices(
    system: "AudioSystem",
    *,
    seconds: float = 3.0,
    input_device: str | None = None,
    output_device: str | None = None,
    channel: int | None = None,
    out: TextIO | None = None,
) -> int:
    """Record for `seconds`, show the level, say what is wrong with it, and play it back.

    Args:
        system: the sound system.
        seconds: how long to record.
        input_device: which microphone; `None` is the default.
        output_device: which loudspeaker; `None` is the default.
        channel: which channel of the microphone; `None` mixes.
        out: where to print; standard output when not given.

    Returns:
        0 when something was heard and played back, 1 when nothing was heard.

    Raises:
        DeviceError, LibraryMissing: a device cannot be used; one sentence says why.
    """
    from edgevox.audio.microphone import Microphone
    from edgevox.audio.speaker import Speaker
    from edgevox.core.cancel import CancelScope
    from edgevox.core.frames import SAMPLE_RATE

    terminal: TextIO = sys.stdout if out is None else out
    microphone = Microphone(input_device, channel=channel, system=system)
    microphone.open()
    try:
        print(f"Microphone: {microphone.label}. Say something for {seconds:g} seconds.", file=terminal)
        recording = record(microphone.read, seconds, _meter(terminal))
    finally:
        microphone.close()
    counts = microphone.counts
    peak = level_db(recording)
    print(f"\nPeak {peak:.0f} dB. {judge(peak, len(recording) / SAMPLE_RATE)}", file=terminal)
    if counts.overflow or counts.dropped:
        print(f"Sound was lost {counts.overflow} times: the machine is too busy.", file=terminal)
    speaker = Speaker(output_device, system=system)
    speaker.open()
    try:
        print(f"Loudspeaker: {speaker.label}. Listen.", file=terminal)
        with CancelScope() as scope:
            speaker.write(recording, SAMPLE_RATE, scope=scope)
            speaker.drain(scope)
    finally:
        speaker.close()
    print("Done. If you heard yourself, both work.", file=terminal)
    return OK if peak > SILENT_DB else FAILED


def record(read: "Callable[[float], Samples | None]", seconds: float, on_level: Callable[[float], object]) -> "Samples":
    """Return what `read` brings within `seconds`, shape (n,), telling the level in dB as it comes."""
    import numpy as np

    parts = [np.zeros(0, dtype=np.float32)]
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        samples = read(min(READ_S, left))
        if samples is not None:
            parts.append(samples)
            on_level(level_db(samples))
    return np.concatenate(parts)


def level_db(samples: "Samples") -> float:
    """Return the peak in dB below full scale; -120 for silence."""
    import math

    peak = float(abs(samples).max()) if len(samples) else 0.0
    return 20 * math.log10(max(peak, 1e-6))


def judge(peak: float, seconds: float) -> str:
    """Say what a recording with that peak means, and what to do about it."""
    if seconds == 0:
        return "The microphone brought no sound at all: unplug it and plug it in again, or choose another one."
    if peak <= SILENT_DB:
        return "That is silence: the microphone is muted, or it is the wrong one (`edgevox devices` lists all)."
    if peak >= CLIPPED_DB:
        return "That is too loud and distorts: lower the input level in the system's sound settings."
    return "Good."


def _list(args: argparse.Namespace) -> int:
    from edgevox.audio.devices import describe_devices, device_record, list_devices
    from edgevox.audio.system import default_system

    infos = default_system().devices()
    if args.json:
        records = [device_record(device) for device in list_devices(infos, everything=args.all)]
        print(json.dumps(records, indent=2, ensure_ascii=False))
    else:
        print(describe_devices(infos, everything=args.all))
    return OK if infos else FAILED


def _test(args: argparse.Namespace) -> int:
    from edgevox.audio.system import default_system
    from edgevox.config.settings import load_settings_or_defaults

    audio = load_settings_or_defaults()[0].audio
    return try_devices(
        default_system(),
        seconds=args.seconds,
        input_device=args.input_device or audio.input_device,
        output_device=args.output_device or audio.output_device,
        channel=audio.input_channel,
    )


def _meter(out: TextIO) -> Callable[[float], None]:
    """A bar that moves, where there is a terminal; nothing elsewhere."""

    def show(level: float) -> None:
        share = min(1.0, max(0.0, (level - METER_FLOOR_DB) / -METER_FLOOR_DB))
        bar = "#" * round(share * METER_WIDTH)
        out.write(f"\r[{bar:<{METER_WIDTH}}] {level:4.0f} dB")
        out.flush()

    return show if out.isatty() else lambda _: None
