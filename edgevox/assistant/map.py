"""Draws a world as lines of text: walls and the way behind the robot in braille dots, names and signs over them.

Knows scenes and characters. No colours and no screen: a prompt prints the lines, a pane may colour them.
"""

import math
from collections.abc import Iterable

from edgevox.sims.scene import Point, Scene

ARROWS = "→↗↑↖←↙↓↘"
"""The robot by its heading, in steps of 45 degrees from the x axis, counter-clockwise."""
GOAL, LIT = "✕", "●"
THING, HELD = "■", "◆"
"""A thing that lies somewhere, and one that a gripper holds."""
COLUMNS, ROWS = 60, 18
BESIDE, ABOVE = 14, 8
"""Columns and lines of a window that a front end and the line about the robot need for themselves."""

_BLANK = 0x2800
_DOT = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bit of each dot of a braille cell, by row and column."""
_PATH_GAP_M = 0.35
"""Distance between two dots of the way that is shown, metres."""


def draw_scene(scene: Scene, columns: int = COLUMNS, rows: int = ROWS) -> list[str]:
    """Return the world as text, north up, and a line that says where the robot is.

    Args:
        scene: the world at one moment.
        columns: characters in a line, at least 10.
        rows: lines of the map, at least 4; the line about the robot comes beside them.
    """
    canvas = _Canvas(scene, max(10, columns), max(4, rows))
    for wall in scene.walls:
        canvas.line(wall.start, wall.end)
    for point in _thinned(scene.path):
        canvas.dot(point)
    for room in sorted(scene.rooms, key=lambda room: room.x, reverse=True):
        canvas.name((room.x, room.y), room.name.replace("_", " ") + (f" {LIT}" if room.light_on else ""))
    if scene.goal is not None:
        canvas.sign(scene.goal, GOAL)
    for thing in scene.things:
        canvas.sign((thing.x, thing.y), HELD if thing.held else THING)
    if scene.robot is not None and not any(thing.held for thing in scene.things):
        canvas.sign((scene.robot.x, scene.robot.y), arrow(scene.robot.heading_deg))
    for thing in scene.things:
        canvas.name((thing.x, thing.y), thing.name.replace("_", " "), elsewhere=True)
    return [*canvas.lines(), *_caption(scene)]


def arrow(heading_deg: float) -> str:
    """Return the sign of a heading (degrees from the x axis, counter-clockwise)."""
    return ARROWS[round(heading_deg / 45) % 8]


def _caption(scene: Scene) -> list[str]:
    if scene.robot is None:
        return []
    words = f"{arrow(scene.robot.heading_deg)} {scene.robot.x:.1f}, {scene.robot.y:.1f} m"
    if scene.goal is not None:
        left = math.dist((scene.robot.x, scene.robot.y), scene.goal)
        words += f" · {GOAL} {scene.goal[0]:.1f}, {scene.goal[1]:.1f} m, {left:.1f} m to go"
    return [words if scene.moving else f"{words} · at rest"]


def _thinned(path: Iterable[Point]) -> list[Point]:
    kept: list[Point] = []
    for point in path:
        if not kept or math.dist(kept[-1], point) >= _PATH_GAP_M:
            kept.append(point)
    return kept


class _Canvas:
    """A grid of braille cells with signs over it; metres outside, dots inside."""

    def __init__(self, scene: Scene, columns: int, rows: int) -> None:
        left, bottom, right, top = scene.bounds()
        width, height = max(right - left, 0.1), max(top - bottom, 0.1)
        self._scale = min((columns * 2 - 1) / width, (rows * 4 - 1) / height)
        """Dots for each metre; a dot is as wide as it is high."""
        self._left, self._top = left, top
        self._columns = min(columns, math.ceil((width * self._scale + 1) / 2))
        self._rows = min(rows, math.ceil((height * self._scale + 1) / 4))
        self._bits = [[0] * self._columns for _ in range(self._rows)]
        self._signs: dict[tuple[int, int], str] = {}

    def dot(self, point: Point) -> None:
        column, row = self._dots(point)
        self._bits[row // 4][column // 2] |= _DOT[row % 4][column % 2]

    def line(self, start: Point, end: Point) -> None:
        steps = max(1, math.ceil(math.dist(start, end) * self._scale))
        for step in range(steps + 1):
            share = step / steps
            self.dot((start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share))

    def sign(self, point: Point, sign: str) -> None:
        """Put one character over the map."""
        column, row = self._dots(point)
        self._signs[row // 4, column // 2] = sign

    def name(self, point: Point, text: str, *, elsewhere: bool = False) -> None:
        """Put a name above a point, inside the edges; what another name leaves no room for is cut with a mark.

        Args:
            point: what has the name, metres.
            text: the name.
            elsewhere: whether it may stand below or beside the point rather than be cut.
        """
        column, dots = self._dots(point)
        row = max(0, dots // 4 - 1)
        first = max(1, min(column // 2 - len(text) // 2, self._columns - 1 - len(text)))
        if elsewhere:
            beside = (dots // 4, column // 2 + 2), (dots // 4, column // 2 - 1 - len(text))
            places = ((row, first), (dots // 4 + 1, first), *beside)
            row, first = next((place for place in places if self._is_free(*place, len(text))), (row, first))
        room = [at for at in range(first, self._columns - 1) if (row, at) not in self._signs]
        if not room:
            return
        free = sum(1 for offset, at in enumerate(room) if at == room[0] + offset)
        shown = text if len(text) <= free else text[: free - 1] + "…"
        for offset, sign in enumerate(shown):
            self._signs[row, room[0] + offset] = sign

    def _is_free(self, row: int, first: int, length: int) -> bool:
        inside = row < self._rows and first >= 1 and first + length < self._columns
        return inside and not any((row, at) in self._signs for at in range(first, first + length))

    def lines(self) -> list[str]:
        return ["".join(self._cell(row, column) for column in range(self._columns)) for row in range(self._rows)]

    def _cell(self, row: int, column: int) -> str:
        over = self._signs.get((row, column))
        if over is not None:
            return over
        bits = self._bits[row][column]
        return chr(_BLANK + bits) if bits else " "

    def _dots(self, point: Point) -> tuple[int, int]:
        column = round((point[0] - self._left) * self._scale)
        row = round((self._top - point[1]) * self._scale)
        return min(max(column, 0), self._columns * 2 - 1), min(max(row, 0), self._rows * 4 - 1)
