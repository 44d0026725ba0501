"""How soon a stop is seen: by a waiting thread, by a skill that looks now and then, by a robot that drives.

Every figure is a latency from the moment the stop was set, in one process and without speech. Each row cancels at
random moments (a phase is drawn anew for every round), and a bare `threading.Event` is measured in the same run, so
that what the machine costs can be told from what edgevox costs.
"""

import argparse
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.runner import fingerprint, measured, save, show
from edgevox.agents import AgentContext, GoalHandle, LLMAgent, ToyWorld, skill
from edgevox.core.events import SAFETY_PREEMPT, AgentEvent

ROUNDS = 200
IGNORED_ROUNDS = 5
QUANTA_MS = (5, 20, 50)
SEED = 20
LONG_S = 20.0
"""Longer than any round: nothing here ends by itself."""

Row = dict[str, Any]


@dataclass(slots=True)
class Turn:
    """One turn of an agent that a stop ends: when it was set, and when what followed was seen."""

    began: threading.Event = field(default_factory=threading.Event)
    seen: threading.Event = field(default_factory=threading.Event)
    stopped_at: float = 0.0
    seen_at: float = 0.0
    returned_at: float = 0.0
    ctx: AgentContext = field(default_factory=AgentContext)

    def note_seen(self) -> None:
        """Note that the body, or the robot, has heard the stop."""
        self.seen_at = time.perf_counter()
        self.seen.set()

    def stop(self) -> None:
        """Set the stop and announce it, as the safety monitor of an application does."""
        self.stopped_at = time.perf_counter()
        self.ctx.stop.set()
        self.ctx.bus.publish(AgentEvent(SAFETY_PREEMPT, "benchmark", "stop"))


def run(rounds: int = ROUNDS) -> dict[str, Row]:
    """Measure the floor, bodies that poll, a robot that drives, and a body that does not listen."""
    phases = random.Random(SEED)
    rows = {
        "bare threading.Event, set to awake": _latencies(_event_round, rounds, phases),
        "GoalHandle.cancel to body awake": _latencies(_handle_round, rounds, phases),
        "ctx.stop to a thread that waits for the scope": _latencies(_scope_round, rounds, phases),
        "ctx.stop to the body of a dispatched skill awake": _latencies(_waiting_skill_round, rounds, phases),
    }
    for quantum in QUANTA_MS:
        rows |= _polling(quantum, rounds, phases)
    return rows | _driving(rounds, phases) | {"body that ignores the stop, to run() returned": _ignoring()}


def _row(values_s: list[float], **details: Any) -> Row:
    milliseconds = sorted(value * 1000 for value in values_s)
    p95 = milliseconds[max(0, round(0.95 * len(milliseconds)) - 1)]
    return measured("ms", milliseconds, p95=p95, **details)


def _latencies(one: Callable[[float], float], rounds: int, phases: random.Random) -> Row:
    return _row([one(phases.uniform(0.001, 0.005)) for _ in range(rounds)])


def _woken(wait: Callable[[], object], wake: Callable[[], object], phase_s: float) -> float:
    """Let a thread wait, wake it at a random moment, and return how long it took to notice."""
    ready, woken = threading.Event(), list[float]()

    def waits() -> None:
        ready.set()
        wait()
        woken.append(time.perf_counter())

    thread = threading.Thread(target=waits)
    thread.start()
    ready.wait(LONG_S)
    time.sleep(phase_s)
    asked = time.perf_counter()
    wake()
    thread.join(LONG_S)
    return woken[0] - asked


def _event_round(phase_s: float) -> float:
    event = threading.Event()
    return _woken(lambda: event.wait(LONG_S), event.set, phase_s)


def _handle_round(phase_s: float) -> float:
    handle = GoalHandle()
    return _woken(lambda: handle.wait_cancel(LONG_S), handle.cancel, phase_s)


def _scope_round(phase_s: float) -> float:
    ctx = AgentContext()
    return _woken(lambda: ctx.scope.wait(LONG_S), ctx.stop.set, phase_s)


def _waiting_skill_round(phase_s: float) -> float:
    turn = Turn()

    @skill
    def wait(handle: GoalHandle) -> None:
        """Wait for the end."""
        turn.began.set()
        handle.wait_cancel(LONG_S)
        turn.note_seen()

    agent = LLMAgent("bench", skills=[wait])
    _stopped_at_phase(turn, lambda: agent.tools.dispatch("wait", {}, turn.ctx), phase_s)
    return turn.seen_at - turn.stopped_at


def _polling(quantum_ms: int, rounds: int, phases: random.Random) -> dict[str, Row]:
    """Run a skill whose body looks every so many milliseconds, through a whole turn of an agent."""
    turns = [_polling_turn(quantum_ms / 1000, phases.uniform(0.002, 0.002 + quantum_ms / 1000)) for _ in range(rounds)]
    name = f"body that looks every {quantum_ms} ms"
    return {
        f"{name}, ctx.stop to seen": _row([turn.seen_at - turn.stopped_at for turn in turns]),
        f"{name}, ctx.stop to run() returned": _row([turn.returned_at - turn.stopped_at for turn in turns]),
    }


def _polling_turn(quantum_s: float, phase_s: float) -> Turn:
    turn = Turn()

    @skill(phrases=["patrol now"])
    def patrol(ctx: AgentContext) -> None:
        """Patrol."""
        turn.began.set()
        while not ctx.should_stop():
            time.sleep(quantum_s)
        turn.note_seen()

    agent = LLMAgent("bench", skills=[patrol])
    agent.matches_phrase("patrol now")  # compiled before the clock runs
    return _stopped_at_phase(turn, lambda: agent.run("patrol now", turn.ctx), phase_s)


def _driving(rounds: int, phases: random.Random) -> dict[str, Row]:
    """Stop a robot of the reference world on its way, through a whole turn of an agent."""
    turns = [_driving_turn(phases.uniform(0.002, 0.06)) for _ in range(rounds)]
    return {
        "robot that drives, ctx.stop to velocity zero": _row([turn.seen_at - turn.stopped_at for turn in turns]),
        "robot that drives, ctx.stop to run() returned": _row([turn.returned_at - turn.stopped_at for turn in turns]),
    }


def _driving_turn(phase_s: float) -> Turn:
    world = ToyWorld()
    turn = Turn(ctx=AgentContext(deps=world))

    @skill(phrases=["go to the bedroom"])
    def go(ctx: AgentContext) -> GoalHandle:
        """Drive."""
        handle = ctx.deps.apply_action("navigate_to", room="bedroom")
        handle.on_end(turn.note_seen)  # the world says so only when the commanded velocity is zero
        turn.began.set()
        return handle

    agent = LLMAgent("bench", skills=[go])
    agent.matches_phrase("go to the bedroom")
    try:
        _stopped_at_phase(turn, lambda: agent.run("go to the bedroom", turn.ctx), phase_s)
        assert world.get_world_state()["robot"]["velocity"] == 0.0
    finally:
        world.close()
    return turn


def _ignoring() -> Row:
    """Stop a body that does not listen: the agent returns all the same, and says that the halt is not confirmed."""
    turns = [_ignoring_turn(Turn(), threading.Event()) for _ in range(IGNORED_ROUNDS)]
    return _row([turn.returned_at - turn.stopped_at for turn in turns], unconfirmed=True)


def _ignoring_turn(turn: Turn, release: threading.Event) -> Turn:
    @skill(phrases=["swing the arm"])
    def swing() -> None:
        """Swing."""
        turn.began.set()
        release.wait(LONG_S)

    agent = LLMAgent("bench", skills=[swing])
    agent.matches_phrase("swing the arm")
    try:
        return _stopped_at_phase(turn, lambda: agent.run("swing the arm", turn.ctx), 0.01)
    finally:
        release.set()


def _stopped_at_phase(turn: Turn, answer: Callable[[], object], phase_s: float) -> Turn:
    """Answer on a thread of its own, stop at a random moment, and note when the answer came back."""

    def answers() -> None:
        answer()
        turn.returned_at = time.perf_counter()

    thread = threading.Thread(target=answers)
    thread.start()
    if not turn.began.wait(LONG_S):
        raise RuntimeError("the skill did not begin")
    time.sleep(phase_s)
    turn.stop()
    thread.join(LONG_S)
    return turn


def main() -> None:
    """Measure, print a table, and write the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.perf.bench_safety_preempt", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"stops for each row (default: {ROUNDS})")
    parser.add_argument("--json", type=Path, help="where the report goes (default: benchmarks/results/local)")
    parser.add_argument("--machine", default="", metavar="WORDS", help="the machine in words, for the report")
    arguments = parser.parse_args()
    report = {
        "machine": {"described": arguments.machine} | fingerprint(),
        "results": {"safety_preempt": run(arguments.rounds)},
    }
    for label, row in report["results"]["safety_preempt"].items():
        print(f"  {label:<58} {show(row)}, p95 {row['p95']:.3g}")
    floor = report["results"]["safety_preempt"]["bare threading.Event, set to awake"]["value"]
    seen = report["results"]["safety_preempt"]["ctx.stop to the body of a dispatched skill awake"]["value"]
    print(f"\nedgevox adds {seen - floor:.2f} ms to a bare event (medians).")
    print(f"Written to {save(report, arguments.json)}")


if __name__ == "__main__":
    main()
