"""Cores, memory, and which models they carry."""

from itertools import pairwise
from pathlib import Path

import pytest

from edgevox.config.catalogue import catalogue
from edgevox.config.machine import Machine, hub_reachable, memory_bytes, read_machine
from edgevox.config.recommend import LANGUAGE_MODELS, model_sets, recommend
from edgevox.config.threads import available_cores, thread_plan
from edgevox.testing import ModelServer

GB = 1_000_000_000


def machine(cores: int = 2, memory: float = 8, disk: float = 50, hub: bool | None = None) -> Machine:
    return Machine(cores=cores, memory_bytes=int(memory * GB), disk_bytes=int(disk * GB), hub_reachable=hub)


@pytest.mark.parametrize("cores", range(4, 129))
def test_from_four_cores_on_all_engines_together_never_want_more_than_there_are(cores: int) -> None:
    plan = thread_plan(cores)
    assert plan.total <= cores
    assert min(plan.vad, plan.stt, plan.tts, plan.llm) >= 1
    assert plan.llm_prompt <= cores


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_on_few_cores_what_works_at_the_same_time_fits(cores: int) -> None:
    plan = thread_plan(cores)
    assert plan.answering <= max(2, cores)
    assert plan.stt <= cores
    assert plan.llm_prompt <= cores


def test_more_cores_never_mean_fewer_threads() -> None:
    plans = [thread_plan(cores) for cores in range(4, 65)]
    for before, after in pairwise(plans):
        assert after.total >= before.total


@pytest.mark.parametrize(("quota", "most"), [("150000 100000", 2), ("50000 100000", 1), ("max 100000", 10_000)])
def test_a_container_s_quota_counts(tmp_path: Path, quota: str, most: int) -> None:
    file = tmp_path / "cpu.max"
    file.write_text(quota)
    assert 1 <= available_cores(file) <= most


def test_a_strange_quota_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "cpu.max"
    file.write_text("so many")
    assert available_cores(file) == available_cores(tmp_path / "absent")


def test_a_container_s_memory_limit_counts(tmp_path: Path) -> None:
    file = tmp_path / "memory.max"
    file.write_text("1000000")
    assert memory_bytes((file,)) == 1_000_000
    file.write_text("max")
    assert memory_bytes((file,)) == memory_bytes(())


def test_the_machine_is_read_without_asking_the_network(home: Path) -> None:
    facts = read_machine()
    assert facts.cores >= 1
    assert facts.memory_bytes > 100_000_000
    assert facts.hub_reachable is None


def test_the_hub_is_reachable_when_it_answers(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hub_reachable()
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert not hub_reachable()
    monkeypatch.delenv("HF_HUB_OFFLINE")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    assert not hub_reachable(0.5)


@pytest.mark.parametrize(
    ("facts", "llm"),
    [
        (machine(), "qwen2.5-coder-1.5b-instruct"),
        (machine(hub=True), "qwen2.5-coder-1.5b-instruct"),
        (machine(cores=8, memory=16, hub=True), "gemma-4-e2b-it"),
        (machine(cores=8, memory=16, hub=False), "qwen2.5-coder-1.5b-instruct"),
        (machine(cores=4, memory=5, hub=True), "qwen2.5-3b-instruct"),
        (machine(cores=1, memory=2.8, hub=True), "lfm2-1.2b"),
        (machine(cores=1, memory=2.8), None),
        (machine(memory=1), None),
        (machine(cores=8, memory=16, disk=0.5, hub=True), None),
        (machine(cores=8, memory=16, disk=3, hub=True), "qwen2.5-3b-instruct"),
    ],
)
def test_the_recommended_model_fits_memory_cores_disk_and_network(facts: Machine, llm: str | None) -> None:
    advice = recommend(facts)
    assert advice.llm == llm
    assert advice.reason.endswith(".")
    assert set(advice.names) <= set(catalogue())


def test_english_is_heard_by_the_small_recogniser_and_everything_else_by_the_multilingual_one() -> None:
    assert "whisper-tiny.en" in recommend(machine()).names
    for language in ("de", "vi", "ja"):
        names = recommend(machine(), language).names
        assert "whisper-base" in names
        assert "whisper-tiny.en" not in names
        assert "piper-en-joe" not in names
    assert "kokoro-82m-int8" in recommend(machine(), "ja").names
    assert "kokoro-82m-int8" not in recommend(machine(), "de").names


def test_sets_hold_known_models_and_tiny_has_no_language_model() -> None:
    sets = model_sets(machine())
    assert set(sets) == {"tiny", "small", "recommended"}
    for names in sets.values():
        assert set(names) <= set(catalogue())
    assert {catalogue()[name].use for name in sets["tiny"]} == {"vad", "stt", "tts"}
    assert set(sets["tiny"]) < set(sets["small"])
    assert sum(catalogue()[name].download_size for name in sets["tiny"]) < 150_000_000


def test_no_person_is_given_the_model_that_loops() -> None:
    assert "smollm2-135m-instruct" not in dict(LANGUAGE_MODELS)
