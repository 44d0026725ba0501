"""How much of a conversation a model with native tool calls is shown."""

from typing import Any, cast

import pytest

from edgevox.agents.model_slot import ModelSlot
from edgevox.context.visible import DEFAULT_CONTEXT, held_by, visible
from edgevox.core.ports import ChatModel
from edgevox.endpoints import LLMEndpointRoute, MockLLMEndpoint
from edgevox.testing import ScriptedModel


def conversation(turns: int, words: int = 400) -> list[dict[str, Any]]:
    said: list[dict[str, Any]] = []
    for number in range(turns):
        said.append({"role": "user", "content": f"question {number} {'word ' * words}"})
        said.append({"role": "assistant", "content": f"answer {number}"})
    return said


def models(size: int) -> list[ChatModel]:
    endpoint = MockLLMEndpoint(max_context_tokens=size)
    return [ScriptedModel(context_size=size), endpoint, LLMEndpointRoute(lambda: endpoint), ModelSlot(endpoint)]


@pytest.mark.parametrize("index", range(4))
def test_what_a_model_says_it_holds_counts_however_it_is_reached(index: int) -> None:
    small, large = models(2000)[index], models(100_000)[index]
    assert (held_by(small), held_by(large)) == (2000, 100_000)
    said = conversation(20)
    assert visible(said, large, (), {}) == said
    assert len(visible(said, small, (), {})) < len(said) / 2


def test_a_model_that_does_not_say_gets_a_careful_share() -> None:
    class Silent:
        def complete(self, messages: Any, **options: Any) -> Any:
            raise AssertionError("nobody asks")

    silent = cast("ChatModel", Silent())
    assert held_by(silent) is None
    shown = visible(conversation(40), silent, (), {})
    assert sum(len(message["content"]) // 3 for message in shown) < DEFAULT_CONTEXT
