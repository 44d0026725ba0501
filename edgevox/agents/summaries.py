"""Sums up a text of any length with a model whose window is small.

Reads the text in pieces that fit beside the instructions and what was summed up so far, and folds each into one
account. Knows windows and tokens; what the text is and where the account goes is the caller's business.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from edgevox.agents.model_slot import ModelSlot
from edgevox.context.visible import DEFAULT_CONTEXT, counter, held_by
from edgevox.context.window import OVERHEAD
from edgevox.core.cancel import CancelScope
from edgevox.core.completion import collect
from edgevox.core.errors import LanguageModelError, OutputFormatError
from edgevox.core.ports import ChatModel
from edgevox.endpoints.route import LLMEndpointRoute

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
    "You write the notes of an assistant about the people it talks to and the work it does. You turn a conversation "
    "into a list of facts: one short line each, beginning with a dash, in the third person (- The person is called "
    "Ann.). Keep names, numbers, places, dates, file names, wishes, decisions, what tools did and what came of it, and "
    "what is still to be done. Leave out greetings, small talk and what was merely said. Never copy the conversation."
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

    def whole(
        self, lines: Sequence[str], budget: int, scope: CancelScope, *, known: str = "", merge: bool = False
    ) -> str:
        """Return one account of all lines.

        Args:
            lines: the text.
            budget: tokens of the account.
            scope: its end ends the questions.
            known: an earlier account, which becomes part of this one.
            merge: have the model write the earlier account anew each time, so that what is newer corrects it. A small
                model loses something whenever it does; without this, it does so only when the account grows too long.

        Raises:
            Cancelled: the scope ended.
            LanguageModelError: the model could not answer.
        """
        done = 0
        while done < len(lines):
            portion = self.portion(lines[done:], budget, scope, known=known, merge=merge)
            known, done = portion.text, done + portion.lines
        return known

    def portion(
        self, lines: Sequence[str], budget: int, scope: CancelScope, *, known: str = "", merge: bool = False
    ) -> Portion:
        """Fold as many lines into an account as one question holds, at least one.

        Takes and raises what `whole` does.
        """
        budget = self.allowed(budget)
        known = shortened(known, int(budget * TOLERANCE), self.count)
        told = known if merge else ""
        room = self._room(told, budget)
        taken: list[str] = []
        for line in lines:
            cost = self.count(line) + 1
            if taken and cost > room:
                break
            taken.append(line if cost <= room else shortened(line, room, self.count))
            room -= min(cost, room)
        text = self._asked(_question("\n".join(taken), told, budget if merge else budget // 2), budget, scope)
        return Portion(lines=len(taken), text=text if merge or not known else self._joined(known, text, budget, scope))

    def _joined(self, known: str, new: str, budget: int, scope: CancelScope) -> str:
        """One list of two; written shorter when it has become too long."""
        joined = "\n".join(dict.fromkeys(line for text in (known, new) for line in text.splitlines() if line.strip()))
        if self.count(joined) <= budget * TOLERANCE:
            return joined
        shorter = budget * 3 // 4
        return self._asked(
            _shorter_list(shortened(joined, self._room("", shorter), self.count), shorter), shorter, scope
        )

    def allowed(self, budget: int) -> int:
        """The tokens that an account of this model may have: never more than a quarter of its window."""
        return max(min(budget, self.window // 4), 16)

    def _room(self, known: str, budget: int) -> int:
        fixed = self.count(self._instructions) + self.count(_question("", known, budget)) + 2 * OVERHEAD
        return max(int(self.window * MARGIN) - fixed - int(budget * TOLERANCE), _SMALLEST)

    def _asked(self, wish: str, budget: int, scope: CancelScope) -> str:
        best = ""
        for attempt in range(TRIES):
            scope.check()
            answer = self._answer(wish if attempt == 0 else f"{wish}\n\n{_again(best, budget)}", budget, scope)
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
    return held_by(chosen(model)) or DEFAULT_CONTEXT


def shortened(text: str, budget: int, count: Callable[[str], int]) -> str:
    """Keep the beginning and the end of a text that has too many tokens: of a list its lines, of a line its letters.

    Args:
        text: any text.
        budget: tokens it may have.
        count: how many tokens a text has.
    """
    lines = text.splitlines()
    while len(lines) > 1 and count("\n".join(lines)) > budget:
        del lines[len(lines) // 2]
    text = "\n".join(lines)
    tokens = count(text)
    while tokens > budget and len(text) > 8:
        letters = max(int(len(text) * budget / tokens * MARGIN) - 3, 4)
        head = -(-letters * 2 // 3)
        text = f"{text[:head]} … {text[len(text) - (letters - head) :] if letters > head else ''}".rstrip()
        tokens, before = count(text), tokens
        if tokens >= before:
            break
    return text


def _words(tokens: int) -> int:
    return max(int(tokens * 0.6), 10)


def _question(text: str, known: str, budget: int) -> str:
    wish = "The whole list of facts, those so far and the new ones" if known else "The list of facts"
    parts = [f"Facts so far:\n{known}"] if known else []
    parts.append(f"Conversation:\n{text}\n\nEnd of the conversation.")
    return "\n\n".join([*parts, f"{wish}, at most {_words(budget)} words:"])


def _shorter_list(known: str, budget: int) -> str:
    return (
        f"Facts so far:\n{known}\n\nWrite a shorter list of facts: join what belongs together, leave out what is over "
        f"or matters least; where two lines contradict each other, the later one holds. At most {_words(budget)} words:"
    )


def _again(best: str, budget: int) -> str:
    if not best:
        return "You answered nothing. Write the list of facts now."
    return f"That was too long. Use at most {_words(budget * 2 // 3)} words."
