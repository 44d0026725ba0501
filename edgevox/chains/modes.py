"""How much of a model and of a person an agent has."""

from enum import StrEnum


class AgentMode(StrEnum):
    """What an agent may fall back on when its chains have ended."""

    DETERMINISTIC = "deterministic"
    """Never asks a model: its default tools do the work."""
    STEERABLE = "steerable"
    """Asks a model, and may ask the person."""
    AUTONOMOUS = "autonomous"
    """Asks a model, and never the person."""

    @property
    def asks_model(self) -> bool:
        """Whether a model is asked what to do next."""
        return self is not AgentMode.DETERMINISTIC

    @property
    def asks_people(self) -> bool:
        """Whether a person may be asked."""
        return self is not AgentMode.AUTONOMOUS
