"""What a model reads of a sequence: how it ended, what a person was asked, and what each command wrote; bounded."""

import json
from collections.abc import Sequence

from edgevox.tools.files.running import FileRun, Frame
from edgevox.tools.permissions import Asked

MAX_REPORT = 40_000
"""Characters of the whole."""
MAX_HISTORY = 20_000
"""Characters of questions and answers; the newest stay."""
_FRAME = 400
"""Characters that the lines around one command's output may take."""
_SHOWN = 240
"""Characters of a command that its frame repeats."""


def report(run: FileRun) -> str:
    """Write the report of a sequence that is over."""
    head = f"Overall: {'success' if run.status == 0 else 'failure'} (exit status {run.status})\n"
    asked = _history(run.history)
    return head + asked + _blocks(run.frames, MAX_REPORT - len(head) - len(asked))


def shown(data: bytes) -> str:
    """Return bytes as text: what is not UTF-8 and what cannot be seen is escaped."""
    text = data.decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


def _history(history: Sequence[Asked]) -> str:
    lines: list[str] = []
    room = MAX_HISTORY
    for asked in reversed(history):
        answer = f"answered {json.dumps(asked.reply, ensure_ascii=False)}" if asked.reply else f"no words ({asked.by})"
        line = f"Asked: {asked.question} {answer}: {'allowed' if asked.allowed else 'denied'}\n"
        if len(line) > room - 60:
            lines.append(f"({len(history) - len(lines)} earlier questions are left out)\n")
            break
        room -= len(line)
        lines.append(line)
    return "".join(reversed(lines))


def _blocks(frames: Sequence[Frame], room: int) -> str:
    blocks: list[str] = []
    for index in range(len(frames) - 1, -1, -1):
        if room < 2 * _FRAME:
            blocks.append(f"({index + 1} earlier commands are left out)\n")
            break
        block = _block(index + 1, frames[index], room - _FRAME)
        room -= len(block)
        blocks.append(block)
    return "".join(reversed(blocks))


def _block(number: int, frame: Frame, room: int) -> str:
    command = shown(str(frame.stage).encode("utf-8", "surrogateescape")).replace("\n", "\\n").replace("\t", "\\t")
    if len(command) > _SHOWN:
        command = command[: _SHOWN - 1] + "…"
    output = "" if frame.piped_on else shown(frame.stdout)
    if output and not output.endswith("\n"):
        output += "\n"
    body = _cut(output + shown(frame.stderr), room - _FRAME)
    piped = f", {len(frame.stdout)} bytes went on through the pipe" if frame.piped_on else ""
    begin = f"--- {number}: {command} (exit status {frame.status}, {len(body)} characters{piped})\n"
    return f"{begin}{body}--- end of {number}\n"


def _cut(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    kept = max(0, room - 80)
    return f"{text[:kept]}\n[… {len(text) - kept} more characters are left out]\n"
