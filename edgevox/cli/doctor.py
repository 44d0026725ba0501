"""`edgevox doctor`: what works, what does not, and the command that mends it."""

import argparse
import json
import logging
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from edgevox.cli.exits import OK
from edgevox.core.errors import described
from edgevox.core.redaction import redacted

if TYPE_CHECKING:
    from edgevox.cli.checks.finding import Check, Finding, Patient

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

log = logging.getLogger(__name__)

VOICE_BROKEN = 2

CHECKS = (
    ("sound", "edgevox.cli.checks.sound", "check_sound"),
    ("libraries", "edgevox.cli.checks.libraries", "check_libraries"),
    ("models", "edgevox.cli.checks.models", "check_models"),
    ("dependencies", "edgevox.cli.checks.dependencies", "check_dependencies"),
    ("endpoints", "edgevox.cli.checks.endpoints", "check_endpoints"),
    ("settings", "edgevox.cli.checks.machine", "check_settings"),
    ("machine", "edgevox.cli.checks.machine", "check_machine"),
)
"""Area, module and function of every check, in the order of the report; add yours here."""


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `doctor`; it sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser(
        "doctor", help="look for what is wrong, and say the command that mends it", description=__doc__
    )
    parser.add_argument("--json", action="store_true", help="print JSON for other programs")
    parser.add_argument(
        "areas", nargs="*", metavar="AREA", help=f"look only there: {', '.join(area for area, _, _ in CHECKS)}"
    )
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Look everywhere, print what was found, and return 0, or 2 when a spoken conversation is impossible."""
    from edgevox.core.errors import UsageError

    known = [area for area, _, _ in CHECKS]
    for area in args.areas:
        if area not in known:
            raise UsageError(f"The doctor knows no area “{area}”; there are {', '.join(known)}.")
    findings = list(examine(_read_patient(), _checks(args.areas)))
    print(redacted(_as_json(findings) if args.json else _as_text(findings)))
    return exit_code(findings)


def examine(patient: "Patient", checks: "Iterable[tuple[str, Check]]") -> "Iterator[Finding]":
    """Run checks one after the other; one that fails is a finding and keeps nobody from looking on."""
    from edgevox.cli.checks.finding import Finding, State

    for area, check in checks:
        try:
            yield from check(patient)
        except Exception as error:  # a check that fails must not hide what the others find
            log.exception("the check of %s failed", area)
            detail = f"it could not be looked at ({described(error)})."
            yield Finding(area=area, name=area, state=State.PROBLEM, detail=detail)


def exit_code(findings: "Iterable[Finding]") -> int:
    """Return 2 when something that a spoken conversation needs does not work, otherwise 0."""
    from edgevox.cli.checks.finding import State

    broken = any(finding.voice and finding.state is State.PROBLEM for finding in findings)
    return VOICE_BROKEN if broken else OK


def _checks(areas: Sequence[str]) -> "list[tuple[str, Check]]":
    return [
        (area, getattr(import_module(module), function))
        for area, module, function in CHECKS
        if not areas or area in areas
    ]


def _read_patient() -> "Patient":
    from edgevox.cli.checks.finding import Patient
    from edgevox.config.settings import load_settings_or_defaults

    settings, problems = load_settings_or_defaults()
    return Patient(settings=settings, problems=tuple(problems))


def _as_json(findings: "Sequence[Finding]") -> str:
    report = {"exit_code": exit_code(findings), "findings": [finding.record() for finding in findings]}
    return json.dumps(report, indent=2, ensure_ascii=False)


def _as_text(findings: "Sequence[Finding]") -> str:
    from edgevox.cli.checks.finding import State

    width = max((len(finding.name) for finding in findings), default=0)
    paint = _paint if sys.stdout.isatty() else _plain
    lines: list[str] = []
    area = ""
    for finding in findings:
        if finding.area != area:
            lines += ["", finding.area] if lines else [finding.area]
            area = finding.area
        lines.append(f"  {paint(finding.state)} {finding.name:<{width}}  {finding.detail}")
        if finding.fix and finding.state is not State.OK:
            lines.append(f"  {'':<8}{'':<{width}}  -> {finding.fix}")
    return "\n".join([*lines, "", _verdict(findings)])


def _verdict(findings: "Sequence[Finding]") -> str:
    from edgevox.cli.checks.finding import State

    problems = [finding for finding in findings if finding.state is State.PROBLEM]
    if exit_code(findings):
        return "A spoken conversation is not possible yet; typed ones are (edgevox-agent home --text-mode)."
    if problems:
        return f"{len(problems)} thing{'s' if len(problems) > 1 else ''} should be mended; talking works."
    return "All is well."


def _plain(state: str) -> str:
    return f"{state:<7}"


_COLOURS = {"ok": "32", "note": "33", "problem": "31"}


def _paint(state: str) -> str:
    return f"\x1b[{_COLOURS[state]}m{state:<7}\x1b[0m"
