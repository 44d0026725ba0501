"""Loading libraries in a child process, because a native library that does not suit the machine ends the process.

Run as `python -m edgevox.cli.checks.loading MODULE …` it is the child: one line of JSON for every module it loaded.
"""

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from edgevox.config.child_env import scrubbed_environment

TIMEOUT_S = 60.0


def why_not_loaded(modules: Sequence[str], timeout: float = TIMEOUT_S) -> Mapping[str, str]:
    """Try to load `modules` one after the other.

    Args:
        modules: their import names.
        timeout: seconds for each child process.

    Returns:
        For every module why it does not load; empty when it does.
    """
    reasons: dict[str, str] = {}
    left = list(modules)
    while left:
        loaded, ending = _load_in_child(left, timeout)
        reasons.update(loaded)
        left = [module for module in left if module not in loaded]
        if left:
            # The child died at the first one that it said nothing of; the others get another child.
            reasons[left.pop(0)] = ending
    return reasons


def main(modules: Sequence[str]) -> int:
    """Be the child."""
    for module in modules:
        try:
            importlib.import_module(module)
            reason = ""
        except (
            BaseException
        ) as error:  # a library may raise anything, SystemExit included, and the next one still counts
            reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        print(json.dumps([module, reason]), flush=True)
    return 0


def _load_in_child(modules: Sequence[str], timeout: float) -> tuple[dict[str, str], str]:
    command = [sys.executable, "-m", "edgevox.cli.checks.loading", *modules]
    environment = scrubbed_environment({"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)})
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=False, env=environment)
        output, ending = done.stdout, _ending(done.returncode)
    except subprocess.TimeoutExpired as error:
        output, ending = error.stdout or b"", f"loading it takes more than {timeout:g} s"
    except OSError as error:
        return {}, f"no child process could be started ({error})"
    return dict(_lines(output)), ending


def _lines(output: bytes) -> Sequence[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for line in output.decode("utf-8", "replace").splitlines():
        try:
            module, reason = json.loads(line)
        except ValueError:  # a library's own chatter
            continue
        found.append((str(module), str(reason)))
    return found


def _ending(returncode: int) -> str:
    if returncode < 0:
        return f"it crashes while it is loaded (signal {-returncode}): it was built for another processor"
    return "it ends the program while it is loaded"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
