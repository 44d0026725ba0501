"""How far every place of a floor is from the nearest wall, on a grid that planners walk on.

Knows walls as straight pieces and nothing of robots. numpy is imported here, so this module is imported by the worlds
that need it, never by the package.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from edgevox.sims.scene import Point, Wall

CELL_M = 0.1
"""Edge of a grid cell, metres."""

MAX_CELLS = 160_000
"""A larger floor gets larger cells, so that planning stays a matter of a second."""

Bounds = tuple[float, float, float, float]
"""Least x, least y, greatest x, greatest y; metres."""

Cell = tuple[int, int]
"""Column and row."""


class ClearanceMap:
    """The distance to the nearest wall for every cell of a floor.

    Args:
        walls: everything solid, as outlines.
        bounds: the floor; beyond it there is nothing to drive on.
    """

    def __init__(self, walls: Sequence[Wall], bounds: Bounds) -> None:
        self._walls = _as_array(walls)
        self.bounds = bounds
        width, height = bounds[2] - bounds[0], bounds[3] - bounds[1]
        self.cell_m = max(CELL_M, math.sqrt(width * height / MAX_CELLS))
        """Edge of a cell, metres."""
        self.columns = math.floor(width / self.cell_m) + 1
        self.rows = math.floor(height / self.cell_m) + 1
        xs = bounds[0] + np.arange(self.columns, dtype=np.float64) * self.cell_m
        ys = bounds[1] + np.arange(self.rows, dtype=np.float64) * self.cell_m
        grid_x, grid_y = np.meshgrid(xs, ys)
        flat = np.column_stack([grid_x.ravel(), grid_y.ravel()])
        self.cells: list[float] = self._distances(flat).tolist()
        """Metres, row by row; the index of a cell is `row * columns + column`."""

    def cell_of(self, point: Point) -> Cell:
        """Return the cell whose middle is nearest, inside the floor."""
        column = round((point[0] - self.bounds[0]) / self.cell_m)
        row = round((point[1] - self.bounds[1]) / self.cell_m)
        return min(max(column, 0), self.columns - 1), min(max(row, 0), self.rows - 1)

    def middle_of(self, cell: Cell) -> Point:
        """Return the middle of a cell, metres."""
        return self.bounds[0] + cell[0] * self.cell_m, self.bounds[1] + cell[1] * self.cell_m

    def index_of(self, cell: Cell) -> int:
        """Return where a cell lies in `cells`."""
        return cell[1] * self.columns + cell[0]

    def contains(self, point: Point) -> bool:
        """Whether a point lies on the floor."""
        return self.bounds[0] <= point[0] <= self.bounds[2] and self.bounds[1] <= point[1] <= self.bounds[3]

    def near(self, point: Point) -> float:
        """Return the distance from a point's cell to the nearest wall, metres; 0 beyond the floor."""
        return self.cells[self.index_of(self.cell_of(point))] if self.contains(point) else 0.0

    def at(self, point: Point) -> float:
        """Return the exact distance from a point to the nearest wall, metres."""
        return float(self._distances(np.array([point], dtype=np.float64))[0])

    def along(self, start: Point, end: Point) -> float:
        """Return the least distance to a wall on the straight way between two points, metres."""
        count = max(2, math.ceil(math.dist(start, end) / (self.cell_m / 2)) + 1)
        shares = np.linspace(0.0, 1.0, count, dtype=np.float64)[:, None]
        first, last = np.array([start], dtype=np.float64), np.array([end], dtype=np.float64)
        return float(self._distances(first + (last - first) * shares).min())

    def _distances(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Distance from each point to the nearest wall: the point is projected on every wall in turn."""
        nearest = np.full(len(points), np.inf)
        for start_x, start_y, along_x, along_y in self._walls:
            length = along_x * along_x + along_y * along_y
            from_x, from_y = points[:, 0] - start_x, points[:, 1] - start_y
            share = np.clip((from_x * along_x + from_y * along_y) / length, 0.0, 1.0) if length else 0.0
            np.minimum(nearest, np.hypot(from_x - share * along_x, from_y - share * along_y), out=nearest)
        return nearest


def _as_array(walls: Sequence[Wall]) -> list[tuple[float, float, float, float]]:
    return [(wall.start[0], wall.start[1], wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]) for wall in walls]
