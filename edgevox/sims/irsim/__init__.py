"""ir-sim as a world: obstacles, a robot with a laser scanner, three kinds of base. The package imports nothing."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from edgevox.sims.irsim.environment import IrSimEnvironment

__all__ = ["IrSimEnvironment"]


def __getattr__(name: str) -> Any:
    """Import the environment when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("edgevox.sims.irsim.environment"), name)
