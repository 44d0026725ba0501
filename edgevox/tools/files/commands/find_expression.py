"""The expression of `find`: read from tokens, then asked about entries. Runs, removes and writes nothing."""

import stat
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from edgevox.tools.files import handles
from edgevox.tools.files.faults import Trouble, quoted
from edgevox.tools.files.gate import Gate
from edgevox.tools.files.options import whole_number
from edgevox.tools.files.outputs import Output, as_bytes
from edgevox.tools.files.places import Place
from edgevox.tools.files.tokens import Tag, Token
from edgevox.tools.files.trees import Node
from edgevox.tools.permissions import ActionVerdict, Operation

_DAY_S, _MINUTE_S = 86_400, 60
_UNITS = {"c": 1, "w": 2, "b": 512, "k": 1024, "M": 1024**2, "G": 1024**3}
_TYPES: Mapping[str, Callable[[int], bool]] = {
    "f": stat.S_ISREG, "d": stat.S_ISDIR, "l": stat.S_ISLNK, "p": stat.S_ISFIFO, "s": stat.S_ISSOCK, "b": stat.S_ISBLK,
    "c": stat.S_ISCHR,
}  # fmt: skip


@dataclass(slots=True)
class Visit:
    """One entry that is asked about, and what was decided on the way."""

    node: Node
    name: str
    """Last component of what was named, or of what was found."""
    out: Output
    gate: Gate
    pruned: bool = False
    quit: bool = False


Test = Callable[[Visit], bool]


@dataclass(slots=True)
class Expression:
    """What is asked about every entry."""

    test: Test = field(default=lambda _: True)
    deepest: int | None = None
    shallowest: int = 0
    contents_first: bool = False
    one_disk: bool = False
    prints: bool = False
    """Whether it writes what it finds by itself."""


def read_expression(tokens: list[Token]) -> Expression:
    """Read an expression.

    Raises:
        Trouble: it is none; the sentence names the token.
    """
    reader = _Reader(tokens)
    expression = reader.expression
    if tokens:
        expression.test = reader.either()
        if reader.tokens:
            raise Trouble(f"{quoted(reader.tokens[0].text)} stands where nothing can follow")
    if not expression.prints:
        inner = expression.test
        expression.test = lambda visit: inner(visit) and not visit.quit and _print(visit, b"\n")
    return expression


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = list(tokens)
        self.expression = Expression()
        self._nested = 0

    def either(self) -> Test:
        left = self._both()
        while self._take("-o", "-or"):
            right = self._both()
            left = _or(left, right)
        return left

    def _both(self) -> Test:
        left = self._not()
        while self.tokens and self.tokens[0].text not in ("-o", "-or", ")"):
            self._take("-a", "-and")
            left = _and(left, self._not())
        return left

    def _not(self) -> Test:
        self._nested += 1
        if self._nested > 100:
            raise Trouble("the expression is nested too deeply")
        try:
            if self._take("!", "-not"):
                inner = self._not()
                return lambda visit: not inner(visit)
            if not self._take("("):
                return self._primary()
            inner = self.either()
            if not self._take(")"):
                raise Trouble("a parenthesis is not closed")
            return inner
        finally:
            self._nested -= 1

    def _take(self, *texts: str) -> bool:
        if self.tokens and self.tokens[0].text in texts:
            del self.tokens[0]
            return True
        return False

    def _primary(self) -> Test:
        if not self.tokens:
            raise Trouble("the expression ends where a test should stand")
        token = self.tokens.pop(0)
        name = token.text
        if token.tag is Tag.FLG and name in _PLAIN:
            return _PLAIN[name](self.expression)
        if token.tag is not Tag.FLG or name not in _VALUED:
            raise Trouble(f"{quoted(name)} is not supported; the tests are {' '.join((*_VALUED, *_PLAIN))}")
        if not self.tokens or self.tokens[0].tag is not Tag.ARG:
            raise Trouble(f"{name} needs a value: a token with the tag ARG after it")
        return _VALUED[name](self.tokens.pop(0).text, self.expression)


def _and(left: Test, right: Test) -> Test:
    return lambda visit: left(visit) and not visit.quit and right(visit)


def _or(left: Test, right: Test) -> Test:
    return lambda visit: left(visit) or (not visit.quit and right(visit))


def _print(visit: Visit, end: bytes) -> bool:
    visit.out.write(as_bytes(visit.node.place.text) + end)
    return True


def _prints(end: bytes) -> Callable[[Expression], Test]:
    def make(expression: Expression) -> Test:
        expression.prints = True
        return lambda visit: _print(visit, end)

    return make


def _prune(_: Expression) -> Test:
    def prune(visit: Visit) -> bool:
        visit.pruned = True
        return True

    return prune


def _quit(_: Expression) -> Test:
    def stop(visit: Visit) -> bool:
        visit.quit = True
        return True

    return stop


def _contents_first(expression: Expression) -> Test:
    expression.contents_first = True
    return lambda _: True


def _one_disk(expression: Expression) -> Test:
    expression.one_disk = True
    return lambda _: True


def _empty(_: Expression) -> Test:
    def empty(visit: Visit) -> bool:
        node = visit.node
        if not node.is_folder:
            return node.is_file and not node.found.st_size
        if visit.gate.verdict(Operation.READ, node.place.path) is ActionVerdict.deny:
            return False
        try:
            return not handles.names_in(node.place.path)
        except OSError:
            return False

    return empty


_PLAIN: Mapping[str, Callable[[Expression], Test]] = {
    "-empty": _empty,
    "-depth": _contents_first,
    "-xdev": _one_disk,
    "-print": _prints(b"\n"),
    "-print0": _prints(b"\0"),
    "-prune": _prune,
    "-quit": _quit,
}
Valued = Callable[[str, Expression], Test]


def _fits(what: Callable[[Visit], str], *, ignore_case: bool) -> Valued:
    def make(text: str, _: Expression) -> Test:
        from edgevox.tools.files.matching import Matcher
        from edgevox.tools.files.patterns import name_pattern

        matcher = Matcher(name_pattern(text), ignore_case=ignore_case)
        return lambda visit: matcher.selects(as_bytes(what(visit)))

    return make


def _type(text: str, _: Expression) -> Test:
    kinds = text.split(",")
    if not all(kind in _TYPES for kind in kinds):
        raise Trouble(f"{quoted(text)} is no type: use {', '.join(_TYPES)}")
    return lambda visit: any(_TYPES[kind](visit.node.found.st_mode) for kind in kinds)


def _size(text: str, _: Expression) -> Test:
    unit = _UNITS.get(text[-1:], 0)
    fits = _compared("-size", text[:-1] if unit else text)
    size = unit or 512
    return lambda visit: fits(-(-visit.node.found.st_size // size))


def _age(name: str, seconds: int) -> Valued:
    def make(text: str, _: Expression) -> Test:
        fits, now = _compared(name, text), time.time()
        return lambda visit: fits((now - visit.node.found.st_mtime) // seconds)

    return make


def _compared(name: str, text: str) -> Callable[[float], bool]:
    """Read `+n`, `-n` or `n` as more than, less than, exactly."""
    number = whole_number(name, text.removeprefix("+") if text.startswith("+") else text.removeprefix("-"))
    if text.startswith("+"):
        return lambda value: value > number
    if text.startswith("-"):
        return lambda value: value < number
    return lambda value: value == number


def _deepest(text: str, expression: Expression) -> Test:
    expression.deepest = whole_number("-maxdepth", text)
    return lambda _: True


def _shallowest(text: str, expression: Expression) -> Test:
    expression.shallowest = whole_number("-mindepth", text)
    return lambda _: True


def _written(visit: Visit) -> str:
    return visit.node.place.text


_VALUED: Mapping[str, Valued] = {
    "-name": _fits(lambda visit: visit.name, ignore_case=False),
    "-iname": _fits(lambda visit: visit.name, ignore_case=True),
    "-path": _fits(_written, ignore_case=False),
    "-ipath": _fits(_written, ignore_case=True),
    "-type": _type,
    "-size": _size,
    "-mtime": _age("-mtime", _DAY_S),
    "-mmin": _age("-mmin", _MINUTE_S),
    "-maxdepth": _deepest,
    "-mindepth": _shallowest,
}


def name_in(place: Place, depth: int) -> str:
    """Return what `-name` looks at."""
    if depth:
        return place.name
    stripped = place.text.rstrip("/")
    return stripped.rpartition("/")[2] or place.text[:1]
