"""One call from its arguments to its result, whatever the body does."""

import asyncio
import logging
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import Cancelled, ControlFlow, ToolDefinitionError, ToolFailure
from edgevox.core.messages import Origin, ResultStatus
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult, ToolSite
from edgevox.tools import ToolRegistry, build_tool, tool


@tool
def set_light(room: str, on: bool) -> str:
    """Turn a room's light on or off."""
    if room == "garage":
        raise ValueError("there is no room called garage")
    return f"the {room} light is {'on' if on else 'off'}"


@tool
def ping() -> str:
    """Answer."""
    return "pong"


@pytest.fixture
def registry() -> ToolRegistry:
    return ToolRegistry().register(set_light, ping)


def run(fn: Any, arguments: Any = None, ctx: AgentContext | None = None, **options: Any) -> ToolCallResult:
    return ToolRegistry(build_tool(fn, **options)).dispatch(fn.__name__, arguments, ctx)


def cancelled_after(seconds: float) -> AgentContext:
    scope = CancelScope()
    threading.Timer(seconds, lambda: scope.cancel(CancelReason.STOP)).start()
    return AgentContext(scope=scope)


def test_an_unknown_room_is_told_in_the_tools_own_words(registry: ToolRegistry) -> None:
    outcome = registry.dispatch("set_light", {"room": "garage", "on": True})
    assert not outcome.ok
    assert outcome.error == "there is no room called garage"


def test_a_call_that_works_says_what_was_called_and_what_came_of_it(registry: ToolRegistry) -> None:
    outcome = registry.dispatch(
        "set_light", '{"room": "kitchen", "on": "off"}', tool_use_id="call_1", origin=Origin.PHRASE
    )
    assert (outcome.ok, outcome.result, outcome.error) == (True, "the kitchen light is off", None)
    assert outcome.arguments == {"room": "kitchen", "on": False}
    assert (outcome.tool_use_id, outcome.origin, outcome.name) == ("call_1", Origin.PHRASE, "set_light")


@pytest.mark.parametrize("arguments", [None, "", "null", "{}", {}, "  "])
def test_a_tool_without_arguments_runs_whatever_stands_for_none(registry: ToolRegistry, arguments: Any) -> None:
    assert registry.dispatch("ping", arguments).result == "pong"


@pytest.mark.parametrize("arguments", ["[1,2]", "5", '"x"', "true", "{", "{'room': 1}", [1, 2], "NaN"])
def test_arguments_that_are_no_object_are_an_answer_not_an_exception(registry: ToolRegistry, arguments: Any) -> None:
    outcome = registry.dispatch("ping", arguments)
    assert (outcome.ok, outcome.error_code) == (False, "bad_arguments")
    assert "ping" in (outcome.error or "")


@pytest.mark.parametrize("name", ["set_lihgt", "setlight", "set light", "<set_light>"])
def test_an_unknown_tool_is_answered_with_the_nearest(registry: ToolRegistry, name: str) -> None:
    outcome = registry.dispatch(name, {})
    assert (outcome.ok, outcome.error_code) == (False, "unknown_tool")
    assert "did you mean 'set_light'" in (outcome.error or "")


def test_an_invented_tool_is_answered_with_the_list(registry: ToolRegistry) -> None:
    assert "set_light, ping" in (registry.dispatch("zzz", {}).error or "")
    assert "no tools" in (ToolRegistry().dispatch("zzz").error or "")


def test_an_inactive_tool_is_unknown(registry: ToolRegistry) -> None:
    def hidden() -> str:
        return "x"

    built = build_tool(hidden)
    registry.register(built)
    built.active = False
    assert registry.dispatch("hidden").error_code == "unknown_tool"
    assert "hidden" not in [schema["function"]["name"] for schema in registry.openai_schemas()]


def test_a_fault_becomes_words_and_the_trace_goes_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise KeyError("lamp")

    with caplog.at_level(logging.WARNING):
        outcome = run(broken)
    assert outcome.error == "broken failed: 'lamp'"
    assert "Traceback" not in (outcome.error or "")
    assert "Traceback" in caplog.text


def test_a_refusal_may_carry_its_own_code() -> None:
    def refuse() -> None:
        raise ToolFailure("too hot", error_code="out_of_range")

    outcome = run(refuse)
    assert (outcome.error, outcome.error_code) == ("too hot", "out_of_range")


@pytest.mark.parametrize("end", [SystemExit, KeyboardInterrupt, GeneratorExit])
def test_a_tool_that_ends_the_program_does_not(end: type[BaseException]) -> None:
    def leave() -> None:
        raise end

    outcome = run(leave)
    assert (outcome.ok, outcome.status) == (False, ResultStatus.ERROR)


def test_sys_exit_in_an_async_tool_leaves_the_loop_to_the_others() -> None:
    async def leave() -> None:
        sys.exit(3)

    async def stay() -> str:
        return "here"

    assert not run(leave).ok
    assert run(stay).result == "here"


def test_control_flow_passes_and_a_cancelled_body_is_a_result() -> None:
    class Divert(ControlFlow):
        pass

    def divert() -> None:
        raise Divert

    def end() -> None:
        raise Cancelled("stop")

    with pytest.raises(Divert):
        run(divert)
    assert run(end).status is ResultStatus.CANCELLED


def test_a_hanging_tool_times_out_and_is_reported() -> None:
    release = threading.Event()

    def hang() -> str:
        release.wait(10)
        return "late"

    registry = ToolRegistry(build_tool(hang, timeout_s=0.1))
    began = time.monotonic()
    outcome = registry.dispatch("hang")
    assert time.monotonic() - began < 0.5
    assert (outcome.ok, outcome.error_code) == (False, "timeout")
    assert "0.1 seconds" in (outcome.error or "")
    assert registry.abandoned == ["hang"]
    release.set()
    deadline = time.monotonic() + 2
    while registry.abandoned and time.monotonic() < deadline:
        time.sleep(0.005)
    assert registry.abandoned == []


def test_a_hanging_tool_never_makes_the_next_one_wait() -> None:
    release = threading.Event()

    def hang() -> None:
        release.wait(10)

    registry = ToolRegistry(build_tool(hang, timeout_s=0.02), ping)
    for _ in range(12):
        registry.dispatch("hang")
    began = time.monotonic()
    assert registry.dispatch("ping").ok
    assert time.monotonic() - began < 0.5
    release.set()


def test_a_stop_ends_the_wait_for_a_tool_at_once() -> None:
    release = threading.Event()

    def hang() -> None:
        release.wait(10)

    began = time.monotonic()
    outcome = run(hang, None, cancelled_after(0.05))
    assert time.monotonic() - began < 0.5
    assert (outcome.status, outcome.error_code) == (ResultStatus.CANCELLED, "cancelled")
    release.set()


def test_an_event_of_the_callers_ends_the_wait_too() -> None:
    release, stop = threading.Event(), threading.Event()

    def hang() -> None:
        release.wait(10)

    threading.Timer(0.05, stop.set).start()
    began = time.monotonic()
    assert run(hang, None, AgentContext(stop=stop)).status is ResultStatus.CANCELLED
    assert time.monotonic() - began < 0.5
    release.set()


def test_nothing_runs_once_the_turn_is_over() -> None:
    ran: list[bool] = []

    def act() -> None:
        ran.append(True)

    scope = CancelScope()
    scope.cancel(CancelReason.STOP)
    assert run(act, None, AgentContext(scope=scope)).status is ResultStatus.CANCELLED
    assert ran == []


def test_an_async_tool_is_cancelled_with_its_turn() -> None:
    ended = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            ended.set()

    assert run(wait, None, cancelled_after(0.05)).status is ResultStatus.CANCELLED
    assert ended.wait(1)


def test_an_async_tool_times_out() -> None:
    async def wait() -> None:
        await asyncio.sleep(10)

    assert run(wait, timeout_s=0.05).error_code == "timeout"


def test_async_tools_share_one_loop() -> None:
    async def loop_id() -> int:
        return id(asyncio.get_running_loop())

    assert run(loop_id).value == run(loop_id).value


def test_an_async_tool_may_call_another_through_the_registry() -> None:
    registry = ToolRegistry()

    async def inner() -> str:
        return "inner"

    async def outer() -> str:
        return registry.dispatch("inner").result

    registry.register(inner, outer)
    assert registry.dispatch("outer").result == "inner"


def test_a_plain_function_that_returns_an_awaitable_is_awaited() -> None:
    async def later() -> str:
        return "done later"

    def fn() -> Any:
        return later()

    assert run(fn).result == "done later"


def test_five_megabytes_are_bounded() -> None:
    def dump() -> str:
        return "x" * 5_000_000

    outcome = run(dump)
    assert len(outcome.result) <= 4000
    assert "4,996,060 more characters left out" in outcome.result
    assert len(outcome.value) == 5_000_000


def test_a_long_error_is_bounded_too() -> None:
    def fail() -> None:
        raise ValueError("y" * 100_000)

    assert len(run(fail).error or "") <= 1000


def test_a_function_that_returns_nothing_is_done() -> None:
    def act() -> None: ...

    outcome = run(act)
    assert (outcome.ok, outcome.result, outcome.value) == (True, "done", None)


@dataclass(frozen=True)
class Handover:
    target: str


def test_what_a_tool_returned_is_kept_as_it_was() -> None:
    handover = Handover("lights")

    def hand_over() -> Handover:
        return handover

    outcome = run(hand_over)
    assert outcome.value is handover
    assert outcome.result == {"target": "lights"}


def test_a_result_returned_by_a_tool_is_adopted() -> None:
    inner = ToolCallResult(name="inner", status=ResultStatus.DECLINED, error="no", error_code="declined")

    def relay() -> ToolCallResult:
        return inner

    outcome = run(relay)
    assert (outcome.name, outcome.status, outcome.error) == ("relay", ResultStatus.DECLINED, "no")
    assert outcome.value is inner


def test_secrets_are_covered_in_arguments_errors_and_log(caplog: pytest.LogCaptureFixture) -> None:
    def unlock(door: str, pin: str) -> None:
        raise RuntimeError(f"cannot reach https://lock?pin={pin}")

    with caplog.at_level(logging.DEBUG):
        outcome = run(unlock, {"door": "front", "pin": "CANARY-4711"}, secret_fields=["pin"])
    assert outcome.arguments["door"] == "front"
    assert "CANARY-4711" not in repr(outcome)
    assert "CANARY-4711" not in caplog.text


def test_dispatch_is_cheap(registry: ToolRegistry) -> None:
    medians = [_median_seconds(registry) for _ in range(5)]
    assert min(medians) < 200e-6, f"median {min(medians) * 1e6:.0f} µs"


def _median_seconds(registry: ToolRegistry) -> float:
    took: list[float] = []
    for _ in range(100):
        began = time.perf_counter()
        registry.dispatch("ping")
        took.append(time.perf_counter() - began)
    return sorted(took)[50]


def test_tools_run_at_the_same_time_from_many_threads(registry: ToolRegistry) -> None:
    results: list[ToolCallResult] = []
    threads = [
        threading.Thread(target=lambda: results.extend(registry.dispatch("ping") for _ in range(50))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(5)
    assert len(results) == 400
    assert all(result.ok for result in results)


def test_a_registry_keeps_order_and_tells_apart_what_a_model_sees(registry: ToolRegistry) -> None:
    assert [one.name for one in registry.tools] == ["set_light", "ping"]
    assert (len(registry), "ping" in registry, "pong" in registry) == (2, True, False)
    before = registry.fingerprint()
    assert before == ToolRegistry(set_light, ping).fingerprint()
    registry.register(build_tool(lambda: 1, name="one"))
    assert registry.fingerprint() != before
    assert registry.unregister("one")
    assert not registry.unregister("one")
    assert registry.fingerprint() == before


def test_one_name_cannot_mean_two_tools(registry: ToolRegistry) -> None:
    registry.register(ping)
    assert len(registry) == 2
    with pytest.raises(ToolDefinitionError, match="two tools are called 'ping'"):
        registry.register(build_tool(lambda: 1, name="ping"))


def test_a_registry_can_be_registered_in_another(registry: ToolRegistry) -> None:
    assert [one.name for one in ToolRegistry(registry).tools] == ["set_light", "ping"]
    assert [one.name for one in ToolRegistry([set_light, ping]).tools] == ["set_light", "ping"]


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(json_like | st.dictionaries(st.sampled_from(["room", "on", "level", "x"]), json_like, max_size=4) | st.text())
@settings(max_examples=200, deadline=None)
def test_whatever_a_model_writes_comes_back_as_a_result(arguments: Any) -> None:
    outcome = ToolRegistry(set_light).dispatch("set_light", arguments)
    assert outcome.ok == (outcome.error is None)
    assert outcome.to_block().text is not None


def test_the_context_variables_of_the_caller_reach_the_body() -> None:
    import contextvars

    speaker: contextvars.ContextVar[str] = contextvars.ContextVar("speaker")
    speaker.set("Ada")

    def who() -> str:
        return speaker.get()

    async def who_async() -> str:
        return speaker.get()

    assert run(who).result == run(who_async).result == "Ada"


def test_a_skill_without_a_limit_of_its_own_has_none() -> None:
    def quick() -> str:
        return "ok"

    assert run(quick, site=ToolSite.WORKER).ok


def test_a_tool_that_misses_its_world_says_what_to_give() -> None:
    @tool
    def battery(ctx: AgentContext) -> float:
        """Say how full the battery is."""
        return ctx.deps.battery

    missing = ToolRegistry(battery).dispatch("battery", {}, AgentContext())
    assert missing.error == (
        "battery failed: 'NoneType' object has no attribute 'battery'; there is no world here, so give one as deps"
    )
    other = ToolRegistry(battery).dispatch("battery", {}, AgentContext(deps=object()))
    assert other.error == "battery failed: 'object' object has no attribute 'battery'"
