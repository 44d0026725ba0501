"""`edgevox-agent`: opens an agent by its name or by the path of its script, and lists those there are.

Knows the command line; which agents there are, `edgevox.agents.registry` knows.
"""

import sys
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, NoReturn

from edgevox.agents.cards import AgentCard
from edgevox.agents.registry import BUILT_IN, AgentRegistry
from edgevox.assistant.ending import leave
from edgevox.assistant.logs import cover_crashes
from edgevox.cli.exits import carried_out

if TYPE_CHECKING:
    from edgevox.examples.agents.framework import AgentApp

PROG = "edgevox-agent"
WIDTH = 100
"""Columns of the list."""


def program() -> NoReturn:
    """Run `edgevox-agent` as a program."""
    cover_crashes()
    leave(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run `edgevox-agent` and return its exit code.

    Args:
        argv: the arguments; `None` takes the process's own.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return carried_out(lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(_usage())
        return 0 if words else 2
    if words[0] == "--version":
        from edgevox import __version__

        print(f"edgevox {__version__}")
        return 0
    if words[0] == "list":
        return _list(words[1:])
    return run_agent(words[0], words[1:], prog=f"{PROG} {words[0]}")


def run_agent(name: str, argv: Sequence[str], *, prog: str) -> int:
    """Open an agent and return the exit code.

    Args:
        name: an agent of the list, or the path of a script that holds an `AgentApp`.
        argv: the options of the agent.
        prog: name of the program in help and complaints.

    Raises:
        UsageError, AgentError: there is no such agent, or it cannot be loaded.
    """
    return find_app(name).run(argv, prog=prog)


def find_app(name: str) -> "AgentApp":
    """Return the application of an agent.

    Raises:
        UsageError: there is no agent of that name; the sentence names the nearest.
        AgentError: it cannot be loaded, or is no agent.
    """
    from edgevox.examples.agents.framework import AgentApp

    entry = AgentRegistry.discover().get(name)
    target = entry.target()
    return target if isinstance(target, AgentApp) else AgentApp.of(entry.definition())


def _list(rest: Sequence[str]) -> int:
    if rest:
        print(f"{PROG} list takes nothing more; {PROG} --help says what can be given.", file=sys.stderr)
        return 2
    registry = AgentRegistry.discover()
    print("\n".join(block for card in registry.cards() for block in _described(card)))
    for problem in registry.problems:
        print(problem, file=sys.stderr)
    return 0


def _described(card: AgentCard) -> list[str]:
    """The lines of one agent in the list."""
    lines = [f"{card.name}  {card.description}"]
    details = {
        "tools": ", ".join(card.tools),
        "skills": ", ".join(card.skills),
        "say": " · ".join(card.phrases),
        "languages": " ".join(card.languages),
        "world": card.simulator or "",
        "from": "" if card.source == BUILT_IN else card.source,
    }
    for label, words in details.items():
        if words:
            lines.append(fill(words, WIDTH, initial_indent=f"  {label:<10}", subsequent_indent=" " * 12))
    return lines


def _usage() -> str:
    agents = fill(", ".join(AgentRegistry.discover().names()), WIDTH, initial_indent="  ", subsequent_indent="  ")
    return (
        f"usage: {PROG} NAME [OPTIONS]\n       {PROG} PATH.py [OPTIONS]\n       {PROG} list\n\n"
        "Talk to an agent: in the full screen, or with --simple-ui, --text-mode or --say FILE.wav.\n\n"
        f"agents:\n{agents}\n\nPATH.py is a script of yours that holds an AgentApp. {PROG} list shows what each agent "
        f"can do;\n{PROG} NAME --help lists the options."
    )


if __name__ == "__main__":
    program()
