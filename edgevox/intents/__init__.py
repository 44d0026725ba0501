"""Spoken phrases to tool calls, and results to spoken sentences, without a model.

Knows words and templates; does not run tools. hassil is loaded by the first matcher, not by this package.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.intents.changes import Adjustable, Change
    from edgevox.intents.matcher import PhraseMatch, PhraseMatcher
    from edgevox.intents.replies import render_reply
    from edgevox.intents.slots import Parsed, Spoken

__all__ = ["Adjustable", "Change", "Parsed", "PhraseMatch", "PhraseMatcher", "Spoken", "render_reply"]

_WHERE = {
    "Adjustable": "changes",
    "Change": "changes",
    "Parsed": "slots",
    "PhraseMatch": "matcher",
    "PhraseMatcher": "matcher",
    "Spoken": "slots",
    "render_reply": "replies",
}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
    globals()[name] = value
    return value
