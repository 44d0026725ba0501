"""`edgevox-agent`: opens an agent by its name or by the path of its script.

Knows the built-in agents by name and module; a module is imported when its agent is opened, so that help and list cost
nothing.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from edgevox.assistant.ending import leave
from edgevox.cli.exits import carried_out
from edgevox.core.errors import AgentError, UsageError

if TYPE_CHECKING:
    from types import ModuleType

    from edgevox.examples.agents.framework import AgentApp


@dataclass(frozen=True, slots=True)
class BuiltIn:
    """One agent that comes with the product."""

    module: str
    about: str


BUILT_IN: Mapping[str, BuiltIn] = {
    "home": BuiltIn("edgevox.examples.agents.home_assistant", "looks after a house: lights, heating, timers, weather"),
    "robot": BuiltIn("edgevox.examples.agents.robot_commander", "drives a robot by distances and angles"),
    "dev": BuiltIn("edgevox.examples.agents.dev_toolbox", "helps at the desk: sums, units, notes, the time"),
    "robot-scout": BuiltIn(
        "edgevox.examples.agents.robot_scout", "sends a robot through the rooms of a simulated home"
    ),
}
"""The agents by the name they are opened with."""

PROG = "edgevox-agent"


def program() -> NoReturn:
    """Run `edgevox-agent` as a program."""
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
        name: a built-in agent, or the path of a script that holds an `AgentApp`.
        argv: the options of the agent.
        prog: name of the program in help and complaints.

    Raises:
        UsageError, AgentError: there is no such agent, or its script cannot be loaded.
    """
    return find_app(name).run(argv, prog=prog)


def find_app(name: str) -> "AgentApp":
    """Return the application of an agent.

    Raises:
        UsageError: there is no agent of that name; the sentence names the nearest.
        AgentError: the script cannot be loaded, or holds no agent.
    """
    if name in BUILT_IN:
        from importlib import import_module

        return import_module(BUILT_IN[name].module).APP
    path = Path(name).expanduser()
    if path.suffix == ".py" or path.is_file():
        return _app_in(_load(path), path)
    from rapidfuzz import process

    near = process.extractOne(name.lower(), list(BUILT_IN), score_cutoff=50)
    hint = f"did you mean {near[0]}?" if near else f"{PROG} list shows the names."
    raise UsageError(f"There is no agent called {name!r}; {hint}")


def _load(path: Path) -> "ModuleType":
    from importlib.util import module_from_spec, spec_from_file_location

    if not path.is_file():
        raise UsageError(f"There is no script {path}; give the path of a Python file that holds an AgentApp.")
    spec = spec_from_file_location(f"edgevox_script_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path} is not a Python file; give the path of one that holds an AgentApp.")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.absolute().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        where = _line_of(error, path)
        raise AgentError(f"{path}{where} cannot be run: {type(error).__name__}: {error}.") from error
    return module


def _line_of(error: BaseException, path: Path) -> str:
    """Return `, line 12` for the last line of the script that the error passed through."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    line, trace = 0, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f", line {line}" if line else ""


def _app_in(module: "ModuleType", path: Path) -> "AgentApp":
    from edgevox.examples.agents.framework import AgentApp

    found = [value for value in vars(module).values() if isinstance(value, AgentApp)]
    named = getattr(module, "APP", None)
    if isinstance(named, AgentApp):
        return named
    if len(found) == 1:
        return found[0]
    what = "no AgentApp" if not found else f"{len(found)} AgentApps and none of them is called APP"
    raise AgentError(f"{path} holds {what}; write APP = AgentApp(...) in it.")


def _list(rest: Sequence[str]) -> int:
    if rest:
        print(f"{PROG} list takes nothing more; {PROG} --help says what can be given.", file=sys.stderr)
        return 2
    print("\n".join(_rows()))
    return 0


def _rows() -> list[str]:
    width = max(map(len, BUILT_IN))
    return [f"{name:<{width}}  {built_in.about}" for name, built_in in BUILT_IN.items()]


def _usage() -> str:
    agents = "\n".join(f"  {row}" for row in _rows())
    return (
        f"usage: {PROG} NAME [OPTIONS]\n       {PROG} PATH.py [OPTIONS]\n       {PROG} list\n\n"
        "Talk to an agent: in the full screen, or with --simple-ui, --text-mode or --say FILE.wav.\n\n"
        f"agents:\n{agents}\n  PATH.py{'':<{max(map(len, BUILT_IN)) - 7}}  a script of yours that holds an AgentApp\n\n"
        f"{PROG} NAME --help lists the options."
    )


if __name__ == "__main__":
    program()
