"""Models: whether there is one for hearing, one for speaking and one for answering."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from edgevox.cli.checks.finding import Finding, Patient, State
from edgevox.config.catalogue import ModelEntry
from edgevox.config.models import catalogue, missing, resolve, sets
from edgevox.core.errors import ModelCorrupt, ModelMissing

PURPOSES = (
    ("stt", "hearing", True),
    ("tts", "speaking", True),
    ("llm", "answering freely", False),
)
GET = {"stt": "edgevox models get tiny", "tts": "edgevox models get tiny", "llm": "edgevox models get small"}

StateOf = Callable[[ModelEntry], str]
"""`here`, `missing`, or the sentence that says how it is damaged."""


def check_models(patient: Patient) -> Iterator[Finding]:
    """Look which models are on this machine."""
    yield from judge_models(catalogue(), state_of, patient.settings.language)
    yield from _sets()


def judge_models(entries: Mapping[str, ModelEntry], state: StateOf, language: str) -> Iterator[Finding]:
    """Say for each purpose which models are here, and name every damaged one."""
    states = {name: state(entry) for name, entry in entries.items()}
    for name, how in states.items():
        if how not in ("here", "missing"):
            yield Finding(
                area="models", name=name, state=State.PROBLEM, detail=how, fix=f"edgevox models get {name} --again"
            )
    for use, purpose, voice in PURPOSES:
        fitting = [entry for entry in entries.values() if entry.use == use and _serves(entry, language)]
        yield _purpose(use, purpose, fitting, states, language, voice=voice)


def state_of(entry: ModelEntry) -> str:
    """Return `here`, `missing`, or the sentence that says how a model is damaged."""
    try:
        resolve(entry.name)
    except ModelMissing:
        return "missing"
    except ModelCorrupt as error:
        return str(error)
    return "here"


def _purpose(
    use: str, purpose: str, fitting: Iterable[ModelEntry], states: Mapping[str, str], language: str, *, voice: bool
) -> Finding:
    here = [entry.name for entry in fitting if states[entry.name] == "here"]
    if here:
        return Finding(area="models", name=purpose, state=State.OK, detail=", ".join(here), voice=voice)
    state = State.PROBLEM if voice else State.NOTE
    without = "" if voice else "; phrases, chains and templates answer without one"
    detail = f"no model for {purpose} ({language}) is on this machine{without}."
    fix = GET[use] if language == "en" or use == "llm" else "edgevox setup"
    return Finding(area="models", name=purpose, state=state, detail=detail, fix=fix, voice=voice)


def _sets() -> Iterator[Finding]:
    for name in sets():
        absent = [entry.name for entry in missing(name)]
        if absent:
            detail, fix = f"not here: {', '.join(absent)}.", f"edgevox models get {name}"
            yield Finding(area="models", name=f"set {name}", state=State.NOTE, detail=detail, fix=fix)
        else:
            yield Finding(area="models", name=f"set {name}", state=State.OK, detail="complete")


def _serves(entry: ModelEntry, language: str) -> bool:
    return not entry.languages or "*" in entry.languages or language in entry.languages
