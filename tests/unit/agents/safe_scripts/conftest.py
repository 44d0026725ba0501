"""A folder of small scripts."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from edgevox.agents.safe_scripts import ScriptReport, ScriptStatus

SCRIPTS = {
    "hello.sh": "#!/bin/bash\n# Say hello.\n# Politely.\n\n# not this\necho hello; echo oops >&2\n",
    "deep/er/fail.sh": "echo before; exit 3\n",
    "env.sh": "#!/bin/bash\nenv; pwd; cat; echo args=$#\n",
    "flood.sh": "while :; do echo 0123456789012345678901234567890123456789; done\n",
    "sleep.sh": "echo started; sleep 60\n",
    "stubborn.sh": "trap '' TERM\necho $$\nwhile :; do sleep 0.05; done\n",
    "orphan.sh": "sleep 60 &\necho $!\n",
    "bytes.sh": "printf '\\xff\\xfe ok'\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the scripts."""
    root = tmp_path / "scripts"
    for name, text in SCRIPTS.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
    return root


@pytest.fixture
def until_free() -> Callable[[Callable[[], ScriptReport]], ScriptReport]:
    """Run again until no other script runs any more."""

    def run(again: Callable[[], ScriptReport]) -> ScriptReport:
        deadline = time.monotonic() + 20
        while (report := again()).status is ScriptStatus.BUSY:
            assert time.monotonic() < deadline, "it stays busy"
            time.sleep(0.02)
        return report

    return run
