"""The Textual app. Draws events and sends commands; decides nothing."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.tui.app import EdgeVoxApp
    from edgevox.tui.run import run_screen

_HOMES = {"EdgeVoxApp": "edgevox.tui.app", "run_screen": "edgevox.tui.run"}

__all__ = ["EdgeVoxApp", "run_screen"]


def __getattr__(name: str) -> Any:
    """Load Textual when the app is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'edgevox.tui' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
