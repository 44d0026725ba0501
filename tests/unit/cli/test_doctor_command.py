"""`edgevox doctor`: every finding with the command that mends it, and an exit code that scripts can use."""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from edgevox.audio.device_info import DeviceInfo
from edgevox.audio.probe import Probe
from edgevox.cli import doctor
from edgevox.cli.checks.finding import Finding, Patient, State
from edgevox.cli.checks.libraries import LIBRARIES, installed_version, judge_libraries
from edgevox.cli.checks.loading import why_not_loaded
from edgevox.cli.checks.machine import check_settings, judge_disk, judge_log_folder, judge_memory
from edgevox.cli.checks.models import check_models, judge_models
from edgevox.cli.checks.sound import judge_sound
from edgevox.cli.main import main
from edgevox.config.models import catalogue
from edgevox.config.settings import AudioSettings, Settings
from edgevox.core.errors import UsageError

HEALTHY = Patient(settings=Settings())
MIC = DeviceInfo(name="Desk", host="ALSA", index=0, max_inputs=1, max_outputs=2, default_input=True)


def states(findings: Iterable[Finding]) -> dict[str, State]:
    return {finding.name: finding.state for finding in findings}


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    doctor.add_parser(parser.add_subparsers())
    return parser.parse_args(["doctor", *words])


def test_a_machine_with_devices_is_well() -> None:
    findings = list(judge_sound(Probe(devices=(MIC,)), HEALTHY))
    assert set(states(findings).values()) == {State.OK}
    assert doctor.exit_code(findings) == 0


def test_a_machine_without_devices_ends_in_2_and_the_rest_is_still_said() -> None:
    findings = list(judge_sound(Probe(), HEALTHY))
    assert states(findings) == {"PortAudio": State.OK, "microphone": State.PROBLEM, "loudspeaker": State.PROBLEM}
    assert all("on this machine" in finding.detail for finding in findings[1:])
    assert doctor.exit_code(findings) == 2


def test_a_microphone_that_the_settings_name_and_that_is_gone_is_a_problem() -> None:
    patient = Patient(settings=Settings(audio=AudioSettings(input_device="ALSA:Dask")))
    findings = {finding.name: finding for finding in judge_sound(Probe(devices=(MIC,)), patient)}
    assert findings["microphone"].state is State.PROBLEM
    assert findings["loudspeaker"].state is State.OK


@pytest.mark.parametrize(
    ("probe", "words", "fix"),
    [
        (Probe(trouble="crash", reason="the sound library crashed with SIGABRT"), "SIGABRT", "edgevox devices"),
        (Probe(trouble="library", reason="PortAudio library not found"), "PortAudio is missing", "libportaudio2"),
        (Probe(trouble="library", reason="No module named 'sounddevice'"), "voice extra", "edgevox[voice]"),
        (Probe(trouble="timeout", reason="it did not answer"), "did not answer", "edgevox devices"),
    ],
)
def test_a_sound_library_that_fails_is_explained(
    probe: Probe, words: str, fix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    findings = list(judge_sound(probe, HEALTHY))
    assert len(findings) == 1
    assert words in findings[0].detail
    assert fix in findings[0].fix
    assert doctor.exit_code(findings) == 2


def nothing_wrong(_: Sequence[str]) -> Mapping[str, str]:
    return {}


def test_each_missing_library_names_the_extra_that_brings_it() -> None:
    findings = {finding.name: finding for finding in judge_libraries(lambda _: None, nothing_wrong)}
    assert len(findings) == len(LIBRARIES)
    assert findings["faster-whisper"].fix == "pip install 'edgevox[voice]'"
    assert findings["faster-whisper"].state is State.PROBLEM
    assert findings["kokoro-onnx"].fix == "pip install 'edgevox[kokoro]'"
    assert findings["kokoro-onnx"].state is State.NOTE
    assert findings["openai"].fix == "pip install openai"
    assert doctor.exit_code(findings.values()) == 2


def test_without_a_compiler_the_wheels_of_llama_cpp_python_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    findings = {finding.name: finding for finding in judge_libraries(lambda _: None, nothing_wrong)}
    assert "--extra-index-url https://abetlen.github.io/llama-cpp-python/whl" in findings["llama-cpp-python"].fix


def test_a_library_that_is_installed_and_does_not_load_says_why() -> None:
    findings = judge_libraries(lambda _: "1.0", lambda _: {"llama_cpp": "libgomp.so.1: cannot open", "openai": ""})
    by_name = {finding.name: finding for finding in findings}
    assert by_name["llama-cpp-python"].state is State.PROBLEM
    assert "1.0 is installed and does not load: libgomp.so.1" in by_name["llama-cpp-python"].detail
    assert by_name["openai"].state is State.OK
    assert doctor.exit_code(by_name.values()) == 0, "a voice that answers by phrases needs no model"


def test_only_installed_libraries_are_loaded() -> None:
    asked: list[str] = []

    def load(modules: Sequence[str]) -> Mapping[str, str]:
        asked.extend(modules)
        return {}

    list(judge_libraries(lambda name: "1.0" if name == "soxr" else None, load))
    assert asked == ["soxr"]


def test_libraries_are_loaded_in_a_child_and_one_that_kills_it_does_not_hide_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fine_library.py").write_text("print('chatter')")
    (tmp_path / "broken_library.py").write_text("raise ImportError('libxyz.so: no such file')")
    (tmp_path / "deadly_library.py").write_text("import os; os.abort()")
    (tmp_path / "leaving_library.py").write_text("import sys; sys.exit('bye')")
    (tmp_path / "vanishing_library.py").write_text("import os; os._exit(3)")
    monkeypatch.syspath_prepend(str(tmp_path))  # pyright: ignore[reportUnknownMemberType] - pytest leaves it untyped
    reasons = why_not_loaded(
        ["deadly_library", "fine_library", "broken_library", "leaving_library", "vanishing_library", "no_such_library"]
    )
    assert reasons["fine_library"] == ""
    assert reasons["broken_library"] == "libxyz.so: no such file"
    assert "crashes" in reasons["deadly_library"]
    assert reasons["leaving_library"] == "bye"
    assert "ends the program" in reasons["vanishing_library"]
    assert "No module named" in reasons["no_such_library"]


def test_what_is_installed_here_is_found() -> None:
    assert installed_version("pytest") is not None
    assert installed_version("no-such-distribution") is None


def test_without_models_the_sets_that_bring_them_are_named() -> None:
    findings = {finding.name: finding for finding in judge_models(catalogue(), lambda _: "missing", "en")}
    assert findings["hearing"].state is State.PROBLEM
    assert findings["hearing"].fix == "edgevox models get tiny"
    assert findings["answering freely"].state is State.NOTE
    assert "phrases" in findings["answering freely"].detail
    assert findings["answering freely"].fix == "edgevox models get small"


def test_a_model_for_another_language_does_not_count() -> None:
    findings = {
        finding.name: finding
        for finding in judge_models(
            catalogue(), lambda entry: "here" if entry.name == "whisper-tiny.en" else "missing", "de"
        )
    }
    assert findings["hearing"].state is State.PROBLEM
    assert findings["hearing"].fix == "edgevox setup"


def test_a_damaged_model_is_named_with_the_command_that_gets_it_again() -> None:
    findings = {
        finding.name: finding
        for finding in judge_models(
            catalogue(), lambda entry: "it is a web page" if entry.use == "stt" else "here", "en"
        )
    }
    assert findings["whisper-tiny.en"].detail == "it is a web page"
    assert findings["whisper-tiny.en"].fix == "edgevox models get whisper-tiny.en --again"


def test_the_models_of_this_machine_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDGEVOX_MODELS", str(tmp_path))
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    found = states(check_models(HEALTHY))
    assert found["set tiny"] is State.NOTE
    assert found["speaking"] is State.PROBLEM


def test_a_setting_that_cannot_be_used_is_a_problem_with_the_file_to_edit() -> None:
    findings = list(check_settings(Patient(settings=Settings(), problems=("[vad] threshold in line 3 is too big.",))))
    assert findings[0].detail == "[vad] threshold in line 3 is too big."
    assert findings[0].fix.startswith("edit ")
    assert states(check_settings(HEALTHY)) == {"settings": State.OK}


@pytest.mark.parametrize(("size", "state"), [(16e9, State.OK), (2e9, State.NOTE), (5e8, State.PROBLEM)])
def test_memory_is_judged_by_what_models_need(size: float, state: State) -> None:
    assert judge_memory(int(size)).state is state


@pytest.mark.parametrize(("free", "state"), [(9e9, State.OK), (1e9, State.NOTE), (1e6, State.PROBLEM)])
def test_room_on_the_disk_is_judged_by_what_models_need(free: float, state: State, tmp_path: Path) -> None:
    finding = judge_disk(tmp_path, int(free))
    assert finding.state is state
    assert str(tmp_path) in finding.detail


def test_a_log_folder_that_cannot_be_written_to_is_a_problem(tmp_path: Path) -> None:
    assert judge_log_folder(lambda: tmp_path).state is State.OK
    assert list(tmp_path.iterdir()) == []
    finding = judge_log_folder(lambda: tmp_path / "missing")
    assert finding.state is State.PROBLEM
    assert "nothing is logged" in finding.detail


def test_a_check_that_fails_is_a_finding_and_the_next_one_runs() -> None:
    def fails(_: Patient) -> Iterable[Finding]:
        raise RuntimeError("no such bus")

    findings = list(doctor.examine(HEALTHY, [("sound", fails), ("settings", check_settings)]))
    assert [finding.state for finding in findings] == [State.PROBLEM, State.OK]
    assert "RuntimeError: no such bus" in findings[0].detail


def test_areas_can_be_chosen_and_an_unknown_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor.run(parse("settings", "--json")) == 0
    report = json.loads(capsys.readouterr().out)
    assert {finding["area"] for finding in report["findings"]} == {"settings"}
    assert report["exit_code"] == 0
    with pytest.raises(UsageError, match="no area “heart”"):
        doctor.run(parse("heart"))


def test_the_report_for_people_has_a_line_per_finding_and_the_command_below(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "settings.toml").write_text("[vad]\nthreshold = 7\n")
    assert doctor.run(parse("settings")) == 0
    text = capsys.readouterr().out
    assert "  problem settings  " in text
    assert "-> edit " in text
    assert text.rstrip().endswith("1 thing should be mended; talking works.")
    assert "\x1b" not in text


def test_what_agents_depend_on_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    agents = tmp_path / "config" / "agents"
    agents.mkdir(parents=True)
    (agents / "searcher.py").write_text(
        "from edgevox.agents.health import Executable\n"
        "from edgevox.chains import factory\n"
        "from edgevox.chains.models import Empty, Str\n"
        "from edgevox.examples.agents.framework import AgentApp\n\n"
        "class Needs:\n"
        "    def external_dependencies(self):\n"
        "        return (Executable('no-such-program-here', purpose='search'), Executable('python3'))\n\n"
        "@factory\n"
        "def search(input: Empty, messages, ctx) -> Str:\n"
        "    '''Search.'''\n"
        "    return Str(value='')\n\n"
        "APP = AgentApp(name='searcher', description='Searches.', tools=[search(Needs())])\n"
    )
    assert main(["doctor", "dependencies", "--json"]) == 0
    found = {each["name"]: each for each in json.loads(capsys.readouterr().out)["findings"]}
    assert found["executable:no-such-program-here"]["state"] == "problem"
    assert "install it" in found["executable:no-such-program-here"]["detail"]
    assert found["executable:python3"]["state"] == "ok"
