"""A home of its own for every test, and a server that stands for the internet."""

import os
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgevox.config.paths import config_dir
from edgevox.testing import ModelServer

FOREIGN = (
    "SSL_CERT_FILE", "SSL_CERT_DIR", "PIP_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "NPM_CONFIG_REGISTRY",
    "npm_config_registry", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_ENDPOINT", "HF_TOKEN",
    "HF_HUB_OFFLINE", "XDG_CACHE_HOME",
)  # fmt: skip
"""Variables of the machine that would change what a test sees."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a home of its own and take away what the machine's environment says."""
    for name in list(os.environ):
        if name.startswith("EDGEVOX_") or name.lower().endswith("_proxy") or name in FOREIGN:
            monkeypatch.delenv(name)
    folder = tmp_path / "home"
    monkeypatch.setenv("EDGEVOX_HOME", str(folder))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Stand in for the package index, the npm registry and the hub."""
    with ModelServer() as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        yield running


@pytest.fixture
def tls_server(certificate: Path) -> Iterator[ModelServer]:
    """Serve over TLS with a certificate that no public authority signed."""
    with ModelServer(certificate) as running:
        yield running


@pytest.fixture(scope="session")
def certificate() -> Path:
    """Return a PEM file with a key and a certificate for 127.0.0.1, made for these tests and used nowhere else."""
    path = Path(__file__).parents[2] / "data" / "tls" / "localhost.pem"
    ssl.create_default_context(cafile=str(path))
    return path


@pytest.fixture
def add_models() -> Callable[..., None]:
    """Return what puts entries into the person's own list of models."""

    def add(*entries: str) -> None:
        config_dir().mkdir(parents=True, exist_ok=True)
        with (config_dir() / "models.toml").open("a", encoding="utf-8") as file:
            file.write("\n".join(entries) + "\n")

    return add
