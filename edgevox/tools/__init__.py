"""Functions that models, phrases and chains may call: how they are declared, checked and run.

Knows signatures, schemas and one call at a time; does not know models, speech or who asked.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.tools.decorator import as_tool, build_tool, tool
    from edgevox.tools.definition import Tool
    from edgevox.tools.entry_points import load_entry_point_tools
    from edgevox.tools.registry import ToolRegistry

__all__ = ["Tool", "ToolRegistry", "as_tool", "build_tool", "load_entry_point_tools", "tool"]

_WHERE = {
    "Tool": "definition",
    "ToolRegistry": "registry",
    "as_tool": "decorator",
    "build_tool": "decorator",
    "load_entry_point_tools": "entry_points",
    "tool": "decorator",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value
