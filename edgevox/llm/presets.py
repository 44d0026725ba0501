"""What is known of each family of models: one entry per family, chosen by what a file says of itself.

Chat templates come from the model's own file where it has one that works; what stands here is what no file says.
"""

from dataclasses import dataclass, field
from typing import Literal

from edgevox.llm.engine import EngineInfo

ToolStyle = Literal["json", "native"]
"""How tools are put to a model: our own compact words and JSON under a grammar, which small models do best with, or
the family's own notation through its own template."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How tokens are chosen when nobody says otherwise."""

    temperature: float = 0.2
    top_p: float = 0.95
    top_k: int = 40
    min_p: float = 0.05
    repeat_penalty: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One family."""

    family: str
    names: tuple[str, ...] = ()
    """What the names of its files and models contain, in lower case."""
    architectures: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    """What its chat templates contain."""
    dialect: str = "chatml"
    """Entry of `dialects.DIALECTS` that stands in when the file's template is missing or fails."""
    stop: tuple[str, ...] = ("<|im_end|>", "<|im_start|>", "<|endoftext|>")
    """Texts that end an answer, should the model write them out."""
    tool_style: ToolStyle = "json"
    thinks: bool = False
    """Whether it thinks aloud before it answers, unless its template is told not to."""
    sampling: Sampling = field(default_factory=Sampling)


_LLAMA3_STOP = ("<|eot_id|>", "<|eom_id|>", "<|start_header_id|>", "<|end_of_text|>")
_GEMMA_STOP = ("<end_of_turn>", "<start_of_turn>", "<eos>")

PRESETS: tuple[Preset, ...] = (
    Preset(family="qwen3", names=("qwen3", "qwen-3"), architectures=("qwen3", "qwen3moe"), thinks=True,
           sampling=Sampling(temperature=0.6, top_p=0.8, top_k=20, min_p=0.0)),
    Preset(family="qwen2.5", names=("qwen2.5", "qwen2", "qwen-2"), architectures=("qwen2",)),
    Preset(family="deepseek-r1", names=("deepseek-r1", "r1-distill"), thinks=True, tool_style="native",
           stop=("<｜end▁of▁sentence｜>", "<｜User｜>"), markers=("<｜Assistant｜>",),
           sampling=Sampling(temperature=0.6)),
    Preset(family="gemma4", names=("gemma-4", "gemma4", "gemma-3n"), architectures=("gemma4", "gemma3n"),
           markers=("<|turn>",), dialect="gemma4", stop=("<turn|>", "<|turn>", *_GEMMA_STOP),
           sampling=Sampling(temperature=0.6, top_p=0.95, top_k=64, min_p=0.0)),
    Preset(family="gemma", names=("gemma",), architectures=("gemma", "gemma2", "gemma3"),
           markers=("<start_of_turn>",), dialect="gemma", stop=_GEMMA_STOP,
           sampling=Sampling(temperature=0.6, top_p=0.95, top_k=64, min_p=0.0)),
    Preset(family="functionary", names=("functionary",), markers=(">>>all",), dialect="llama3",
           tool_style="native", stop=_LLAMA3_STOP),
    Preset(family="hermes", names=("hermes",), tool_style="native"),
    Preset(family="smollm3", names=("smollm3",), architectures=("smollm3",), thinks=True),
    Preset(family="smollm2", names=("smollm",), sampling=Sampling(temperature=0.2, repeat_penalty=1.1)),
    Preset(family="llama3", names=("llama-3", "llama3"), markers=("<|start_header_id|>",), dialect="llama3",
           stop=_LLAMA3_STOP),
    Preset(family="mistral", names=("mistral", "ministral", "mixtral", "devstral"), markers=("[INST]",),
           architectures=("mistral3",), dialect="mistral", stop=("</s>", "[INST]"),
           sampling=Sampling(temperature=0.15)),
    Preset(family="phi4", names=("phi-4", "phi4"), markers=("<|im_sep|>",), dialect="phi4",
           stop=("<|im_end|>", "<|im_start|>", "<|end|>", "<|endoftext|>")),
    Preset(family="phi3", names=("phi-3", "phi3"), architectures=("phi3",), dialect="phi3",
           stop=("<|end|>", "<|user|>", "<|endoftext|>")),
    Preset(family="lfm2", names=("lfm2",), architectures=("lfm2", "lfm2moe"),
           sampling=Sampling(temperature=0.3, min_p=0.15, repeat_penalty=1.05)),
    Preset(family="granite", names=("granite",), architectures=("granite", "granitemoe", "granitehybrid"),
           markers=("<|start_of_role|>",), dialect="granite", stop=("<|end_of_text|>", "<|start_of_role|>")),
    Preset(family="zephyr", names=("zephyr", "tinyllama"), markers=("<|assistant|>",), dialect="zephyr",
           stop=("</s>", "<|user|>")),
    Preset(family="chatml", markers=("<|im_start|>",)),
)  # fmt: skip
"""Special before general: the first that fits is taken."""

UNKNOWN = Preset(family="unknown", dialect="plain", stop=("\nUser:", "\nUSER:"))
"""For a file that says nothing of itself."""


def preset_for(info: EngineInfo) -> Preset:
    """Return the family of a model: by its names first, then by its template, then by its architecture."""
    called = f"{info.name} {info.title}".lower().replace("_", "-")
    for preset in PRESETS:
        if any(name in called for name in preset.names):
            return preset
    for preset in PRESETS:
        if any(marker in info.chat_template for marker in preset.markers):
            return preset
    for preset in PRESETS:
        if info.architecture in preset.architectures:
            return preset
    return UNKNOWN
