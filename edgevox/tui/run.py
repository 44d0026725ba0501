"""Runs the screen as a program: with the terminal guarded, and an exit code at the end."""

from edgevox.assistant.surface import AssistantSurface
from edgevox.tui.app import EdgeVoxApp


def run_screen(assistant: AssistantSurface, *, muted: bool = False) -> int:
    """Show the full screen until the person leaves.

    Args:
        assistant: built and not started; it is closed at the end.
        muted: whether the microphone starts deaf.

    Returns:
        The exit code.
    """
    return EdgeVoxApp(assistant=assistant, muted=muted).run_program()
