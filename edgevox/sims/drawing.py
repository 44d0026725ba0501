# pyright: reportUnknownMemberType=false
# matplotlib's stubs leave parts of its axes untyped.
"""Draws a scene with matplotlib on axes it is given: walls, rooms, way, goal, laser points, robot.

Knows neither windows nor processes. Imported by the window alone, for matplotlib comes with it.
"""

import math

from matplotlib.axes import Axes

from edgevox.sims.scene import Pose, Scene, Wall

WALL, ROOM, WAY, GOAL, LASER, ROBOT = "#334155", "#64748b", "#2563eb", "#dc2626", "#f59e0b", "#16a34a"

ROBOT_M = 0.2
"""Radius of the disc that stands for the robot, metres."""


def draw(axes: Axes, scene: Scene) -> None:
    """Put a scene on the axes in place of what was there."""
    axes.clear()
    axes.set_aspect("equal")
    left, bottom, right, top = scene.bounds()
    axes.set_xlim(left - 0.3, right + 0.3)
    axes.set_ylim(bottom - 0.3, top + 0.3)
    _walls(axes, scene.walls)
    for room in scene.rooms:
        axes.plot(room.x, room.y, marker="+", color=ROOM)
        axes.annotate(
            room.name.replace("_", " "), (room.x, room.y), (0, 6), textcoords="offset points", ha="center", color=ROOM
        )
    if len(scene.path) > 1:
        axes.plot([x for x, _ in scene.path], [y for _, y in scene.path], color=WAY, linewidth=1.5)
    if scene.goal is not None:
        axes.plot(*scene.goal, marker="x", markersize=10, markeredgewidth=2.5, color=GOAL)
    for thing in scene.things:
        axes.plot(thing.x, thing.y, "s", color=GOAL if thing.held else ROOM)
        axes.annotate(thing.name, (thing.x, thing.y), (6, 4), textcoords="offset points", color=ROOM)
    if scene.robot is not None:
        _robot(axes, scene, scene.robot)
    axes.set_xlabel("metres")


def _walls(axes: Axes, walls: tuple[Wall, ...]) -> None:
    """All walls as one line with gaps: one artist is drawn faster than two hundred."""
    xs = [x for wall in walls for x in (wall.start[0], wall.end[0], math.nan)]
    ys = [y for wall in walls for y in (wall.start[1], wall.end[1], math.nan)]
    axes.plot(xs, ys, color=WALL, linewidth=2)


def _robot(axes: Axes, scene: Scene, robot: Pose) -> None:
    points = scene.lidar.points(robot) if scene.lidar is not None else []
    axes.plot([x for x, _ in points], [y for _, y in points], ".", color=LASER, markersize=3)
    heading = math.radians(robot.heading_deg)
    rim = [(robot.x + ROBOT_M * math.cos(a / 8 * math.pi), robot.y + ROBOT_M * math.sin(a / 8 * math.pi))
           for a in range(16)]  # fmt: skip
    axes.fill([x for x, _ in rim], [y for _, y in rim], color=ROBOT, zorder=3)
    nose = (robot.x + 1.6 * ROBOT_M * math.cos(heading), robot.y + 1.6 * ROBOT_M * math.sin(heading))
    axes.plot([robot.x, nose[0]], [robot.y, nose[1]], color="black", linewidth=2, zorder=4)
    state = "driving" if scene.moving else "at rest"
    axes.set_title(f"{state} at ({robot.x:.1f}, {robot.y:.1f}), heading {robot.heading_deg:.0f} degrees")
