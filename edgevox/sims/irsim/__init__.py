"""ir-sim as a world: obstacles, a robot with a laser scanner, three kinds of base. The package imports nothing."""

from typing import TYPE_CHECKING

from edgevox.core.facade import lazy_names

if TYPE_CHECKING:
    from edgevox.sims.irsim.environment import IrSimEnvironment

__all__ = ["IrSimEnvironment"]


__getattr__, __dir__ = lazy_names(__name__, dict.fromkeys(__all__, "edgevox.sims.irsim.environment"))
