"""The wheel that people install: everything the package needs is in it, and it says one version everywhere."""

import shutil
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from email.parser import Parser
from importlib.util import find_spec
from pathlib import Path

import pytest

import edgevox

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel, as an installer does."""
    uv = shutil.which("uv")
    if uv is None:
        pytest.skip("uv is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    command = [uv, "build", "--wheel", "--out-dir", str(folder), str(ROOT)]
    built = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    if built.returncode != 0 and "hatchling" in built.stderr and "fetch" in built.stderr:
        pytest.skip("the build tool cannot be downloaded here")
    assert built.returncode == 0, built.stderr
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_everything_that_lies_in_the_package_is_in_the_wheel(unpacked: Path) -> None:
    def files(folder: Path) -> set[str]:
        found = (folder / "edgevox").rglob("*")
        return {str(path.relative_to(folder)) for path in found if path.is_file() and path.suffix != ".pyc"}

    assert files(unpacked) == files(ROOT)
    needed = {"edgevox/py.typed", "edgevox/config/models.toml", "edgevox/tui/app.tcss"}
    worlds = {"edgevox/sims/worlds/apartment.yaml", "edgevox/sims/models/flat.xml", "edgevox/sims/models/tabletop.xml"}
    assert needed | worlds <= files(unpacked)


def test_it_says_one_version_everywhere_and_names_its_programs(unpacked: Path) -> None:
    (information,) = unpacked.glob("*.dist-info")
    assert Parser().parsestr((information / "METADATA").read_text())["Version"] == edgevox.__version__
    assert information.name == f"edgevox-{edgevox.__version__}.dist-info"
    points = ConfigParser()
    points.read(information / "entry_points.txt")
    assert set(points["console_scripts"]) == {"edgevox", "edgevox-agent"}


@pytest.mark.parametrize("program", ["edgevox.cli.main", "edgevox.cli.agent"])
def test_its_programs_run_from_anywhere_and_say_the_version(unpacked: Path, tmp_path: Path, program: str) -> None:
    done = run(unpacked, tmp_path, program, "--version")
    assert done.stdout == f"edgevox {edgevox.__version__}\n"


def test_an_agent_answers_from_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    done = run(unpacked, tmp_path, "edgevox.cli.agent", "home", "--text-mode", lines="turn on the kitchen light\n")
    assert "The kitchen light is on." in done.stdout
    assert run(unpacked, tmp_path, "edgevox.cli.main", "models", "list").stdout.count("whisper") > 1


def test_the_scout_finds_its_world_in_the_wheel(unpacked: Path, tmp_path: Path) -> None:
    if find_spec("irsim") is None:
        pytest.skip("ir-sim is not installed")
    lines = "which rooms are there\n"
    done = run(unpacked, tmp_path, "edgevox.cli.agent", "robot-irsim", "--text-mode", "--no-render", lines=lines)
    assert "I know the kitchen, living room, bedroom and office." in done.stdout


def run(installed: Path, home: Path, *arguments: str, lines: str = "") -> "subprocess.CompletedProcess[str]":
    where = f"import sys; sys.path.insert(0, {str(installed)!r}); import runpy, edgevox; "
    where += f"assert edgevox.__file__.startswith({str(installed)!r}); sys.argv = {list(arguments)!r}; "
    code = where + f"runpy.run_module({arguments[0]!r}, run_name='__main__')"
    env = {"EDGEVOX_HOME": str(home), "HF_HOME": str(home), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-c", code], input=lines, capture_output=True, text=True, timeout=60, check=False, cwd=home,
        env=env,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done
