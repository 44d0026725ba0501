"""Who answers: the agent of a definition with the person's settings, and the words that stop while it answers."""

from collections.abc import Sequence

from edgevox.agents.definition import AgentDefinition
from edgevox.config.settings import Settings
from edgevox.core.ports import ChatModel, RunAgent


def make_agent(definition: AgentDefinition, model: ChatModel | None, settings: Settings) -> RunAgent:
    """Return the agent of a definition, bound to the model: its own, or one made from its fields."""
    return definition.build(model, max_tokens=settings.llm.max_tokens, temperature=settings.llm.temperature)


def stop_words_of(definition: AgentDefinition, settings: Settings) -> tuple[str, ...] | None:
    """The words that stop: the agent's, or the person's; `None` takes the language's own."""
    chosen: Sequence[str] | None = definition.stop_words
    if chosen is None:
        chosen = settings.safety.stop_words
    return None if chosen is None else tuple(chosen)
