"""A small reader of GBNF: can be asked whether a text follows a grammar, without any model."""

import re
from collections.abc import Iterable
from typing import Any, cast

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[A-Za-z][\w-]*|\{\d+,?\d*\}|[()|?*+]', re.DOTALL)
_SHORT = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '"', "]": "]", "[": "[", "/": "/", "^": "^", "-": "-"}

Node = tuple[object, ...]


class Grammar:
    """A small reader of GBNF: a grammar that can be asked whether a text follows it."""

    def __init__(self, text: str) -> None:
        self.rules: dict[str, Node] = {}
        for line in text.strip().splitlines():
            name, separator, body = line.partition(" ::= ")
            assert separator, f"not a rule: {line!r}"
            assert re.fullmatch(r"[a-z][a-z0-9]*", name), f"not a rule's name: {name!r}"
            tokens = _TOKEN.findall(body)
            assert "".join(tokens) == _without_spaces(body), f"unreadable: {line!r}"
            reader = _Reader(tokens)
            self.rules[name] = reader.choices()
            assert reader.at == len(tokens), f"left over in {line!r}"
        missing = {each for rule in self.rules.values() for each in _references(rule)} - set(self.rules)
        assert not missing, f"rules that do not exist: {missing}"

    def accepts(self, text: str) -> bool:
        """Whether the whole text follows the grammar."""
        return len(text) in _Match(self.rules, text).ends(self.rules["root"], 0)


class _Match:
    """Where each part of a grammar may end in one text."""

    def __init__(self, rules: dict[str, Node], text: str) -> None:
        self.rules = rules
        self.text = text
        self.known: dict[tuple[Node, int], frozenset[int]] = {}

    def ends(self, node: Node, at: int) -> frozenset[int]:
        if (node, at) not in self.known:
            self.known[node, at] = frozenset(self._ends(node, at))
        return self.known[node, at]

    def _ends(self, node: Any, at: int) -> Iterable[int]:
        kind = node[0]
        first: Any = node[1] if len(node) > 1 else None
        if kind == "text":
            return [at + len(first)] if self.text.startswith(first, at) else []
        if kind == "class":
            return [at + 1] if at < len(self.text) and re.fullmatch(first, self.text[at], re.DOTALL) else []
        if kind == "rule":
            return self.ends(self.rules[first], at)
        if kind == "any":
            return {end for each in node[1:] for end in self.ends(each, at)}
        if kind == "all":
            reached = {at}
            for part in node[1:]:
                reached = {end for start in reached for end in self.ends(part, start)}
            return reached
        return self._repeated(first, at, least=node[2], most=node[3])

    def _repeated(self, inner: Node, at: int, *, least: int, most: int) -> set[int]:
        reached, found, times = {at}, {at} if least == 0 else set[int](), 0
        while reached and times < most:
            times += 1
            reached = {end for start in reached for end in self.ends(inner, start) if end > start}
            if times >= least:
                if reached <= found:
                    break
                found |= reached
        return found


class _Reader:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def choices(self) -> Node:
        parts = [self.sequence()]
        while self._next() == "|":
            self.at += 1
            parts.append(self.sequence())
        return parts[0] if len(parts) == 1 else ("any", *parts)

    def sequence(self) -> Node:
        parts: list[Node] = []
        while self._next() not in ("|", ")", ""):
            parts.append(self._item())
        return parts[0] if len(parts) == 1 else ("all", *parts)

    def _item(self) -> Node:
        piece = self._take()
        if piece == "(":
            node = self.choices()
            assert self._take() == ")"
        elif piece[0] == '"':
            node = ("text", _unescaped(piece[1:-1]))
        elif piece[0] == "[":
            node = ("class", _class(piece))
        else:
            assert piece[0].isalpha(), piece
            node = ("rule", piece)
        return self._counted(node)

    def _counted(self, node: Node) -> Node:
        piece = self._next()
        if piece in ("?", "*", "+") or piece[:1] == "{":
            self.at += 1
            if piece[0] == "{":
                least, comma, most = piece[1:-1].partition(",")
                high = int(most) if most else (10_000 if comma else int(least))
                return ("repeat", node, int(least), high)
            return ("repeat", node, int(piece == "+"), 1 if piece == "?" else 10_000)
        return node

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1]


def _without_spaces(body: str) -> str:
    quoted = re.findall(r'"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]|[^"\[\s]+', body, re.DOTALL)
    return "".join(quoted)


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        body = match[1]
        return chr(int(body[1:], 16)) if body[0] in "xuU" else _SHORT[body]

    return re.sub(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", one, text, flags=re.DOTALL)


def _class(piece: str) -> str:
    return piece if piece != "[]" else r"[^\s\S]"


def _references(node: Node) -> set[str]:
    if node[0] == "rule":
        return {str(node[1])}
    return {name for each in node[1:] if isinstance(each, tuple) for name in _references(cast("Node", each))}
