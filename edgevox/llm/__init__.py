"""Local language models, and the loop between a model and its tools.

`from edgevox.llm import tool` is cheap: everything here is imported when it is first asked for.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

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


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
