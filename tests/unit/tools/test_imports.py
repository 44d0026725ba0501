"""What declaring a tool loads, in a fresh interpreter."""

import subprocess
import sys

import pytest

HEAVY = {
    "hassil", "rapidfuzz", "numpy", "httpx", "openai", "llama_cpp", "textual", "rich", "onnxruntime", "sounddevice",
    "faster_whisper", "huggingface_hub",
}  # fmt: skip
DECLARE = """
from edgevox.tools import tool
@tool(phrases=["ping"])
def ping(n: int) -> str:
    return "pong"
"""


def loaded(code: str) -> set[str]:
    """Return the packages that a program has loaded when it ends."""
    program = f"{code}\nimport sys; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        DECLARE,
        "from edgevox.tools import ToolRegistry",
        f"{DECLARE}\nfrom edgevox.tools import ToolRegistry\nassert ToolRegistry(ping).dispatch('ping', {{'n': 1}}).ok",
        "from edgevox.intents import Spoken; import edgevox.intents",
    ],
    ids=["declaring", "registry", "running", "intents"],
)
def test_tools_load_nothing_heavy(code: str) -> None:
    assert loaded(code) & HEAVY == set()


def test_running_a_plain_tool_needs_no_event_loop() -> None:
    assert "asyncio" not in loaded("from edgevox.tools import ToolRegistry, tool") or "asyncio" in loaded(
        "import pydantic"
    )


def test_the_facade_exports_what_it_names() -> None:
    import edgevox.intents
    import edgevox.tools

    for package in (edgevox.tools, edgevox.intents):
        assert all(getattr(package, name) is not None for name in package.__all__)
        with pytest.raises(AttributeError):
            _ = package.nothing
