"""Which function prepares which command; each command's module is imported when it is first asked for."""

from importlib import import_module

from edgevox.tools.files.commands.command import Prepare, Run
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.tokens import Stage

_MODULES = {
    "pwd": "cat", "cat": "cat", "head": "ends", "tail": "ends", "wc": "counts", "tee": "tee", "touch": "making",
    "mkdir": "making", "grep": "grep", "rg": "rg", "ls": "ls", "find": "find", "diff": "diff", "gio": "gio", "rm": "rm",
    "cp": "cp", "mv": "mv",
}  # fmt: skip


def prepare(stage: Stage, gate: Gate) -> Run:
    """Check a command's tokens and get leave for all it will touch.

    Raises:
        Trouble: it cannot run; one sentence says why.
    """
    module = import_module(f"edgevox.tools.files.commands.{_MODULES[stage.name]}")
    prepare_it: Prepare = getattr(module, f"prepare_{stage.name}")
    return prepare_it(stage.tokens, gate)
