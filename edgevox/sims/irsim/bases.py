"""The bases a robot can stand on, as ir-sim is told of them."""

from typing import Any, Literal

Base = Literal["diff", "acker", "omni"]

BASES: dict[str, dict[str, Any]] = {
    "diff": {
        "kinematics": {"name": "diff"},
        "shape": {"name": "circle", "radius": 0.2},
        "vel_min": [-0.8, -2.0],
        "vel_max": [0.8, 2.0],
    },
    "acker": {
        "kinematics": {"name": "acker", "mode": "steer"},
        "shape": {"name": "rectangle", "length": 0.5, "width": 0.3, "wheelbase": 0.3},
        "vel_min": [-0.8, -0.6],
        "vel_max": [0.8, 0.6],
    },
    "omni": {
        "kinematics": {"name": "omni"},
        "shape": {"name": "circle", "radius": 0.2},
        "vel_min": [-0.8, -0.8],
        "vel_max": [0.8, 0.8],
    },
}
"""What a base changes of the robot in a world file. Metres, metres per second, radians per second; the second velocity
of `acker` is its steering angle, radians."""

KINEMATICS = ("diff", "acker", "omni", "omni_angular")
"""What a robot of a world file may move by."""
