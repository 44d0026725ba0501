"""Voice with one status line: state, sound level, what is being heard. Typing works beside it."""

from edgevox.assistant.surface import AssistantSurface
from edgevox.ui.conversation import converse


def run_voice_loop(assistant: AssistantSurface, *, muted: bool = False) -> int:
    """Talk and listen until the person leaves.

    Args:
        assistant: built and not started; it is closed at the end.
        muted: whether the microphone starts deaf.

    Returns:
        The exit code.
    """
    return converse(assistant, status=True, muted=muted)
