"""How many threads each engine may use, so that together they never want more cores than there are.

Knows cores and the four engines. An engine with more threads than cores spins: a busy second pool made generation fall
from 48 to 4 tokens a second on two cores.
"""

import os
from dataclasses import dataclass
from pathlib import Path

CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadPlan:
    """Threads by engine."""

    cores: int
    """Cores the plan is for."""
    vad: int
    """Always 1: it runs on the listening thread and takes 1 % of a core."""
    stt: int
    tts: int
    llm: int
    """Threads that generate: the voice speaks at the same time."""
    llm_prompt: int
    """Threads that read a prompt: nothing is heard or spoken meanwhile."""

    @property
    def answering(self) -> int:
        """Threads that work while an answer is made and spoken."""
        return self.llm + self.tts

    @property
    def total(self) -> int:
        """Threads of all engines together; at most `cores` where there are four or more."""
        return self.vad + self.stt + self.tts + self.llm


def thread_plan(cores: int | None = None) -> ThreadPlan:
    """Share the cores out among the engines.

    From four cores on, all engines together have at most as many threads as there are cores. Below, four engines
    cannot: there the engines that work at the same time (`answering`) have at most that, and the recogniser, which
    works alone, may use all.

    Args:
        cores: cores to share out; `None` counts those this process may use.
    """
    cores = max(1, cores if cores is not None else available_cores())
    if cores < 4:
        return ThreadPlan(cores=cores, vad=1, stt=cores, tts=1, llm=max(1, cores - 1), llm_prompt=cores)
    stt = 1 if cores < 6 else min(4, cores // 4 + 1)
    tts = 1 if cores < 8 else 2
    llm = min(8, cores - 1 - stt - tts)
    return ThreadPlan(cores=cores, vad=1, stt=stt, tts=tts, llm=llm, llm_prompt=min(16, cores - 1))


def available_cores(quota_file: Path = CPU_QUOTA) -> int:
    """Return how many cores this process may use: its affinity, or a container's quota if that is less."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    try:
        quota, period = quota_file.read_text("ascii").split()
        return cores if quota == "max" else max(1, min(cores, round(int(quota) / int(period))))
    except (OSError, ValueError):
        return cores
