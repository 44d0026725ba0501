"""Spoken phrases to tool calls, and results to spoken sentences, without a model.

Knows words and templates; does not run tools. hassil is loaded by the first matcher, not by this package.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.intents.changes import Adjustable, Change
    from edgevox.intents.matcher import PhraseMatch, PhraseMatcher
    from edgevox.intents.replies import render_reply
    from edgevox.intents.slots import Parsed, Spoken

__all__ = ["Adjustable", "Change", "Parsed", "PhraseMatch", "PhraseMatcher", "Spoken", "render_reply"]

_HOMES = {
    "Adjustable": "edgevox.intents.changes",
    "Change": "edgevox.intents.changes",
    "Parsed": "edgevox.intents.slots",
    "PhraseMatch": "edgevox.intents.matcher",
    "PhraseMatcher": "edgevox.intents.matcher",
    "Spoken": "edgevox.intents.slots",
    "render_reply": "edgevox.intents.replies",
}


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
