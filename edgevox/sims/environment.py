"""What an agent may expect of a world, simulated or real: read its state, ask for actions, make it stand still."""

from typing import Any, Protocol, runtime_checkable

from edgevox.core.goals import GoalHandle
from edgevox.core.ports import MotionSource
from edgevox.sims.scene import Scene

__all__ = ["MotionSource", "SimEnvironment"]


@runtime_checkable
class SimEnvironment(MotionSource, Protocol):
    """A world that agents act in; agent code stays the same when one is put in another's place.

    Constructing one touches nothing and imports nothing heavy. Every method but `open` may be called from any thread
    and returns at once: what takes time is a `GoalHandle`.
    """

    render: bool
    """Whether to show a window where that is possible; set before `open`."""

    def open(self) -> None:
        """Find libraries and hardware and fail early. Opening twice is fine; nothing is shown unless `render` says so.

        Raises:
            EdgeVoxError: something is missing; one sentence says what to do.
        """
        ...

    def reset(self) -> None:
        """Put everything back to the beginning; a running goal is cancelled."""
        ...

    def get_world_state(self) -> dict[str, Any]:
        """Return a copy of what is known of the world, JSON-compatible."""
        ...

    def apply_action(self, name: str, **arguments: Any) -> GoalHandle:
        """Ask for an action.

        An unknown action, or arguments it cannot use, give a handle that has FAILED and says why.
        """
        ...

    def scene(self) -> Scene:
        """The world at this moment, for drawing."""
        ...

    def close(self) -> None:
        """End what the world runs in the background. Closing twice is fine."""
        ...
