"""What a stop does, in which order, and that nothing keeps it."""

import random
import threading
import time

import pytest

from edgevox.core.ports import MotionSource
from edgevox.safety import StopChain
from edgevox.sims import ToyWorld


class Motor:
    """Moves until it is told not to; may ignore that, hang or raise."""

    def __init__(self, *, obeys: bool = True, hangs: threading.Event | None = None, raises: bool = False) -> None:
        self.moving = True
        self.halted_at: float | None = None
        self._obeys, self._hangs, self._raises = obeys, hangs, raises

    def halt(self) -> None:
        if self._hangs is not None:
            self._hangs.wait(5)
        if self._raises:
            raise OSError("bus error")
        self.halted_at = time.monotonic()
        self.moving = not self._obeys

    def is_moving(self) -> bool:
        return self.moving


def test_effects_happen_in_order_whatever_the_order_of_registration() -> None:
    order: list[str] = []
    chain = StopChain()
    chain.add_pending(lambda: order.append("pending"))
    chain.set_model(lambda: order.append("model"))
    chain.set_speaker(lambda: order.append("speaker"))
    chain.add_goal_canceller(lambda: order.append("goals"))
    motor = Motor()
    chain.add_motion(motor)
    chain.fire("stop")
    assert motor.halted_at is not None
    assert order == ["goals", "speaker", "model", "pending"]


def test_the_report_says_how_long_each_effect_took() -> None:
    chain = StopChain()
    chain.add_motion(Motor(), "base")
    chain.set_speaker(lambda: None)
    report = chain.fire("stop")
    assert report.confirmed
    assert list(report.latencies) == ["base", "speaker"]
    assert all(0 <= latency < 0.5 for latency in report.latencies.values())


def test_a_blocking_motion_source_delays_nothing_and_is_reported() -> None:
    release = threading.Event()
    chain, free, silent = StopChain(), Motor(), threading.Event()
    chain.add_motion(Motor(hangs=release), "stuck")
    chain.add_motion(free, "free")
    chain.set_speaker(silent.set)
    started = time.monotonic()
    report = chain.fire("stop")
    took = time.monotonic() - started
    release.set()
    assert free.halted_at is not None
    assert free.halted_at - started < 1.0  # what hangs, hangs for 5 s
    assert silent.is_set()
    assert report.latencies["speaker"] < 1.0
    assert report.unconfirmed == ("stuck",)
    assert took < 2.0


def test_a_raising_motion_source_is_reported_and_the_others_halt() -> None:
    chain, good = StopChain(), Motor()
    chain.add_motion(Motor(raises=True), "broken")
    chain.add_motion(good, "good")
    report = chain.fire("stop")
    assert good.halted_at is not None
    assert report.unconfirmed == ("broken",)
    assert "bus error" in (report.effects[0].error or "")


def test_a_source_that_goes_on_moving_is_not_confirmed() -> None:
    chain = StopChain(confirm_s=0.02)
    chain.add_motion(Motor(obeys=False), "arm")
    assert chain.fire("stop").unconfirmed == ("arm",)


def test_every_effect_that_hangs_at_once_still_lets_fire_return() -> None:
    release = threading.Event()
    chain = StopChain()
    chain.add_goal_canceller(release.wait)
    chain.set_speaker(release.wait)
    chain.set_model(release.wait)
    chain.add_pending(release.wait)
    started = time.monotonic()
    report = chain.fire("stop")
    assert time.monotonic() - started < 2.0  # they would hang for ever
    assert report.latencies == {}
    release.set()


def test_an_effect_that_exits_the_thread_does_not_take_the_others_with_it() -> None:
    silent = threading.Event()

    def leave() -> None:
        raise SystemExit(1)

    chain = StopChain()
    chain.add_goal_canceller(leave)
    chain.set_speaker(silent.set)
    report = chain.fire("stop")
    assert silent.is_set()
    assert "SystemExit" in (report.effects[0].error or "")


def test_a_second_stop_while_the_first_hangs_tries_again() -> None:
    release = threading.Event()
    chain, calls = StopChain(confirm_s=0.02), list[int]()

    def halt() -> None:
        calls.append(1)
        release.wait(5)

    chain.add_goal_canceller(halt)
    chain.fire("stop")
    chain.fire("stop")
    release.set()
    assert len(calls) == 2


def test_a_speaker_takes_the_place_of_the_one_before() -> None:
    old, new = threading.Event(), threading.Event()
    chain = StopChain()
    chain.set_speaker(old.set)
    chain.set_speaker(new.set)
    chain.fire("stop")
    assert new.is_set()
    assert not old.is_set()


def test_what_is_forgotten_is_not_stopped() -> None:
    chain, motor = StopChain(), Motor()
    forget = chain.add_motion(motor)
    forget()
    forget()
    assert chain.fire("stop").effects == ()
    assert not chain.is_moving()


def test_a_source_that_cannot_say_counts_as_moving() -> None:
    class Mute(Motor):
        def is_moving(self) -> bool:
            raise OSError("no sensor")

    chain = StopChain()
    chain.add_motion(Mute())
    assert chain.is_moving()


def test_a_world_is_a_motion_source() -> None:
    assert isinstance(ToyWorld(), MotionSource)


@pytest.mark.parametrize("seed", range(100))
def test_no_interleaving_keeps_the_robot_from_halting(seed: int) -> None:
    """Slow, failing and hanging effects in random places, and two stops at once: the robot stands still at once."""
    rng = random.Random(seed)
    release, chain = threading.Event(), StopChain(confirm_s=0.02)
    motor = Motor()

    def effect() -> None:
        match rng.randrange(4):
            case 0:
                release.wait(5)
            case 1:
                raise RuntimeError("fault")
            case 2:
                time.sleep(rng.random() * 0.002)
            case _:
                pass

    places = [chain.add_goal_canceller, chain.set_speaker, chain.set_model, chain.add_pending]
    for _ in range(rng.randrange(6)):
        rng.choice(places)(effect)
    if rng.random() < 0.5:
        chain.add_motion(Motor(hangs=release), "stuck")
    chain.add_motion(motor, "base")
    other = threading.Thread(target=chain.fire, args=("key",))
    started = time.monotonic()
    if rng.random() < 0.5:
        other.start()
    report = chain.fire("stop")
    release.set()
    assert motor.halted_at is not None
    assert motor.halted_at - started < 1.5, "what hangs, hangs for 5 s; a busy machine may wake a thread late"
    assert "base" not in report.unconfirmed
    if other.ident is not None:
        other.join(2)
