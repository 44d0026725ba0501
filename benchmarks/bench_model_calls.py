"""How often a language model is asked for one command of the demo house, beside a loop that only asks.

The model is a script that does the right thing, one call a message, so the figures count questions and nothing else.
The plain loop has the same house and no phrases: whatever is said goes to the model, and so does every result.
"""

from dataclasses import replace
from typing import Any

from benchmarks.runner import measured
from edgevox.agents import AgentContext, LLMAgent
from edgevox.examples.agents.home_assistant import HOME_TOOLS, House
from edgevox.testing import Calls, ScriptedModel, call
from edgevox.tools import Tool, as_tool

Script = tuple[Calls, ...]

COMMANDS: dict[str, tuple[str, Script]] = {
    "matched": ("turn on the kitchen light", (call("set_light", room="kitchen", on=True),)),
    "two in one sentence": (
        "turn off the kitchen light and lock the back door",
        (call("set_light", room="kitchen", on=False), call("set_door", door="back_door", opened=False)),
    ),
    "compound": (
        "good night",
        (
            call("set_all_lights", on=False),
            call("set_thermostat", celsius=17),
            call("get_security"),
            call("set_alarm", on=True),
        ),
    ),
    "routed": ("it is rather gloomy around the stove", (call("set_light", room="kitchen", on=True),)),
}
"""What kind of command it is, what is said, and what a model would call for it."""


def run() -> dict[str, Any]:
    """Count the model's answers for every command."""
    return {f"model calls, {kind}: “{text}”": _counted(text, script) for kind, (text, script) in COMMANDS.items()}


def _counted(text: str, script: Script) -> dict[str, Any]:
    ours = _calls(LLMAgent("home", tools=HOME_TOOLS), text, script)
    plain = _calls(LLMAgent("plain", tools=[_plain(each) for each in HOME_TOOLS], max_tool_hops=8), text, script)
    return measured("calls", [float(ours)], plain_loop=plain)


def _calls(agent: LLMAgent, text: str, script: Script) -> int:
    model = ScriptedModel(*script, otherwise="Done.")
    result = agent.bind_llm(model).run(text, AgentContext(deps=House()))
    if not result.reply or not all(each.ok for each in result.tool_calls):
        raise RuntimeError(f"'{text}' did not work: {result}")
    return len(model.requests)


def _plain(tool: Any) -> Tool:
    """The same tool for a loop that knows neither phrases nor replies of a tool's own, and asks nobody."""
    return replace(as_tool(tool), phrases={}, says={}, confirm=False)
