"""The parts of a model of a flat: the driven base, rooms, walls and furniture, loose things; how they are.

Everything here reads or writes MuJoCo's data: hold the engine's lock. Knows nothing of goals or ways.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from edgevox.sims.mujoco.engine import need
from edgevox.sims.mujoco.kinematics import geom_name
from edgevox.sims.scene import Point, Pose, Wall, box

DRIVES = ("base_x", "base_y", "base_turn")

STILL_M_S = 0.01
STILL_RAD_S = 0.02

GAIN_M_S2 = 1.5
"""How fast the base gets faster, metres per second squared; it brakes as hard as its drives can."""

PUSH_N = 20.0
"""Contact force, newtons, that counts as standing in the way."""

FREE_JOINT = 0
BOX = 6
"""MuJoCo's numbers of a joint's and a shape's type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loose:
    """A thing that can be pushed about."""

    name: str
    body: int
    address: int
    """Of its free joint in `qpos`."""
    dof: int
    """Of its free joint in `qvel`."""
    reach: float
    """From its middle to its side, metres."""


class Flat:
    """A loaded model with a base and rooms.

    Raises:
        ConfigError: the model lacks something that a flat needs.
    """

    def __init__(self, mj: Any, model: Any, data: Any) -> None:
        self._mj = mj
        self._model = model
        self._data = data
        joints = [need(model.joint, name, "joint") for name in DRIVES]
        self._addresses = np.array([int(model.jnt_qposadr[joint]) for joint in joints])
        self._dofs = np.array([int(model.jnt_dofadr[joint]) for joint in joints])
        self._drives = np.array([need(model.actuator, name, "actuator") for name in DRIVES])
        self._base = need(model.body, "base", "body")
        base_geom = need(model.geom, "base", "geom")
        self.radius = float(model.geom_size[base_geom][0])
        """Of the base, metres."""
        self._forward = 0.0
        mj.mj_forward(model, data)
        self.rooms = _rooms(model, data)
        self.walls = _walls(model, data)
        """Walls and furniture, as outlines."""
        self.loose = _loose(model)

    def pose(self) -> Pose:
        """Where the base is."""
        x, y, turn = (float(value) for value in self._data.qpos[self._addresses])
        return Pose(x=x, y=y, heading_deg=math.degrees(turn) % 360)

    def pose_fields(self) -> dict[str, float]:
        """Where the base is, rounded: x, y in metres and `heading_deg`."""
        pose = self.pose()
        x, y = (round(value, 3) + 0.0 for value in (pose.x, pose.y))  # + 0.0: nobody is at minus zero
        return {"x": x, "y": y, "heading_deg": round(pose.heading_deg, 1) % 360}

    def velocity(self) -> float:
        """Forward speed as it is, metres per second."""
        turn = float(self._data.qpos[self._addresses[2]])
        vx, vy, _ = (float(value) for value in self._data.qvel[self._dofs])
        return vx * math.cos(turn) + vy * math.sin(turn)

    def is_still(self) -> bool:
        """Whether the base stands."""
        vx, vy, turning = (float(value) for value in self._data.qvel[self._dofs])
        return math.hypot(vx, vy) < STILL_M_S and abs(turning) < STILL_RAD_S

    def things_are_still(self) -> bool:
        """Whether nothing rolls."""
        return all(
            float(np.abs(self._data.qvel[thing.dof : thing.dof + 3]).max()) < STILL_M_S for thing in self.loose.values()
        )

    def drive(self, forward: float, turning: float, dt: float) -> None:
        """Command a speed ahead and about the vertical; two driven wheels can do no more.

        Args:
            forward: metres per second; reached at `GAIN_M_S2`, left at once.
            turning: radians per second, counter-clockwise.
            dt: seconds since the last command.
        """
        most = abs(self._forward) + GAIN_M_S2 * dt
        self._forward = max(-most, min(most, forward))
        turn = float(self._data.qpos[self._addresses[2]])
        self._data.ctrl[self._drives] = (
            self._forward * math.cos(turn),
            self._forward * math.sin(turn),
            turning,
        )

    def stand(self) -> None:
        """Command velocity zero."""
        self._forward = 0.0
        self._data.ctrl[self._drives] = 0.0

    def brake(self) -> None:
        """Fix the base where it stands, as standing friction does; what pushes it can move it again."""
        self._data.qvel[self._dofs] = 0.0

    def place_base(self, pose: tuple[float, float, float]) -> None:
        """Set the base somewhere: x, y in metres and the heading in degrees."""
        self._data.qpos[self._addresses] = (pose[0], pose[1], math.radians(pose[2]))
        self._data.qvel[self._dofs] = 0.0
        self._mj.mj_forward(self._model, self._data)

    def put(self, thing: Loose, x: float, y: float) -> None:
        """Set a loose thing somewhere, upright and at rest."""
        height = float(self._model.qpos0[thing.address + 2])
        self._data.qpos[thing.address : thing.address + 7] = (x, y, height, 1.0, 0.0, 0.0, 0.0)
        self._data.qvel[thing.dof : thing.dof + 6] = 0.0
        self._mj.mj_forward(self._model, self._data)

    def where(self, thing: Loose) -> Point:
        """Where a loose thing is."""
        x, y, _ = self._data.xpos[thing.body]
        return float(x), float(y)

    def outlines(self) -> tuple[Wall, ...]:
        """Walls, furniture and loose things as they lie now."""
        found = list(self.walls)
        for thing in self.loose.values():
            x, y = self.where(thing)
            found += box((x - thing.reach, y - thing.reach), (x + thing.reach, y + thing.reach))
        return tuple(found)

    def pressed(self) -> str | None:
        """The name of what the base presses against; `None` when nothing."""
        force = np.zeros(6)
        for index in range(int(self._data.ncon)):
            one, other = (int(geom) for geom in self._data.contact.geom[index])
            bodies = int(self._model.geom_bodyid[one]), int(self._model.geom_bodyid[other])
            if self._base in bodies:
                self._mj.mj_contactForce(self._model, self._data, index, force)
                if abs(float(force[0])) > PUSH_N:
                    return geom_name(self._model, other if bodies[0] == self._base else one)
        return None


def _rooms(model: Any, data: Any) -> dict[str, Point]:
    found: dict[str, Point] = {}
    for site in range(int(model.nsite)):
        name = str(model.site(site).name)
        if name.startswith("room_"):
            x, y, _ = data.site_xpos[site]
            found[name.removeprefix("room_")] = (float(x), float(y))
    return found


def _walls(model: Any, data: Any) -> tuple[Wall, ...]:
    """The outlines of the boxes that cannot move."""
    found: list[Wall] = []
    for geom in range(int(model.ngeom)):
        fixed = int(model.body_weldid[int(model.geom_bodyid[geom])]) == 0
        if fixed and int(model.geom_type[geom]) == BOX and int(model.geom_contype[geom]):
            x, y, _ = (float(value) for value in data.geom_xpos[geom])
            half_x, half_y, _ = (float(value) for value in model.geom_size[geom])
            found += box((x - half_x, y - half_y), (x + half_x, y + half_y))
    return tuple(found)


def _loose(model: Any) -> dict[str, Loose]:
    found: dict[str, Loose] = {}
    for joint in range(int(model.njnt)):
        if int(model.jnt_type[joint]) == FREE_JOINT:
            body = int(model.jnt_bodyid[joint])
            name = str(model.body(body).name)
            found[name] = Loose(
                name=name,
                body=body,
                address=int(model.jnt_qposadr[joint]),
                dof=int(model.jnt_dofadr[joint]),
                reach=float(model.geom_size[int(model.body_geomadr[body])][0]),
            )
    return found
