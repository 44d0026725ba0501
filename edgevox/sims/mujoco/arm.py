"""An arm with a gripper at a table: things with names, places with names, and one goal at a time.

Knows the actions and the state; how a motion is planned and stepped is for the modules beside it.
"""

import math
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgevox.core.errors import EdgeVoxError
from edgevox.core.goals import GoalHandle
from edgevox.sims.actions import done, failed, perform
from edgevox.sims.mujoco.engine import SETTLE_S, MujocoEngine
from edgevox.sims.mujoco.table_terms import FLOOR_M, OPEN_M, MoveFailed, spoken, which
from edgevox.sims.one_goal import OneGoal
from edgevox.sims.scene import Point, Pose, Room, Scene
from edgevox.sims.scene import Thing as SeenThing

if TYPE_CHECKING:
    from edgevox.sims.mujoco.arm_planner import Snapshot
    from edgevox.sims.mujoco.moves import Programme
    from edgevox.sims.mujoco.tabletop import Place, Thing

FEEDBACK_S = 0.2
"""Simulated seconds between two reports of progress."""

Planning = Callable[[], "Programme"]


class MujocoArmEnvironment:
    """A table-top arm. Safe from any thread; every method returns at once.

    Constructing it touches nothing; `open` loads the library and the model, and so does the first use.

    Args:
        model: an MJCF file of your own with the same named parts; `None` takes the one that comes with the product.
        time_scale: simulated seconds per second.
        threaded: `False` leaves time to the caller, who moves it with `step`.
        render: whether `open` shows a window, where there is a display.

    Raises:
        ValueError: `time_scale` is not above 0.
    """

    def __init__(
        self,
        model: Path | str | None = None,
        *,
        time_scale: float = 1.0,
        threaded: bool = True,
        render: bool = False,
    ) -> None:
        self.render = render
        self._goals: OneGoal[Programme] = OneGoal()
        self._engine = MujocoEngine(
            Path(model) if model is not None else "tabletop",
            control=self._control,
            is_active=self._is_active,
            time_scale=time_scale,
            threaded=threaded,
            name="mujoco-arm",
            on_fault=self._fault,
        )
        self._planning = threading.Lock()
        self._settling_s = 0.0
        self._driven = False
        self._since_report_s = 0.0
        self._actions: Mapping[str, Callable[..., GoalHandle]] = {
            "pick": self._pick,
            "place": self._place,
            "move_to": self._move_to,
            "open_gripper": self._open_gripper,
            "close_gripper": self._close_gripper,
            "home": self._home,
            "get_pose": self._get_pose,
            "list_objects": self._list_objects,
            "list_places": self._list_places,
            "where_is": self._where_is,
        }

    def open(self) -> None:
        """Load the library and the model; show the window if `render` is set and there is a display. Twice is fine.

        Raises:
            LibraryMissing: `mujoco` is not installed.
            ConfigError: the model cannot be read, or lacks a part that an arm needs.
        """
        self._ready()
        if self.render:
            self._engine.show()

    def reset(self) -> None:
        """Put the arm and everything else back to the beginning; a running goal is cancelled."""
        self._ready()
        self._goals.halt()
        with self._engine.lock:
            self._table.release()
            self._engine.rewind()
            self._driven = False
            self._settling_s = 0.0
        self._goals.at_rest()

    def object_names(self) -> list[str]:
        """The things on the table, as the model names them."""
        self._ready()
        return list(self._table.things)

    def place_names(self) -> list[str]:
        """The places where things can be put."""
        self._ready()
        return list(self._table.places)

    def get_world_state(self) -> dict[str, Any]:
        """Return a copy of the state, JSON-compatible.

        `robot`: x, y, z of the grip in metres, `heading_deg`, moving and goal. `gripper`: `opening_m` and open.
        `holding`: a name, or nothing. `joints`: seven angles in radians. `objects` by name: x, y, z, `place`, `held`.
        `places` by name: x and y.
        """
        self._ready()
        goal = self._goals.current
        with self._engine.lock:
            table = self._table
            opening = table.opening()
            return {
                "robot": self._pose()
                | {"moving": self.is_moving(), "goal": goal.plan.label if goal is not None else None},
                "gripper": {"opening_m": round(opening, 3), "open": table.holding is None and opening > OPEN_M},
                "holding": table.holding,
                "joints": [round(float(angle), 4) for angle in table.joints()],
                "objects": {name: self._thing_state(thing) for name, thing in table.things.items()},
                "places": {name: {"x": round(p.x, 3), "y": round(p.y, 3)} for name, p in table.places.items()},
            }

    def apply_action(self, name: str, **arguments: Any) -> GoalHandle:
        """Ask for an action by name.

        `pick(object=)`, `place(place=)`, `move_to(place=)` or `move_to(x=, y=, z=)`, `open_gripper()`,
        `close_gripper()` and `home()` take time; a new one cancels the one before. `get_pose()`, `list_objects()`,
        `list_places()` and `where_is(object=)` are over at once. What cannot be done is a FAILED handle that says why.
        """
        try:
            self._ready()
        except EdgeVoxError as error:
            return failed(str(error))
        return perform(self._actions, name, arguments)

    def halt(self) -> None:
        """Command velocity zero: the arm brakes and holds where it is, and what it holds stays held."""
        self._goals.halt()

    def is_moving(self) -> bool:
        """Whether the arm moves, or is commanded to."""
        if self._goals.current is not None:
            return True
        if not self._engine.is_open:
            return False
        with self._engine.lock:
            return not self._table.arm_is_still()

    def put(self, name: str, x: float, y: float, z: float) -> None:
        """Set a thing somewhere, metres, as a person's hand would: for demonstrations and tests.

        Raises:
            KeyError: there is no such thing.
        """
        self._ready()
        with self._engine.lock:
            self._table.put(self._table.things[name], (x, y, z))
            self._settling_s = 0.0
            self._driven = True
        self._engine.ensure()

    def scene(self) -> Scene:
        """The table from above: its edge and the boxes on it as walls, places as rooms, things as things."""
        self._ready()
        with self._engine.lock:
            table = self._table
            grip = table.grip_position()
            things = {name: table.position(thing) for name, thing in table.things.items()}
            yaw = math.degrees(table.grip_yaw()) % 360
        goal = self._goals.current
        return Scene(
            robot=Pose(x=float(grip[0]), y=float(grip[1]), heading_deg=yaw),
            rooms=tuple(Room(name=place.name, x=place.x, y=place.y) for place in table.places.values()),
            walls=self._outlines,
            goal=self._goal_point(goal.plan) if goal is not None else None,
            moving=self.is_moving(),
            things=tuple(
                SeenThing(name=name, x=float(there[0]), y=float(there[1]), held=name == table.holding)
                for name, there in things.items()
            ),
        )

    def step(self, dt: float) -> None:
        """Let `dt` simulated seconds pass. A world that is not threaded leaves this to you."""
        self._ready()
        self._engine.advance(dt)

    def close(self) -> None:
        """Halt, hold, and end the thread and the window. Twice is fine; the state can still be read."""
        self._goals.halt()
        self._engine.close()
        if self._engine.is_open:
            with self._engine.lock:
                self._engine.data.qvel[:] = 0.0
        self._goals.at_rest()

    # Actions

    def _pick(self, object: str) -> GoalHandle:
        thing = self._thing(object)
        if isinstance(thing, str):
            return failed(thing)
        holding = self._table.holding
        if holding == thing.name:
            return done({"object": thing.name})
        if holding is not None:
            return failed(f"the gripper already holds the {spoken(holding)}; put it down first")
        return self._begin(lambda: self._planner.pick(self._now(), thing))

    def _place(self, place: str) -> GoalHandle:
        target = self._known_place(place)
        if isinstance(target, str):
            return failed(target)
        holding = self._table.holding
        if holding is None:
            return failed("the gripper holds nothing")
        return self._begin(lambda: self._planner.place(self._now(), target, self._table.things[holding]))

    def _move_to(
        self, place: str | None = None, x: float | None = None, y: float | None = None, z: float | None = None
    ) -> GoalHandle:
        if place is not None:
            target = self._known_place(place)
            if isinstance(target, str):
                return failed(target)
            return self._begin(lambda: self._planner.move_to(self._now(), (target.x, target.y, 0.25), target.name))
        if x is None or y is None or z is None:
            return failed("move_to needs a place, or x, y and z in metres")
        try:
            point = (float(x), float(y), float(z))
        except (TypeError, ValueError):
            return failed(f"x, y and z must be numbers in metres, not {x!r}, {y!r} and {z!r}")
        if not all(math.isfinite(value) for value in point):
            return failed(f"({x}, {y}, {z}) is out of reach")
        return self._begin(lambda: self._planner.move_to(self._now(), point, ""))

    def _open_gripper(self) -> GoalHandle:
        return self._begin(lambda: self._planner.fingers(self._now(), OPEN_M))

    def _close_gripper(self) -> GoalHandle:
        return self._begin(lambda: self._planner.fingers(self._now(), 0.0))

    def _home(self) -> GoalHandle:
        return self._begin(lambda: self._planner.home(self._now()))

    def _get_pose(self) -> GoalHandle:
        with self._engine.lock:
            return done(self._pose())

    def _list_objects(self) -> GoalHandle:
        return done([name for name, thing in self._table.things.items() if self._place_of(thing) != "floor"])

    def _list_places(self) -> GoalHandle:
        return done(list(self._table.places))

    def _where_is(self, object: str) -> GoalHandle:
        thing = self._thing(object)
        if isinstance(thing, str):
            return failed(thing)
        with self._engine.lock:
            return done({"object": thing.name} | self._thing_state(thing))

    def _begin(self, plan: Planning) -> GoalHandle:
        """Plan, then make it the goal. An impossible goal leaves the running one alone."""
        if self._engine.closed:
            return failed("this world is closed")
        try:
            with self._planning:
                programme = plan()
        except MoveFailed as error:
            return failed(str(error))
        handle = self._goals.begin(programme)
        self._engine.ensure()
        if self._engine.closed:  # closed in the meantime: nothing may be left that seems to move
            self.halt()
            self._goals.at_rest()
        return handle

    # On the physics thread, with the engine's lock held

    def _control(self) -> None:
        goal, table = self._goals.current, self._table
        if goal is None:
            if self._driven:
                table.hold_still()
                self._driven = False
                self._settling_s = 0.0
            self._settle()
            return
        self._driven = True
        dt = float(self._engine.model.opt.timestep)
        try:
            if goal.plan.step(table, dt):
                self._driven = False  # it stands where it was sent: the drives hold that, not what they have reached
                self._goals.succeed(goal, dict(goal.plan.result))
        except MoveFailed as error:
            self._goals.fail(goal, str(error))
        self._report(goal.plan, goal.handle, dt)

    def _report(self, programme: "Programme", handle: GoalHandle, dt: float) -> None:
        self._since_report_s += dt
        if self._since_report_s >= FEEDBACK_S:
            self._since_report_s = 0.0
            handle.set_feedback(programme.progress())

    def _settle(self) -> None:
        self._settling_s += float(self._engine.model.opt.timestep)
        if self._table.has_slipped():
            self._table.release()
        if not self._table.arm_is_still():
            return
        if self._goals.busy:
            self._table.brake()
        self._goals.at_rest()

    def _fault(self) -> None:
        goal = self._goals.current
        if goal is not None:
            self._goals.fail(goal, "the simulation failed")
        self._driven, self._settling_s = False, SETTLE_S
        self._goals.at_rest()

    def _is_active(self) -> bool:
        if self._goals.busy or self._driven:
            return True
        with self._engine.lock:
            rests = self._table.arm_is_still() and self._table.things_are_still()
            return not rests and self._settling_s < SETTLE_S

    # Reading

    def _ready(self) -> None:
        """Load what is not loaded yet; shows nothing."""
        self._engine.open(self._set_up)

    def _set_up(self) -> None:
        import numpy as np

        from edgevox.sims.mujoco.arm_planner import ArmPlanner
        from edgevox.sims.mujoco.kinematics import Kinematics
        from edgevox.sims.mujoco.tabletop import TableTop, outlines

        engine = self._engine
        self._table = TableTop(engine.mj, engine.model, engine.data)
        kinematics = Kinematics(engine.mj, engine.model, self._table.parts)
        sizes = {name: self._table.size(thing) for name, thing in self._table.things.items()}
        self._planner = ArmPlanner(kinematics, np.array(self._table.parts.rest), sizes)
        self._outlines = outlines(engine.model)
        engine.rewind()

    def _now(self) -> "Snapshot":
        from edgevox.sims.mujoco.arm_planner import snapshot

        with self._engine.lock:
            return snapshot(self._table)

    def _pose(self) -> dict[str, Any]:
        x, y, z = (round(float(value), 3) + 0.0 for value in self._table.grip_position())
        yaw = round(math.degrees(self._table.grip_yaw()), 1) % 360
        return {"x": x, "y": y, "z": z, "heading_deg": yaw}

    def _thing_state(self, thing: "Thing") -> dict[str, Any]:
        x, y, z = (round(float(value), 3) + 0.0 for value in self._table.position(thing))
        place = self._place_of(thing)
        return {"x": x, "y": y, "z": z, "place": place, "held": place == "gripper"}

    def _place_of(self, thing: "Thing") -> str:
        with self._engine.lock:
            x, y, z = (float(value) for value in self._table.position(thing))
        if self._table.holding == thing.name:
            return "gripper"
        if z < FLOOR_M:
            return "floor"
        return next((place.name for place in self._table.places.values() if place.holds(x, y)), "table")

    def _thing(self, name: object) -> "Thing | str":
        found, why = which(self._table.things, name, "object")
        return self._table.things[found] if found is not None else why

    def _known_place(self, name: object) -> "Place | str":
        found, why = which(self._table.places, name, "place")
        return self._table.places[found] if found is not None else why

    def _goal_point(self, programme: "Programme") -> Point | None:
        """Where the goal is seen from above."""
        name = programme.result.get("place")
        if isinstance(name, str) and name in self._table.places:
            return self._table.places[name].x, self._table.places[name].y
        thing = programme.result.get("object")
        if isinstance(thing, str) and thing in self._table.things:
            with self._engine.lock:
                there = self._table.position(self._table.things[thing])
            return float(there[0]), float(there[1])
        x, y = programme.result.get("x"), programme.result.get("y")
        return (x, y) if isinstance(x, float) and isinstance(y, float) else None
