"""Worlds to try a robot in before there is one.

The facade is lazy for what brings a library: importing it loads no simulator.
"""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names
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


__getattr__, __dir__ = lazy_names(__name__, _HOMES)
