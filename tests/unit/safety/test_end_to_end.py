"""From the words to standstill, with a real world that drives."""

import statistics
import time

from edgevox.core.frames import StopFrame, TranscriptionFrame
from edgevox.core.goals import GoalStatus
from edgevox.safety import SafetyMonitor, StopChain
from edgevox.sims import ToyWorld


def test_velocity_is_zero_within_50_ms_of_the_words_and_stays_there() -> None:
    latencies: list[float] = []
    for _ in range(20):
        world, chain = ToyWorld(navigate_speed=2.0), StopChain()
        chain.add_motion(world)
        monitor = SafetyMonitor(on_stop=chain.fire, is_active=chain.is_moving)
        goal = world.apply_action("navigate_to", room="bedroom")
        time.sleep(0.03)
        assert world.get_world_state()["robot"]["velocity"] == 2.0
        said = time.perf_counter()
        frames = list(monitor.process(TranscriptionFrame(text="Stop!")))
        latencies.append(time.perf_counter() - said)
        assert world.get_world_state()["robot"]["velocity"] == 0.0
        assert isinstance(frames[0], StopFrame)
        assert goal.poll(0.1) is GoalStatus.CANCELLED
        there = world.get_world_state()["robot"]
        time.sleep(0.03)
        assert world.get_world_state()["robot"] == there
        world.close()
    assert statistics.median(latencies) < 0.02
    assert sorted(latencies)[-2] < 0.05, "one late wake-up of a busy machine is forgiven, not two"
