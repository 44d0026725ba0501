"""What importing costs and loads, shown in fresh interpreters."""

import json
import subprocess
import sys

import pytest

HEAVY = (
    "textual", "rich", "onnxruntime", "llama_cpp", "sounddevice", "soxr", "faster_whisper", "ctranslate2",
    "kokoro_onnx", "piper", "openai", "hassil", "huggingface_hub", "torch", "irsim", "matplotlib", "mujoco",
)  # fmt: skip
LIGHT_STATEMENTS = {
    "llm": "from edgevox.llm import tool",
    "agents": "from edgevox.agents import AgentContext, GoalHandle, skill, Session, EventBus, AgentEvent",
    "tools": "from edgevox.tools import tool, ToolRegistry",
    "safety": "from edgevox.pipeline import SafetyMonitor, StopFrame",
}
MAX_EXTRA_CPU_S = 0.15
ROUNDS = 5

LOADED = "import sys, json; print(json.dumps(sorted(m for m in sys.modules if '.' not in m)))"
CPU = "import time; print(time.process_time())"


def fresh(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return run.stdout.strip().splitlines()[-1]


def cpu_seconds(statement: str) -> float:
    """The least of several runs: what else the machine does can only add to it."""
    return min(float(fresh(f"{statement}\n{CPU}")) for _ in range(ROUNDS))


@pytest.mark.parametrize("name", LIGHT_STATEMENTS)
def test_a_declaration_loads_no_engine_and_no_screen(name: str) -> None:
    loaded = set(json.loads(fresh(f"{LIGHT_STATEMENTS[name]}\n{LOADED}")))
    assert loaded.isdisjoint(HEAVY)


@pytest.mark.slow
@pytest.mark.parametrize("name", LIGHT_STATEMENTS)
def test_a_declaration_costs_little_more_than_pydantic(name: str) -> None:
    baseline = cpu_seconds("import pydantic; pydantic.BaseModel")
    assert cpu_seconds(LIGHT_STATEMENTS[name]) - baseline <= MAX_EXTRA_CPU_S


def test_headless_packages_load_no_screen_and_no_engine() -> None:
    code = f"""
import edgevox.assistant, edgevox.pipeline, edgevox.agents, edgevox.llm, edgevox.endpoints, edgevox.intents
import edgevox.tools
import edgevox.audio, edgevox.speech, edgevox.safety, edgevox.sims, edgevox.context, edgevox.config, edgevox.core
import edgevox.threads, edgevox.flows, edgevox.bridges, edgevox.store, edgevox.chains
{LOADED}"""
    assert set(json.loads(fresh(code))).isdisjoint(HEAVY)
