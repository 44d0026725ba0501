"""What a run of a chain agent begins with: the system's words, its context, the skills that are always loaded."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from edgevox.core.kinds import MessageKind
from edgevox.core.messages import Message, Origin, ResultStatus, Role, ToolResultBlock
from edgevox.core.tools import new_use_id

if TYPE_CHECKING:
    from edgevox.chains.skills import Skill

BANNER = "These skills are loaded already:"


def opening_messages(system: str, initial: Any, skills: Sequence["Skill"]) -> list[Message]:
    """Return the messages that a run begins with.

    Args:
        system: what the model is told about itself; empty is nothing.
        initial: a text, the path of a markdown file, the path of a folder of which the markdown file with the greatest
            name counts, or a list of these; what is not there is left out.
        skills: loaded before anybody asks.
    """
    messages = [Message.text(system, Role.SYSTEM, kind=MessageKind.SYSTEM_MESSAGE)] if system else []
    messages += [Message.text(text, kind=MessageKind.STARTUP_CONTEXT) for text in _texts(initial)]
    if skills:
        listed = f"{BANNER} {', '.join(skill.name for skill in skills)}."
        messages.append(Message.text(listed, kind=MessageKind.AUTO_LOAD_BANNER))
        messages += [_loaded(skill) for skill in skills]
    return messages


def initial_problems(initial: Any) -> list[str]:
    """Say what cannot be among the initial messages."""
    return [
        f"initial_messages takes texts and paths, not {each!r:.80}."
        for each in _each(initial)
        if not isinstance(each, str | Path)
    ]


def _each(initial: Any) -> Iterable[Any]:
    if initial is None:
        return ()
    if isinstance(initial, str | Path) or not hasattr(initial, "__iter__"):
        return (initial,)
    return tuple(initial)


def _texts(initial: Any) -> Iterable[str]:
    for each in _each(initial):
        text = each if isinstance(each, str) else _read(each)
        if text is not None:
            yield text


def _read(path: Path) -> str | None:
    if path.is_dir():
        found = max(path.glob("*.md"), key=lambda file: file.name, default=None)
        return _read(found) if found is not None else None
    if path.suffix != ".md" or not path.is_file():
        return None
    return path.read_text(encoding="utf-8", errors="replace")


def _loaded(skill: "Skill") -> Message:
    """The skill as if its tool had been asked for: whether it is loaded is read from that."""
    block = ToolResultBlock(
        tool_name=skill.name,
        tool_use_id=new_use_id(),
        status=ResultStatus.SUCCESS,
        payload={"value": skill.text()},
        output_type="Str",
        origin=Origin.SKILL,
    )
    return Message(role=Role.TOOL, content=(block,), kind=MessageKind.AUTO_LOADED_SKILL)
