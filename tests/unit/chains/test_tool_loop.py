"""The loop between a model and its tools, with a scripted model."""

import threading
import time
from collections.abc import Generator
from typing import Any, Literal

import pytest

from edgevox.agents import skill
from edgevox.core.cancel import CancelScope
from edgevox.core.completion import ToolCall
from edgevox.core.errors import ContextOverflow, LanguageModelError, ModelCrashed
from edgevox.core.events import AgentEvent
from edgevox.core.messages import Message, MessageStatus, ResultStatus, Role
from edgevox.core.session import AgentContext
from edgevox.core.tools import Effect, ToolCallResult
from edgevox.llm.prompter import LlmCall, LoopHooks, LoopResult, run_tool_loop
from edgevox.testing import ScriptedModel, call, calls, pieces
from edgevox.tools import ToolRegistry, tool


class House:
    """What the tools did."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.running = 0
        self.most_at_once = 0
        self.registry = ToolRegistry(self.set_light, self.read_pose, self.move, self.wait, self.fail, self.look)
        self._lock = threading.Lock()

    @tool
    def set_light(self, room: Literal["kitchen", "bedroom"], on: bool) -> str:
        """Turn a light on or off."""
        self.done.append(f"light {room} {on}")
        return f"The {room} light is {'on' if on else 'off'}."

    @tool(effect=Effect.READ, resources=["robot"])
    def read_pose(self) -> dict[str, int]:
        """Where the robot is."""
        self._enter("pose")
        return {"x": 1, "y": 2}

    @tool(resources=["robot"])
    def move(self, meters: float) -> str:
        """Drive forward."""
        self._enter(f"move {meters}")
        return "moved"

    @tool(effect=Effect.READ)
    def wait(self, seconds: float) -> str:
        """Take a while."""
        self._enter(f"wait {seconds}", seconds)
        return f"waited {seconds}"

    @tool
    def fail(self, why: str) -> str:
        """Never work."""
        raise ValueError(f"it is broken: {why}")

    @tool(effect=Effect.READ)
    def look(self, at: str) -> str:
        """Look at something."""
        self.done.append(f"look {at}")
        return "nothing there"

    def _enter(self, what: str, seconds: float = 0.05) -> None:
        with self._lock:
            self.running += 1
            self.most_at_once = max(self.most_at_once, self.running)
        time.sleep(seconds)
        with self._lock:
            self.running -= 1
            self.done.append(what)


class Turn:
    """One run of the loop, with everything it told."""

    def __init__(self, model: Any, house: House | None = None, ctx: AgentContext | None = None, **options: Any) -> None:
        self.model = model
        self.house = house or House()
        self.ctx = ctx or AgentContext()
        self.events: list[AgentEvent] = []
        self.messages: list[Message] = []
        self.told: list[ToolCallResult] = []
        self.ctx.bus.subscribe_all(self.events.append)
        self.options = options

    def start(self, text: str = "do it") -> Generator[str, None, LoopResult]:
        return run_tool_loop(
            self.model,
            [{"role": "system", "content": "You are terse."}, {"role": "user", "content": text}],
            self.house.registry,
            self.ctx,
            agent_name="tester",
            on_message=self.messages.append,
            on_tool_call=self.told.append,
            **self.options,
        )

    def run(self, text: str = "do it") -> LoopResult:
        return finish(self.start(text))[1]

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


def finish(stream: Generator[str, None, LoopResult]) -> tuple[str, LoopResult]:
    said: list[str] = []
    while True:
        try:
            said.append(next(stream))
        except StopIteration as stop:
            return "".join(said), stop.value


LIGHT_ON = call("set_light", room="kitchen", on=True)


def test_small_talk_is_one_model_call_and_no_tool() -> None:
    turn = Turn(ScriptedModel("Hello there."))
    said, result = finish(turn.start("hello"))
    assert (said, result.reply, result.model_calls, result.tool_calls) == ("Hello there.", "Hello there.", 1, ())
    assert turn.kinds() == ["llm_call"]


def test_words_are_yielded_while_the_model_still_speaks() -> None:
    model = ScriptedModel("one two three", token_delay_s=0.02)
    stream = Turn(model).start()
    assert next(stream) == "one"
    assert model.busy
    finish(stream)


def test_a_call_runs_and_its_result_is_shown_to_the_model() -> None:
    turn = Turn(ScriptedModel(LIGHT_ON, "The kitchen light is on."))
    result = turn.run("turn on the kitchen light")
    assert turn.house.done == ["light kitchen True"]
    assert result.reply == "The kitchen light is on."
    assert turn.model.requests[1].tool_results == ["The kitchen light is on."]
    assert turn.kinds() == ["llm_call", "tool_use", "tool_call", "tool_result", "llm_call"]
    assert [m.role for m in turn.messages] == [Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert turn.told == list(result.tool_calls)


def test_the_llm_call_event_says_what_the_call_took() -> None:
    turn = Turn(ScriptedModel("Hello there."))
    turn.run()
    note = turn.events[0].payload
    assert isinstance(note, LlmCall)
    assert (note.model, note.completion_tokens, note.finish, note.error) == ("scripted", 2, "stop", None)
    assert note.first_token_s is not None


def test_after_the_last_hop_the_model_must_answer_in_words() -> None:
    model = ScriptedModel(*(call("look", at=f"thing {n}") for n in range(3)), "I saw nothing.")
    result = Turn(model, max_tool_hops=3).run()
    assert [request.tool_choice for request in model.requests] == ["auto", "auto", "auto", "none"]
    assert (result.reply, result.model_calls) == ("I saw nothing.", 4)


def test_a_model_that_never_stops_calling_is_stopped_and_says_so() -> None:
    model = ScriptedModel(otherwise=lambda request: call("look", at=f"thing {len(request.messages)}"))
    result = Turn(model, max_tool_hops=3).run()
    assert result.model_calls == 4
    assert result.ending == "hops"
    assert result.reply == "I stopped, because that took too many steps."


def test_the_same_read_with_the_same_outcome_three_times_ends_the_turn_with_an_explanation() -> None:
    spellings = iter(["Kitchen", "kitchen", " kitchen.", "kitchen"])
    model = ScriptedModel(otherwise=lambda _: call("look", at=next(spellings)))
    turn = Turn(model, max_tool_hops=10)
    said, result = finish(turn.start())
    assert result.ending == "repeated"
    assert turn.house.done == ["look Kitchen", "look kitchen", "look  kitchen."]
    assert said == result.reply
    assert "same thing" in result.reply


def test_what_was_done_once_in_a_turn_is_not_done_again() -> None:
    turn = Turn(ScriptedModel(LIGHT_ON, LIGHT_ON, "It is on."), max_tool_hops=5)
    result = turn.run()
    assert turn.house.done == ["light kitchen True"]
    assert turn.model.requests[2].tool_choice == "none"
    assert [request.tool_results for request in turn.model.requests][2] == ["The kitchen light is on."] * 2
    assert len(result.tool_calls) == 1
    assert turn.kinds().count("tool_call") == 1


def test_what_failed_may_be_tried_again() -> None:
    turn = Turn(ScriptedModel(call("fail", why="a"), call("fail", why="b"), "It is broken."), max_tool_hops=5)
    assert [result.error for result in turn.run().tool_calls] == ["it is broken: a", "it is broken: b"]


def test_duplicates_in_one_message_run_once() -> None:
    turn = Turn(ScriptedModel(calls(LIGHT_ON, LIGHT_ON), "ok"))
    turn.run()
    assert turn.house.done == ["light kitchen True"]
    assert len(turn.messages[0].tool_uses) == 1


def test_calls_of_one_message_run_side_by_side_and_their_results_keep_the_order() -> None:
    wanted = calls(call("wait", seconds=0.2), call("wait", seconds=0.05), call("wait", seconds=0.1))
    turn = Turn(ScriptedModel(wanted, "ok"))
    turn.run()
    request, results = turn.messages[0], turn.messages[1]
    assert turn.house.most_at_once == 3
    assert [r["content"] for r in results.openai()] == ["waited 0.2", "waited 0.05", "waited 0.1"]
    assert [b.tool_use_id for b in results.tool_results] == [u.tool_use_id for u in request.tool_uses]


def test_calls_that_share_a_resource_run_one_after_the_other_in_their_order() -> None:
    turn = Turn(ScriptedModel(calls(call("move", meters=1), call("read_pose"), call("move", meters=2)), "ok"))
    turn.run()
    assert turn.house.done == ["move 1.0", "pose", "move 2.0"]
    assert turn.house.most_at_once == 1


def test_an_unknown_tool_is_answered_with_the_nearest_names() -> None:
    turn = Turn(ScriptedModel(call("set_lights", room="kitchen", on=True), LIGHT_ON, "It is on."))
    result = turn.run()
    assert "set_light" in turn.model.requests[1].tool_results[0]
    assert result.reply == "It is on."
    assert turn.messages[0].tool_uses[0].answered_by_runtime
    assert turn.kinds().count("tool_call") == 1


def test_a_second_unknown_tool_ends_the_corrections_of_the_turn() -> None:
    model = ScriptedModel(otherwise=call("fly"))
    result = Turn(model, max_tool_hops=10).run()
    assert [request.tool_choice for request in model.requests] == ["auto", "auto", "none"]
    assert result.reply == "Sorry, I could not work out how to do that. Please say it another way."


@pytest.mark.parametrize("arguments", ["null", "", "{}"])
def test_a_call_without_arguments_runs_whatever_the_model_writes_for_none(arguments: str) -> None:
    turn = Turn(ScriptedModel(calls(("read_pose", arguments)), "ok"))
    turn.run()
    assert turn.house.done == ["pose"]


@pytest.mark.parametrize("arguments", ["[1,2]", "5", '"x"', "{broken", '{"room": "garage", "on": true}'])
def test_arguments_that_cannot_be_used_are_words_for_the_model(arguments: str) -> None:
    turn = Turn(ScriptedModel(calls(("set_light", arguments)), "Which room?"))
    result = turn.run()
    assert result.reply == "Which room?"
    assert result.tool_calls[0].error_code == "bad_arguments"
    assert turn.house.done == []


def test_a_required_first_hop_is_asked_for_once_more_and_its_words_are_not_spoken() -> None:
    turn = Turn(ScriptedModel("I could do that.", LIGHT_ON, "Done."), tool_choice_policy="required_first_hop")
    said, result = finish(turn.start())
    assert [request.tool_choice for request in turn.model.requests] == ["required", "required", "auto"]
    assert (said, result.reply) == ("Done.", "Done.")


def test_a_model_that_never_calls_although_it_must_is_heard_in_the_end() -> None:
    said, result = finish(Turn(ScriptedModel("I could.", "I would."), tool_choice_policy="required_always").start())
    assert (said, result.reply) == ("I would.", "I would.")


def test_every_hop_is_required_when_the_policy_says_always() -> None:
    model = ScriptedModel(call("look", at="a"), call("look", at="b"), "ok")
    Turn(model, tool_choice_policy="required_always", max_tool_hops=2).run()
    assert [request.tool_choice for request in model.requests] == ["required", "required", "none"]


def test_tools_registered_during_a_turn_are_offered_at_the_next_hop() -> None:
    house = House()

    @tool
    def added() -> str:
        """Come later."""
        return "late"

    def learn(_: object) -> object:
        house.registry.register(added)
        return call("look", at="x")

    model = ScriptedModel(learn, "ok")
    Turn(model, house).run()
    assert "added" not in model.requests[0].tool_names
    assert "added" in model.requests[1].tool_names


@pytest.mark.parametrize(
    "markup",
    [
        '<tool_call>{"name": "set_light", "arguments": {"room": "kitchen", "on": true}}</tool_call>',
        '<|tool_call>call:set_light{room:<|"|>kitchen<|"|>,on:true}<tool_call|>',
        '[TOOL_CALLS]set_light[ARGS]{"room": "kitchen", "on": true}',
        '<|python_tag|>{"name": "set_light", "parameters": {"room": "kitchen", "on": true}}',
        '<|tool_call_start|>[set_light(room="kitchen", on=True)]<|tool_call_end|>',
        '{"tool": "set_light", "args": {"room": "kitchen", "on": true}}',
    ],
)
def test_markup_that_a_server_lets_through_is_run_and_never_said(markup: str) -> None:
    for cut in range(1, len(markup)):
        turn = Turn(ScriptedModel(pieces(markup[:cut], markup[cut:]), "It is on."))
        said, _ = finish(turn.start())
        assert said == "It is on."
        assert turn.house.done == ["light kitchen True"]


def test_a_tool_that_is_only_mentioned_does_not_run() -> None:
    text = 'You can call set_light(room="kitchen", on=True) yourself.'
    turn = Turn(ScriptedModel(text))
    assert turn.run().reply == text
    assert turn.house.done == []


@pytest.mark.parametrize(
    "reply", ["<think>hm</think>x", "<think></think>x", "hm, let me think</think>x", "<think>\nhm\n</think>\n\nx"]
)
def test_thinking_is_not_part_of_the_reply(reply: str) -> None:
    assert Turn(ScriptedModel(pieces(reply))).run().reply == "x"


def test_thinking_that_was_cut_off_is_answered_with_a_sentence_instead() -> None:
    said, result = finish(Turn(ScriptedModel("<think>I wonder whether")).start())
    assert said == result.reply == "Sorry, I have no answer to that."


def test_an_empty_answer_after_a_tool_speaks_the_tools_result() -> None:
    assert Turn(ScriptedModel(LIGHT_ON, "")).run().reply == "The kitchen light is on."
    assert Turn(ScriptedModel(call("fail", why="rust"), "")).run().reply == "That did not work. it is broken: rust"


def test_a_stop_ends_the_turn_at_the_next_token_and_keeps_what_was_said() -> None:
    turn = Turn(ScriptedModel("one two three four", token_delay_s=0.02))
    stream = turn.start()
    heard = [next(stream), next(stream)]
    turn.ctx.scope.cancel()
    _, result = finish(stream)
    assert result.cancelled
    assert [(m.plain, m.status) for m in turn.messages] == [("".join(heard), MessageStatus.CANCELLED)]


def test_a_stop_does_not_wait_for_a_model_that_ignores_it() -> None:
    gate = threading.Event()

    class Deaf:
        def complete(self, *_: Any, **__: Any) -> Any:
            gate.wait(5)
            return {"choices": [{"message": {"content": "late"}}]}

    turn = Turn(Deaf())
    threading.Timer(0.05, turn.ctx.stop.set).start()
    began = time.monotonic()
    result = turn.run()
    gate.set()
    assert result.cancelled
    assert time.monotonic() - began < 2.0  # it would answer after 5 s


def test_a_stop_during_a_tool_ends_the_turn_without_another_model_call() -> None:
    turn = Turn(ScriptedModel(call("wait", seconds=2.0), "never said"))
    threading.Timer(0.05, turn.ctx.stop.set).start()
    began = time.monotonic()
    result = turn.run()
    assert time.monotonic() - began < 0.5
    assert result.cancelled
    assert result.tool_calls[0].status is ResultStatus.CANCELLED
    assert len(turn.model.requests) == 1


def test_a_finished_tool_is_in_the_history_even_when_the_turn_is_cut_right_after() -> None:
    scope = CancelScope()
    turn = Turn(ScriptedModel(LIGHT_ON, "never"), ctx=AgentContext(scope=scope))
    turn.ctx.bus.subscribe("tool_call", lambda _: scope.cancel("barge_in"))
    assert turn.run().cancelled
    assert [m.role for m in turn.messages] == [Role.ASSISTANT, Role.TOOL]
    assert turn.messages[1].tool_results[0].ok


def test_a_listener_that_goes_away_cancels_the_model() -> None:
    turn = Turn(ScriptedModel("one two three four", token_delay_s=0.01))
    stream = turn.start()
    next(stream)
    stream.close()
    deadline = time.monotonic() + 1
    while turn.model.busy and time.monotonic() < deadline:
        time.sleep(0.005)
    assert turn.model.cancelled == 1
    assert turn.messages[0].status is MessageStatus.CANCELLED


def test_a_full_context_is_trimmed_and_asked_again() -> None:
    full = ValueError("Requested tokens (5000) exceed context window of 4096")
    model = ScriptedModel(full, ContextOverflow("full"), "Here I am.")
    assert Turn(model).run().reply == "Here I am."


def test_a_context_that_stays_full_is_one_sentence() -> None:
    with pytest.raises(ContextOverflow, match="say it in fewer words"):
        Turn(ScriptedModel(otherwise=ContextOverflow("full"))).run()


def test_an_overlong_message_is_shortened_when_nothing_else_helps() -> None:
    def picky(request: Any) -> Any:
        return "ok" if len(request.last_user_text) < 6000 else ContextOverflow("full")

    model = ScriptedModel(otherwise=picky)
    assert Turn(model).run("word " * 5000).reply == "ok"


def test_two_hundred_turns_do_not_make_the_prompt_grow() -> None:
    model = ScriptedModel("ok")
    messages: list[dict[str, Any]] = []
    for n in range(200):
        messages += [{"role": "user", "content": f"line {n}"}, {"role": "assistant", "content": "ok"}]
    messages.append({"role": "user", "content": "the last"})
    finish(run_tool_loop(model, messages, ToolRegistry(), AgentContext()))
    assert len(model.requests[0].messages) < 60
    assert model.requests[0].last_user_text == "the last"


@pytest.mark.parametrize("error", [LanguageModelError("no"), ModelCrashed("it died"), RuntimeError("boom")])
def test_a_model_that_fails_is_the_callers_business(error: Exception) -> None:
    turn = Turn(ScriptedModel(error))
    with pytest.raises(type(error)):
        turn.run()
    assert turn.events[0].payload.error == str(error)


def test_a_result_may_end_the_turn() -> None:
    def is_light(result: ToolCallResult) -> bool:
        return result.name == "set_light"

    turn = Turn(ScriptedModel(calls(LIGHT_ON, call("look", at="x")), "never"), ends_turn=is_light)
    result = turn.run()
    assert result.ending == "ended_by_tool"
    assert result.ended_by is not None
    assert result.ended_by.name == "set_light"
    assert len(turn.model.requests) == 1


def test_of_several_results_that_end_the_turn_the_first_in_the_message_counts() -> None:
    def waited(result: ToolCallResult) -> bool:
        return result.ok and result.name == "wait"

    wanted = calls(LIGHT_ON, call("wait", seconds=0.1), call("wait", seconds=0.01), call("look", at="x"))
    turn = Turn(ScriptedModel(wanted), ends_turn=waited)
    result = turn.run()
    assert result.ended_by is not None
    assert result.ended_by.result == "waited 0.1"
    statuses = [block.status for block in turn.messages[1].tool_results]
    assert statuses == [ResultStatus.SUCCESS, ResultStatus.SUCCESS, ResultStatus.DECLINED, ResultStatus.SUCCESS]
    assert "came first" in turn.messages[1].tool_results[2].text


def test_calls_of_quiet_tools_are_in_the_conversation_and_nowhere_else() -> None:
    turn = Turn(ScriptedModel(calls(LIGHT_ON, call("look", at="x")), "ok"), quiet={"look"})
    result = turn.run()
    assert [one.name for one in result.tool_calls] == [one.name for one in turn.told] == ["set_light"]
    assert [e.payload.tool_name for e in turn.events if e.kind in ("tool_use", "tool_result")] == ["set_light"] * 2
    assert [block.tool_name for block in turn.messages[1].tool_results] == ["set_light", "look"]


@pytest.mark.parametrize("answer", ["I would rather talk.", "", call("no_such_tool")])
def test_where_every_answer_must_be_a_call_one_is_made_in_the_models_place(answer: Any) -> None:
    words: list[str] = []

    def look_instead(said: str) -> ToolCall:
        words.append(said)
        return ToolCall.of("look", {"at": "x"})

    def looked(result: ToolCallResult) -> bool:
        return result.name == "look"

    turn = Turn(ScriptedModel(answer, answer), instead=look_instead, ends_turn=looked)
    said, result = finish(turn.start())
    assert (said, result.ending, result.model_calls) == ("", "ended_by_tool", 2)
    assert turn.house.done == ["look x"]
    assert words == [answer if isinstance(answer, str) else ""]
    assert "rather talk" not in str([message.openai() for message in turn.messages])


def test_words_are_said_where_nothing_can_be_called_in_their_place() -> None:
    def nothing(words: str) -> None:
        assert words == "I would rather talk."

    turn = Turn(ScriptedModel("No.", "I would rather talk."), instead=nothing)
    assert finish(turn.start())[0] == "I would rather talk."


def test_a_model_without_tools_that_calls_some_is_stopped_and_its_errors_are_not_spoken() -> None:
    turn = Turn(ScriptedModel(otherwise=call("no_such_tool")))
    turn.house.registry = ToolRegistry()
    result = turn.run()
    assert result.reply == "Sorry, I could not work out how to do that. Please say it another way."
    assert result.model_calls <= 3


def test_skills_that_name_no_resource_share_the_body_and_run_one_after_the_other() -> None:
    moving, most = list[str](), list[int]()

    def moves(name: str) -> Any:
        @skill(name=name)
        def move() -> str:
            """Move."""
            moving.append(name)
            most.append(len(moving))
            time.sleep(0.05)
            moving.remove(name)
            return name

        return move

    turn = Turn(ScriptedModel(calls(call("left"), call("right")), "ok"))
    turn.house.registry = ToolRegistry(moves("left"), moves("right"))
    assert [one.result for one in turn.run().tool_calls] == ["left", "right"]
    assert max(most) == 1


def test_hooks_see_and_change_what_passes() -> None:
    answered: list[str] = []
    hooks = LoopHooks(
        before_model=lambda messages: [*messages, {"role": "user", "content": "(be brief)"}],
        after_model=lambda message: answered.append(message.plain),
        before_tool=lambda use: ToolCallResult(name=use.tool_name, tool_use_id=use.tool_use_id, result="not really"),
        after_tool=None,
    )
    turn = Turn(ScriptedModel(LIGHT_ON, "ok"), hooks=hooks)
    turn.run()
    assert turn.model.requests[0].last_user_text == "(be brief)"
    assert turn.house.done == []
    assert turn.model.requests[1].tool_results == ["not really"]
    assert answered == ["", "ok"]


def test_options_reach_the_model() -> None:
    model = ScriptedModel("ok")
    Turn(model, options={"temperature": 0.1, "max_tokens": 32}).run()
    assert model.requests[0].options == {"temperature": 0.1, "max_tokens": 32}


def test_sentences_come_in_the_language_of_the_conversation() -> None:
    assert Turn(ScriptedModel(""), language="de").run().reply == "Darauf habe ich leider keine Antwort."
    assert Turn(ScriptedModel(""), language="xx").run().reply == "Sorry, I have no answer to that."
