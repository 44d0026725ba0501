"""The file commands, one family per module, and the table of their names. None of them starts a program."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.tools.files.commands.table import prepare

__all__ = ["prepare"]

_HOMES = {"prepare": "edgevox.tools.files.commands.table"}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
