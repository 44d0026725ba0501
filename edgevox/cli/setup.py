"""`edgevox setup`: look at the machine, get models that suit it, time them, and write the choice down."""

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from edgevox.cli.exits import FAILED, OK, carried_out

if TYPE_CHECKING:
    from edgevox.cli.measuring import Bench, Speed
    from edgevox.config.machine import Machine

SETS = ("tiny", "small", "recommended")


def add_parser(
    subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]",  # pyright: ignore[reportPrivateUsage]
) -> argparse.ArgumentParser:
    """Add `setup`; it sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser("setup", help="choose models for this machine and get them", description=__doc__)
    parser.add_argument("--set", dest="model_set", choices=SETS, help="which models; recommended when left out")
    parser.add_argument("--language", metavar="CODE", help="language of the conversation, such as de")
    parser.add_argument("--yes", "-y", action="store_true", help="download without asking")
    parser.add_argument("--no-measure", action="store_true", help="do not time the models")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Set this machine up and return the exit code."""
    goes_on = "Stopped. `edgevox setup` goes on where this one ended."
    return carried_out(lambda: _set_up(args), name="edgevox setup", stopped=goes_on)


def _set_up(args: argparse.Namespace) -> int:
    from edgevox.config.machine import read_machine
    from edgevox.config.settings import load_settings, update_settings

    settings = load_settings(language=args.language)
    machine = read_machine(ask_hub=True)
    print(describe(machine))
    names, reason = selection(args.model_set or "recommended", machine, settings.language)
    print(f"Models: {', '.join(names)}. {reason}")
    if not _get(names, yes=args.yes):
        return FAILED
    if args.language is not None:
        update_settings({"language": settings.language})
    if args.no_measure:
        return OK
    from edgevox.cli.measuring import EngineBench

    return measure_and_record(settings.language, EngineBench(settings))


def _get(names: Sequence[str], *, yes: bool) -> bool:
    """Have the models here if the person agrees; whatever stays missing has been said."""
    from edgevox.assistant.getting import Fetched, fetch_all, refused
    from edgevox.config.models import missing
    from edgevox.ui.download import TerminalDesk

    absent, desk = missing(names), TerminalDesk()
    refusal = refused(absent, desk, yes=yes)
    fetched = fetch_all([entry.name for entry in absent], desk) if refusal is None else Fetched()
    if fetched.cancelled is not None:
        raise KeyboardInterrupt
    left = fetched.sentences if refusal is None else [refusal]
    for sentence in left:
        print(sentence)
    return not left


def selection(set_name: str, machine: "Machine", language: str) -> tuple[tuple[str, ...], str]:
    """Return the models of a set for a machine and a language, and why.

    Args:
        set_name: `tiny`, `small` or `recommended`.
        machine: its facts.
        language: two-letter code; what hears or speaks only English is left out for another.
    """
    from edgevox.config.catalogue import catalogue, fixed_sets
    from edgevox.config.recommend import recommend, speech_models

    if set_name == "recommended":
        advice = recommend(machine, language)
        return advice.names, advice.reason
    chosen = [
        name
        for name in fixed_sets()[set_name]
        if (languages := catalogue()[name].languages) == () or language in languages or "*" in languages
    ]
    names = tuple(dict.fromkeys((*speech_models(language), *chosen)))
    return names, f"The set {set_name}, as you asked."


def describe(machine: "Machine") -> str:
    """Return one line that says what the machine has."""
    from edgevox.config.files import human_size

    hub = {True: "answers", False: "is out of reach", None: "was not asked"}[machine.hub_reachable]
    cores = "1 core" if machine.cores == 1 else f"{machine.cores} cores"
    return (
        f"This machine: {cores}, {human_size(machine.memory_bytes)} of memory, {human_size(machine.disk_bytes)} free "
        f"for models; the Hugging Face hub {hub}."
    )


def measure_and_record(language: str, bench: "Bench", say: Callable[[str], object] = print) -> int:
    """Time every candidate that is here, say what was chosen and why, and write it to the settings file."""
    from edgevox.cli.measuring import choose
    from edgevox.config.models import catalogue, find
    from edgevox.config.paths import settings_file
    from edgevox.config.settings import update_settings

    say("Timing what is here …")
    here = {name for name in catalogue() if find(name) is not None}
    choice, speeds = choose(here, language, bench)
    for speed in speeds:
        say(f"  {_line(speed)}")
    for reason in choice.reasons:
        say(reason)
    if choice.settings:
        update_settings(dict(choice.settings))
        say(f"Written to {settings_file()}. Start with `edgevox-agent home`.")
    return OK


def _line(speed: "Speed") -> str:
    from edgevox.config.catalogue import catalogue

    if speed.rate is None:
        return f"{speed.name}: {speed.fault}"
    entry = catalogue().get(speed.name)
    if entry is not None and entry.use == "llm":
        return f"{speed.name}: {speed.rate:.1f} tokens a second, ready after {speed.load_s:.1f} s"
    return f"{speed.name}: {speed.rate:.2f} s for a second of sound, ready after {speed.load_s:.1f} s"
