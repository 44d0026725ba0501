"""Several commands in one sentence."""

import threading
from collections.abc import Callable, Generator
from typing import Annotated, Any, Literal

import pytest

from edgevox.agents import AgentContext, AgentEvent, GoalHandle, LLMAgent, skill
from edgevox.core.cancel import CancelReason
from edgevox.core.messages import MessageStatus, ResultStatus, Role
from edgevox.intents import Spoken
from edgevox.testing import ScriptedModel
from edgevox.tools import tool

Room = Annotated[
    Literal["kitchen", "bedroom", "office"],
    Spoken(
        de={"kitchen": "Küche", "bedroom": "Schlafzimmer", "office": "Büro"},
        fr={"kitchen": "cuisine", "bedroom": "chambre", "office": "bureau"},
        es={"kitchen": "cocina", "bedroom": "dormitorio", "office": "oficina"},
        vi={"kitchen": "nhà bếp", "bedroom": "phòng ngủ", "office": "văn phòng"},
    ),
]
KITCHEN, BEDROOM, OFFICE = {"room": "kitchen"}, {"room": "bedroom"}, {"room": "office"}
ON, OFF = {"on": True}, {"on": False}


@tool(
    phrases={
        "en": [
            "turn {on} [the] {room} light[s]",
            "turn {on} [the] light[s] in [the] {room}",
            "[the] {room} light {on}",
        ],
        "de": ["(schalte|mach) das Licht (im|in der) {room} {on}", "Licht (im|in der) {room} {on}"],
        "fr": ["{on} la lumière (de la|du) {room}"],
        "es": ["{on} la luz (de la|del) {room}"],
        "vi": ["{on} đèn {room}"],
    },
    says="The {room} light is {on}.",
)
def set_light(room: Room, on: bool) -> str:
    """Turn a light on or off."""
    return f"{room} {on}"


@tool(
    phrases={
        "en": ["set a timer for {minutes}", "set a timer for {minutes} called {label}"],
        "de": ["stell einen Timer auf {minutes}"],
        "fr": ["mets un minuteur de {minutes}"],
        "es": ["pon un temporizador de {minutes}"],
        "vi": ["hẹn giờ {minutes}"],
    },
    says="Timer set for {minutes} minutes.",
)
def start_timer(minutes: float, label: str = "") -> str:
    """Start a timer."""
    return f"{minutes} {label}"


@tool(
    phrases={
        "en": ["(go|drive) to the {room}"],
        "de": ["fahr (in die|ins) {room}"],
        "fr": ["va (à la|au) {room}"],
        "es": ["ve (a la|al) {room}"],
        "vi": ["đi đến {room}"],
    },
    says="I am in the {room}.",
)
def navigate_to(room: Room) -> str:
    """Drive somewhere."""
    return room


@tool(phrases=["add a note {text}", "note that {text}"], says="Noted.")
def add_note(text: str) -> str:
    """Keep a note."""
    return text


@tool(phrases=["turn {direction} [by] {degrees}", "turn {direction}"], says="Turned {direction}.")
def turn(direction: Literal["left", "right"], degrees: float = 90) -> str:
    """Turn on the spot."""
    return direction


TOOLS: list[Callable[..., Any]] = [set_light, start_timer, navigate_to, add_note, turn]


@pytest.fixture
def agent() -> LLMAgent:
    """What it cannot do without a model is answered with MODEL."""
    return LLMAgent("home", tools=TOOLS, llm=ScriptedModel(otherwise="MODEL"))


def calls(agent: LLMAgent, text: str, language: str = "en") -> list[tuple[str, dict[str, Any]]]:
    result = agent.run(text, AgentContext(language=language))
    assert result.model_calls == (0 if result.tool_calls else 1)
    return [(call.name, call.arguments) for call in result.tool_calls]


SEVERAL = [
    ("en", "turn off the kitchen light and set a timer for five minutes",
     [("set_light", KITCHEN | OFF), ("start_timer", {"minutes": 5})]),
    ("en", "Turn on the kitchen light, set a timer for 5 minutes, and then go to the office.",
     [("set_light", KITCHEN | ON), ("start_timer", {"minutes": 5}), ("navigate_to", OFFICE)]),
    ("en", "go to the kitchen then to the bedroom", [("navigate_to", KITCHEN), ("navigate_to", BEDROOM)]),
    ("en", "first go to the kitchen, and after that go to the office",
     [("navigate_to", KITCHEN), ("navigate_to", OFFICE)]),
    ("en", "turn on the kitchen and bedroom lights", [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON)]),
    ("en", "turn on the lights in the kitchen and the bedroom",
     [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON)]),
    ("en", "turn on the kitchen light and the bedroom light",
     [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON)]),
    ("en", "kitchen light on and office light off", [("set_light", KITCHEN | ON), ("set_light", OFFICE | OFF)]),
    ("en", "turn on the lights in the kitchen, the bedroom and the office",
     [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON), ("set_light", OFFICE | ON)]),
    ("en", "go to the kitchen and turn on the light", [("navigate_to", KITCHEN), ("set_light", KITCHEN | ON)]),
    ("en", "turn left 45 degrees and then right", [("turn", {"direction": "left", "degrees": 45}),
                                                   ("turn", {"direction": "right", "degrees": 45})]),
    ("en", "turn on the kitchen light and add a note buy milk and eggs",
     [("set_light", KITCHEN | ON), ("add_note", {"text": "buy milk and eggs"})]),
    ("en", "set a timer for 5 minutes called pasta and turn on the kitchen light",
     [("start_timer", {"minutes": 5, "label": "pasta"}), ("set_light", KITCHEN | ON)]),
    ("en", "could you turn on the kitchen light and go to the office please?",
     [("set_light", KITCHEN | ON), ("navigate_to", OFFICE)]),
    ("de", "schalte das Licht in der Küche aus und stell einen Timer auf fünf Minuten",
     [("set_light", KITCHEN | OFF), ("start_timer", {"minutes": 5})]),
    ("de", "fahr in die Küche und dann ins Schlafzimmer", [("navigate_to", KITCHEN), ("navigate_to", BEDROOM)]),
    ("de", "mach das Licht in der Küche und im Schlafzimmer an",
     [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON)]),
    ("fr", "éteins la lumière de la cuisine et mets un minuteur de cinq minutes",
     [("set_light", KITCHEN | OFF), ("start_timer", {"minutes": 5})]),
    ("fr", "va à la cuisine puis à la chambre", [("navigate_to", KITCHEN), ("navigate_to", BEDROOM)]),
    ("fr", "allume la lumière de la cuisine et de la chambre",
     [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON)]),
    ("es", "apaga la luz de la cocina y pon un temporizador de cinco minutos",
     [("set_light", KITCHEN | OFF), ("start_timer", {"minutes": 5})]),
    ("es", "ve a la cocina y luego al dormitorio", [("navigate_to", KITCHEN), ("navigate_to", BEDROOM)]),
    ("es", "enciende la luz de la cocina y del dormitorio",
     [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON)]),
    ("vi", "tắt đèn nhà bếp và hẹn giờ năm phút", [("set_light", KITCHEN | OFF), ("start_timer", {"minutes": 5})]),
    ("vi", "đi đến nhà bếp rồi đến phòng ngủ", [("navigate_to", KITCHEN), ("navigate_to", BEDROOM)]),
    ("vi", "bật đèn nhà bếp và phòng ngủ", [("set_light", KITCHEN | ON), ("set_light", BEDROOM | ON)]),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text", "expected"), SEVERAL)
def test_several_commands_run_in_order(
    agent: LLMAgent, language: str, text: str, expected: list[tuple[str, dict[str, Any]]]
) -> None:
    assert calls(agent, text, language) == expected


@pytest.mark.parametrize(
    "text",
    [
        "turn on the kitchen light and tell me a joke",
        "don't turn on the kitchen light and turn off the bedroom light",
        "turn off the kitchen light and don't turn on the bedroom light",
        "why did you turn on the kitchen light and turn off the bedroom light",
        "did you go to the kitchen and turn on the office light",
        "I said turn on the kitchen light and go to the office",
        "if you go to the kitchen, turn on the office light",
        "turn on the kitchen light and go to the office tomorrow",
        "turn on the kitchen light but not the bedroom light",
        "turn on the kitchen or the bedroom light",
        "never go to the kitchen and the office",
        "go to the kitchen and the garage",
        "go to the kitchen and go",
        "turn on the kitchen light and no light in the bedroom",
        "add a note buy milk and turn on the kitchen light",
        "set a timer for 5 minutes and 10",
        "the kitchen light and the bedroom light",
        "what happens when I say go to the kitchen and turn on the office light",
        "and and and",
    ],
)
def test_what_is_not_understood_in_every_part_goes_to_the_model_whole(agent: LLMAgent, text: str) -> None:
    assert calls(agent, text) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("add a note buy milk and eggs", "buy milk and eggs"),
        ("note that the kitchen and the bedroom are cold", "the kitchen and the bedroom are cold"),
        ("add a note first the kitchen, then the office", "first the kitchen, then the office"),
    ],
)
def test_a_conjunction_in_words_that_are_kept_parts_nothing(agent: LLMAgent, text: str, words: str) -> None:
    assert calls(agent, text) == [("add_note", {"text": words})]


def test_a_sentence_asks_for_six_things_at_most(agent: LLMAgent) -> None:
    rooms = ["kitchen", "office", "bedroom", "kitchen", "office", "bedroom"]
    said = " and then ".join(f"go to the {room}" for room in rooms)
    assert len(calls(agent, said)) == 6
    assert calls(agent, f"{said} and then go to the kitchen") == []


def test_one_reply_joins_the_parts(agent: LLMAgent, ctx: AgentContext) -> None:
    result = agent.run("go to the kitchen and set a timer for five minutes", ctx)
    assert result.reply == "I am in the kitchen. Timer set for 5 minutes."
    assert [m.plain for m in ctx.session.messages if m.role is Role.ASSISTANT and m.plain] == [result.reply]
    roles = [message.role for message in ctx.session.messages]
    assert roles == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]


def test_a_part_that_fails_hides_nothing_of_the_others(ctx: AgentContext) -> None:
    @tool(phrases=["open the door"], says="Open.")
    def open_door() -> str:
        """Open."""
        raise ValueError("the door is locked")

    result = LLMAgent("home", tools=[*TOOLS, open_door]).run("open the door and go to the office", ctx)
    assert "the door is locked" in result.reply
    assert result.reply.endswith("I am in the office.")
    assert [call.ok for call in result.tool_calls] == [False, True]


def test_a_stop_between_two_parts_ends_the_sentence(ctx: AgentContext) -> None:
    @tool(phrases=["open the grip"], says="Open.")
    def open_grip(ctx: AgentContext) -> str:
        """Open."""
        ctx.stop.set()
        return "open"

    result = LLMAgent("robot", tools=[*TOOLS, open_grip]).run("open the grip and go to the office", ctx)
    assert result.preempted
    assert [call.name for call in result.tool_calls] == ["open_grip"]
    assert ctx.session.messages[-1].status is MessageStatus.CANCELLED


def test_who_interrupts_the_first_answer_hears_of_no_second_part(agent: LLMAgent, ctx: AgentContext) -> None:
    pieces = agent.run_stream("go to the kitchen and set a timer for five minutes", ctx)
    assert next(pieces) == "I am in the kitchen."
    ctx.scope.cancel(CancelReason.BARGE_IN)
    pieces.close()
    assert [use.tool_name for m in ctx.session.messages for use in m.tool_uses] == ["navigate_to"]
    assert ctx.session.messages[-1].plain == "I am in the kitchen."


def test_an_interruption_is_noticed_without_closing_the_answer(agent: LLMAgent, ctx: AgentContext) -> None:
    pieces: Generator[str, None, Any] = agent.run_stream("go to the kitchen and set a timer for five minutes", ctx)
    next(pieces)
    ctx.scope.cancel(CancelReason.BARGE_IN)
    assert list(pieces) == []
    assert [use.tool_name for m in ctx.session.messages for use in m.tool_uses] == ["navigate_to"]


def test_an_action_waits_for_the_one_before_it(ctx: AgentContext, events: list[AgentEvent]) -> None:
    running: list[str] = []
    seen: list[tuple[str, int]] = []

    @skill(phrases=["drive to the {room}"], latency_class="slow", timeout_s=20)
    def drive_to(room: Literal["kitchen", "office"], handle: GoalHandle) -> str:
        """Drive."""
        running.append(room)
        seen.append((room, len(running)))
        threading.Event().wait(0.05)
        running.remove(room)
        return room

    result = LLMAgent("robot", skills=[drive_to]).run("drive to the kitchen and then to the office", ctx)
    assert seen == [("kitchen", 1), ("office", 1)]
    assert [call.status for call in result.tool_calls] == [ResultStatus.SUCCESS] * 2


def test_a_stop_during_the_first_action_keeps_the_second_from_starting(ctx: AgentContext) -> None:
    started: list[str] = []
    stop = ctx.stop

    @skill(phrases=["drive to the {room}"], latency_class="slow", timeout_s=20)
    def drive_to(room: Literal["kitchen", "office"], handle: GoalHandle) -> str:
        """Drive."""
        started.append(room)
        stop.set()
        while not handle.should_cancel():
            threading.Event().wait(0.005)
        return room

    result = LLMAgent("robot", skills=[drive_to]).run("drive to the kitchen and then to the office", ctx)
    assert started == ["kitchen"]
    assert result.preempted


def test_the_first_part_may_point_back(agent: LLMAgent, ctx: AgentContext) -> None:
    agent.run("turn on the kitchen light", ctx)
    result = agent.run("turn it off and go to the office", ctx)
    assert [(c.name, c.arguments) for c in result.tool_calls] == [
        ("set_light", KITCHEN | OFF), ("navigate_to", OFFICE),
    ]  # fmt: skip


def test_examples_of_the_matcher_alone_stay_one_command(agent: LLMAgent) -> None:
    match = agent.phrasebook.match("go to the kitchen and then to the bedroom and the office", "en")
    assert match is not None
    assert [call.arguments for call in match.chain] == [KITCHEN, BEDROOM, OFFICE]
    assert all(call.then == () for call in match.chain)
    assert agent.phrasebook.matcher("en").match("go to the kitchen and then to the bedroom") is None
