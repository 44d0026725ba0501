"""From the text of a reply to words and tool calls, in the notation of every family."""

from edgevox.llm.parsers.stream import Discarded, Part, ReplyParser

__all__ = ["Discarded", "Part", "ReplyParser"]
