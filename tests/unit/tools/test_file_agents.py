"""File tools within agents: an agent of chains, an agent that calls tools by itself, and the rules of who is who."""

from pathlib import Path

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.chains import Agent
from edgevox.chains.tools import stop
from edgevox.core.cancel import CancelScope
from edgevox.core.messages import Origin, ToolResultBlock
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.endpoints import MockLLMEndpoint
from edgevox.testing import ScriptedModel, call, file_tokens, follow_chain
from edgevox.tools.files import FileCommandCall, FileReport, cli_skill, get_patch_file, get_run_file_command
from edgevox.tools.files.patch import FilePatch
from edgevox.tools.permissions import ActionVerdict, Operation, PermissionEngine, PermissionRule

ALL = frozenset({Operation.READ, Operation.CREATE, Operation.DELETE})
LINE = "tee '=a\nb\n' notes/n.txt && wc -l notes/n.txt ; cat top || pwd"


class Person:
    """Says yes to everything and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.asked.append(request.question)
        return Approval(approved=True, words="yes")


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    (tmp_path / "top").write_text("top secret")
    return tmp_path.resolve()


def test_a_model_writes_commands_and_reads_one_report_whatever_links_lie_between(base: Path) -> None:
    tools = get_run_file_command(
        base=base,
        default_verdict=ActionVerdict.deny,
        allow_rules=[PermissionRule(pattern="notes/**", operations=ALL)],
        ask_rules=[PermissionRule(pattern="notes/**", operations={Operation.CREATE})],
    )
    endpoint = MockLLMEndpoint(
        responses=[{"action": "run_file_command", "value": file_tokens(LINE)}, {"action": "stop", "value": "done"}]
    )
    agent = Agent(
        name="files",
        system_prompt="Work.",
        agent_endpoint=endpoint,
        tools=[tools, stop],
        auto_loaded_skills=[cli_skill],
    )
    person = Person()
    answer, messages = agent.invoke(ctx=AgentContext(approver=person))
    assert answer.value == "done"
    assert (base / "notes" / "n.txt").read_text() == "a\nb\n"
    assert len(person.asked) == 1
    results = [block for message in messages for block in message.content if isinstance(block, ToolResultBlock)]
    links = [block for block in results if block.origin is Origin.CHAIN]
    assert [block.tool_name for block in links].count("guard_file_command") == 4
    assert links[-1].output_type == "FileReport"
    read = str([dict(message) for message in endpoint.requests[1].messages])
    assert "2 notes/n.txt" in read
    assert "no permission to read" in read
    assert "guard_file_command" not in read, "steps between the first and the last cost no tokens"
    assert "top secret" not in read


def test_an_agent_that_calls_tools_by_itself_gets_the_same_chain(base: Path) -> None:
    tools = get_run_file_command(base=base, allow_rules=[PermissionRule(pattern="notes/**", operations=ALL)])
    model = ScriptedModel(call("run_file_command", value=file_tokens(LINE)), "Done.")
    result = LLMAgent("files", tools=tools, llm=model).run("count", AgentContext())
    assert result.reply == "Done."
    assert (base / "notes" / "n.txt").read_text() == "a\nb\n"
    assert "2 notes/n.txt" in str(model.requests[-1].messages)


def test_a_call_of_which_nothing_can_run_is_told_to_the_model_and_repaired(base: Path) -> None:
    tools = get_run_file_command(base=base, allow_rules=[PermissionRule(pattern="**", operations=ALL)])
    model = ScriptedModel(
        call("run_file_command", value=[["sudo", "CMD"]]),
        call("run_file_command", value=file_tokens("cat top")),
        "Read.",
    )
    assert LLMAgent("files", tools=tools, llm=model).run("read", AgentContext()).reply == "Read."
    assert "no command 'sudo'" in str(model.requests[1].messages)


def test_rules_of_an_engine_are_for_the_agent_they_name(base: Path) -> None:
    engine = PermissionEngine(
        base=base, allow_rules=[PermissionRule(pattern="**", operations=ALL, principal="scribe")], principal="nobody"
    )
    for who, allowed in (("scribe", True), ("other", False)):
        done = follow_chain(
            get_run_file_command(engine=engine, principal=who), FileCommandCall(value=[("cat", "CMD"), ("top", "PTH")])
        )
        assert isinstance(done, FileReport)
        assert ("top secret" in done.value) is allowed
    follow_chain(
        get_patch_file(engine=engine, principal="scribe"), FilePatch(path="top", old_string="top", new_string="no")
    )
    assert (base / "top").read_text() == "no secret"
