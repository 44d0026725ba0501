"""`edgevox phrases`: how well an agent understands sentences without a language model, and what its phrases are."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from edgevox.cli.exits import FAILED, OK
from edgevox.core.errors import UsageError

if TYPE_CHECKING:
    from edgevox.cli.phrase_report import Agents, Judged
    from edgevox.cli.phrase_table import Row

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]  # pyright: ignore[reportPrivateUsage] - has no other name

ALL = "all"
"""Stands for every agent that a table is about."""


def add_parser(subparsers: "Subparsers") -> argparse.ArgumentParser:
    """Add `phrases`; it sets `run`, which takes the arguments and returns the exit code."""
    parser = subparsers.add_parser(
        "phrases", help="measure and list what an agent understands without a model", description=__doc__
    )
    actions = parser.add_subparsers(title="actions", dest="action", required=True)
    test = actions.add_parser("test", help="say a table of sentences to an agent and count what it understands")
    test.add_argument(
        "agent", metavar="AGENT", help=f"an agent, the path of its script, or {ALL!r} for a table of several"
    )
    test.add_argument(
        "file", metavar="FILE", type=Path, help="columns with tabs: [part [agent] language] tool arguments text"
    )
    test.add_argument("--part", help="only the sentences of that part")
    test.add_argument("--language", help="only the sentences in that language")
    test.add_argument("--quiet", action="store_true", help="print figures, and no sentence of the table")
    test.add_argument("--min-coverage", type=_percent, metavar="PERCENT", help="end with 1 when less is understood")
    test.add_argument(
        "--min-precision", type=_percent, metavar="PERCENT", help="end with 1 when fewer matches are right"
    )
    listing = actions.add_parser("list", help="print the phrases of an agent, with an example of each")
    listing.add_argument("agent", metavar="AGENT", help="an agent, or the path of its script")
    listing.add_argument("--language", help="two-letter code; the agent's own when not given")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Do what was asked for and return the exit code."""
    return _list(args) if args.action == "list" else _test(args)


def _percent(text: str) -> float:
    try:
        value = float(text.rstrip("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of percent") from None
    if not 0 <= value <= 100:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100 percent")
    return value


def _test(args: argparse.Namespace) -> int:
    from edgevox.cli.phrase_report import Figures, judge
    from edgevox.cli.phrase_table import read_table, rows_of

    rows = read_table(args.file)
    judged: list[Judged] = []
    overlaps: list[str] = []
    for name in _names(args, rows):
        agents = _agents(name)
        wanted = rows_of(rows, args.file, agent=_column(name), part=args.part, language=args.language)
        judged += judge(agents, wanted)
        found = agents.overlaps(sorted({row.language or agents.language for row in wanted}))
        overlaps += [f"{name}: {overlap}" for overlap in found]
    if not args.quiet:
        _print_sentences(judged)
    _print_overlaps(overlaps)
    _print_figures(judged)
    return _verdict(Figures.of(judged).coverage, Figures.of(judged).precision, args)


def _verdict(coverage: float, precision: float, args: argparse.Namespace) -> int:
    short = [
        f"{what} is {value:.1f} %, less than {least:g} %"
        for what, value, least in (
            ("coverage", coverage, args.min_coverage),
            ("precision", precision, args.min_precision),
        )
        if least is not None and value < least
    ]
    if short:
        print(f"Not enough: {' and '.join(short)}.")
    return FAILED if short else OK


def _names(args: argparse.Namespace, rows: "Sequence[Row]") -> list[str]:
    """The agents to talk to: the one that is named, or all those that have a sentence of the part and language."""
    if args.agent != ALL:
        return [args.agent]
    if not any(row.agent for row in rows):
        raise UsageError(
            f"{args.file} does not say which agent a sentence is for; name the agent in the place of {ALL!r}."
        )
    wanted = [
        row.agent
        for row in rows
        if row.agent
        and args.part in (None, row.part)
        and (args.language is None or row.language in ("", args.language))
    ]
    return list(dict.fromkeys(wanted or (row.agent for row in rows if row.agent)))


def _column(agent: str) -> str:
    """What a table calls an agent that is opened by the path of its script."""
    return Path(agent).stem if agent.endswith(".py") else agent


def _agents(name: str) -> "Agents":
    from edgevox.cli.agent import find_app
    from edgevox.cli.phrase_report import Agents

    return Agents(name, find_app(name).definition())


def _print_sentences(judged: "Sequence[Judged]") -> None:
    from edgevox.cli.phrase_report import Verdict

    titles = {
        Verdict.WRONG: "Taken for something else:",
        Verdict.FALSE: "No command, and taken for one:",
        Verdict.MISSED: "Not understood:",
    }
    for verdict, title in titles.items():
        found = [each for each in judged if each.verdict is verdict]
        if found:
            print(title)
            print("\n".join(f"  {_line(each)}" for each in found))


def _line(each: "Judged") -> str:
    understood = f" → {each.understood}" if each.understood else ""
    rivals = f" (between {' and '.join(each.rivals)})" if each.rivals else ""
    return f"line {each.row.line}: {each.row.text}{understood}{rivals}"


def _print_overlaps(overlaps: Sequence[str]) -> None:
    if overlaps:
        print("Phrases of two tools:")
        print("\n".join(f"  {overlap}" for overlap in overlaps))


def _print_figures(judged: "Sequence[Judged]") -> None:
    from edgevox.cli.phrase_report import Figures, Verdict

    parts = list(dict.fromkeys(each.row.part for each in judged))
    groups = {part or "all": [each for each in judged if each.row.part == part] for part in parts}
    if len(parts) > 1:
        groups["all"] = list(judged)
    width = max(len("part"), *map(len, groups))
    print(
        f"{'part':<{width}}  commands  right  missed  wrong  coverage  no command  done  precision  median ms  95 % ms"
    )
    for name, group in groups.items():
        figures = Figures.of(group)
        counts = figures.counts
        print(
            f"{name:<{width}}  {figures.commands:>8}  {counts[Verdict.RIGHT]:>5}  {counts[Verdict.MISSED]:>6}"
            f"  {counts[Verdict.WRONG]:>5}  {figures.coverage:>6.1f} %  {figures.others:>10}"
            f"  {counts[Verdict.FALSE]:>4}  {figures.precision:>7.1f} %"
            f"  {figures.median_ms:>9.2f}  {figures.p95_ms:>7.2f}"
        )


def _list(args: argparse.Namespace) -> int:
    agents = _agents(args.agent)
    language = args.language or agents.language
    if language.partition("-")[0] not in agents.languages():
        known = ", ".join(agents.languages()) or "no language"
        raise UsageError(f"{args.agent} has no phrases in {language!r}; it has some in {known}.")
    for book in agents.books:
        matcher = book.matcher(language)
        for name, phrases in matcher.phrases().items():
            print(name)
            print("\n".join(f"  {phrase}\n    “{example}”" for phrase, example in phrases))
    return OK
