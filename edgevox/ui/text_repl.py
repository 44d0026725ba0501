"""Keyboard chat: no microphone, no loudspeaker. Works in a terminal and through a pipe."""

from edgevox.assistant.surface import AssistantSurface
from edgevox.ui.conversation import converse


def run_text_repl(assistant: AssistantSurface) -> int:
    """Chat by keyboard until the person leaves or the input ends.

    Args:
        assistant: built and not started; it is closed at the end.

    Returns:
        The exit code: 1 when the input was a script and a turn of it failed, else 0.
    """
    return converse(assistant)
