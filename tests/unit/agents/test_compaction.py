"""Long conversations are summed up: in place, word for word at both ends, and never while somebody waits."""

import threading
from collections.abc import Callable

import pytest

from edgevox.agents.compaction.between_turns import BetweenTurns
from edgevox.agents.compaction.compactor import Compaction, Compactor, Outcome
from edgevox.agents.compaction.plan import HEADING, Budget
from edgevox.agents.compaction.shown import Costs
from edgevox.agents.compaction.transcript import lines_of
from edgevox.agents.idle import Idle
from edgevox.agents.summaries import Summariser
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import EndpointUnavailable
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.kinds import MessageKind
from edgevox.core.messages import (
    Message,
    Origin,
    ResultStatus,
    Role,
    Severity,
    ToolResultBlock,
    ToolUseBlock,
    Truncation,
)
from edgevox.core.session import Session
from edgevox.testing import FakeClock, ModelRequest, ScriptedModel

BEGINNING = [
    Message.text("You are Ada.", Role.SYSTEM, kind=MessageKind.SYSTEM_MESSAGE),
    Message.text("The project lies in /srv.", kind=MessageKind.STARTUP_CONTEXT),
]


def turns(count: int, first: int = 0, words: int = 10) -> list[Message]:
    made: list[Message] = []
    for number in range(first, first + count):
        made.append(Message.text(f"question {number} {'word ' * words}"))
        made.append(Message.text(f"answer {number} {'word ' * words}", Role.ASSISTANT))
    return made


def called(name: str, use_id: str, said: str, truncation: tuple[Truncation, ...] = ()) -> list[Message]:
    use = ToolUseBlock(tool_name=name, tool_use_id=use_id, input={"path": "notes.txt"})
    result = ToolResultBlock(
        tool_name=name, tool_use_id=use_id, status=ResultStatus.SUCCESS, payload=said, truncation=truncation
    )
    return [Message(role=Role.ASSISTANT, content=(use,)), Message(role=Role.TOOL, content=(result,))]


def small(replies: str = "Ann likes tea.", window: int = 400) -> ScriptedModel:
    return ScriptedModel(otherwise=replies, context_size=window)


def test_below_the_threshold_nothing_is_touched_and_nobody_is_asked() -> None:
    model, messages = small(), [*BEGINNING, *turns(3)]
    before = list(messages)
    assert Compactor(model).compact(messages).outcome is Outcome.OK
    assert messages == before
    assert model.requests == []


def test_a_summary_takes_the_place_of_the_older_part_of_the_same_list() -> None:
    model, messages = small(), [*BEGINNING, *turns(20)]
    listed, last = messages, messages[-2:]
    done = Compactor(model).compact(messages)
    assert done.outcome is Outcome.COMPACTED
    assert done.used < 0.8
    assert messages is listed
    assert messages[:2] == BEGINNING
    assert messages[2].plain == f"{HEADING}\nAnn likes tea."
    assert (messages[2].role, messages[2].kind) == (Role.USER, MessageKind.COMPACTED_CONTEXT)
    assert messages[3].role is Role.USER
    assert messages[-2:] == last


def test_a_second_summary_folds_the_first() -> None:
    model, messages = small(), [*BEGINNING, *turns(20)]
    compactor = Compactor(model)
    compactor.compact(messages)
    messages.extend(turns(20, first=20))
    model.otherwise = "Bob likes coffee."
    assert compactor.compact(messages).outcome is Outcome.COMPACTED
    assert [message.kind for message in messages].count(MessageKind.COMPACTED_CONTEXT) == 1
    assert messages[2].plain == f"{HEADING}\nAnn likes tea.\nBob likes coffee."
    assert messages[:2] == BEGINNING


def test_a_list_that_has_grown_too_long_is_written_shorter() -> None:
    def answer(request: ModelRequest) -> str:
        if "shorter list of facts" in request.last_user_text:
            return "- All of it."
        return "\n".join(f"- fact {len(model.requests)} {number}" for number in range(4))

    model = ScriptedModel(otherwise=answer, context_size=300)
    text = Summariser(model).whole([f"Person: line {number} {'word ' * 20}" for number in range(30)], 60, CancelScope())
    assert "- All of it." in text
    assert model.count_tokens(text) <= 70
    assert any("fact 1 0" in request.last_user_text for request in model.requests)


def test_no_question_is_longer_than_the_window_of_the_model_that_sums_up() -> None:
    model = ScriptedModel(otherwise="note " * 400, context_size=300)
    messages = [*turns(30), Message.text("word " * 5000), *turns(12, first=40)]
    Compactor(model).compact(messages)
    assert len(model.requests) > 5
    for request in model.requests:
        read = sum(model.count_tokens(str(message["content"])) for message in request.messages)
        assert read + request.options["max_tokens"] <= 300


def test_a_request_and_its_result_are_summed_up_together_or_stay_together() -> None:
    model = small()
    for before in range(12, 26):
        messages = turns(before, words=4)
        for number in range(8):
            messages += called("read_file", f"call_{number}", "words " * 20)
        Compactor(model, Budget(window=400, max_turns=None)).compact(messages)
        uses = [use.tool_use_id for message in messages for use in message.tool_uses]
        results = [block.tool_use_id for message in messages for block in message.tool_results]
        assert uses == results


def test_many_short_turns_are_summed_up_before_the_oldest_would_be_left_out() -> None:
    model, messages = small(window=100_000), turns(22, words=1)
    assert Compactor(model).compact(messages).outcome is Outcome.COMPACTED
    assert sum(message.role is Role.USER for message in messages) < 12


def test_what_was_hidden_from_the_model_is_not_in_what_it_sums_up() -> None:
    once = (Truncation(threshold=1, severity=Severity.REMOVE),)
    messages = [*called("trace", "call_1", "a long traceback", once), Message.text("It failed.", Role.ASSISTANT)]
    lines = [line for each in lines_of(messages) for line in each]
    assert lines == ["Assistant: It failed."]
    chained = ToolResultBlock(
        tool_name="check", tool_use_id="c", status=ResultStatus.SUCCESS, payload=3, origin=Origin.CHAIN
    )
    assert lines_of([Message(role=Role.TOOL, content=(chained,))]) == [["check answered (success): 3"]]


def test_what_the_model_is_not_shown_takes_no_room() -> None:
    hidden = called("beat", "call_1", "word " * 500, (Truncation(threshold=0, severity=Severity.REMOVE),))[1]
    stubbed = called("beat", "call_2", "word " * 500, (Truncation(threshold=0, severity=Severity.STUB),))[1]
    costs = Costs(len).of([hidden, stubbed, *turns(1, words=500)])
    assert costs[0] == 0
    assert costs[1] < 100 < costs[2]


def test_each_message_is_counted_once_and_again_when_a_rule_cuts_it() -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text)

    costs, messages = Costs(count), turns(5)
    once = called("trace", "call_1", "a long traceback", (Truncation(threshold=1, severity=Severity.REMOVE),))
    first = costs.of([*messages, *once])
    read = len(counted)
    assert costs.of([*messages, *once]) == first
    assert len(counted) == read
    assert first[-1] > 0
    assert costs.of([*messages, *once, Message.text("It failed.", Role.ASSISTANT)])[-2] == 0


def test_a_summary_that_is_too_long_is_asked_for_again_and_cut_at_last() -> None:
    model = ScriptedModel("word " * 300, "word " * 200, "word " * 90, context_size=1000)
    summariser = Summariser(model)
    text = summariser.whole(["Person: hello"], 60, CancelScope())
    assert len(model.requests) == 3
    assert "That was too long" in model.requests[1].last_user_text
    assert model.count_tokens(text) <= 60


def test_when_only_the_beginning_is_there_nothing_is_changed() -> None:
    messages = [Message.text("word " * 2000, Role.SYSTEM), Message.text("hi")]
    model = small()
    assert Compactor(model, Budget(window=400, keep=0.8)).compact(messages).outcome is Outcome.BLOCKED
    assert len(messages) == 2
    assert model.requests == []


def test_a_model_that_cannot_be_reached_leaves_the_conversation_as_it_was() -> None:
    messages = turns(20)
    model = ScriptedModel(EndpointUnavailable("The server is down."), context_size=400)
    done = Compactor(model).compact(messages)
    assert (done.outcome, done.problem, len(messages)) == (Outcome.FAILED, "The server is down.", 40)


def test_a_scope_that_ends_while_the_model_writes_leaves_the_conversation_as_it_was() -> None:
    scope, messages = CancelScope(), turns(20)

    def interrupted(_: ModelRequest) -> str:
        scope.cancel()
        return "too late"

    done = Compactor(ScriptedModel(interrupted, context_size=400)).compact(messages, scope)
    assert (done.outcome, len(messages)) == (Outcome.CANCELLED, 40)


def test_a_summary_of_messages_that_are_gone_is_thrown_away() -> None:
    messages = turns(20)

    def reset(_: ModelRequest) -> str:
        messages.clear()
        messages.extend(turns(20, first=100))
        return "of something else"

    done = Compactor(ScriptedModel(reset, context_size=4000), Budget(window=400)).compact(messages)
    assert done.outcome is Outcome.BLOCKED
    assert [message.plain for message in messages] == [message.plain for message in turns(20, first=100)]


class Desk:
    """An assistant's bus and conversation, with someone who looks after it."""

    def __init__(self, model: ScriptedModel, clock: FakeClock) -> None:
        self.bus, self.session, self.idle = EventBus(), Session(turns(20)), Idle(clock=clock)
        self.ends: list[Compaction] = []
        self.ended = threading.Event()
        self.idle.listen(self.bus)
        self.leave = BetweenTurns(self.session, lambda: model, lambda: None, self.idle, self._end).listen(self.bus)

    def tell(self, kind: str) -> None:
        self.bus.publish(AgentEvent(kind))

    def _end(self, done: Compaction) -> None:
        self.ends.append(done)
        self.ended.set()


@pytest.fixture
def desk() -> Callable[[ScriptedModel, FakeClock], Desk]:
    return Desk


def test_the_conversation_is_summed_up_once_the_assistant_is_at_rest(desk: Callable[..., Desk]) -> None:
    clock, model = FakeClock(), small()
    at = desk(model, clock)
    at.tell("heard")
    at.tell("text_start")
    assert not at.idle.quiet
    at.tell("text_end")
    assert not at.ended.wait(0.4)
    assert model.requests == []
    clock.advance(5)
    assert at.ended.wait(10)
    assert at.ends[0].outcome is Outcome.COMPACTED
    assert at.session.messages[0].kind == MessageKind.COMPACTED_CONTEXT


@pytest.mark.parametrize("kind", ["heard", "heard_partial", "text_start", "safety_preempt"])
def test_the_next_word_and_a_stop_end_it_at_once_and_leave_the_list_whole(desk: Callable[..., Desk], kind: str) -> None:
    asked, clock = threading.Event(), FakeClock()

    def slow(_: ModelRequest) -> str:
        asked.set()
        return "word " * 2000

    model = ScriptedModel(slow, token_delay_s=0.05, context_size=400)
    at = desk(model, clock)
    at.tell("text_end")
    clock.advance(5)
    assert asked.wait(10)
    at.tell(kind)
    at.session.messages.append(Message.text("what the person says now"))
    assert at.ended.wait(5)
    assert at.ends[0].outcome is Outcome.CANCELLED
    assert len(at.session.messages) == 41
    assert model.cancelled == 1


def test_nothing_is_changed_after_somebody_has_spoken() -> None:
    idle, changed = Idle(settle_s=0), list[str]()
    scope = idle.borrow()
    assert scope is not None
    assert idle.change(scope, lambda: changed.append("before"))
    idle.disturb()
    assert not idle.change(scope, lambda: changed.append("after"))
    assert changed == ["before"]
    assert scope.cancelled


def test_waiting_for_rest_ends_with_the_scope_around_it() -> None:
    idle, around = Idle(settle_s=1000, clock=FakeClock()), CancelScope()
    idle.disturb()
    threading.Timer(0.1, around.cancel).start()
    assert idle.wait(around) is None
    assert idle.wait(CancelScope(), timeout=0) is None
