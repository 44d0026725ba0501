"""What the model's context holds, and states of prompts that may come back.

Two agents that take turns would each read their whole prompt again; a saved state brings it back in milliseconds.
Knows tokens and bytes; loading and saving a state is a function that it is given.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

WORTH_SAVING = 48
"""Tokens that must be lost before a state is worth its memory."""


class PromptCache:
    """The tokens of the context and a bounded number of saved states.

    Args:
        limit: states at most.
        limit_bytes: memory for them at most.
    """

    def __init__(self, limit: int, limit_bytes: int) -> None:
        self.tokens: list[int] = []
        """What the context holds now, in order."""
        self._limit = limit
        self._limit_bytes = limit_bytes
        self._states: OrderedDict[tuple[int, ...], bytes] = OrderedDict()

    @property
    def saved(self) -> int:
        """How many states are kept."""
        return len(self._states)

    def prepare(self, prompt: Sequence[int], save: Callable[[], bytes], load: Callable[[bytes], bool]) -> int:
        """Bring the context as near to `prompt` as can be; returns how many of its tokens are there.

        What the context held is saved first when little of it is in the prompt: it belongs to somebody else, who may
        come back.
        """
        shared = common_prefix(self.tokens, prompt)
        best = max(self._states, key=lambda tokens: common_prefix(tokens, prompt), default=())
        found = common_prefix(best, prompt)
        leaves = len(self.tokens) - shared >= WORTH_SAVING and shared < len(self.tokens) // 2
        if leaves:
            self._keep(tuple(self.tokens), save())
        if found - shared >= WORTH_SAVING and best in self._states:
            self._states.move_to_end(best)
            if load(self._states[best]):
                self.tokens = list(best)
                return found
            self.tokens = []
            return 0
        return shared

    def clear(self) -> None:
        """Forget everything."""
        self.tokens = []
        self._states.clear()

    def _keep(self, tokens: tuple[int, ...], state: bytes) -> None:
        for known in [each for each in self._states if common_prefix(each, tokens) == len(each)]:
            del self._states[known]
        self._states[tokens] = state
        while self._states and (
            len(self._states) > self._limit or sum(map(len, self._states.values())) > self._limit_bytes
        ):
            self._states.popitem(last=False)


def common_prefix(one: Sequence[int], other: Sequence[int]) -> int:
    """Return how many tokens two texts share at their beginning."""
    shortest = min(len(one), len(other))
    return next((index for index in range(shortest) if one[index] != other[index]), shortest)
