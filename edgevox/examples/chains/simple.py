"""An agent with one tool: a quote, then the end. The model is a script, so nothing has to be installed for it.

python -m edgevox.examples.chains.simple
"""

from random import choice

from edgevox.chains import Agent, tool
from edgevox.chains.models import Empty, Message, Stop
from edgevox.endpoints import MockLLMEndpoint
from edgevox.examples.chains.quotes import QUOTES


@tool
def get_quote(input: Empty, messages: list[Message]) -> Stop:  # noqa: ARG001 - the form of a typed tool is fixed
    """Return a quote of the kitchen and then stop."""
    return Stop(value=choice(QUOTES))  # noqa: S311 - no secret hangs on it


def make_agent() -> Agent:
    """Return the agent, with a model that asks for the quote."""
    model = MockLLMEndpoint(responses=[{"action": "get_quote", "rationale": "A quote is wanted."}])
    return Agent(
        name="demo",
        system_prompt="You say what an assistant in a kitchen would say.",
        agent_endpoint=model,
        tools=[get_quote],
    )


def main() -> None:
    """Run the agent once and print what it said."""
    output, _ = make_agent().invoke()
    print(f'"{output.value}"')


if __name__ == "__main__":
    main()
