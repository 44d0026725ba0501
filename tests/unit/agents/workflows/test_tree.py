"""The drawn tree of an agent, and the command that shows it."""

from pathlib import Path

import pytest

from edgevox.agents import (
    AgentResult,
    Fallback,
    LLMAgent,
    Loop,
    Orchestrator,
    Parallel,
    Retry,
    Router,
    Sequence,
    Timeout,
    draw_tree,
)
from edgevox.cli.main import main
from edgevox.testing import ScriptedAgent
from edgevox.tools import tool

SCRIPT = """
from edgevox.agents import AgentResult, Fallback, LLMAgent, Retry, Timeout
from edgevox.examples.agents.framework import AgentApp

APP = AgentApp(name="Team", agent=Fallback("team", [Timeout(Retry(LLMAgent("quick"), 2), 5), LLMAgent("slow")]))
"""


TEAM = """
fallback team
├── timeout timeout_steps (seconds=2.5)
│   └── sequence steps
│       ├── agent scales: weigh
│       └── retry retry_other (max_attempts=2, backoff_s=0.5)
│           └── agent other
├── parallel both (reduce=longest)
│   ├── agent scales: weigh
│   └── agent other
├── loop rounds (max_iterations=3, until=enough)
│   └── agent other
└── orchestrator chief (max_subtasks=2): weigh
    ├── agent chief_lead: weigh
    └── agent chief_synth
"""


@tool
def weigh() -> str:
    """Weigh it."""
    return "heavy"


def longest(results: list[AgentResult]) -> str:
    return max((result.reply for result in results), key=len)


def enough(state: dict[str, object]) -> bool:
    return bool(state)


def test_a_tree_shows_kinds_names_limits_and_tools() -> None:
    scales, other = LLMAgent("scales", tools=[weigh]), ScriptedAgent("other")
    team = Fallback(
        "team",
        [
            Timeout(Sequence("steps", [scales, Retry(other, 2, 0.5)]), 2.5),
            Parallel("both", [scales, other], reduce=longest),
            Loop("rounds", other, until=enough, max_iterations=3),
            Orchestrator("chief", "", "", tools=[weigh], max_subtasks=2),
        ],
    )
    assert draw_tree(team) == TEAM.strip()


def test_agents_that_point_at_each_other_are_drawn_once_more_and_no_further() -> None:
    first, second = LLMAgent("first"), LLMAgent("second")
    first.handoffs, second.handoffs = [second], [first]
    assert draw_tree(first) == "agent first\n└── agent second\n    └── agent first ↺"


def test_a_router_shows_whom_it_asks() -> None:
    router = Router.build("casa", "You route.", {"lights": LLMAgent("lights"), "weather": LLMAgent("weather")})
    assert draw_tree(router) == "router casa\n├── agent lights\n└── agent weather"


def test_a_name_of_several_lines_stays_on_one() -> None:
    assert draw_tree(Sequence("two\nlines", [ScriptedAgent("a\tb")])) == "sequence two lines\n└── agent a b"


def test_the_command_draws_the_agent_of_a_script(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "team.py"
    script.write_text(SCRIPT)
    assert main(["agents", "tree", str(script)]) == 0
    assert capsys.readouterr().out == (
        "fallback team\n"
        "├── timeout timeout_retry_quick (seconds=5)\n"
        "│   └── retry retry_quick (max_attempts=2, backoff_s=0.2)\n"
        "│       └── agent quick\n"
        "└── agent slow\n"
    )


def test_the_command_draws_an_agent_of_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "tree", "home"]) == 0
    assert "set_light" in capsys.readouterr().out


def test_an_agent_that_is_not_there_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents", "tree", "hoem"]) == 2
    assert capsys.readouterr().err == "edgevox agents: There is no agent called 'hoem'; did you mean home?\n"


def test_the_command_alone_says_what_it_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["agents"]) == 2
    assert "export" in capsys.readouterr().out
