"""Functions that models, phrases and chains may call: how they are declared, checked and run.

Knows signatures, schemas and one call at a time; does not know models, speech or who asked.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.tools.decorator import as_tool, build_tool, tool
    from edgevox.tools.definition import Tool
    from edgevox.tools.entry_points import load_entry_point_tools
    from edgevox.tools.registry import ToolRegistry
    from edgevox.tools.typed import run_typed

__all__ = ["Tool", "ToolRegistry", "as_tool", "build_tool", "load_entry_point_tools", "run_typed", "tool"]

_HOMES = {
    "Tool": "edgevox.tools.definition",
    "ToolRegistry": "edgevox.tools.registry",
    "as_tool": "edgevox.tools.decorator",
    "build_tool": "edgevox.tools.decorator",
    "load_entry_point_tools": "edgevox.tools.entry_points",
    "run_typed": "edgevox.tools.typed",
    "tool": "edgevox.tools.decorator",
}


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
