"""How each family marks a tool call and its thinking: one entry per notation.

A format says how its markup begins, where it ends and which calls its body holds. It never decides whether a call runs.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from edgevox.core.completion import ToolCall
from edgevox.llm.parsers import gemma
from edgevox.llm.parsers.calls import Signatures, calls_in, named, pythonic_calls
from edgevox.llm.parsers.json_text import read_value, read_values, value_end

Span = tuple[int, int]
"""Where a body ends and where the text after its closer begins."""
Close = Callable[[str], Span | None]
Read = Callable[[str, Signatures], list[ToolCall]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One notation."""

    name: str
    openers: tuple[str, ...]
    close: Close
    """Given what follows the opener, where the body ends; `None` while that cannot be known."""
    read: Read
    """The calls in a body; empty when it holds none."""
    bare: bool = False
    """Its opener is ordinary text elsewhere: it counts only where nothing has been said yet, its body keeps the opener,
    and a body without calls is words."""
    thinking: bool = False
    closers: tuple[str, ...] = ()
    """Markers that end a body which never became readable, looked for when the reply is over."""

    def whole(self, body: str) -> bool:
        """Whether a body that nothing closed is a whole one: a call that was cut off must not run."""
        position = 0
        while (start := re.search(r"[{\[]", body[position:])) is not None:
            end = value_end(body, position + start.start())
            if end is None:
                return False
            position = end
        return True


def until(*closers: str) -> Close:
    """End at the first of the closers."""

    def close(body: str) -> Span | None:
        found = [(at, at + len(closer)) for closer in closers if (at := body.find(closer)) >= 0]
        return min(found) if found else None

    return close


def after_json(closer: str) -> Close:
    """End after the JSON values of the body and the closer behind them; a closer inside a string does not count."""

    def close(body: str) -> Span | None:
        start = re.search(r"[{\[]", body)
        plain = until(closer)(body)
        if start is None or (plain and plain[0] < start.start()) or body.lstrip().startswith("<function="):
            return plain
        end = value_end(body, start.start())
        return None if end is None else _behind(body, end)

    def _behind(body: str, end: int) -> Span | None:
        rest = body[end:].lstrip()
        padding = len(body) - end - len(rest)
        if rest.startswith(closer):
            return end, end + padding + len(closer)
        if closer.startswith(rest) or "[TOOL_CALLS]".startswith(rest):
            return None
        if rest[0] not in "}{[,;" or rest.startswith("[TOOL_CALLS]"):
            return end, end
        inner = close(rest)
        return None if inner is None else (end + padding + inner[0], end + padding + inner[1])

    return close


def mistral_body(body: str) -> Span | None:
    """End behind Mistral's list of objects, or behind the arguments of `name[ARGS]{…}`."""
    listed = body.lstrip().startswith("[")
    start = body.find("[" if listed else "{")
    end = value_end(body, start) if start >= 0 else None
    return None if end is None else (end, end)


def outside_strings(closer: str) -> Close:
    """End at a closer outside of Gemma's strings."""

    def close(body: str) -> Span | None:
        end = gemma.body_end(body, closer)
        return None if end is None else (end, end + len(closer))

    return close


def bare_json(body: str) -> Span | None:
    """End where the object or list that begins the body does."""
    end = value_end(body)
    if end is None or (body.startswith("{{") and len(body) == end):
        return None
    doubled = body.startswith("{{") and body[end : end + 1] == "}"
    return end + doubled, end + doubled


def at_once(body: str) -> Span | None:
    """End right behind the opener: a marker without a body."""
    del body
    return 0, 0


def json_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read a body of JSON, or of XML parameters as Qwen's coders write them."""
    if "<function=" in body:
        return _xml_calls(body)
    try:
        values = read_values(body)
    except ValueError:
        return pythonic_calls(body, signatures, sure=True)
    if not values:
        return pythonic_calls(body, signatures, sure=True)
    return [call for value in values for call in calls_in(value, signatures, sure=True)]


def llama_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read what follows Llama's tag: JSON objects, or `name.call(…)`."""
    return pythonic_calls(body, signatures, sure=True) or json_calls(body, signatures)


def mistral_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read a list of objects, or `name[ARGS]{…}` as the newer ones write it."""
    head = re.match(r"\s*([\w.\-]+)\s*(?:\[CALL_ID\]\s*\S+?\s*)?(?:\[ARGS\])?\s*(?=\{)", body)
    return list(named(head[1], body[head.end() :])) if head else json_calls(body, signatures)


def function_tag_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read `name>{…}`: what follows `<function=`."""
    del signatures
    name, _, arguments = body.partition(">")
    return list(named(name, arguments))


def functionary_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read `>>>name`, a newline and the arguments; only tools that exist. Objects behind them may be calls too."""
    head = re.match(r">>>\s*([\w.\-]+)\s*\n", body)
    if head is None or head[1] not in signatures:
        return []
    arguments = body[head.end() :]
    end = value_end(arguments) or len(arguments)
    try:
        behind = read_values(arguments[end:])
    except ValueError:
        behind = []
    return [*named(head[1], arguments), *(call for value in behind for call in calls_in(value, signatures, sure=False))]


def bare_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read an object, a list, or Python's calls, none of them marked: only what can be nothing else."""
    try:
        value = read_value(body)
    except ValueError:
        return pythonic_calls(body, signatures, sure=False)
    return calls_in(value, signatures, sure=False) or pythonic_calls(body, signatures, sure=False)


def fenced_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read a code fence that holds nothing but calls."""
    lines = body.strip().removesuffix("```").strip().partition("\n")
    python = lines[0].strip("`").strip() == "tool_code"
    inner = lines[2]
    return pythonic_calls(inner, signatures, sure=python) or bare_calls(inner, signatures)


def no_calls(body: str, signatures: Signatures) -> list[ToolCall]:
    """Read nothing: the body is for nobody's ears."""
    del body, signatures
    return []


def _xml_calls(body: str) -> list[ToolCall]:
    calls: list[ToolCall] = []
    for name, inner in re.findall(r"<function=([^>\s]+)>(.*?)</function>", body, re.DOTALL):
        pairs = re.findall(r"<parameter=([^>\s]+)>\n?(.*?)\n?</parameter>", inner, re.DOTALL)
        calls.append(ToolCall.of(name, {key: _scalar(value) for key, value in pairs}))
    return calls


def _scalar(text: str) -> object:
    if text.strip()[:1] in ("{", "["):
        try:
            return read_value(text)
        except ValueError:
            return text
    return text


_FENCES = ("```json", "```tool_call", "```tool_code", "```python", "```\n")
_NOISE = (
    "</tool_call>", "<tool_call|>", "<|/tool_call|>", "<|tool_call_end|>", "</function>", "</think>", "</thinking>",
    "<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<end_of_turn>",
    "<start_of_turn>", "<eos>", "<bos>", "</s>", "<|end|>", "<|assistant|>", "<|tool_response>", "<tool_response|>",
    "</tool_response>", "<turn|>", "<|turn>", "<channel|>", "[/TOOL_CALLS]", "[INST]", "[/INST]",
)  # fmt: skip

THINK_ENDS = ("</think>", "</thinking>", "<channel|>")
"""Markers that end thinking; one that comes alone means that everything before it was thought."""

FORMATS: tuple[Format, ...] = (
    Format(name="think", openers=("<think>",), close=until("</think>"), read=no_calls, thinking=True),
    Format(name="thinking", openers=("<thinking>",), close=until("</thinking>"), read=no_calls, thinking=True),
    Format(name="channel", openers=("<|channel>thought",), close=until("<channel|>"), read=no_calls, thinking=True),
    Format(name="hermes", openers=("<tool_call>",), close=after_json("</tool_call>"), read=json_calls,
           closers=("</tool_call>",)),
    Format(name="phi", openers=("<|tool_call|>",), close=after_json("<|/tool_call|>"), read=json_calls,
           closers=("<|/tool_call|>",)),
    Format(name="gemma", openers=("<|tool_call>",), close=outside_strings("<tool_call|>"),
           read=lambda body, _: gemma.gemma_calls(body), closers=("<tool_call|>",)),
    Format(name="lfm2", openers=("<|tool_call_start|>",), close=until("<|tool_call_end|>"), read=llama_calls),
    Format(name="llama3", openers=("<|python_tag|>",), close=until("<|eom_id|>", "<|eot_id|>"), read=llama_calls),
    Format(name="function_tag", openers=("<function=",), close=until("</function>"), read=function_tag_calls),
    Format(name="mistral", openers=("[TOOL_CALLS]",), close=mistral_body, read=mistral_calls),
    Format(name="tool_response", openers=("<tool_response>", "<|tool_response>"),
           close=until("</tool_response>", "<tool_response|>"), read=no_calls),
    Format(name="functionary", openers=(">>>",), close=after_json("<|eot_id|>"), read=functionary_calls, bare=True),
    Format(name="fence", openers=_FENCES, close=until("\n```"), read=fenced_calls, bare=True),
    Format(name="json", openers=("{", "["), close=bare_json, read=bare_calls, bare=True),
    Format(name="noise", openers=_NOISE, close=at_once, read=no_calls),
)  # fmt: skip
"""Every notation, in no particular order: where two openers begin at one place, the longer wins."""
