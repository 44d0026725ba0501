"""The shortest way from one list of lines to another: Myers' algorithm from both ends, in linear space.

E. W. Myers, "An O(ND) difference algorithm and its variations", 1986. Runs of changes are then moved along equal lines,
so that neighbouring ones join, as people expect of `diff`. Knows lists of numbers alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

_FAR = 1 << 60


@dataclass(frozen=True, slots=True)
class Change:
    """Lines `a0:a1` of the first become lines `b0:b1` of the second."""

    a0: int
    a1: int
    b0: int
    b1: int


def changes(first: Sequence[int], second: Sequence[int], tick: Callable[[], None]) -> list[Change]:
    """Return what has to change, in order.

    Args:
        first: lines, equal ones with equal numbers.
        second: the same for the other.
        tick: called now and then; raises to end the work.
    """
    gone, come = [False] * (len(first) + 1), [False] * (len(second) + 1)
    kept_a, kept_b = _shared(first, second, gone), _shared(second, first, come)
    comparison = _Comparison([first[i] for i in kept_a], [second[i] for i in kept_b], tick)
    comparison.compare(0, len(kept_a), 0, len(kept_b))
    for index in comparison.gone:
        gone[kept_a[index]] = True
    for index in comparison.come:
        come[kept_b[index]] = True
    _join_runs(first, gone, come)
    _join_runs(second, come, gone)
    return _listed(gone, come)


def _shared(lines: Sequence[int], others: Sequence[int], marks: list[bool]) -> list[int]:
    """Return where lines stand that the other list has too; the rest has changed whatever comes."""
    known = set(others)
    for index, line in enumerate(lines):
        marks[index] = line not in known
    return [index for index, line in enumerate(lines) if line in known]


class _Comparison:
    def __init__(self, a: list[int], b: list[int], tick: Callable[[], None]) -> None:
        self.a, self.b, self._tick = a, b, tick
        self.gone: list[int] = []
        self.come: list[int] = []
        self._forward: dict[int, int] = {}
        self._backward: dict[int, int] = {}

    def compare(self, a0: int, a1: int, b0: int, b1: int) -> None:
        """Compare two parts, splitting them where a shortest way passes."""
        todo = [(a0, a1, b0, b1)]
        while todo:
            a0, a1, b0, b1 = self._trimmed(*todo.pop())
            if a0 == a1:
                self.come.extend(range(b0, b1))
            elif b0 == b1:
                self.gone.extend(range(a0, a1))
            else:
                x, y = self._middle(a0, a1, b0, b1)
                todo.append((x, a1, y, b1))
                todo.append((a0, x, b0, y))

    def _trimmed(self, a0: int, a1: int, b0: int, b1: int) -> tuple[int, int, int, int]:
        while a0 < a1 and b0 < b1 and self.a[a0] == self.b[b0]:
            a0, b0 = a0 + 1, b0 + 1
        while a0 < a1 and b0 < b1 and self.a[a1 - 1] == self.b[b1 - 1]:
            a1, b1 = a1 - 1, b1 - 1
        return a0, a1, b0, b1

    def _middle(self, a0: int, a1: int, b0: int, b1: int) -> tuple[int, int]:
        """Return a point on a shortest way, found where searches from both ends meet."""
        low, high = a0 - b1, a1 - b0
        front, back = a0 - b0, a1 - b1
        self._forward, self._backward = {front: a0}, {back: a1}
        spans = [front, front, back, back]
        odd = bool((front - back) & 1)
        while True:
            self._tick()
            met = self._step(spans, (low, high), (a0, a1, b0, b1), odd, forward=True)
            met = met or self._step(spans, (low, high), (a0, a1, b0, b1), odd, forward=False)
            if met is not None:
                return met

    def _step(
        self, spans: list[int], limits: tuple[int, int], part: tuple[int, int, int, int], odd: bool, *, forward: bool
    ) -> tuple[int, int] | None:
        """Go one change further from one end; returns the point where the other end was met."""
        reached, others = (self._forward, self._backward) if forward else (self._backward, self._forward)
        at = 0 if forward else 2
        outside = -1 if forward else _FAR
        _widen(spans, at, limits, reached, outside)
        for diagonal in range(spans[at + 1], spans[at] - 1, -2):
            x = self._slid(diagonal, reached, part, forward=forward)
            reached[diagonal] = x
            other = 2 - at
            in_reach = odd is forward and spans[other] <= diagonal <= spans[other + 1] and diagonal in others
            if in_reach and ((others[diagonal] <= x) if forward else (x <= others[diagonal])):
                return x, x - diagonal
        return None

    def _slid(self, diagonal: int, reached: dict[int, int], part: tuple[int, int, int, int], *, forward: bool) -> int:
        """Take one change, then every equal line after it."""
        a0, a1, b0, b1 = part
        low, high = reached[diagonal - 1], reached[diagonal + 1]
        if forward:
            x = high if low < high else low + 1
            while x < a1 and x - diagonal < b1 and self.a[x] == self.b[x - diagonal]:
                x += 1
            return x
        x = low if low < high else high - 1
        while a0 < x and b0 < x - diagonal and self.a[x - 1] == self.b[x - diagonal - 1]:
            x -= 1
        return x


def _widen(spans: list[int], at: int, limits: tuple[int, int], reached: dict[int, int], outside: int) -> None:
    low, high = limits
    if spans[at] > low:
        spans[at] -= 1
        reached[spans[at] - 1] = outside
    else:
        spans[at] += 1
    if spans[at + 1] < high:
        spans[at + 1] += 1
        reached[spans[at + 1] + 1] = outside
    else:
        spans[at + 1] -= 1


def _join_runs(lines: Sequence[int], marks: list[bool], others: list[bool]) -> None:
    """Move runs of changed lines along equal ones, so that they join each other and those of the other list.

    Both lists of marks have one more place, never marked, which index -1 reads too.
    """
    end = len(lines)
    i = j = 0
    while True:
        while i < end and not marks[i]:
            while others[j]:
                j += 1
            i, j = i + 1, j + 1
        if i == end:
            return
        start = i
        while marks[i]:
            i += 1
        while others[j]:
            j += 1
        i, j = _moved(lines, marks, others, (start, i, j))


def _moved(lines: Sequence[int], marks: list[bool], others: list[bool], run: tuple[int, int, int]) -> tuple[int, int]:
    start, i, j = run
    end = len(lines)
    while True:
        length = i - start
        start, i, j = _back(lines, marks, others, (start, i, j))
        meeting = i if others[j - 1] else end
        while i != end and lines[start] == lines[i]:
            marks[start], marks[i] = False, True
            start, i, j = start + 1, i + 1, j + 1
            while marks[i]:
                i += 1
            while others[j]:
                j += 1
                meeting = i
        if length == i - start:
            break
    while meeting < i:
        start, i, j = start - 1, i - 1, j - 1
        marks[start], marks[i] = True, False
        while others[j]:
            j -= 1
    return i, j


def _back(
    lines: Sequence[int], marks: list[bool], others: list[bool], run: tuple[int, int, int]
) -> tuple[int, int, int]:
    start, i, j = run
    while start and lines[start - 1] == lines[i - 1]:
        start, i, j = start - 1, i - 1, j - 1
        marks[start], marks[i] = True, False
        while marks[start - 1]:
            start -= 1
        while others[j]:
            j -= 1
    return start, i, j


def _listed(gone: list[bool], come: list[bool]) -> list[Change]:
    found: list[Change] = []
    a = b = 0
    while a < len(gone) - 1 or b < len(come) - 1:
        a0, b0 = a, b
        while gone[a]:
            a += 1
        while come[b]:
            b += 1
        if (a0, b0) != (a, b):
            found.append(Change(a0, a, b0, b))
        else:
            a, b = a + 1, b + 1
    return found
