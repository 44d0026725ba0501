"""What a message is for beside its words, by name."""

from enum import StrEnum


class MessageKind(StrEnum):
    """The kinds of `Message.kind` that the framework itself gives; your own code may use others."""

    SYSTEM_MESSAGE = "system_message"
    STARTUP_CONTEXT = "startup_context"
    """Given to an agent before its run begins."""
    AUTO_LOAD_BANNER = "auto_load_banner"
    """Says that skills were loaded before anybody asked for them."""
    AUTO_LOADED_SKILL = "auto_loaded_skill"
    COMPACTED_CONTEXT = "compacted_context"
    """Stands for messages that were summed up."""
    INTERRUPTED_GENERATION = "interrupted_generation"
    """A person broke a reply off."""
    LIBRARIAN_ACTIVITY = "librarian_activity"
    LIBRARIAN_ROUTINE = "librarian_routine"
    USER_NOTIFICATION = "user_notification"
    """Was told to the person on the way, and needs no answer."""


BOOTSTRAP_KINDS = frozenset({
    MessageKind.SYSTEM_MESSAGE, MessageKind.STARTUP_CONTEXT, MessageKind.AUTO_LOAD_BANNER, MessageKind.AUTO_LOADED_SKILL
})  # fmt: skip
"""What a run begins with: no summing up may touch it."""
