"""The agent layer as it is used from outside: programs as people write them, and the spellings that they rely on."""

import inspect
import logging
from collections.abc import Callable
from typing import Any

import pytest

import edgevox.agents as public
from edgevox.agents import AgentContext, AgentResult, EventBus, GoalHandle, GoalStatus, LLMAgent, ToyWorld
from edgevox.examples.agents.framework import AgentApp
from edgevox.testing import Conversation, ScriptedModel, call, calls

LIGHT = '''
from edgevox.llm import tool

@tool
def set_light(room: str, on: bool) -> str:
    """Turn a room's light on or off.

    Args:
        room: the room name, e.g. "kitchen"
        on: true to turn on, false to turn off
    """
    ...

@tool
def get_light_status(room: str) -> str:
    """Say whether a light is on."""
    return f"the {room} light is off"

@tool
def get_weather(city: str) -> dict:
    """Return the weather of a city."""
    return {"city": city, "temp_c": 21}

@tool
def search_notes(words: str) -> list[str]:
    """Search the notes."""
    return ["buy milk"]

@tool
def next_event() -> str:
    """Return the next event of the calendar."""
    return "dentist at nine"
'''

SKILLS = '''
from edgevox.agents import AgentContext, GoalHandle, skill

@skill(latency_class="slow", timeout_s=30.0)
def navigate_to(room: str, ctx: AgentContext) -> GoalHandle:
    """Drive the robot to a named room.

    Args:
        room: target room.
    """
    return ctx.deps.apply_action("navigate_to", room=room)

@skill(latency_class="fast")
def get_pose(ctx: AgentContext) -> dict:
    """Report the robot's current x/y pose."""
    return ctx.deps.get_world_state()["robot"]

@skill(latency_class="fast")
def battery_level(ctx: AgentContext) -> GoalHandle:
    """Report the charge."""
    return ctx.deps.apply_action("battery_level")
'''

SCOUT = """
from edgevox.agents import ToyWorld
from edgevox.examples.agents.framework import AgentApp

agent_app = AgentApp(
    name="Scout",
    instructions="You are Scout, a terse home robot.",
    skills=[navigate_to, get_pose, battery_level],
    deps=ToyWorld(),
    stop_words=("stop", "halt", "freeze"),
)
"""

MORNING = """
from edgevox.agents import LLMAgent, Parallel

lookup = LLMAgent(name="lookup",      description="Search notes",    instructions="...", tools=[search_notes])
weather = LLMAgent(name="weather",    description="Weather lookup",  instructions="...", tools=[get_weather])
calendar = LLMAgent(name="calendar",  description="Calendar lookup", instructions="...", tools=[next_event])

morning_briefing = Parallel(
    name="morning",
    agents=[lookup, weather, calendar],
    reduce=lambda results: "\\n\\n".join(r.reply for r in results if r.reply),
)
"""

CASA = """
from edgevox.agents import LLMAgent, Router

light_agent = LLMAgent(
    name="lights",
    description="Controls household lights.",
    instructions="You are Sparky. Terse replies.",
    tools=[set_light, get_light_status],
)
weather_agent = LLMAgent(
    name="weather",
    description="Answers weather questions.",
    instructions="You are Skye.",
    tools=[get_weather],
)
casa = Router.build(
    name="casa",
    instructions="You are Casa. Route to the right specialist.",
    routes={"lights": light_agent, "weather": weather_agent},
)
"""

OBSERVED = """
from edgevox.agents import AgentContext, EventBus

bus = EventBus()
bus.subscribe("tool_call", lambda e: print(f"↳ {e.payload.name}"))
bus.subscribe("safety_preempt", lambda e: log.warning("preempt!"))
bus.subscribe_all(metrics_sink)

ctx = AgentContext(bus=bus, deps=my_world)
agent.run("go to the kitchen", ctx)
"""

TRACED = """
from edgevox.llm import LLM, ToolCallResult, load_entry_point_tools

def trace(result: ToolCallResult) -> None:
    if result.ok:
        print(f"{result.name}({result.arguments}) -> {result.result}")
    else:
        print(f"{result.name} failed: {result.error}")

llm = LLM(tools=[set_light], on_tool_call=trace, max_tool_hops=2)
plugged = LLM(tools=load_entry_point_tools())
llm.tools.register(get_weather)
"""

SPELLINGS = {
    "AgentResult": "reply agent_name preempted handed_off_to tool_calls elapsed_s model_calls",
    "AgentContext": "session deps bus stop on_event interrupt memory",
    "Handoff": "target task reason state_update",
    "LLMAgent": "name description instructions tools skills llm handoffs hooks max_tool_hops tool_choice_policy "
    "max_tokens temperature",
    "Sequence": "name agents",
    "Fallback": "name agents",
    "Loop": "name agent until max_iterations",
    "Parallel": "name agents reduce",
    "Retry": "agent max_attempts backoff_s",
    "Timeout": "agent seconds",
    "Router.build": "name instructions routes",
    "Supervisor.build": "name instructions workers",
    "Orchestrator": "name lead_instructions synth_instructions tools max_subtasks",
    "ToyWorld": "rooms robot_pose navigate_speed",
    "SafetyMonitor": "stop_words on_stop",
    "LLMAgent.run": "task ctx",
    "LLMAgent.run_stream": "task ctx",
    "LLMAgent.bind_llm": "llm",
    "LLMAgent.spawn_subagent": "task parent_ctx",
    "AgentContext.emit": "kind agent_name payload",
}
MEMBERS = {
    "AgentContext": "emit should_stop",
    "GoalHandle": "status result error poll cancel should_cancel succeed fail mark_cancelled set_feedback feedback",
    "Skill": "name description parameters latency_class timeout_s start",
    "ToyWorld": "get_world_state apply_action reset room_names scene halt is_moving close open",
    "IrSimEnvironment": "tick_physics pump_render get_world_state apply_action reset scene halt is_moving close open",
    "MujocoMobileEnvironment": "get_world_state apply_action reset scene halt is_moving close open",
    "MujocoArmEnvironment": "get_world_state apply_action reset scene halt is_moving close open",
    "LLMAgent": "tools skills",
    "SafetyMonitor": "process",
    "EventBus": "subscribe subscribe_all publish",
}


@pytest.fixture
def program() -> Callable[..., dict[str, Any]]:
    """Run a program made of parts and return its names."""

    def run(*parts: str, **names: Any) -> dict[str, Any]:
        namespace: dict[str, Any] = {"__name__": "program", **names}
        for part in parts:
            exec(compile(part, "program", "exec"), namespace)
        return namespace

    return run


Program = Callable[..., dict[str, Any]]


def named(path: str) -> Any:
    found: Any = public
    for name in path.split("."):
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("path", SPELLINGS)
def test_arguments_are_called_what_people_call_them(path: str) -> None:
    assert set(SPELLINGS[path].split()) <= set(inspect.signature(named(path)).parameters)


@pytest.mark.parametrize("path", MEMBERS)
def test_members_are_called_what_people_call_them(path: str) -> None:
    assert [name for name in MEMBERS[path].split() if not hasattr(_made(path), name)] == []


def _made(path: str) -> Any:
    """An object, where attributes are set when it is made."""
    match path:
        case "LLMAgent":
            return LLMAgent("one")
        case "Skill":

            @public.skill
            def one() -> None:
                """Do one thing."""

            return one
        case _:
            return named(path)


def test_the_ends_of_an_action_have_their_names() -> None:
    assert [status.name for status in GoalStatus] == ["PENDING", "RUNNING", "SUCCEEDED", "CANCELLED", "FAILED"]


def test_a_light_of_a_few_lines_has_a_schema_and_runs(program: Program) -> None:
    light = program(LIGHT)["set_light"]
    schema = light.__edgevox_tool__.openai_schema()["function"]
    assert (schema["name"], schema["description"]) == ("set_light", "Turn a room's light on or off.")
    assert schema["parameters"]["properties"]["room"]["description"] == 'the room name, e.g. "kitchen"'
    model = ScriptedModel(call("set_light", room="kitchen", on=True), "Done.")
    assert LLMAgent("home", tools=[light], llm=model).run("light please").model_calls == 2


def test_the_scout_of_a_few_lines_drives_and_stops(program: Program) -> None:
    app: AgentApp = program(SKILLS, SCOUT)["agent_app"]
    definition = app.definition()
    model = ScriptedModel(call("navigate_to", room="kitchen"), call("get_pose"), "At the sink.")
    with Conversation(definition.build(model), deps=definition.deps, stop_words=definition.stop_words) as talk:
        assert talk.assistant.is_stop("Freeze!")
        handle = talk.assistant.submit("I am hungry")
        talk.wait_for("skill_goal")
        talk.assistant.submit("halt")
        assert talk.end_of(handle).cancelled == "stop"
        assert not definition.deps.is_moving()
        assert talk.say("and where are you").reply == "At the sink."
    definition.deps.close()


def test_three_agents_brief_a_person_at_once(program: Program) -> None:
    morning = program(LIGHT, MORNING)["morning_briefing"]
    morning.bind_llm(ScriptedModel(otherwise=lambda request: f"From {len(request.tool_names)} tool."))
    result = morning.run("what should I know this morning?")
    assert result.reply == "From 1 tool.\n\nFrom 1 tool.\n\nFrom 1 tool."
    assert result.model_calls == 3


@pytest.mark.parametrize(
    ("replies", "cost", "reply"),
    [
        (["Hello."], 1, "Hello."),
        ([call("hand_off_to_weather", reason="rain"), "It may rain."], 2, "It may rain."),
        ([call("hand_off_to_lights"), call("get_light_status", room="attic"), "It is off."], 3, "It is off."),
    ],
)
def test_a_router_costs_what_its_table_says(program: Program, replies: list[Any], cost: int, reply: str) -> None:
    casa = program(LIGHT, CASA)["casa"]
    casa.bind_llm(ScriptedModel(*replies))
    result: AgentResult = casa.run("say something")
    assert (result.reply, result.model_calls) == (reply, cost)


class Watched:
    """Runs an agent and remembers with what context."""

    def __init__(self, agent: LLMAgent) -> None:
        self.agent = agent
        self.ctx = AgentContext()

    def run(self, task: str, ctx: AgentContext) -> AgentResult:
        self.ctx = ctx
        return self.agent.run(task, ctx)


def test_a_bus_tells_a_log_a_screen_and_a_counter(
    program: Program, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    kinds, world = list[str](), ToyWorld(navigate_speed=0.5)
    model = ScriptedModel(call("navigate_to", room="kitchen"))
    agent = Watched(LLMAgent("scout", skills=[program(SKILLS)["navigate_to"]], llm=model))

    def metrics_sink(event: public.AgentEvent) -> None:
        kinds.append(event.kind)
        if event.kind == "skill_feedback":
            agent.ctx.stop.set()

    program(OBSERVED, metrics_sink=metrics_sink, log=logging.getLogger("program"), my_world=world, agent=agent)
    world.close()
    assert "↳ navigate_to" in capsys.readouterr().out
    assert "preempt!" in caplog.text
    fired = [
        "agent_start",
        "skill_goal",
        "skill_feedback",
        "skill_cancelled",
        "tool_call",
        "safety_preempt",
        "agent_end",
    ]
    assert [kind for kind in [*fired, "agent_end"] if kind not in kinds] == []


def test_a_model_with_tools_is_watched_and_extended(program: Program, capsys: pytest.CaptureFixture[str]) -> None:
    names = program(LIGHT, TRACED)
    llm = names["llm"]
    assert [tool.name for tool in llm.tools.tools] == ["set_light", "get_weather"]
    names["trace"](llm.tools.dispatch("get_weather", {"city": "Hanoi"}))
    names["trace"](llm.tools.dispatch("get_weather", {}))
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "get_weather({'city': 'Hanoi'}) -> {'city': 'Hanoi', 'temp_c': 21}"
    assert out[1].startswith("get_weather failed: ")
    assert llm.max_tool_hops == 2


def test_a_slow_skill_gives_a_handle_at_once(program: Program) -> None:
    world = ToyWorld(navigate_speed=50.0)
    handle = program(SKILLS)["navigate_to"].start(AgentContext(deps=world), room="bedroom")
    assert isinstance(handle, GoalHandle)
    assert handle.poll(5.0) is GoalStatus.SUCCEEDED
    world.close()


def test_calls_of_one_message_and_a_bus_of_ones_own_work_without_an_app(program: Program) -> None:
    bus, seen = EventBus(), list[str]()
    bus.subscribe("tool_call", lambda event: seen.append(event.payload.name))
    tools = program(LIGHT)
    model = ScriptedModel(calls(("get_weather", {"city": "Hue"}), ("next_event", {})), "Fine, and the dentist.")
    agent = LLMAgent("desk", tools=[tools["get_weather"], tools["next_event"]], llm=model)
    assert agent.run("what is on today", AgentContext(bus=bus)).reply == "Fine, and the dentist."
    assert sorted(seen) == ["get_weather", "next_event"]
