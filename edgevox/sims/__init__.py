"""Worlds to try a robot in before there is one.

The facade is lazy for what brings a library: importing it loads no simulator.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from edgevox.sims.environment import MotionSource, SimEnvironment
from edgevox.sims.scene import LidarScan, Pose, Room, Scene, Thing, Wall
from edgevox.sims.toyworld import ToyWorld

if TYPE_CHECKING:
    from edgevox.sims.irsim.environment import IrSimEnvironment
    from edgevox.sims.mujoco.arm import MujocoArmEnvironment
    from edgevox.sims.mujoco.mobile import MujocoMobileEnvironment

_HOMES = {
    "IrSimEnvironment": "edgevox.sims.irsim.environment",
    "MujocoArmEnvironment": "edgevox.sims.mujoco.arm",
    "MujocoMobileEnvironment": "edgevox.sims.mujoco.mobile",
}

__all__ = [
    "IrSimEnvironment",
    "LidarScan",
    "MotionSource",
    "MujocoArmEnvironment",
    "MujocoMobileEnvironment",
    "Pose",
    "Room",
    "Scene",
    "SimEnvironment",
    "Thing",
    "ToyWorld",
    "Wall",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is first asked for."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
