"""From what a person wrote to a model that can be asked."""

from edgevox.config.settings import Settings
from edgevox.core.ports import ChatModel
from edgevox.llm.finding import gguf_of, locate
from edgevox.llm.model import LLM


def open_model(spec: str | None, settings: Settings) -> ChatModel:
    """Return a model that loads when it is first asked.

    Args:
        spec: a catalogue name, a path or `hf:repo/name:file.gguf`; `None` is what the settings name, or the best one
            on this machine.
        settings: length of context and answers, threads, language.

    Raises:
        UsageError: `spec` is none of these.
        ModelMissing, ModelCorrupt: it is not here or damaged; says which command helps.
    """
    chosen = settings.llm
    files = locate(spec or chosen.model)
    return LLM(
        str(gguf_of(files)),
        language=settings.language,
        n_ctx=chosen.n_ctx,
        n_threads=chosen.threads,
        max_tokens=chosen.max_tokens,
        temperature=chosen.temperature,
        max_tool_hops=chosen.max_tool_hops,
    )
