"""Loads a Python file that declares an agent, and says in one sentence what is wrong with it.

Knows files and modules; what an agent is, `edgevox.agents.registry` knows.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from edgevox.agents.protocol import Agent
from edgevox.core.errors import AgentError, EdgeVoxError, UsageError, described

_loaded: dict[Path, tuple[int, Any]] = {}
"""Scripts that have run, with the time of their last change (nanoseconds since 1970)."""


def load_script(path: Path) -> Any:
    """Run a script and return the agent application it holds: the one called `APP`, or the only one.

    A script without one may hold an agent: `AGENT`, the only one, or a function `make_agent` that makes it.

    A script that has run already and was not changed since is not run again: its world is there once.

    Raises:
        UsageError: there is no such file, or it is no Python file.
        AgentError: it cannot be run, or holds no application or several.
    """
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    known = _loaded.get(path.absolute())
    if known is not None and known[0] == changed:
        return known[1]
    app = _app_in(_module(path), path)
    _loaded[path.absolute()] = (changed, app)
    return app


def _module(path: Path) -> ModuleType:
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
        told = str(error) if isinstance(error, EdgeVoxError) and str(error) else described(error)
        raise AgentError(f"{path}{where} cannot be run: {told.rstrip('.')}.") from error
    except SystemExit as error:
        raise AgentError(
            f"{path} ends the program when it is loaded; run its agent only under if __name__ == '__main__'."
        ) from error
    return module


def _line_of(error: BaseException, path: Path) -> str:
    """Return `, line 12` for the last line of the script that the error passed through."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    line, trace = 0, error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == path.absolute():
            line = trace.tb_lineno
        trace = trace.tb_next
    return f", line {line}" if line else ""


def _app_in(module: ModuleType, path: Path) -> Any:
    found = [value for value in vars(module).values() if is_app(value)]
    named = getattr(module, "APP", None)
    if is_app(named):
        return named
    if len(found) == 1:
        return found[0]
    if not found and (agent := _agent_in(module)) is not None:
        return agent
    what = "no AgentApp" if not found else f"{len(found)} AgentApps and none of them is called APP"
    raise AgentError(f"{path} holds {what}; write APP = AgentApp(...) in it.")


def _agent_in(module: ModuleType) -> Any:
    """The agent of a script without an application: `AGENT`, the only one, or what its `make_agent` makes."""
    found = {id(value): value for value in vars(module).values() if _is_agent(value)}
    named = getattr(module, "AGENT", None)
    if _is_agent(named):
        return named
    if len(found) == 1:
        return next(iter(found.values()))
    return getattr(module, "make_agent", None) if not found else None


def _is_agent(value: Any) -> bool:
    return not isinstance(value, type) and isinstance(value, Agent)


def is_app(value: Any) -> bool:
    """Whether something is an application: it says what its agent is and can be run."""
    return not isinstance(value, type) and callable(getattr(value, "definition", None)) and hasattr(value, "run")
