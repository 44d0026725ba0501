"""What of a conversation a model sees. Pure: no model, no tokenizer, no store."""

from edgevox.context.facts import with_facts
from edgevox.context.window import cost, fit_messages, recent_turns

__all__ = ["cost", "fit_messages", "recent_turns", "with_facts"]
