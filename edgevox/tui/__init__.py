"""The Textual app. Draws events and sends commands; decides nothing."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.tui.app import EdgeVoxApp
    from edgevox.tui.run import run_screen

_HOMES = {"EdgeVoxApp": "edgevox.tui.app", "run_screen": "edgevox.tui.run"}

__all__ = ["EdgeVoxApp", "run_screen"]


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
