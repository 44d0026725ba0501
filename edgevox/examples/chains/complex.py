"""An agent whose model does one thing, and whose chains do the rest. The models are scripts.

The model asks for a number. An even one is escalated to a guard, which asks a model of its own and may end the run; an
odd one is praised. Neither is known to the agent's model, and no call of it is spent on them.

python -m edgevox.examples.chains.complex
"""
# ruff: noqa: ARG001 - the form of a typed tool is fixed

from builtins import input as read_input

from edgevox.chains import Agent, factory, tool
from edgevox.chains.io import interact_with_user
from edgevox.chains.models import Empty, Int, Message, Role, Stop, Str, filter_messages
from edgevox.chains.models.truncation import Severity, Truncation
from edgevox.chains.tools import stop
from edgevox.endpoints import EndpointLike, MockLLMEndpoint, get_completion
from edgevox.ui.sinks import CliSink


@tool
def ask_number(input: Empty, messages: list[Message]) -> Int:
    """Ask the user for an integer, repeating until the response is valid."""
    while True:
        reply = read_input("Enter an integer: ")
        try:
            return Int(value=int(reply))
        except ValueError:
            print("That is no integer; try again.")


@factory(chained_to=ask_number, chain_condition=lambda x: x.value % 2 == 0)
def escalate(input: Int, messages: list[Message], ctx: EndpointLike) -> Stop | Str:
    """Have an even number judged by another model; the second one may be too much."""
    interact_with_user("An even number. Let me check that.", with_reply=False)
    question = f"The user chose {input.value}. Is that too much? Answer y or n."
    verdict = get_completion(endpoint=ctx, messages=[Message.text(question, Role.SYSTEM)])
    is_first = not filter_messages(caller="escalate", messages=messages)
    if verdict == "y" and not is_first:
        return Stop(value="Two even numbers are one too many.")
    return Str(
        value="It was let through; you see this once and never again.",
        truncation=Truncation(threshold=1, severity=Severity.REMOVE),
    )


@tool(chained_to=ask_number, chain_condition=lambda x: x.value % 2 != 0)
def give_praise(input: Int, messages: list[Message]) -> Str:
    """Praise an odd number."""
    interact_with_user(f"{input.value}, a fine choice!", with_reply=False)
    return Str(value=f"{input.value} is good.")


def make_agent() -> Agent:
    """Return the agent, with models that answer from scripts."""
    model = MockLLMEndpoint(
        responses=[
            *(10 * [{"action": "ask_number", "rationale": "That is all I do."}]),
            {"action": "stop", "rationale": "Enough numbers.", "value": ""},
        ]
    )
    guard = MockLLMEndpoint(responses=10 * ["y"])
    return Agent(
        name="demo",
        system_prompt=f"Without exception, use the {ask_number.name} tool.",
        event_sinks=[CliSink.default()],
        agent_endpoint=model,
        tools=[ask_number, escalate(guard), give_praise, stop],
    )


def main() -> None:
    """Run the agent until two even numbers were given, or ten numbers."""
    output, _ = make_agent().invoke()
    print(output.value or "That is enough.")


if __name__ == "__main__":
    main()
