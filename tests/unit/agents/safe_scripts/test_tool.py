"""The tool that an agent gets: it lists without a name, runs with one, and passes the permission engine."""

import threading
import time
from pathlib import Path

import pytest

from edgevox.agents.capabilities import SafeScripts
from edgevox.agents.health import dependencies_of
from edgevox.chains import Agent
from edgevox.chains.tools import stop
from edgevox.cli.main import main
from edgevox.core.cancel import CancelScope
from edgevox.core.errors import ConfigError
from edgevox.core.events import EventBus
from edgevox.core.messages import ResultStatus
from edgevox.core.session import AgentContext
from edgevox.core.tools import ToolCallResult
from edgevox.endpoints import MockLLMEndpoint
from edgevox.tools import ToolRegistry
from edgevox.tools.permissions import ActionVerdict, PermissionEngine, PermissionRule


def call(scripts: SafeScripts, ctx: AgentContext, **arguments: str) -> ToolCallResult:
    return ToolRegistry([scripts.tool()]).dispatch("run_script", arguments, ctx)


def test_without_a_name_it_lists_and_with_one_it_runs(folder: Path) -> None:
    scripts = SafeScripts(folder)
    listed = call(scripts, AgentContext())
    assert {"script": "hello.sh", "description": "Say hello. Politely."} in listed.result["scripts"]
    ran = call(scripts, AgentContext(), script="hello.sh")
    assert (ran.result["status"], "hello" in ran.result["output"]) == ("success", True)
    assert call(scripts, AgentContext(), script="../hello.sh").result["status"] == "refused"


def test_rules_about_scripts_decide_which_may_run(folder: Path) -> None:
    engine = PermissionEngine(
        default_verdict=ActionVerdict.deny,
        allow_rules=[PermissionRule(pattern="script:deep/**", operations=["run"])],
        trusts_tools=False,
    )
    ctx = AgentContext(permissions=engine)
    scripts = SafeScripts(folder)
    denied = call(scripts, ctx, script="hello.sh")
    assert denied.status is not ResultStatus.SUCCESS
    assert denied.error == (call(scripts, ctx, script="none.sh").error or "").replace("none.sh", "hello.sh")
    assert call(scripts, ctx, script="deep/er/fail.sh").result["exit_code"] == 3
    assert call(scripts, ctx).ok, "the list needs no leave"


def test_a_person_who_says_no_keeps_a_script_from_running(folder: Path) -> None:
    engine = PermissionEngine(
        ask_rules=[PermissionRule(pattern="script:**")], allow_rules=[PermissionRule(pattern="script:**")]
    )
    denied = call(SafeScripts(folder), AgentContext(permissions=engine), script="hello.sh")
    assert not denied.ok, "nobody is there to say yes"


def test_a_stop_of_the_run_ends_the_script(folder: Path) -> None:
    scope = CancelScope()
    threading.Timer(0.3, scope.cancel).start()
    began = time.monotonic()
    result = call(SafeScripts(folder), AgentContext(scope=scope), script="stubborn.sh")
    assert result.status is ResultStatus.CANCELLED
    assert time.monotonic() - began < 20, "not the minutes of the script's own limit"


def test_an_agent_of_chains_runs_a_script(folder: Path) -> None:
    replies = [{"action": "run_script", "script": "hello.sh"}, {"action": "stop", "value": "done"}]
    agent = Agent(
        name="ops",
        system_prompt="Run scripts.",
        tools=[SafeScripts(folder).tool(), stop],
        agent_endpoint=MockLLMEndpoint(responses=replies),
    )
    seen: list[ToolCallResult] = []
    bus = EventBus()
    bus.subscribe("tool_call", lambda event: seen.append(event.payload))
    ended, _ = agent.invoke(ctx=AgentContext(bus=bus))
    assert ended.value == "done"
    assert "hello" in seen[0].result["output"]


def test_what_it_needs_is_named(folder: Path, tmp_path: Path) -> None:
    assert [each.id for each in dependencies_of(SafeScripts(folder).tool())] == ["executable:bash"]
    there = SafeScripts(socket_path=tmp_path / "x.sock")
    assert dependencies_of(there.tool())[0].id == f"service:{tmp_path / 'x.sock'}"
    assert "edgevox scripts serve" in there.carry_out(None).message


@pytest.mark.parametrize("both", [True, False])
def test_a_folder_or_a_socket_has_to_be_given(folder: Path, both: bool) -> None:
    with pytest.raises(ConfigError, match="give one"):
        SafeScripts(folder if both else None, socket_path="x.sock" if both else None)


def test_scripts_are_listed_and_run_from_the_command_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scripts", "list", str(folder)]) == 0
    assert "Say hello. Politely." in capsys.readouterr().out
    assert main(["scripts", "run", str(folder), "hello.sh"]) == 0
    assert "hello" in capsys.readouterr().out
    assert main(["scripts", "run", str(folder), "deep/er/fail.sh"]) == 1
    assert "ended with code 3" in capsys.readouterr().err
    assert main(["scripts", "run", str(folder), "/etc/x.sh"]) == 1
    assert main(["scripts", "list", str(folder / "none")]) == 1
    assert main(["scripts", "serve", str(folder / "none")]) == 1
    assert main(["scripts", "run", str(folder), "hello.sh", "--env", "LD_PRELOAD"]) == 2
    assert main(["scripts"]) == 2
