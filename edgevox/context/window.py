"""Which messages of a conversation a model sees when not all of them fit.

Pure functions over messages. Knows that a tool's request and its result belong together, that the system's words and
the person's last words are never left out, and that a window which moves at every turn costs a prompt cache everything:
it moves by several turns at once. Does not know any model or tokenizer.
"""

from collections.abc import Callable, Sequence

from edgevox.core.messages import Message, Role, ToolResultBlock, ToolUseBlock

OVERHEAD = 8
"""Tokens that a chat template spends around one message; the largest seen among the known families."""

STRIDE = 4
"""Turns that leave together. The prompt's beginning stays the same until the next stride."""

Count = Callable[[str], int]


def fit_messages(messages: Sequence[Message], budget: int, count: Count) -> list[Message]:
    """Return the messages that fit, oldest turns left out first.

    A request without a result, and a result without a request, never survive: models and servers refuse them. System
    messages and the last user message always do, even when they alone are over the budget.

    Args:
        messages: the conversation, oldest first.
        budget: tokens that may be spent on them.
        count: how many tokens a text has.

    Returns:
        A subset in the same order. Fitting it again with the same budget changes nothing.
    """
    whole = _paired(messages)
    costs = [cost([message], count) for message in whole]
    system = [index for index, message in enumerate(whole) if message.role is Role.SYSTEM]
    turns = _turns(whole)
    room = budget - sum(costs[index] for index in system)
    turn_costs = [sum(costs[index] for index in turn) for turn in turns]
    first = _first_that_fits(turn_costs, room)
    kept = [index for turn in turns[first:] for index in turn]
    if sum(turn_costs[first:]) > room and turns:
        kept = _shrink(turns[-1], whole, costs, room)
    return [whole[index] for index in sorted((*system, *kept))]


def recent_turns(messages: Sequence[Message], limit: int, *, stride: int = STRIDE * 2) -> list[Message]:
    """Return the system messages and the last turns, at most `limit` of them.

    Args:
        messages: the conversation, oldest first.
        limit: turns to keep at most; a turn begins with the person's words.
        stride: turns that leave together once the limit is passed.
    """
    turns = _turns(messages)
    excess = len(turns) - limit
    if excess <= 0:
        return list(messages)
    dropped = min(_round_up(excess, min(stride, limit)), len(turns) - 1)
    gone = {index for turn in turns[:dropped] for index in turn}
    return [message for index, message in enumerate(messages) if index not in gone]


def cost(messages: Sequence[Message], count: Count) -> int:
    """Return how many tokens the messages take, with what a template puts around them."""
    return sum(OVERHEAD + sum(count(text) for text in _texts(message)) for message in messages)


def _texts(message: Message) -> list[str]:
    texts = [message.plain] if message.plain else []
    for projected in message.openai():
        if message.role is Role.TOOL:
            texts.append(str(projected["content"]))
        calls = projected.get("tool_calls") or ()
        texts.extend(f"{call['function']['name']} {call['function']['arguments']}" for call in calls)
    return texts


def _first_that_fits(costs: Sequence[int], room: int) -> int:
    """Index of the first turn to keep; the last turn is always kept."""
    total = sum(costs)
    dropped = 0
    while dropped < len(costs) - 1 and total > room:
        total -= costs[dropped]
        dropped += 1
    if dropped == 0:
        return 0
    return max(min(_round_up(dropped, STRIDE), len(costs) - 1), 0)


def _round_up(number: int, step: int) -> int:
    return -(-number // max(step, 1)) * max(step, 1)


def _turns(messages: Sequence[Message]) -> list[list[int]]:
    """Places of each turn's messages: it begins with the person's words; what comes before the first is one too."""
    turns: list[list[int]] = []
    for index, message in enumerate(messages):
        if message.role is Role.SYSTEM:
            continue
        if message.role is Role.USER or not turns:
            turns.append([])
        turns[-1].append(index)
    return turns


def _shrink(turn: Sequence[int], messages: Sequence[Message], costs: Sequence[int], room: int) -> list[int]:
    """Leave out the oldest exchanges of one turn, never the person's words that opened it."""
    opening = [index for index in turn[:1] if messages[index].role is Role.USER]
    exchanges = _exchanges(turn[len(opening) :], messages)
    room -= sum(costs[index] for index in opening)
    while exchanges and sum(costs[index] for exchange in exchanges for index in exchange) > room:
        exchanges.pop(0)
    return opening + [index for exchange in exchanges for index in exchange]


def _exchanges(turn: Sequence[int], messages: Sequence[Message]) -> list[list[int]]:
    """Group each request of tools with the results that answer it."""
    groups: list[list[int]] = []
    for index in turn:
        if messages[index].role is not Role.TOOL or not groups:
            groups.append([])
        groups[-1].append(index)
    return groups


def _paired(messages: Sequence[Message]) -> list[Message]:
    """Take out requests nobody answered and results nobody asked for.

    A result counts when it follows its request before anything else is said; identifiers that repeat across turns are
    told apart that way.
    """
    kept: list[Message] = []
    index = 0
    while index < len(messages):
        message = messages[index]
        index += 1
        if message.role is Role.TOOL:
            if kept_result := _without_results(message, set()):
                kept.append(kept_result)
            continue
        asked = {use.tool_use_id for use in message.tool_uses}
        if not asked:
            kept.append(message)
            continue
        results: list[Message] = []
        while index < len(messages) and messages[index].role is Role.TOOL:
            results.append(messages[index])
            index += 1
        kept.extend(_joined(message, asked, results))
    return kept


def _joined(message: Message, asked: set[str], results: Sequence[Message]) -> list[Message]:
    """The request with what answers it; a second answer to the same request is left out."""
    answered = {block.tool_use_id for result in results for block in result.tool_results} & asked
    kept = [request] if (request := _without_uses(message, answered)) else []
    waiting = set(answered)
    for result in results:
        if answer := _without_results(result, waiting):
            kept.append(answer)
            waiting -= {block.tool_use_id for block in answer.tool_results}
    return kept


def _without_uses(message: Message, answered: set[str]) -> Message | None:
    content = tuple(b for b in message.content if not isinstance(b, ToolUseBlock) or b.tool_use_id in answered)
    return _with_content(message, content)


def _without_results(message: Message, asked: set[str]) -> Message | None:
    content = tuple(b for b in message.content if not isinstance(b, ToolResultBlock) or b.tool_use_id in asked)
    return _with_content(message, content)


def _with_content(message: Message, content: tuple[object, ...]) -> Message | None:
    if len(content) == len(message.content):
        return message
    if not any(getattr(block, "text", "") for block in content) and not any(
        isinstance(block, ToolUseBlock | ToolResultBlock) for block in content
    ):
        return None
    return message.model_copy(update={"content": content})


def guessed(text: str) -> int:
    """Guess how many tokens a text has, on the safe side; for models that do not say."""
    return len(text.encode("utf-8", "replace")) // 3 + 1
