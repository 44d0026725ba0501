"""Where the joints of an arm must be so that its gripper is somewhere, and what it would touch there.

Works on a copy of the world's data and moves nothing. Inverse kinematics are damped least squares on MuJoCo's Jacobians
(Buss, *Introduction to Inverse Kinematics*, 2004), with a pull towards the resting pose in what is left of freedom.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

DAMPING = 0.05
STEPS = 120
LARGEST_STEP_RAD = 0.25
POSITION_TOLERANCE_M = 0.001
ROTATION_TOLERANCE_RAD = 0.01
TOUCH_M = 0.0005
"""Overlap that counts as touching."""
LINE_STEP_M = 0.025
LARGEST_JUMP_RAD = 0.9
"""Between two points of a line: more means that the arm would have to swing round."""

POINTING_DOWN: Vector = np.diag([-1.0, 1.0, -1.0])
"""The gripper looks down and its fingers close along y."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmParts:
    """The numbers of the parts of an arm in its model."""

    joints: tuple[int, ...]
    """Their places in `qpos`, from the base."""
    dofs: tuple[int, ...]
    """Their places in `qvel`."""
    fingers: tuple[int, ...]
    """Their places in `qpos`."""
    grip: int
    """The site between the finger tips."""
    geoms: frozenset[int]
    """Everything that belongs to the arm, fingers included."""
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    rest: tuple[float, ...]
    """Joint angles that it prefers, radians."""
    shoulder: tuple[float, float, float]
    """Metres."""
    reach: float
    """From there to the grip with the arm stretched out, metres."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A thing in the gripper."""

    body: int
    address: int
    """Of its free joint in `qpos`."""
    geoms: frozenset[int]
    offset: tuple[float, float, float]
    """From the grip to the thing, in the grip's frame, metres."""
    turn: tuple[float, ...]
    """Of the thing in the grip's frame, a 3 × 3 matrix by rows."""


class Kinematics:
    """A scratch copy of a world for questions about its arm. Not safe from several threads.

    Args:
        mj: the library.
        model: of the world.
        parts: of the arm.
    """

    def __init__(self, mj: Any, model: Any, parts: ArmParts) -> None:
        self._mj = mj
        self._model = model
        self._parts = parts
        self._data: Any = mj.MjData(model)
        self._joints = np.array(parts.joints)
        self._dofs = np.array(parts.dofs)
        self._lower, self._upper = np.array(parts.lower), np.array(parts.upper)
        self._jacobian = np.zeros((6, int(model.nv)))

    def look(self, qpos: Vector) -> None:
        """Take over how everything is now."""
        self._data.qpos[:] = qpos

    def solve(self, position: Sequence[float], yaw: float, seed: Vector) -> Vector | None:
        """Return joint angles with the grip at a position, looking down; `None` when there are none near.

        Args:
            position: of the grip, metres.
            yaw: of the gripper about the vertical, radians; 0 closes the fingers along y.
            seed: joint angles to start from.
        """
        if math.dist(position, self._parts.shoulder) > self._parts.reach:
            return None
        rotation = about_z(yaw) @ POINTING_DOWN
        towards = np.array(self._parts.rest)
        towards[0] = math.atan2(position[1], position[0])
        for start in (seed, towards):
            found = self._solve(np.array(position, dtype=float), rotation, start.copy())
            if found is not None:
                return found
        return None

    def line(self, start: Sequence[float], end: Sequence[float], yaw: float, seed: Vector) -> list[Vector] | None:
        """Return joint angles along a straight line, without its start; `None` when the grip cannot follow it."""
        begin, finish = np.array(start, dtype=float), np.array(end, dtype=float)
        count = max(1, math.ceil(float(np.linalg.norm(finish - begin)) / LINE_STEP_M))
        path: list[Vector] = []
        for index in range(1, count + 1):
            point = begin + (finish - begin) * index / count
            found = self._solve(point, about_z(yaw) @ POINTING_DOWN, (path[-1] if path else seed).copy())
            if found is None or float(np.abs(found - (path[-1] if path else seed)).max()) > LARGEST_JUMP_RAD:
                return None
            path.append(found)
        return path

    def touches(self, joints: Vector, opening: float, held: Held | None, ignoring: Iterable[int] = ()) -> str | None:
        """Return the name of what the arm, or the thing it holds, would touch; `None` when it is clear.

        Args:
            joints: angles.
            opening: of each finger, metres.
            held: what is in the gripper.
            ignoring: bodies that may be touched.
        """
        self._put(joints)
        self._data.qpos[np.array(self._parts.fingers)] = opening
        if held is not None:
            self._carry(held)
        self._mj.mj_fwdPosition(self._model, self._data)
        allowed = set(ignoring)
        own = self._parts.geoms if held is None else self._parts.geoms | held.geoms
        for index in range(int(self._data.ncon)):
            contact = self._data.contact[index]
            one, other = int(contact.geom1), int(contact.geom2)
            if (one in own) == (other in own) or float(contact.dist) > -TOUCH_M:
                continue
            stranger = other if one in own else one
            if int(self._model.geom_bodyid[stranger]) not in allowed:
                return geom_name(self._model, stranger)
        return None

    def _solve(self, position: Vector, rotation: Vector, joints: Vector) -> Vector | None:
        rest = np.array(self._parts.rest)
        for _ in range(STEPS):
            error = self._error(position, rotation, joints)
            if (
                float(np.linalg.norm(error[:3])) < POSITION_TOLERANCE_M
                and float(np.linalg.norm(error[3:])) < ROTATION_TOLERANCE_RAD
            ):
                return joints
            self._mj.mj_jacSite(self._model, self._data, self._jacobian[:3], self._jacobian[3:], self._parts.grip)
            jacobian = self._jacobian[:, self._dofs]
            inverse = jacobian.T @ np.linalg.inv(jacobian @ jacobian.T + DAMPING**2 * np.eye(6))
            step = inverse @ error
            step += (np.eye(len(joints)) - inverse @ jacobian) @ (0.05 * (rest - joints))
            largest = float(np.abs(step).max())
            joints = joints + step * min(1.0, LARGEST_STEP_RAD / max(largest, 1e-9))
            joints = np.clip(joints, self._lower, self._upper)
        return None

    def _error(self, position: Vector, rotation: Vector, joints: Vector) -> Vector:
        self._put(joints)
        self._mj.mj_kinematics(self._model, self._data)
        self._mj.mj_comPos(self._model, self._data)
        now = np.array(self._data.site_xmat[self._parts.grip]).reshape(3, 3)
        turn = 0.5 * sum(np.cross(now[:, axis], rotation[:, axis]) for axis in range(3))
        if float(np.trace(now.T @ rotation)) < -0.5:  # nearly opposite, where the cross products vanish
            turn = turn + 0.5 * now[:, 2]
        return np.concatenate([position - np.array(self._data.site_xpos[self._parts.grip]), turn])

    def _put(self, joints: Vector) -> None:
        self._data.qpos[self._joints] = joints

    def _carry(self, held: Held) -> None:
        """Put the held thing where the grip has it."""
        self._mj.mj_kinematics(self._model, self._data)
        rotation = np.array(self._data.site_xmat[self._parts.grip]).reshape(3, 3)
        where = np.array(self._data.site_xpos[self._parts.grip]) + rotation @ np.array(held.offset)
        quaternion = np.zeros(4)
        self._mj.mju_mat2Quat(quaternion, (rotation @ np.array(held.turn).reshape(3, 3)).flatten())
        self._data.qpos[held.address : held.address + 3] = where
        self._data.qpos[held.address + 3 : held.address + 7] = quaternion


def about_z(angle: float) -> Vector:
    """Return the rotation about the vertical by an angle, radians."""
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


def geom_name(model: Any, geom: int) -> str:
    """Return what a piece of the world is called: its body's name, or its own where it belongs to no body."""
    body = model.body(int(model.geom_bodyid[geom])).name
    own = model.geom(geom).name
    return str(own or "the world") if body == "world" else str(body or own)
