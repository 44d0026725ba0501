"""The parts of a table-top model: joints, fingers, things, places; how they are, and what touches what.

Everything here reads or writes MuJoCo's data: hold the engine's lock. Knows nothing of goals or motions.

A grasp is real contact first: the fingers close with a bounded force, and only when both touch the same thing is its
weld to the hand switched on, where the thing then is. The weld keeps it from creeping out of the fingers over minutes,
as friction alone would let it; it gives way when the thing is taken out of the hand.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from edgevox.core.errors import ConfigError
from edgevox.sims.mujoco.engine import need
from edgevox.sims.mujoco.kinematics import ArmParts, Held, Vector, geom_name
from edgevox.sims.mujoco.table_terms import OPEN_M
from edgevox.sims.scene import Wall, box

JOINTS = tuple(f"joint{number}" for number in range(1, 8))
FINGERS = ("left_finger", "right_finger")

SLIPPED_M = 0.03
"""From where it was gripped: farther, and it is no longer held."""

STILL = 0.04
"""Speed under which a joint stands, radians or metres per second."""

STILL_M_S = 0.005
"""Speed under which a thing lies still."""

PUSH_N = 25.0
"""Contact force, newtons, that counts as running into something."""

FREE_JOINT = 0
BOX = 6
"""MuJoCo's numbers of a joint's and a shape's type."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """Something that can be gripped."""

    name: str
    body: int
    geom: int
    address: int
    """Of its free joint in `qpos`."""
    dof: int
    """Of its free joint in `qvel`."""
    weld: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """An area where things can be put."""

    name: str
    x: float
    y: float
    height: float
    """What things have to be lifted over, metres above the table."""
    half: tuple[float, float]
    """Half extents in which the middle of a thing is put down, metres."""

    def holds(self, x: float, y: float) -> bool:
        """Whether a thing that lies there lies in this place."""
        return abs(x - self.x) <= self.half[0] + 0.05 and abs(y - self.y) <= self.half[1] + 0.05


class TableTop:
    """A loaded model with an arm, things and places.

    Raises:
        ConfigError: the model lacks something that an arm needs.
    """

    def __init__(self, mj: Any, model: Any, data: Any) -> None:
        self._mj = mj
        self._model = model
        self._data = data
        self.parts = _arm_parts(model)
        self._hand = need(model.body, "hand", "body")
        self._finger_geoms = tuple(need(model.geom, name, "geom") for name in FINGERS)
        self._drives = np.array([need(model.actuator, name, "actuator") for name in JOINTS])
        self._finger_drives = np.array([need(model.actuator, name, "actuator") for name in FINGERS])
        self._joints = np.array(self.parts.joints)
        self._fingers = np.array(self.parts.fingers)
        fingers = [int(model.jnt_dofadr[need(model.joint, name, "joint")]) for name in FINGERS]
        self._moving_dofs = np.array([*self.parts.dofs, *fingers])
        self.things = _things(model)
        self.places = _places(mj, model, data)
        self._held_at: Vector | None = None
        self.holding: str | None = None
        """The thing in the gripper."""

    # The arm

    def joints(self) -> Vector:
        """Joint angles, radians."""
        return np.array(self._data.qpos[self._joints])

    def targets(self) -> Vector:
        """Joint angles that the drives hold, radians."""
        return np.array(self._data.ctrl[self._drives])

    def drive_to(self, joints: Vector) -> None:
        """Have the drives go to joint angles, radians."""
        self._data.ctrl[self._drives] = joints

    def hold_still(self) -> None:
        """Have the drives brake and hold where the arm is; fingers that hold something go on holding it."""
        self.drive_to(np.clip(self.joints(), self.parts.lower, self.parts.upper))
        if self.holding is None:
            self._data.ctrl[self._finger_drives] = np.clip(self._data.qpos[self._fingers], 0.0, OPEN_M)

    def brake(self) -> None:
        """Fix the joints where they stand."""
        self._data.qvel[self._moving_dofs] = 0.0
        self.hold_still()

    def arm_is_still(self) -> bool:
        """Whether no joint turns and no finger moves."""
        return bool(np.abs(self._data.qvel[self._moving_dofs]).max() < STILL)

    def things_are_still(self) -> bool:
        """Whether nothing falls or rolls."""
        return all(
            float(np.abs(self._data.qvel[thing.dof : thing.dof + 3]).max()) < STILL_M_S
            for thing in self.things.values()
        )

    def grip_position(self) -> Vector:
        """The point between the finger tips, metres."""
        return np.array(self._data.site_xpos[self.parts.grip])

    def grip_yaw(self) -> float:
        """How the gripper is turned about the vertical, radians; 0 when its fingers close along y."""
        across = np.array(self._data.site_xmat[self.parts.grip]).reshape(3, 3)[:, 1]
        return math.atan2(-float(across[0]), float(across[1]))

    def opening(self) -> float:
        """Between the fingers, metres."""
        return float(sum(self._data.qpos[address] for address in self.parts.fingers))

    def move_fingers(self, opening: float) -> None:
        """Have each finger go to a distance from the middle, metres; 0 closes with the drive's bounded force."""
        self._data.ctrl[self._finger_drives] = opening

    # Things

    def position(self, thing: Thing) -> Vector:
        """Where a thing is, metres."""
        return np.array(self._data.xpos[thing.body])

    def rotation(self, thing: Thing) -> Vector:
        """How a thing is turned, a 3 × 3 matrix."""
        return np.array(self._data.xmat[thing.body]).reshape(3, 3)

    def put(self, thing: Thing, position: tuple[float, float, float]) -> None:
        """Set a thing somewhere, upright and at rest; if it is held, it is taken out of the gripper."""
        self._data.qpos[thing.address : thing.address + 7] = [*position, 1.0, 0.0, 0.0, 0.0]
        self._data.qvel[thing.dof : thing.dof + 6] = 0.0
        self._mj.mj_forward(self._model, self._data)

    # Grasping

    def between_fingers(self) -> Thing | None:
        """The thing that both fingers touch."""
        touched: list[set[int]] = [set(), set()]
        for one, other in self._contacts():
            for side, finger in enumerate(self._finger_geoms):
                if finger in (one, other):
                    touched[side].add(other if one == finger else one)
        both = touched[0] & touched[1]
        return next((thing for thing in self.things.values() if thing.geom in both), None)

    def weld(self, thing: Thing) -> None:
        """Fix a thing to the hand where it is."""
        offset, turn = self._in_hand(thing)
        quaternion = np.zeros(4)
        self._mj.mju_mat2Quat(quaternion, turn.flatten())
        self._model.eq_data[thing.weld, 0:3] = 0.0
        self._model.eq_data[thing.weld, 3:6] = offset
        self._model.eq_data[thing.weld, 6:10] = quaternion
        self._data.eq_active[thing.weld] = 1
        self.holding, self._held_at = thing.name, offset

    def release(self) -> None:
        """Let go of whatever is held."""
        for thing in self.things.values():
            self._data.eq_active[thing.weld] = 0
        self.holding = self._held_at = None

    def has_slipped(self) -> bool:
        """Whether the held thing is no longer where it was gripped."""
        if self.holding is None or self._held_at is None:
            return False
        offset, _ = self._in_hand(self.things[self.holding])
        return float(np.linalg.norm(offset - self._held_at)) > SLIPPED_M

    def held(self) -> Held | None:
        """What is in the gripper, for questions about other poses."""
        if self.holding is None:
            return None
        thing = self.things[self.holding]
        grip = np.array(self._data.site_xmat[self.parts.grip]).reshape(3, 3)
        offset = grip.T @ (self.position(thing) - self.grip_position())
        turn = grip.T @ self.rotation(thing)
        return Held(
            body=thing.body,
            address=thing.address,
            geoms=frozenset([thing.geom]),
            offset=(float(offset[0]), float(offset[1]), float(offset[2])),
            turn=tuple(float(value) for value in turn.flatten()),
        )

    def pushed(self, ignoring: frozenset[str]) -> str | None:
        """The name of what the arm, or the thing it holds, presses against with force; `None` when nothing."""
        own = set(self.parts.geoms)
        if self.holding is not None:
            own.add(self.things[self.holding].geom)
        force = np.zeros(6)
        for index, (one, other) in enumerate(self._contacts()):
            if (one in own) == (other in own):
                continue
            name = geom_name(self._model, other if one in own else one)
            if name in ignoring:
                continue
            self._mj.mj_contactForce(self._model, self._data, index, force)
            if abs(float(force[0])) > PUSH_N:
                return name
        return None

    def qpos(self) -> Vector:
        """A copy of all positions."""
        return np.array(self._data.qpos)

    def size(self, thing: Thing) -> tuple[int, Vector]:
        """MuJoCo's type of a thing's shape, and its size."""
        return int(self._model.geom_type[thing.geom]), np.array(self._model.geom_size[thing.geom])

    def _contacts(self) -> list[tuple[int, int]]:
        count = int(self._data.ncon)
        return [(int(one), int(other)) for one, other in self._data.contact.geom[:count]]

    def _in_hand(self, thing: Thing) -> tuple[Vector, Vector]:
        """Position and rotation of a thing in the frame of the hand."""
        hand = np.array(self._data.xmat[self._hand]).reshape(3, 3)
        return hand.T @ (self.position(thing) - np.array(self._data.xpos[self._hand])), hand.T @ self.rotation(thing)


def outlines(model: Any) -> tuple[Wall, ...]:
    """Return the edge of the table, and of the boxes that stand on it."""
    table = need(model.geom, "table", "geom")
    walls: list[Wall] = []
    for geom in range(int(model.ngeom)):
        body = int(model.geom_bodyid[geom])
        fixed = int(model.body_weldid[body]) == 0 and int(model.geom_type[geom]) == BOX
        if geom == table or (fixed and body != 0):
            x, y = (float(model.body_pos[body][axis] + model.geom_pos[geom][axis]) for axis in (0, 1))
            half_x, half_y = (float(model.geom_size[geom][axis]) for axis in (0, 1))
            if geom == table or min(half_x, half_y) > 0.01:
                walls += box((x - half_x, y - half_y), (x + half_x, y + half_y))
    return tuple(walls)


def _arm_parts(model: Any) -> ArmParts:
    joints = [need(model.joint, name, "joint") for name in JOINTS]
    fingers = [need(model.joint, name, "joint") for name in FINGERS]
    if not model.nkey:
        raise ConfigError("The model has no keyframe, which this world needs as the arm's home.")
    root = int(model.body_rootid[int(model.jnt_bodyid[joints[0]])])
    home = model.key_qpos[0]
    grip = need(model.site, "grip", "site")
    links = [int(model.jnt_bodyid[joint]) for joint in joints]
    hand = need(model.body, "hand", "body")
    lengths = [float(np.linalg.norm(model.body_pos[body])) for body in (*links[2:], hand)]
    shoulder = np.sum(model.body_pos[links[:2]], axis=0) + model.body_pos[root]
    return ArmParts(
        joints=tuple(int(model.jnt_qposadr[joint]) for joint in joints),
        dofs=tuple(int(model.jnt_dofadr[joint]) for joint in joints),
        fingers=tuple(int(model.jnt_qposadr[finger]) for finger in fingers),
        grip=grip,
        geoms=frozenset(
            geom for geom in range(int(model.ngeom)) if int(model.body_rootid[int(model.geom_bodyid[geom])]) == root
        ),
        lower=tuple(float(model.jnt_range[joint][0]) for joint in joints),
        upper=tuple(float(model.jnt_range[joint][1]) for joint in joints),
        rest=tuple(float(home[int(model.jnt_qposadr[joint])]) for joint in joints),
        shoulder=(float(shoulder[0]), float(shoulder[1]), float(shoulder[2])),
        reach=sum(lengths) + float(np.linalg.norm(model.site_pos[grip])),
    )


def _things(model: Any) -> dict[str, Thing]:
    found: dict[str, Thing] = {}
    for joint in range(int(model.njnt)):
        if int(model.jnt_type[joint]) == FREE_JOINT:
            body = int(model.jnt_bodyid[joint])
            name = str(model.body(body).name)
            found[name] = Thing(
                name=name,
                body=body,
                geom=int(model.body_geomadr[body]),
                address=int(model.jnt_qposadr[joint]),
                dof=int(model.jnt_dofadr[joint]),
                weld=need(model.equality, f"grasp_{name}", "weld"),
            )
    return found


def _places(mj: Any, model: Any, data: Any) -> dict[str, Place]:
    mj.mj_forward(model, data)
    found: dict[str, Place] = {}
    for site in range(int(model.nsite)):
        name = str(model.site(site).name)
        if name.startswith("place_"):
            x, y, height = (float(value) for value in data.site_xpos[site])
            half = (float(model.site_size[site][0]), float(model.site_size[site][1]))
            found[name.removeprefix("place_")] = Place(
                name=name.removeprefix("place_"), x=x, y=y, height=height, half=half
            )
    return found
