"""Calls that share a resource run one after the other, and a stop never waits for one."""

import threading
import time

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.messages import ResultStatus
from edgevox.core.session import AgentContext
from edgevox.tools import ToolRegistry, build_tool
from edgevox.tools.locks import LOCKS, Hold, ResourceLocks
from edgevox.tools.workers import Waited


class Arm:
    def __init__(self) -> None:
        self.busy = 0
        self.most = 0
        self.lock = threading.Lock()

    def move(self, seconds: float = 0.03) -> str:
        """Move."""
        with self.lock:
            self.busy += 1
            self.most = max(self.most, self.busy)
        time.sleep(seconds)
        with self.lock:
            self.busy -= 1
        return "moved"


def together(registry: ToolRegistry, names: list[str]) -> list[bool]:
    results: list[bool] = []

    def call(name: str) -> None:
        results.append(registry.dispatch(name).ok)

    threads = [threading.Thread(target=call, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(3)
    return results


def test_calls_that_share_a_resource_are_serialised_across_registries() -> None:
    arm = Arm()
    one = ToolRegistry(build_tool(arm.move, name="reach", resources=["arm-a"]))
    other = ToolRegistry(build_tool(arm.move, name="grip", resources=["arm-a", "gripper-a"]))
    threads = [threading.Thread(target=together, args=(r, [r.tools[0].name] * 2)) for r in (one, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(3)
    assert arm.most == 1


def test_calls_that_share_nothing_run_at_the_same_time() -> None:
    arm = Arm()
    registry = ToolRegistry(
        build_tool(arm.move, name="a", resources=["one-b"]), build_tool(arm.move, name="b", resources=["two-b"])
    )
    assert all(together(registry, ["a", "b"]))
    assert arm.most == 2


def test_a_stop_ends_the_wait_for_a_resource() -> None:
    hold = LOCKS.acquire(["door-c"], None, 1)
    assert isinstance(hold, Hold)
    scope = CancelScope()
    threading.Timer(0.05, lambda: scope.cancel(CancelReason.STOP)).start()
    registry = ToolRegistry(build_tool(Arm().move, resources=["door-c"]))
    began = time.monotonic()
    assert registry.dispatch("move", {}, AgentContext(scope=scope)).status is ResultStatus.CANCELLED
    assert time.monotonic() - began < 0.5
    hold.release()


def test_a_resource_that_stays_busy_is_named() -> None:
    hold = LOCKS.acquire(["door-d"], None, 1)
    assert isinstance(hold, Hold)
    result = ToolRegistry(build_tool(Arm().move, resources=["door-d"], timeout_s=0.05)).dispatch("move")
    assert (result.error_code, "door-d is busy" in (result.error or "")) == ("busy", True)
    hold.release()
    hold.release()
    assert ToolRegistry(build_tool(Arm().move, resources=["door-d"])).dispatch("move").ok


def test_a_hanging_call_keeps_its_resource_until_it_really_ends() -> None:
    release = threading.Event()

    def hang() -> None:
        release.wait(5)

    registry = ToolRegistry(
        build_tool(hang, resources=["pump-e"], timeout_s=0.05),
        build_tool(Arm().move, resources=["pump-e"], timeout_s=0.1),
    )
    assert registry.dispatch("hang").error_code == "timeout"
    assert registry.dispatch("move").error_code == "busy"
    release.set()
    time.sleep(0.05)
    assert registry.dispatch("move").ok


def test_a_tool_that_calls_another_does_not_wait_for_itself() -> None:
    registry = ToolRegistry()

    def inner() -> str:
        return "in"

    def outer() -> str:
        return registry.dispatch("inner").result

    registry.register(
        build_tool(inner, resources=["arm-f"], timeout_s=0.5), build_tool(outer, resources=["arm-f"], timeout_s=1)
    )
    assert registry.dispatch("outer").result == "in"


def test_what_was_taken_is_given_back_when_the_rest_cannot_be_had() -> None:
    locks = ResourceLocks()
    held = locks.acquire(["b"], None, 1)
    assert isinstance(held, Hold)
    assert locks.acquire(["a", "b"], None, 0.03) is Waited.TIMEOUT
    free = locks.acquire(["a"], None, 0.03)
    assert isinstance(free, Hold)
