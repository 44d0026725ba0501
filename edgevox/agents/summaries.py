"""Sums up a text of any length with a model whose window is small.

Reads the text in pieces that fit beside the instructions and what was summed up so far, and folds each into one
account. Knows windows and tokens; what the text is and where the account goes is the caller's business.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edgevox.agents.model_slot import ModelSlot
from edgevox.context.window import OVERHEAD
from edgevox.core.cancel import CancelScope
from edgevox.core.completion import collect
from edgevox.core.errors import LanguageModelError, OutputFormatError
from edgevox.core.ports import ChatModel
from edgevox.endpoints.route import LLMEndpointRoute
from edgevox.llm.asking import DEFAULT_CONTEXT, counter

log = logging.getLogger(__name__)

TRIES = 3
"""How often an account that is too long, or none at all, is asked for again."""
TOLERANCE = 1.15
"""How much longer than its budget an account may be before it is asked for again."""
MARGIN = 0.9
"""Share of the window that is used: templates and tokenizers differ."""
_SMALLEST = 64
"""Tokens of the smallest piece that is worth a question."""

CONVERSATION = (
    "You keep the notes of a conversation between a person and an assistant. Write what must not be forgotten: who "
    "the person is and what they want, what was decided, names, numbers, places, file paths, what tools did and what "
    "came of it, what is still open. Leave out greetings and small talk. Short sentences, no headings, no comments."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """What one question could hold."""

    lines: int
    """How many lines of the text the account now covers."""
    text: str
    """The account so far."""


class Summariser:
    """Asks a model for short accounts.

    Args:
        model: who is asked.
        instructions: what an account must keep.
        window: tokens that the model holds; `None` asks the model itself.
    """

    def __init__(self, model: ChatModel, instructions: str = CONVERSATION, *, window: int | None = None) -> None:
        self._model = model = chosen(model)
        self._instructions = instructions
        self.count = counter(model)
        """How many tokens a text has, by the model's own tokenizer where it has one."""
        self.window = window or window_of(model)

    def whole(self, lines: Sequence[str], budget: int, scope: CancelScope, *, known: str = "") -> str:
        """Return one account of all lines.

        Args:
            lines: the text.
            budget: tokens of the account.
            scope: its end ends the questions.
            known: an earlier account, which becomes part of this one.

        Raises:
            Cancelled: the scope ended.
            LanguageModelError: the model could not answer.
        """
        done = 0
        while done < len(lines):
            portion = self.portion(lines[done:], budget, scope, known=known)
            known, done = portion.text, done + portion.lines
        return known

    def portion(self, lines: Sequence[str], budget: int, scope: CancelScope, *, known: str = "") -> Portion:
        """Fold as many lines into an account as one question holds, at least one.

        Raises as `whole` does.
        """
        budget = self.allowed(budget)
        if self.count(known) > budget * TOLERANCE:
            known = shortened(known, budget, self.count)
        room = self._room(known, budget)
        taken: list[str] = []
        for line in lines:
            cost = self.count(line) + 1
            if taken and cost > room:
                break
            taken.append(line if cost <= room else shortened(line, room, self.count))
            room -= min(cost, room)
        return Portion(lines=len(taken), text=self._asked("\n".join(taken), known, budget, scope))

    def allowed(self, budget: int) -> int:
        """The tokens that an account of this model may have: never more than a quarter of its window."""
        return max(min(budget, self.window // 4), 16)

    def _room(self, known: str, budget: int) -> int:
        fixed = self.count(self._instructions) + self.count(_question("", known, budget)) + 2 * OVERHEAD
        return max(int(self.window * MARGIN) - fixed - int(budget * TOLERANCE), _SMALLEST)

    def _asked(self, text: str, known: str, budget: int, scope: CancelScope) -> str:
        wish, best = _question(text, known, budget), ""
        for attempt in range(TRIES):
            scope.check()
            answer = self._answer(wish if attempt == 0 else f"{wish}\n\n{_shorter(best, budget)}", budget, scope)
            if answer and (not best or self.count(answer) < self.count(best)):
                best = answer
            if best and self.count(best) <= budget * TOLERANCE:
                return best
        if not best:
            raise OutputFormatError("The model was asked for a summary and said nothing: try another model.")
        return shortened(best, budget, self.count)

    def _answer(self, wish: str, budget: int, scope: CancelScope) -> str:
        messages = [{"role": "system", "content": self._instructions}, {"role": "user", "content": wish}]
        answer = collect(
            self._model.complete(messages, stop_event=scope.event, max_tokens=int(budget * TOLERANCE) + 16)
        )
        scope.check()
        if answer.finish == "cancelled":
            raise LanguageModelError("The model broke a summary off.")
        return answer.text.rpartition("</think>")[2].strip()


def chosen(model: ChatModel) -> ChatModel:
    """Return who answers now, where a model stands for another: that one knows how to count."""
    while isinstance(model, LLMEndpointRoute | ModelSlot):
        model = model.chosen
    return model


def window_of(model: ChatModel) -> int:
    """Return how many tokens a model holds, or a careful guess where it does not say."""
    model = chosen(model)
    for name in ("max_context_tokens", "context_size"):
        size = getattr(model, name, None)
        if isinstance(size, int) and size > 0:
            return size
    return DEFAULT_CONTEXT


def shortened(text: str, budget: int, count: Callable[[str], int]) -> str:
    """Keep the beginning and the end of a text that has too many tokens.

    Args:
        text: any text.
        budget: tokens it may have.
        count: how many tokens a text has.
    """
    tokens = count(text)
    while tokens > budget and len(text) > 8:
        letters = max(int(len(text) * budget / tokens * MARGIN) - 3, 4)
        head = -(-letters * 2 // 3)
        text = f"{text[:head]} … {text[len(text) - (letters - head) :] if letters > head else ''}".rstrip()
        tokens, before = count(text), tokens
        if tokens >= before:
            break
    return text


def _question(text: str, known: str, budget: int) -> str:
    words = max(int(budget * 0.6), 12)
    parts = [f"Notes so far:\n{known}"] if known else []
    parts.append(f"What came next:\n{text}")
    verb = "Write the notes anew, with both in them" if known else "Write the notes"
    return "\n\n".join([*parts, f"{verb}, in at most {words} words. Only the notes."])


def _shorter(best: str, budget: int) -> str:
    if not best:
        return "You answered nothing. Write the notes now."
    return f"That was too long. Use at most {max(int(budget * 0.4), 8)} words."
