"""Where a language model's file is, and the engine that holds it.

Never downloads and never opens a socket.
"""

from pathlib import Path

from edgevox.config.machine import read_machine
from edgevox.config.models import ModelFiles, catalogue, find, resolve
from edgevox.config.recommend import recommend
from edgevox.config.settings import LlmSettings
from edgevox.config.threads import thread_plan
from edgevox.core.errors import ModelMissing, UsageError
from edgevox.llm.engine import Engine, EngineOptions
from edgevox.llm.process import ChildEngine

NO_MODEL = (
    "There is no language model on this machine: get one with `edgevox setup`, or name a file with --model PATH.gguf."
)
PLUMBING = ("smollm2-135m-instruct",)
"""Models that no person should talk to: they are never chosen, only named."""


def locate(spec: str | None) -> ModelFiles:
    """Return the files of a language model on this machine.

    Args:
        spec: as for `open_model`; `None` is the best one that is here.

    Raises:
        UsageError, ModelMissing, ModelCorrupt: one sentence that says what to do.
    """
    if spec is not None:
        if "://" in spec:
            raise UsageError(f"{spec} is the address of a server, not a model on this machine.")
        return resolve(spec)
    here = {name: files for name, entry in catalogue().items() if entry.use == "llm" and (files := find(name))}
    choices = [name for name in here if name not in PLUMBING]
    if not choices:
        raise ModelMissing(NO_MODEL)
    wanted = recommend(read_machine()).llm if len(choices) > 1 else None
    return here[wanted if wanted in choices else choices[0]]


def gguf_of(files: ModelFiles) -> Path:
    """Return the one GGUF file of a model.

    Raises:
        ModelMissing: it has none.
    """
    ggufs = [path for path in files.files.values() if path.suffix == ".gguf"]
    if not ggufs:
        raise ModelMissing(f"{files.spec} has no GGUF file: name a language model of `edgevox models list`.")
    return ggufs[0]


def make_engine(model: str | Path | None, settings: LlmSettings, *, in_process: bool = False) -> Engine:
    """Return an engine for a model, not yet loaded.

    Args:
        model: as `spec` of `open_model`.
        settings: length of the context and threads.
        in_process: hold the model in this process: for scripts that end with it.

    Raises:
        UsageError, ModelMissing, ModelCorrupt: the model cannot be found.
        LibraryMissing: llama-cpp-python is missing or does not load; with `in_process` only, a child says so when it
            is opened.
    """
    plan = thread_plan()
    options = EngineOptions(
        path=str(gguf_of(locate(str(model) if model is not None else settings.model))),
        n_ctx=settings.n_ctx,
        n_threads=settings.threads or plan.llm,
        n_threads_batch=max(settings.threads or 0, plan.llm_prompt),
    )
    if in_process:
        from edgevox.llm.llama import LlamaEngine

        return LlamaEngine(options)
    return ChildEngine(options)
