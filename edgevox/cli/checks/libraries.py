"""Optional libraries: which are installed, whether they load, and the command that gets them."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

from edgevox.cli.checks.finding import Finding, Patient, State
from edgevox.cli.checks.loading import why_not_loaded

LLAMA_WHEELS = "https://abetlen.github.io/llama-cpp-python/whl/cpu"
"""Where llama-cpp-python's own project keeps wheels, for machines without a compiler."""
COMPILERS = ("c++", "g++", "clang++", "cl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """A library that something needs, and without which the rest works."""

    module: str
    distribution: str
    extra: str
    """The extra that brings it; empty for what comes with edgevox itself."""
    purpose: str
    voice: bool = False


LIBRARIES = (
    Library(module="sounddevice", distribution="sounddevice", extra="voice", purpose="devices", voice=True),
    Library(module="soxr", distribution="soxr", extra="voice", purpose="changing rates", voice=True),
    Library(module="onnxruntime", distribution="onnxruntime", extra="voice", purpose="voice activity", voice=True),
    Library(module="faster_whisper", distribution="faster-whisper", extra="voice", purpose="hearing", voice=True),
    Library(module="piper", distribution="piper-tts", extra="voice", purpose="speaking"),
    Library(module="num2words", distribution="num2words", extra="voice", purpose="speaking numbers"),
    Library(module="kokoro_onnx", distribution="kokoro-onnx", extra="kokoro", purpose="the better voices"),
    Library(
        module="llama_cpp", distribution="llama-cpp-python", extra="llm", purpose="language models on this machine"
    ),
    Library(module="openai", distribution="openai", extra="", purpose="language models on servers"),
    Library(module="keyring", distribution="keyring", extra="keyring", purpose="keys in the system's keyring"),
    Library(module="imapclient", distribution="imapclient", extra="email", purpose="mail"),
    Library(module="irsim", distribution="ir-sim", extra="sim", purpose="the world of robot-irsim"),
    Library(module="mujoco", distribution="mujoco", extra="sim-mujoco", purpose="the world of robot-panda"),
)

Loader = Callable[[Sequence[str]], Mapping[str, str]]


def check_libraries(_: Patient) -> Iterator[Finding]:
    """Look which libraries are installed and load them in a child process."""
    return judge_libraries(installed_version, why_not_loaded)


def judge_libraries(version_of: Callable[[str], str | None], load: Loader) -> Iterator[Finding]:
    """Say what is missing.

    Args:
        version_of: gives the version of a distribution; `None` when it is not installed.
        load: tries to load modules and gives the reasons of those that do not.
    """
    versions = {library.module: version_of(library.distribution) for library in LIBRARIES}
    reasons = load([module for module, version in versions.items() if version is not None])
    for library in LIBRARIES:
        yield _finding(library, versions[library.module], reasons.get(library.module, ""))


def installed_version(distribution: str) -> str | None:
    """Return the version of an installed distribution, or `None`."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def _finding(library: Library, version: str | None, reason: str) -> Finding:
    if version is None:
        state = State.PROBLEM if library.voice else State.NOTE
        detail, fix = f"not installed; it is for {library.purpose}.", _install(library)
    elif reason:
        state = State.PROBLEM
        detail, fix = f"{version} is installed and does not load: {reason}.", _reinstall(library)
    else:
        state, detail, fix = State.OK, f"{version} ({library.purpose})", ""
    return Finding(
        area="libraries", name=library.distribution, state=state, detail=detail, fix=fix, voice=library.voice
    )


def _install(library: Library) -> str:
    command = f"pip install 'edgevox[{library.extra}]'" if library.extra else f"pip install {library.distribution}"
    if library.module == "llama_cpp" and not any(shutil.which(compiler) for compiler in COMPILERS):
        return f"{command} --extra-index-url {LLAMA_WHEELS}"
    return command


def _reinstall(library: Library) -> str:
    if library.module == "sounddevice":
        return "apt install libportaudio2"
    return f"pip install --force-reinstall --no-cache-dir {library.distribution}"
