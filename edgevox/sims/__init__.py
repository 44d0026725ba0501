"""Worlds to try a robot in before there is one."""

from edgevox.sims.environment import MotionSource, SimEnvironment
from edgevox.sims.scene import LidarScan, Pose, Room, Scene, Wall
from edgevox.sims.toyworld import ToyWorld

__all__ = ["LidarScan", "MotionSource", "Pose", "Room", "Scene", "SimEnvironment", "ToyWorld", "Wall"]
