"""A script that owns the main thread: it draws the flat itself while the scout tours it on another thread.

    python -m edgevox.examples.apartment_tour --base acker --speed 4

The window lives in this process, so only the main thread may touch it: the world hands its pictures to a
`MainThreadScheduler`, and the main thread pumps. Ctrl+C halts the robot and ends the tour.
"""

import argparse
import threading
from collections.abc import Sequence
from pathlib import Path

from edgevox.agents import AgentContext, IrSimEnvironment, LLMAgent, MainThreadScheduler
from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import EdgeVoxError
from edgevox.examples.agents.robot_irsim import APARTMENT_SKILLS


def main(argv: Sequence[str] | None = None) -> int:
    """Tour the flat and return the exit code: 0, or 1 when a room was not reached.

    Args:
        argv: the arguments; `None` takes the process's own.
    """
    arguments = _parser().parse_args(argv)
    scheduler = MainThreadScheduler()
    world = IrSimEnvironment(
        arguments.world,
        base=arguments.base,
        render=not arguments.no_render,
        time_scale=arguments.speed,
        window="inline",
        scheduler=scheduler,
    )
    try:
        world.open()
    except EdgeVoxError as error:
        print(error)
        return 1
    missed: list[str] = []
    scope, over = CancelScope(), CancelScope()
    touring = threading.Thread(target=lambda: _tour(world, scope, over, missed), name="tour")
    touring.start()
    try:
        scheduler.run(over)
    except KeyboardInterrupt:
        world.halt()
        scope.cancel(CancelReason.STOP)
        print("Stopped.")
    touring.join()
    world.close()
    scheduler.close()
    return 1 if missed else 0


def _tour(world: IrSimEnvironment, scope: CancelScope, over: CancelScope, missed: list[str]) -> None:
    """Send the scout to every room; `over` ends with it, whatever happens."""
    try:
        scout = LLMAgent("Scout", skills=APARTMENT_SKILLS)
        for room in world.room_names():
            result = scout.run(f"go to the {room.replace('_', ' ')}", AgentContext(deps=world, scope=scope.child()))
            print(result.reply, flush=True)
            if world.get_world_state()["robot"]["goal"] is not None or not all(call.ok for call in result.tool_calls):
                missed.append(room)
            if scope.cancelled:
                return
    finally:
        over.cancel(CancelReason.SHUTDOWN)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="apartment_tour", description="The scout drives to every room of a flat.")
    parser.add_argument("--world", type=Path, help="a world file of your own")
    parser.add_argument("--base", choices=["diff", "acker", "omni"], help="what the robot stands on")
    parser.add_argument("--speed", type=float, default=1.0, help="how many times faster than a clock; 1 by default")
    parser.add_argument("--no-render", action="store_true", help="without a window")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
