"""`TextBot`: a chat by keyboard around a few tools, for programs that have an entry point of their own."""

from edgevox.assistant.options import Options
from edgevox.cli.voice_bot import VoiceBot


class TextBot(VoiceBot):
    """Chat by keyboard, without a microphone. Takes what a `VoiceBot` takes."""

    OPTIONS = Options(text_mode=True)
