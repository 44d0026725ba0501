"""A home with two small models that a server of this machine has, for the tests of whoever gets models."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgevox.config.paths import config_dir
from edgevox.testing import ModelServer, gguf_file


@pytest.fixture
def two_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Serve the models `one` and `two`, each a file of 60 kB, to a home of the test's own."""
    for name in list(os.environ):
        if name.startswith("EDGEVOX_") or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    with ModelServer() as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        config_dir().mkdir(parents=True)
        entries = [running.add_split_model(name, {"model.gguf": gguf_file(60_000)}) for name in ("one", "two")]
        (config_dir() / "models.toml").write_text("\n".join(entries))
        yield running
