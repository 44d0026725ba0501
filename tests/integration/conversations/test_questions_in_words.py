"""A chain agent asks the person in a running assistant: typed, spoken, with a time limit, and a stop ends it."""

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from edgevox.agents import LLMAgent
from edgevox.assistant import VoiceParts
from edgevox.assistant.commands import run_command
from edgevox.audio.files import NullSpeaker
from edgevox.chains import Agent, AgentMode, tool
from edgevox.chains.io import interact_with_user
from edgevox.chains.models import Empty, Message, Stop, Str
from edgevox.chains.tools import asking, asking_at_start, say, stop
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import Conversation, MicFake, ScriptedModel, ScriptedRecognizer, ScriptedVad, ToneTalk
from edgevox.tools import tool as function_tool

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

Start = Callable[..., Conversation]
RATE = 16_000
QUESTION = "What would you like to eat?"


def action(name: str, **arguments: Any) -> dict[str, Any]:
    return {"action": name, **arguments}


def waiter(*tools: Any, question: dict[str, Any] | None = None) -> tuple[Agent, MockLLMEndpoint]:
    """An agent whose model asks what to eat and then says that it comes."""
    asks = question if question is not None else action("prompt_user", value=QUESTION)
    endpoint = MockLLMEndpoint(responses=[asks, action("stop", value="It is on its way.")])
    agent = Agent(name="waiter", system_prompt="You take orders.", tools=[*tools, stop], agent_endpoint=endpoint)
    return agent, endpoint


def sound(seconds: float = 0.8) -> "Samples":
    spoken = 0.3 * np.sin(np.arange(int(RATE * seconds)) * 0.2)
    return np.concatenate([spoken, np.zeros(int(RATE * 0.8))]).astype(np.float32)


def voice(microphone: MicFake, *heard: str, partials: Iterable[str] | None = None) -> VoiceParts:
    return VoiceParts(
        microphone=microphone,
        speaker=NullSpeaker(realtime=True),
        stt=ScriptedRecognizer(heard, partials=partials),
        tts=ToneTalk(seconds_per_character=0.01),
        vad=ScriptedVad(),
    )


def test_the_next_line_answers_and_the_run_goes_on(start: Start) -> None:
    agent, endpoint = waiter()
    talk = start(agent=agent)
    handle = talk.assistant.submit("I am hungry")
    request = talk.wait_for("input_requested").payload
    assert (request.question, talk.assistant.asked, talk.assistant.state) == (QUESTION, request, "waiting")
    assert talk.say("noodles, please").reply == ""
    outcome = talk.end_of(handle)
    assert (outcome.reply, outcome.error, outcome.cancelled) == ("It is on its way.", None, None)
    assert "noodles, please" in str(list(endpoint.requests[1].messages))
    assert talk.payloads("input_received") == [(request, "noodles, please")]
    assert talk.assistant.asked is None


def test_spoken_words_answer_without_cutting_the_turn_off(start: Start) -> None:
    agent, endpoint = waiter()
    microphone = MicFake(ends=False)
    talk = start(agent=agent, voice=voice(microphone, "I am hungry", "the soup of the day"))
    microphone.say(sound())
    talk.wait_for("input_requested")
    microphone.say(sound(1.2))
    talk.wait_for("input_received", lambda payload: payload[1] == "the soup of the day")
    talk.wait_for("agent_message", lambda reply: reply == "It is on its way.")
    assert "the soup of the day" in str(list(endpoint.requests[1].messages))
    assert [frame.text for frame in talk.payloads("heard")] == ["I am hungry", "the soup of the day"]
    spoken = talk.wait_for("spoken").payload
    assert (spoken.text, spoken.cut) == ("It is on its way.", False)


def test_a_sound_of_listening_is_no_answer(start: Start) -> None:
    agent, _ = waiter()
    microphone = MicFake(ends=False)
    talk = start(agent=agent, voice=voice(microphone, "I am hungry", "Hmm.", "rice"))
    microphone.say(sound())
    talk.wait_for("input_requested")
    microphone.say(np.concatenate([sound(0.6), sound()]))
    assert talk.wait_for("input_received").payload[1] == "rice"


def test_silence_gives_the_fallback(start: Start) -> None:
    agent, endpoint = waiter(asking(timeout_s=0.2, fallback="the usual"))
    talk = start(agent=agent)
    began = time.monotonic()
    outcome = talk.say("I am hungry")
    assert outcome.reply == "It is on its way."
    assert time.monotonic() - began < 3
    assert "the usual" in str(list(endpoint.requests[1].messages))
    assert talk.payloads("input_received")[0][1] is None


def test_a_stop_during_the_question_ends_the_run_at_once(start: Start) -> None:
    agent, endpoint = waiter()
    talk = start(agent=agent)
    handle = talk.assistant.submit("I am hungry")
    talk.wait_for("input_requested")
    began = time.monotonic()
    talk.assistant.submit("stop")
    outcome = talk.end_of(handle)
    assert time.monotonic() - began < 1.5
    assert (outcome.cancelled, talk.assistant.asked) == ("stop", None)
    assert talk.kinds().count("safety_preempt") == 1
    talk.wait_for("input_received", lambda payload: payload[1] is None)
    assert len(endpoint.requests) == 1
    assert talk.assistant.state == "idle"


def test_a_spoken_stop_during_the_question_ends_the_run_too(start: Start) -> None:
    agent, endpoint = waiter()
    microphone = MicFake(ends=False)
    talk = start(agent=agent, voice=voice(microphone, "I am hungry", "Stop."))
    microphone.say(sound())
    talk.wait_for("input_requested")
    microphone.say(sound(0.4))
    talk.wait_for("safety_preempt")
    talk.wait_for("input_received", lambda payload: payload[1] is None)
    assert len(endpoint.requests) == 1


def test_what_is_said_on_the_way_is_told_and_spoken_without_waiting(start: Start) -> None:
    endpoint = MockLLMEndpoint(responses=[action("say", value="One moment."), action("stop", value="Found it.")])
    agent = Agent(name="finder", system_prompt="You find things.", tools=[say, stop], agent_endpoint=endpoint)
    microphone = MicFake(ends=False)
    talk = start(agent=agent, voice=voice(microphone))
    outcome = talk.say("find my keys")
    assert (outcome.reply, outcome.spoken) == ("Found it.", "Found it.")
    assert talk.payloads("agent_message") == ["One moment.", "Found it."]


def test_a_chain_without_a_model_can_ask_too(start: Start) -> None:
    @tool
    def greet(input: Str, messages: list[Message]) -> Stop:
        """Greet the person."""
        return Stop(value=f"Hello {input.value}.")

    agent = Agent(name="porter", mode=AgentMode.DETERMINISTIC, default_tools=[asking_at_start("Who is there?"), greet])
    talk = start(agent=agent)
    handle = talk.assistant.submit("knock knock")
    talk.wait_for("input_requested")
    talk.say("Ada")
    outcome = talk.end_of(handle)
    assert (outcome.reply, outcome.model_calls) == ("Hello Ada.", 0)


def test_a_tool_of_an_ordinary_agent_can_ask(start: Start) -> None:
    @function_tool(phrases=["order lunch"], says="{result}")
    def order_lunch() -> str:
        """Order lunch."""
        return f"You get {interact_with_user(QUESTION, timeout_s=5)}."

    talk = start(agent=LLMAgent("casa", tools=[order_lunch], llm=ScriptedModel()))
    handle = talk.assistant.submit("order lunch")
    talk.wait_for("input_requested")
    talk.say("dumplings")
    assert talk.end_of(handle).reply == "You get dumplings."


def test_an_answer_is_not_taken_for_a_command_of_the_table(start: Start) -> None:
    agent, _ = waiter()
    talk = start(agent=agent)
    handle = talk.assistant.submit("I am hungry")
    talk.wait_for("input_requested")
    assert "prompt_user: Question → Str" in run_command(talk.assistant, "/chain")
    assert talk.assistant.asked is not None
    talk.say("soup")
    talk.end_of(handle)
    assert "You take orders." in run_command(talk.assistant, "/chain show")
    assert run_command(talk.assistant, "/chain lint") == "Nothing was found."
    assert run_command(talk.assistant, "/chain mermaid").startswith("flowchart TD")
    assert "use show, lint, draw, mermaid" in run_command(talk.assistant, "/chain paint")


def test_when_no_more_input_can_come_the_question_is_over(start: Start) -> None:
    agent, _ = waiter()
    talk = start(agent=agent)
    handle = talk.assistant.submit("I am hungry")
    talk.wait_for("input_requested")
    assert talk.assistant.no_answer()
    assert talk.end_of(handle).reply == "It is on its way."
    assert not talk.assistant.no_answer()


def test_an_autonomous_agent_asks_nobody_in_an_assistant_either(start: Start) -> None:
    @tool
    def wonder(input: Empty, messages: list[Message]) -> Str:
        """Ask."""
        return Str(value=str(interact_with_user("Anybody?")))

    endpoint = MockLLMEndpoint(responses=[action("wonder"), action("stop", value="Alone.")])
    agent = Agent(name="loner", system_prompt="You are alone.", tools=[wonder, stop], agent_endpoint=endpoint,
                  mode=AgentMode.AUTONOMOUS)  # fmt: skip
    talk = start(agent=agent)
    assert talk.say("hello there").reply == "Alone."
    assert talk.payloads("input_requested") == []
    assert "may not ask a person" in str(list(endpoint.requests[1].messages))
