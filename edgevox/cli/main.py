"""`edgevox`: the app with the home agent, or one of the commands that look after the machine.

A command's module is imported when the command is given, so that help costs nothing.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from edgevox.assistant.ending import leave
from edgevox.assistant.logs import cover_crashes
from edgevox.cli.exits import carried_out
from edgevox.core.errors import UsageError

if TYPE_CHECKING:
    from edgevox.cli.text_bot import TextBot
    from edgevox.cli.voice_bot import VoiceBot

__all__ = ["TextBot", "VoiceBot", "main"]

SUBCOMMANDS: Mapping[str, str] = {
    "models": "list, get, verify and remove models",
    "setup": "choose models that suit this machine, and get them",
    "devices": "list microphones and loudspeakers",
    "chains": "show, check and draw agents of typed chains",
    "agents": "draw what an agent is made of, or export it as a behaviour tree",
    "phrases": "measure and list what an agent understands without a model",
    "secrets": "keep the keys of accounts encrypted",
    "endpoints": "list and try models behind an address",
    "permissions": "show what agents may touch",
    "scripts": "list, run and serve trusted scripts",
    "audit": "show the tools that agents have called",
    "doctor": "look for what is wrong, and say the command that mends it",
}
"""The commands, each a module of this package with `add_parser(subparsers)` and `run(args)`."""

PROG = "edgevox"
DEFAULT_AGENT = "home"
_HOMES = {"TextBot": "edgevox.cli.text_bot", "VoiceBot": "edgevox.cli.voice_bot"}


def __getattr__(name: str) -> Any:
    """Load a bot when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'edgevox.cli.main' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def program() -> NoReturn:
    """Run `edgevox` as a program."""
    cover_crashes()
    leave(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run `edgevox` and return its exit code.

    Args:
        argv: the arguments; `None` takes the process's own.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    return carried_out(lambda: _run(words))


def _run(words: Sequence[str]) -> int:
    if words and words[0] in ("-h", "--help"):
        print(_usage())
        return 0
    if words and words[0] in SUBCOMMANDS:
        return _run_subcommand(words)
    if words and not words[0].startswith("-"):
        raise UsageError(_unknown(words[0]))
    from edgevox.cli.agent import run_agent

    return run_agent(DEFAULT_AGENT, words, prog=PROG)


def _run_subcommand(words: Sequence[str]) -> int:
    from edgevox.assistant.options import OptionParser

    parser = OptionParser(prog=PROG)
    subparsers = parser.add_subparsers(title="commands")
    module = import_module(f"edgevox.cli.{words[0]}")
    module.add_parser(subparsers)
    try:
        arguments = parser.parse_args(words)
    except SystemExit as printed:
        return int(bool(printed.code))
    return int(module.run(arguments))


def _unknown(word: str) -> str:
    from rapidfuzz import process

    from edgevox.agents.registry import AgentRegistry

    if word.endswith(".py") or word in AgentRegistry.discover():
        return f"{word} is an agent: open it with edgevox-agent {word}."
    near = process.extractOne(word.lower(), list(SUBCOMMANDS), score_cutoff=50)
    hint = f"did you mean {near[0]}?" if near else f"{PROG} --help lists them."
    return f"There is no command {word!r}; {hint}"


def _usage() -> str:
    width = max(map(len, SUBCOMMANDS))
    rows = "\n".join(f"  {name:<{width}} {about}" for name, about in SUBCOMMANDS.items())
    return (
        f"usage: {PROG} [OPTIONS]\n       {PROG} COMMAND ...\n\n"
        "An offline voice assistant for the terminal. Without a command it opens with the home agent;\n"
        "edgevox-agent opens the others, and edgevox-agent home --help lists the options.\n\n"
        f"commands:\n{rows}\n\n"
        "options:\n  --help     show this\n  --version  show the version"
    )


if __name__ == "__main__":
    program()
