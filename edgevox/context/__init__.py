"""What of a conversation a model sees: every request is assembled here. Pure: no model, no tokenizer, no store.

`assembly` writes the requests of a run whose model replies with actions, `folded` and `visible` those of a model that
calls tools natively; both cut by the same rules (`truncation`).
"""

from edgevox.context.facts import with_facts
from edgevox.context.window import cost, fit_messages, recent_turns

__all__ = ["cost", "fit_messages", "recent_turns", "with_facts"]
