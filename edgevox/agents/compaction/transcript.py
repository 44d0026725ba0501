"""A conversation as lines of text, as a model was last shown it: for whoever has to sum it up.

Pure. What a rule has hidden from the model stays hidden here, and what it has cut stays cut.
"""

import json
from collections.abc import Iterator, Sequence

from edgevox.agents.compaction.shown import as_shown
from edgevox.core.kinds import MessageKind
from edgevox.core.messages import ErrorBlock, Message, Role, TextBlock, ToolResultBlock, ToolUseBlock
from edgevox.tools.limits import cut

LINE_LIMIT = 4000
"""Characters of one result or one text; whoever sums up needs no more of it."""


def lines_of(messages: Sequence[Message]) -> list[list[str]]:
    """Return for each message of a conversation its lines: one for each thing that was said, asked or answered."""
    return [list(_message_lines(message)) if message is not None else [] for message in as_shown(messages)]


def _message_lines(message: Message) -> Iterator[str]:
    if message.role is Role.SYSTEM:
        return
    for block in message.content:
        match block:
            case TextBlock() if block.text.strip():
                yield f"{_speaker(message)}: {cut(block.text, LINE_LIMIT)}"
            case ToolUseBlock():
                arguments = json.dumps(block.input, ensure_ascii=False) if block.input else block.raw_request or ""
                yield f"The assistant used {block.tool_name} {cut(arguments, LINE_LIMIT)}".rstrip()
            case ToolResultBlock():
                yield f"{block.tool_name} answered ({block.status}): {cut(block.text, LINE_LIMIT)}"
            case ErrorBlock():
                yield f"An error: {cut(block.message, LINE_LIMIT)}"
            case _:
                pass


def _speaker(message: Message) -> str:
    if message.role is Role.ASSISTANT:
        return "Assistant"
    return "Earlier" if message.kind == MessageKind.COMPACTED_CONTEXT else "Person"
