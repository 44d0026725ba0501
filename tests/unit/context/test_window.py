"""Which messages a model sees."""

from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.context import cost, fit_messages, recent_turns, with_facts
from edgevox.core.messages import Message, ResultStatus, Role, TextBlock, ToolResultBlock, ToolUseBlock


def count(text: str) -> int:
    return len(text.split())


def user(text: str) -> Message:
    return Message.text(text)


def said(text: str) -> Message:
    return Message.text(text, Role.ASSISTANT)


def request(*ids: str, text: str = "") -> Message:
    uses = tuple(ToolUseBlock(tool_name="look", tool_use_id=each, input={"at": "it"}) for each in ids)
    return Message(role=Role.ASSISTANT, content=((TextBlock(text=text),) if text else ()) + uses)


def results(*ids: str) -> Message:
    blocks = tuple(
        ToolResultBlock(tool_name="look", tool_use_id=each, status=ResultStatus.SUCCESS, payload="a lamp")
        for each in ids
    )
    return Message(role=Role.TOOL, content=blocks)


SYSTEM = Message.text("be terse", Role.SYSTEM)


def conversation(turns: int) -> list[Message]:
    made = [SYSTEM]
    for n in range(turns):
        made += [user(f"question {n}"), request(f"id{n}"), results(f"id{n}"), said(f"answer {n}")]
    return made


def test_everything_stays_when_it_fits() -> None:
    messages = conversation(3)
    assert fit_messages(messages, 10_000, count) == messages


def test_the_oldest_turns_go_first_with_their_requests_and_results() -> None:
    messages = conversation(12)
    kept = fit_messages(messages, 200, count)
    assert kept[0] == SYSTEM
    assert kept[1].role is Role.USER
    assert kept[1:] == messages[-len(kept) + 1 :]
    assert cost(kept, count) <= 200


def test_turns_leave_by_strides_so_that_the_beginning_of_the_prompt_stays_the_same() -> None:
    beginnings = [fit_messages(conversation(n), 300, count)[1].plain for n in range(8, 20)]
    assert len(set(beginnings)) <= 5


def test_system_and_last_user_message_stay_even_when_they_alone_are_too_long() -> None:
    messages = [SYSTEM, user("old"), said("old"), user("a very long question " * 50)]
    assert fit_messages(messages, 10, count) == [SYSTEM, messages[-1]]


def test_within_one_long_turn_the_oldest_exchanges_go() -> None:
    asked = user("look around")
    exchanges = [m for n in range(20) for m in (request(f"id{n}"), results(f"id{n}"))]
    kept = fit_messages([SYSTEM, asked, *exchanges], 120, count)
    assert kept[:2] == [SYSTEM, asked]
    assert kept[2:] == exchanges[-len(kept) + 2 :]
    assert kept[2].tool_uses
    assert cost(kept, count) <= 120


def test_a_request_nobody_answered_goes_but_its_words_stay() -> None:
    kept = fit_messages([user("a"), request("x", text="let me look"), user("b"), request("y")], 1000, count)
    assert [m.plain for m in kept] == ["a", "let me look", "b"]
    assert not any(m.tool_uses for m in kept)


def test_a_result_nobody_asked_for_goes() -> None:
    kept = fit_messages([user("a"), results("x"), said("b")], 1000, count)
    assert [m.role for m in kept] == [Role.USER, Role.ASSISTANT]


def test_of_two_requests_in_one_message_only_the_answered_one_stays() -> None:
    kept = fit_messages([user("a"), request("x", "y"), results("y")], 1000, count)
    assert [use.tool_use_id for use in kept[1].tool_uses] == ["y"]


def test_identifiers_that_repeat_across_turns_are_told_apart() -> None:
    messages = [user("a"), request("x"), user("b"), request("x"), results("x")]
    kept = fit_messages(messages, 1000, count)
    assert [len(m.tool_uses) for m in kept] == [0, 0, 1, 0]


def test_the_same_message_object_may_stand_twice() -> None:
    again = said("yes")
    assert fit_messages([user("a"), again, user("b"), again], 1000, count)[1] is again


ids = st.sampled_from(["a", "b", "c"])
messages_strategy = st.lists(
    st.one_of(
        st.text(max_size=30).map(user),
        st.text(max_size=30).map(said),
        st.lists(ids, min_size=1, max_size=3, unique=True).map(lambda given: request(*given)),
        st.lists(ids, min_size=1, max_size=3, unique=True).map(lambda given: results(*given)),
        st.just(SYSTEM),
    ),
    max_size=30,
)


@settings(max_examples=400, deadline=None)
@given(messages_strategy, st.integers(min_value=-50, max_value=600))
def test_whatever_the_conversation_the_window_keeps_its_promises(messages: list[Message], budget: int) -> None:
    kept = fit_messages(messages, budget, count)
    assert fit_messages(kept, budget, count) == kept, "fitting twice changes something"
    assert [m for m in kept if m.role is Role.SYSTEM] == [m for m in messages if m.role is Role.SYSTEM]
    users = [m for m in messages if m.role is Role.USER]
    if users:
        assert users[-1] in kept
    assert in_order([m.plain for m in kept if m.role is Role.USER], [m.plain for m in users])
    assert all_paired(kept)


def in_order(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(any(each == other for other in rest) for each in part)


def all_paired(messages: list[Message]) -> bool:
    """Every request is answered right behind it, and nothing else is."""
    open_ids: set[str] = set()
    for message in messages:
        if message.role is Role.TOOL:
            answered = {b.tool_use_id for b in message.tool_results}
            if not answered <= open_ids:
                return False
            open_ids -= answered
            continue
        if open_ids:
            return False
        open_ids = {use.tool_use_id for use in message.tool_uses}
    return not open_ids


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 80), st.integers(1, 30), st.integers(1, 12))
def test_recent_turns_keeps_the_last_and_never_more_than_the_limit(turns: int, limit: int, stride: int) -> None:
    messages = conversation(turns)
    kept = recent_turns(messages, limit, stride=stride)
    assert sum(m.role is Role.USER for m in kept) <= limit
    assert kept[0] == SYSTEM
    assert kept[1:] == messages[len(messages) - len(kept) + 1 :]
    if turns:
        assert kept[-4].plain == f"question {turns - 1}"


def test_facts_stand_with_the_last_words_of_the_person_and_nowhere_else() -> None:
    messages = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "b"},
        {"role": "user", "content": "c"},
    ]
    shown = with_facts(messages, "It is 10:32.")
    assert [m["content"] for m in shown] == ["a", "b", "(It is 10:32.)\nc"]
    assert messages[2]["content"] == "c"
    assert with_facts(messages, "  ") == messages
