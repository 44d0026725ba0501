"""The examples that people know this way of working from, word for word but for what they import."""

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from edgevox.chains import Agent
from edgevox.chains.tools import stop
from edgevox.endpoints import MockLLMEndpoint
from edgevox.endpoints.__main__ import main as endpoints_command
from edgevox.examples.chains.quotes import QUOTES

SIMPLE = '''
from random import choice

from edgevox.chains import Agent, tool
from edgevox.examples.chains.quotes import QUOTES
from edgevox.endpoints import MockLLMEndpoint
from edgevox.chains.models import Empty, Message, Stop


@tool
def get_quote(input: Empty, messages: list[Message]) -> Stop:
    """Return a random Simpsons quote and then stop."""
    return Stop(value=choice(QUOTES))


mock = MockLLMEndpoint(
    responses=[{"action": "get_quote", "rationale": "Need Simpsons quote!"}]
)

agent = Agent(
    name="demo",
    system_prompt="You are a Simpsons quote generator",
    agent_endpoint=mock,
    tools=[get_quote],
)

output, messages_ = agent.invoke()
print(f'"{output.value}"')
'''

COMPLEX = '''
from builtins import input as read_input

from edgevox.chains import Agent, factory, tool
from edgevox.endpoints import EndpointLike, MockLLMEndpoint, get_completion
from edgevox.chains.models import Empty, Int, Message, Role, Stop, Str, filter_messages
from edgevox.chains.models.truncation import Severity, Truncation
from edgevox.chains.io import interact_with_user
from edgevox.ui.sinks import CliSink
from edgevox.chains.tools import stop


@tool
def ask_number(input: Empty, messages: list[Message]) -> Int:
    """Ask the user for an integer, repeating until the response is valid."""
    while True:
        reply = read_input("Enter an integer: ")
        try:
            return Int(value=int(reply))
        except ValueError:
            print("Please enter an integer :)")


@factory(chained_to=ask_number, chain_condition=lambda x: x.value % 2 == 0)
def escalate(input: Int, messages: list[Message], ctx: EndpointLike) -> Stop | Str:
    """An even number?! Need to check this with HR!"""
    interact_with_user("Careful now, that is pretty spicy!", with_reply=False)
    prompt = f"The user chose {input.value}. Is this too hot to handle?! (y/n)?"
    verdict = get_completion(
        endpoint=ctx, messages=[Message(role=Role.SYSTEM, content=prompt)]
    )
    is_first_escalation = (
        len(filter_messages(caller="escalate", messages=messages)) == 0
    )
    if verdict == "y" and not is_first_escalation:
        return Stop(value="Too much spiciness, need to quit!")
    return Str(
        value="HR gave a pass, but still, let's show this to the agent only once.",
        truncation=Truncation(threshold=1, severity=Severity.REMOVE),
    )


@tool(chained_to=ask_number, chain_condition=lambda x: x.value % 2 != 0)
def give_praise(input: Int, messages: list[Message]) -> Str:
    """We need to give praise for such an erudite approach to the problem."""
    interact_with_user(f"{input.value} a fine and bold choice!", with_reply=False)
    return Str(value=f"{input.value} is good, no biggie.")


agent_endpoint = MockLLMEndpoint(
    responses=[
        *(10 * [{"action": "ask_number", "rationale": "This is my only job"}]),
        {"action": "stop", "rationale": "Enough numbers!", "value": ""},
    ]
)
guard_endpoint = MockLLMEndpoint(responses=10 * ["y"])

agent = Agent(
    name="demo",
    system_prompt=f"Without exception, use the {ask_number.name} tool.",
    event_sinks=[CliSink.default()],
    agent_endpoint=agent_endpoint,
    tools=[ask_number, escalate(guard_endpoint), give_praise, stop],
)
agent.invoke()
'''

GUARDED_FILES = """
from pathlib import Path

from edgevox.tools.permissions import ActionVerdict, Operation, PermissionRule
from edgevox.tools.files import cli_skill
from edgevox.tools.files import get_run_file_command

file_tools = get_run_file_command(
    base=Path.cwd(),
    default_verdict=ActionVerdict.deny,
    allow_rules=[
        PermissionRule(
            pattern="notes/**",
            operations={Operation.READ, Operation.CREATE, Operation.DELETE},
        ),
    ],
)
"""

INVENTORY = """
from edgevox.endpoints.inventory import openrouter

endpoint = openrouter.z_ai__glm_5_3
print(endpoint.model_name)
print(endpoint.max_context_tokens)
"""

SERVICE = """
"my_service": {
  "base_url": "https://models.example.com/v1",
  "api_key_env": "MY_SERVICE_API_KEY_SECRET",
  "models": {
    "my_chat_model": {
      "model_id": "my-chat-model",
      "endpoint_type": "llm",
      "max_context_tokens": 128000
    }
  }
}
"""

CONSTANTS = """
from edgevox.endpoints import (
    DEFAULT_ENCRYPTED_ENV_PATH,  # Final[Path]: Path(".env.encrypt")
    ENCRYPTED_NAMESPACE,  # Final[str]: "roboz:"
    SECRET_SUFFIX,  # Final[str]: "_SECRET"
)
"""

SECRETS = """
from getpass import getpass
from edgevox.endpoints import load_secrets

load_secrets(password=getpass("Secret password: "))
"""

Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run an example as a script, in a folder of its own, with lines for its standard input."""
    monkeypatch.chdir(tmp_path)

    def as_script(source: str, typed: str = "") -> dict[str, Any]:
        monkeypatch.setattr(sys, "stdin", StringIO(typed))
        path = tmp_path / "example.py"
        path.write_text(source)
        return runpy.run_path(str(path))

    return as_script


def test_the_agent_with_one_tool_says_a_quote(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    names = run(SIMPLE)
    assert names["output"].value in QUOTES
    assert capsys.readouterr().out == f'"{names["output"].value}"\n'
    assert len(names["mock"].requests) == 1
    assert "get_quote" in str(list(names["mock"].requests[0].messages))


def test_even_and_odd_numbers_branch_and_the_second_even_one_ends_the_run(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run(COMPLEX, "4\nmany\n3\n2\n")
    agent, model, guard = names["agent"], names["agent_endpoint"], names["guard_endpoint"]
    ran = [result for message in agent.messages for result in message.tool_results]
    assert [result.tool_name for result in ran] == [
        "ask_number", "escalate", "ask_number", "give_praise", "ask_number", "escalate",
    ]  # fmt: skip
    assert [result.payload["value"] for result in ran[:5:2]] == [4, 3, 2]
    assert ran[-1].output_type == "Stop"
    assert ran[-1].payload["value"] == "Too much spiciness, need to quit!"
    assert (len(model.requests), len(guard.requests)) == (3, 2)
    printed = capsys.readouterr()
    assert printed.out.count("Careful now, that is pretty spicy!") == 2
    assert "3 a fine and bold choice!" in printed.out
    assert "Please enter an integer :)" in printed.out
    assert "↳ escalate → " in printed.err


def test_what_is_to_be_shown_once_is_shown_once_and_the_model_never_hears_of_chained_tools(run: Run) -> None:
    names = run(COMPLEX, "4\n3\n2\n")
    requests = [str(list(request.messages)) for request in names["agent_endpoint"].requests]
    assert ["HR gave a pass" in request for request in requests] == [False, True, False]
    assert ["3 is good, no biggie." in request for request in requests] == [False, False, True]
    assert "An even number?!" not in requests[0]
    assert "give_praise" not in requests[0]
    (asked, _) = [list(request.messages) for request in names["guard_endpoint"].requests]
    assert asked == [{"role": "system", "content": "The user chose 4. Is this too hot to handle?! (y/n)?"}]


def test_ten_odd_numbers_end_with_the_models_own_stop(run: Run) -> None:
    names = run(COMPLEX, "\n".join(map(str, range(1, 21, 2))))
    assert len(names["agent_endpoint"].requests) == 11
    assert names["guard_endpoint"].requests == []
    assert names["agent"].status == "completed"


def test_the_configuration_can_be_looked_at(run: Run) -> None:
    info = run(COMPLEX, "4\n2\n")["agent"].show_agent_info()
    assert [tool.name for tool in info.tools if tool.role == "chained"] == ["escalate", "give_praise"]
    assert "Without exception, use the ask_number tool." in info.text()


@pytest.mark.parametrize(("example", "typed"), [("simple", ""), ("complex", "4\n3\n2\n")])
def test_the_examples_that_ship_run_as_programs(example: str, typed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"edgevox.examples.chains.{example}"],
        input=typed, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    if example == "simple":
        assert done.stdout.strip().strip('"') in QUOTES
    else:
        assert done.stdout.splitlines()[-1] == "Two even numbers are one too many."


# Guarded files


def test_an_agent_with_the_guarded_commands_makes_a_note_counts_its_lines_and_touches_nothing_else(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "secret.txt").write_text("the spare key lies under the mat\n")
    names = run(GUARDED_FILES)
    tokens = [
        ["tee", "CMD"], ["milk\neggs\n", "ARG"], ["notes/list.txt", "PTH"], ["&&", "CTL"],
        ["wc", "CMD"], ["-l", "FLG"], ["notes/list.txt", "PTH"],
        [";", "CTL"], ["cat", "CMD"], ["secret.txt", "PTH"],
    ]  # fmt: skip
    endpoint = MockLLMEndpoint(
        responses=[{"action": "run_file_command", "value": tokens}, {"action": "stop", "value": "noted"}]
    )
    agent = Agent(
        name="clerk", system_prompt="You keep notes.", tools=[*names["file_tools"], stop],
        auto_loaded_skills=[names["cli_skill"]], agent_endpoint=endpoint,
    )  # fmt: skip
    output, _ = agent.invoke()
    assert output.value == "noted"
    assert (tmp_path / "notes" / "list.txt").read_text() == "milk\neggs\n"
    request = str(list(endpoint.requests[1].messages))
    assert "2 notes/list.txt" in request
    assert "spare key" not in request
    assert len(endpoint.requests) == 2


# Endpoints


def test_an_endpoint_of_the_shipped_catalogue_is_looked_at_without_a_key(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if "API_KEY" in name]:
        monkeypatch.delenv(name)
    endpoint = run(INVENTORY)["endpoint"]
    name, tokens = capsys.readouterr().out.splitlines()
    assert name == endpoint.model_name
    assert int(tokens) == endpoint.max_context_tokens > 0


def test_a_project_makes_a_catalogue_of_its_own_and_imports_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "my-app"\n')
    package = tmp_path / "src" / "my_app"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.chdir(tmp_path)
    assert endpoints_command(["inventory", "init"]) == 0
    catalogue = package / "model_catalogue" / "models.json"
    models = json.loads(catalogue.read_text())
    models["providers"] |= json.loads(f"{{{SERVICE}}}")
    catalogue.write_text(json.dumps(models))
    assert endpoints_command(["inventory", "generate"]) == 0
    monkeypatch.setattr(sys, "path", [str(tmp_path / "src"), *sys.path])
    names = run("from my_app.model_catalogue.providers import my_service\n\nendpoint = my_service.my_chat_model\n")
    endpoint = names["endpoint"]
    assert (endpoint.model_name, endpoint.max_context_tokens) == ("my-chat-model", 128_000)
    assert {path.name for path in catalogue.parent.iterdir()} >= {"__init__.py", "models.json", "providers.py"}
    assert endpoints_command(["inventory", "init"]) == 1


def test_a_catalogue_can_lie_anywhere(tmp_path: Path) -> None:
    path = tmp_path / "endpoints" / "models.json"
    path.parent.mkdir()
    assert endpoints_command(["inventory", "init", "--path", str(path)]) == 0
    assert endpoints_command(["inventory", "generate", "--path", str(path)]) == 0
    assert (path.parent / "providers.py").is_file()


# Keys


def test_the_constants_say_what_the_format_is(run: Run) -> None:
    names = run(CONSTANTS)
    assert names["DEFAULT_ENCRYPTED_ENV_PATH"] == Path(".env.encrypt")
    assert names["SECRET_SUFFIX"] == "_SECRET"
    assert names["ENCRYPTED_NAMESPACE"] == "edgevox:"


def test_keys_are_encrypted_by_a_command_and_loaded_before_an_agent_starts(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MY_SERVICE_API_KEY_SECRET", raising=False)
    (tmp_path / ".env").write_text("MY_SERVICE_API_KEY_SECRET=sk-123\nCOLOUR=blue\n")
    monkeypatch.setenv("EDGEVOX_ENV_PASSWORD", "correct horse")
    assert endpoints_command(["env", "encrypt"]) == 0
    assert "EDGEVOX_ENV_PASSWORD" not in os.environ
    assert "sk-123" not in (tmp_path / ".env.encrypt").read_text()
    (tmp_path / ".env").unlink()
    monkeypatch.setattr("getpass.getpass", _typed_password)
    monkeypatch.setenv("MY_SERVICE_API_KEY_SECRET", "")
    run(SECRETS)
    assert os.environ["MY_SERVICE_API_KEY_SECRET"] == "sk-123"


def _typed_password(_: str) -> str:
    return "correct horse"


# Names

PROMISED = {
    "edgevox.chains": "Agent tool factory AgentMode Skill Empty Int Ints Str Strs Stop StopLocation Invoke All "
    "Location LocationStr HashMaps",
    "edgevox.chains.models": "Empty Int Str Strs Stop Invoke Message Role filter_messages MessageKind AgentMode",
    "edgevox.chains.models.truncation": "Severity Truncation DEFAULT NO_TRUNCATION NO_MESSAGE ERROR_RETRY GRADED",
    "edgevox.chains.io": "interact_with_user",
    "edgevox.chains.tools": "stop stop_after prompt_user prompt_user_at_start message_user say ask run_nested_agent "
    "run_background_agent",
    "edgevox.ui.sinks": "CliSink",
    "edgevox.endpoints": "EndpointLike MockLLMEndpoint get_completion LLMEndpoint TranscriptionEndpoint "
    "LLMEndpointRoute ModelSelector Catalog load_secrets encrypt_env",
    "edgevox.endpoints.env": "DEFAULT_ENCRYPTED_ENV_PATH ENCRYPTED_NAMESPACE SECRET_SUFFIX",
    "edgevox.endpoints.inventory": "openrouter cerebras groq",
    "edgevox.tools.permissions": "ActionVerdict Operation PermissionRule",
    "edgevox.tools.files": "get_run_file_command cli_skill get_patch_file",
    "edgevox.agents.capabilities": "FileCommands Email SafeScripts",
    "edgevox.agents.deploy": "DeployableAgent",
    "edgevox.agents.email": "get_work_with_email ProtonBridgeEmailService ProtonBridgeSettings",
    "edgevox.agents.health": "HealthMonitor",
    "edgevox.examples.chains.quotes": "QUOTES",
}


@pytest.mark.parametrize(("module", "name"), [(m, n) for m, names in PROMISED.items() for n in names.split()])
def test_a_name_of_the_documents_is_where_it_was_promised(module: str, name: str) -> None:
    assert getattr(import_module(module), name) is not None
