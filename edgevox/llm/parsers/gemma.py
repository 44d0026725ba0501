"""The call syntax of the Gemma family: `call:name{key:value,…}`, strings between `<|"|>`.

A reader for that one notation; keys are bare, values nest.
"""

import json
import re
from typing import Any

from edgevox.core.completion import ToolCall
from edgevox.llm.parsers.calls import clean_name

QUOTE = '<|"|>'
_HEAD = re.compile(r"\s*call:\s*([^\s{(]+)\s*")
_BARE = re.compile(r"[^,{}\[\]]*")
_KEY = re.compile(r"\s*([^:{}\[\],]*?)\s*:")
_DEPTH_LIMIT = 32


def body_end(text: str, closer: str) -> int | None:
    """Return where `closer` stands outside of strings, or `None` while it has not come."""
    position = 0
    while True:
        end, quote = text.find(closer, position), text.find(QUOTE, position)
        if quote < 0 or 0 <= end < quote:
            return end if end >= 0 else None
        closing = text.find(QUOTE, quote + len(QUOTE))
        if closing < 0:
            return None
        position = closing + len(QUOTE)


def gemma_calls(text: str) -> list[ToolCall]:
    """Return the calls in the body of one `<|tool_call>` block; what cannot be read is left out."""
    calls: list[ToolCall] = []
    position = 0
    while (head := _HEAD.match(text, position)) is not None:
        reader = _Reader(text, head.end())
        try:
            arguments = reader.mapping() if reader.peek() == "{" else {}
        except ValueError:
            return calls
        calls.append(ToolCall.of(clean_name(head[1]), json.dumps(arguments, ensure_ascii=False)))
        position = reader.position
    return calls


class _Reader:
    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.depth = 0

    def peek(self) -> str:
        while self.text[self.position : self.position + 1].isspace():
            self.position += 1
        return self.text[self.position : self.position + 1]

    def value(self) -> Any:
        match self.peek():
            case "{":
                return self.mapping()
            case "[":
                return self.sequence()
            case '"':
                return self._json_string()
            case "":
                raise ValueError("a value is missing")
            case _:
                return self._quoted() if self.text.startswith(QUOTE, self.position) else self._bare()

    def mapping(self) -> dict[str, Any]:
        self._enter()
        made: dict[str, Any] = {}
        while self.peek() not in ("}", ""):
            key = self._key()
            made[key] = self.value()
            self._comma()
        self._leave()
        return made

    def sequence(self) -> list[Any]:
        self._enter()
        made: list[Any] = []
        while self.peek() not in ("]", ""):
            made.append(self.value())
            self._comma()
        self._leave()
        return made

    def _enter(self) -> None:
        self.position += 1
        self.depth += 1
        if self.depth > _DEPTH_LIMIT:
            raise ValueError("nested too deeply")

    def _leave(self) -> None:
        if self.position >= len(self.text):
            raise ValueError("the end is missing")
        self.position += 1
        self.depth -= 1

    def _comma(self) -> None:
        if self.peek() == ",":
            self.position += 1
        elif self.peek() not in ("}", "]", ""):
            raise ValueError("a comma is missing")

    def _key(self) -> str:
        if self.text.startswith(QUOTE, self.position) or self.peek() == '"':
            key = self.value()
            if self.peek() != ":":
                raise ValueError("a colon is missing")
            self.position += 1
            return str(key)
        match = _KEY.match(self.text, self.position)
        if match is None or not match[1]:
            raise ValueError("a key is missing")
        self.position = match.end()
        return match[1]

    def _quoted(self) -> str:
        start = self.position + len(QUOTE)
        end = self.text.find(QUOTE, start)
        if end < 0:
            raise ValueError("a string has no end")
        self.position = end + len(QUOTE)
        return self.text[start:end]

    def _json_string(self) -> str:
        value, end = json.JSONDecoder(strict=False).raw_decode(self.text, self.position)
        self.position = end
        return str(value)

    def _bare(self) -> Any:
        match = _BARE.match(self.text, self.position)
        word = match[0].strip() if match else ""
        self.position = match.end() if match else len(self.text)
        try:
            return json.loads(word)
        except ValueError:
            return {"True": True, "False": False, "None": None}.get(word, word)
