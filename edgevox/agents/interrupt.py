"""What a barge-in ends beside speech and model."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InterruptPolicy:
    """How an agent takes it when the person speaks while it is busy. A stop is not an interruption: it ends all."""

    cancel_skills: bool = False
    """Whether running skills end too. By default a robot that drives goes on driving while one talks to it."""
