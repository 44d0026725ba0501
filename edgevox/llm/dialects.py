"""How each family writes a conversation down, for files whose own chat template is missing or fails.

Plain text with special tokens written out; roles and order are the caller's business.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One notation."""

    user: str
    """A turn of the person, `{content}` in its place."""
    assistant: str
    opening: str
    """What stands before the answer that is wanted."""
    system: str | None = None
    """`None` where there is no such turn: what the system says is put before the person's first words."""


def _uniform(template: str, opening: str, assistant: str = "assistant", *, system: bool = True) -> Dialect:
    return Dialect(
        user=template.replace("{role}", "user"),
        assistant=template.replace("{role}", assistant),
        system=template.replace("{role}", "system") if system else None,
        opening=opening,
    )


DIALECTS: Mapping[str, Dialect] = {
    "chatml": _uniform("<|im_start|>{role}\n{content}<|im_end|>\n", "<|im_start|>assistant\n"),
    "llama3": _uniform(
        "<|start_header_id|>{role}<|end_header_id|>\n\n{content}<|eot_id|>",
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
    ),
    "gemma": _uniform(
        "<start_of_turn>{role}\n{content}<end_of_turn>\n", "<start_of_turn>model\n", "model", system=False
    ),
    "gemma4": _uniform("<|turn>{role}\n{content}<turn|>\n", "<|turn>model\n", "model"),
    "mistral": Dialect(user="[INST] {content} [/INST]", assistant=" {content}</s>", opening=""),
    "phi3": _uniform("<|{role}|>\n{content}<|end|>\n", "<|assistant|>\n"),
    "phi4": _uniform("<|im_start|>{role}<|im_sep|>{content}<|im_end|>", "<|im_start|>assistant<|im_sep|>"),
    "granite": _uniform(
        "<|start_of_role|>{role}<|end_of_role|>{content}<|end_of_text|>\n",
        "<|start_of_role|>assistant<|end_of_role|>",
    ),
    "zephyr": _uniform("<|{role}|>\n{content}</s>\n", "<|assistant|>\n"),
    "plain": Dialect(
        user="User: {content}\n", assistant="Assistant: {content}\n", system="{content}\n\n", opening="Assistant:"
    ),
}


def write_dialect(name: str, messages: Sequence[Mapping[str, str]]) -> str:
    """Return the prompt of a conversation in a dialect.

    Args:
        name: entry of `DIALECTS`; one that is not known is plain text.
        messages: `system`, `user` and `assistant` only.
    """
    dialect = DIALECTS.get(name, DIALECTS["plain"])
    folded = list(messages) if dialect.system is not None else fold_system(messages)
    forms = {"user": dialect.user, "assistant": dialect.assistant, "system": dialect.system or "{content}"}
    turns = [forms[message["role"]].replace("{content}", message["content"]) for message in folded]
    return "".join(turns) + dialect.opening


def fold_system(messages: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Put what the system says before the person's first words, for models without a turn for it."""
    said = "\n\n".join(message["content"] for message in messages if message["role"] == "system")
    rest = [message for message in messages if message["role"] != "system"]
    if not said:
        return rest
    if not rest or rest[0]["role"] != "user":
        return [{"role": "user", "content": said}, *rest]
    return [{"role": "user", "content": f"{said}\n\n{rest[0]['content']}"}, *rest[1:]]
