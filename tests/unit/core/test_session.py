import threading

from edgevox.core.cancel import CancelReason
from edgevox.core.events import AgentEvent, EventBus
from edgevox.core.messages import Message, Role
from edgevox.core.session import AgentContext, Session


def test_session_first_message_preserved() -> None:
    session = Session(messages=[{"role": "user", "content": "my name is Sam"}])
    session.add(Message.text("hello Sam", Role.ASSISTANT))
    assert session.openai()[0] == {"role": "user", "content": "my name is Sam"}


def test_a_cut_reply_keeps_what_was_heard() -> None:
    session = Session(
        messages=[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "One. Two. Three."}]
    )
    session.keep_heard("One.")
    assert session.messages[-1].plain == "One."
    assert session.messages[-1].kind == "interrupted"


def test_a_turn_without_a_reply_yet_leaves_the_earlier_one_alone() -> None:
    session = Session(messages=[{"role": "assistant", "content": "Before."}, {"role": "user", "content": "hi"}])
    session.keep_heard("")
    assert session.messages[0].plain == "Before."


def test_reset_forgets_words_and_notes() -> None:
    session = Session(messages=[{"role": "user", "content": "hi"}], state={"seen": 1})
    session.reset()
    assert (session.messages, session.state) == ([], {})


def test_the_callers_stop_event_ends_the_run() -> None:
    stop = threading.Event()
    ctx = AgentContext(stop=stop)
    assert not ctx.should_stop()
    stop.set()
    assert ctx.should_stop()
    assert ctx.stop.is_set()


def test_a_parents_stop_reaches_a_nested_run_and_not_the_other_way() -> None:
    ctx = AgentContext()
    first, second = ctx.child(), ctx.child(session=Session())
    first.scope.cancel(CancelReason.TIMEOUT)
    assert not ctx.should_stop()
    assert not second.should_stop()
    ctx.stop.set()
    assert second.should_stop()


def test_events_reach_the_bus_and_the_run() -> None:
    bus, seen, mine = EventBus(), list[AgentEvent](), list[AgentEvent]()
    bus.subscribe_all(seen.append)
    AgentContext(bus=bus, on_event=mine.append, turn=7).emit("handoff", "casa", "lights")
    assert [(event.kind, event.agent_name, event.payload, event.turn) for event in seen] == [
        ("handoff", "casa", "lights", 7)
    ]
    assert mine == seen


def test_nested_runs_share_world_bus_language_and_notes() -> None:
    ctx = AgentContext(deps="world", language="de")
    child = ctx.child()
    child.vars["x"] = 1
    assert (child.deps, child.bus, child.language, ctx.vars["x"]) == ("world", ctx.bus, "de", 1)
