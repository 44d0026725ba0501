"""Local language models, and the loop between a model and its tools.

`from edgevox.llm import tool` is cheap: everything here is imported when it is first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.core.tools import ToolCallResult
    from edgevox.llm.model import LLM
    from edgevox.tools import ToolRegistry, load_entry_point_tools, tool

_HOMES = {
    "LLM": "edgevox.llm.model",
    "ToolCallResult": "edgevox.core.tools",
    "ToolRegistry": "edgevox.tools",
    "load_entry_point_tools": "edgevox.tools",
    "tool": "edgevox.tools",
}

__all__ = ["LLM", "ToolCallResult", "ToolRegistry", "load_entry_point_tools", "tool"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module 'edgevox.llm' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
