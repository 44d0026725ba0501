"""Which models suit a machine, and why.

Knows the figures: peak memory of each engine and how many cores it takes to answer without making a person wait.
Decides from facts alone; measuring the machine comes after the download (`edgevox setup`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from edgevox.config.catalogue import ModelEntry, RegistrySource, catalogue, fixed_sets
from edgevox.config.files import RESERVE_BYTES, human_size
from edgevox.config.machine import Machine

SYSTEM_BYTES = 1_200_000_000
"""Memory that the operating system and edgevox itself take."""
ENGLISH_EARS, WORLD_EARS = "whisper-tiny.en", "whisper-base"
LANGUAGE_MODELS: tuple[tuple[str, int], ...] = (
    ("gemma-4-e2b-it", 4),
    ("qwen2.5-3b-instruct", 4),
    ("qwen2.5-coder-1.5b-instruct", 1),
    ("lfm2-1.2b", 1),
)
"""Models that choose tools reliably, best first, with the cores it takes to answer at the pace of speech."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """Models for a machine."""

    names: tuple[str, ...]
    reason: str
    """One sentence."""

    @property
    def llm(self) -> str | None:
        """The language model among them; `None` where the machine is better off without one."""
        return next((name for name in self.names if catalogue()[name].use == "llm"), None)


def recommend(machine: Machine, language: str = "en") -> Recommendation:
    """Return the models that suit a machine.

    Args:
        machine: its facts; a hub that nobody asked for counts as out of reach.
        language: two-letter code; anything but English takes the multilingual recogniser.
    """
    speech = speech_models(language)
    llm, reason = _language_model(machine, speech)
    if llm is None:
        return Recommendation(names=speech, reason=reason)
    kokoro = catalogue()["kokoro-82m-int8"]
    voices = (kokoro.name, *kokoro.needs) if machine.cores >= 2 and language in kokoro.languages else ()
    return Recommendation(names=(*speech, *voices, llm), reason=reason)


def speech_models(language: str = "en") -> tuple[str, ...]:
    """Return the smallest models that hear and speak a language; espeak-ng speaks the rest and needs no model."""
    ears = ENGLISH_EARS if language == "en" else WORLD_EARS
    return tuple(
        ears if name == ENGLISH_EARS else name
        for name in fixed_sets()["tiny"]
        if name != "piper-en-joe" or language == "en"
    )


def model_sets(machine: Machine, language: str = "en") -> Mapping[str, tuple[str, ...]]:
    """Return every set by name, `recommended` among them, for a machine and a language."""
    return {**fixed_sets(), "recommended": recommend(machine, language).names}


def _language_model(machine: Machine, speech: tuple[str, ...]) -> tuple[str | None, str]:
    cores = "1 core" if machine.cores == 1 else f"{machine.cores} cores"
    has = f"{cores} and {human_size(machine.memory_bytes)} of memory"
    short_of_disk = False
    for name, wanted in LANGUAGE_MODELS:
        entry = catalogue()[name]
        if machine.cores < wanted or not _has_memory(machine, entry) or not (machine.hub_reachable or _offline(entry)):
            continue
        if _has_disk(machine, entry, speech):
            return name, f"{entry.title} suits {has}{_hub_remark(machine)}."
        short_of_disk = True
    if short_of_disk:
        free = human_size(machine.disk_bytes)
        return None, f"{free} of free disk are too little for a language model; phrases and templates work without one."
    return None, f"{has} are too little for a language model; phrases and templates work without one."


def _hub_remark(machine: Machine) -> str:
    if machine.hub_reachable:
        return ""
    return ", with the Hugging Face hub " + ("out of reach" if machine.hub_reachable is False else "left out")


def _offline(entry: ModelEntry) -> bool:
    return any(isinstance(source, RegistrySource) for source in entry.sources)


def _has_disk(machine: Machine, entry: ModelEntry, speech: tuple[str, ...]) -> bool:
    needed = entry.size + sum(catalogue()[other].size for other in speech) + 3 * RESERVE_BYTES
    return needed <= machine.disk_bytes


def _has_memory(machine: Machine, entry: ModelEntry) -> bool:
    return machine.memory_bytes >= (entry.memory_mb or 0) * 1_000_000 + SYSTEM_BYTES
