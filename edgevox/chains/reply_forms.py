"""What counts as a reply of a model: words, one action of the active tools, or an object of a class.

Each form reads a whole reply and says in a sentence for the model what is wrong with it. Knows tools and JSON; does not
know who was asked, or how often.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from pydantic import BaseModel, ValidationError

from edgevox.chains.json_reply import NoObject, find_object, without_thought
from edgevox.chains.schema import WORDS_KEY, reply_options
from edgevox.core.completion import Answer
from edgevox.core.values import Empty
from edgevox.tools import Tool
from edgevox.tools.coercion import Refused
from edgevox.tools.projection import read_arguments, sentences
from edgevox.tools.wording import nearest

_WRAPPERS = ("arguments", "args", "input", "parameters")
"""Keys under which models put a call's arguments although they belong beside the name."""


class WrongForm(ValueError):
    """A reply that does not have the form; the text is a sentence for the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a model wants done."""

    tool: Tool
    arguments: dict[str, Any]
    """As the model wrote them; they fit the tool."""
    value: Any
    """The input of a typed tool; the keyword arguments of a function tool."""
    rationale: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a reply says; one of the three is there."""

    words: str | None = None
    action: Action | None = None
    data: dict[str, Any] | None = None


class ReplyForm(Protocol):
    """What is asked for."""

    def read(self, answer: Answer) -> Reply:
        """Read a reply.

        Raises:
            WrongForm: it does not have the form.
        """
        ...


class AnyWords:
    """Words, exactly as they come."""

    def read(self, answer: Answer) -> Reply:
        """Take the reply as it is."""
        return Reply(words=answer.text)


@dataclass(frozen=True, slots=True)
class ActionForm:
    """One action of the active tools, or plain words where they are a reply.

    Args:
        tools: what an action may name; passive tools among them are not offered.
        words: whether plain words are a reply.
    """

    tools: Sequence[Tool]
    words: bool = False
    _offered: dict[str, Tool] = field(init=False, default_factory=dict[str, Tool])

    def __post_init__(self) -> None:
        """Look once which tools are offered."""
        self._offered.update({tool.name: tool for tool in self.tools if not tool.is_passive})

    def read(self, answer: Answer) -> Reply:
        """Read the action, or the words."""
        if self.words and is_words(answer.text):
            return Reply(words=without_thought(answer.text))
        data = _as_action(_native(answer) or _object(answer, self.instruction, key="action"))
        if self.words and data.keys() == {WORDS_KEY} and isinstance(data[WORDS_KEY], str):
            return Reply(words=data[WORDS_KEY])
        named = data.get("action")
        if not isinstance(named, str):
            raise WrongForm(f'The object lacks "action", the name of a tool. {self.instruction}')
        return Reply(action=self._action(named, data))

    def restraint(self) -> dict[str, Any]:
        """Options that hold a model to the form while it writes; what an endpoint does not know it ignores."""
        return reply_options(self.tools, words=self.words)

    @property
    def instruction(self) -> str:
        """What the model is told to do."""
        words = ", or with plain words" if self.words else " and nothing else"
        return f'Reply with exactly one JSON object {{"action": "<tool>", …arguments}}{words}.'

    def _action(self, named: str, data: Mapping[str, Any]) -> Action:
        tool = self._offered.get(named)
        if tool is None:
            near = nearest(named[:200], self._offered)
            listed = ", ".join(self._offered) or "none"
            raise WrongForm(f"There is no tool '{named:.80}'{near}. The tools are: {listed}.")
        rest = dict(data)
        del rest["action"]
        rationale = rest.pop("rationale", None)
        rest = _unwrapped(rest, tool)
        try:
            value = read_arguments(rest, tool.input_model, named) if tool.input_model is not None else tool.bind(rest)
        except Refused as error:
            raise WrongForm(str(error)) from error
        said = rationale if isinstance(rationale, str) else ""
        return Action(tool=tool, arguments=rest, value=value, rationale=said)


@dataclass(frozen=True, slots=True)
class ObjectForm:
    """An object of a class.

    Args:
        model: the class.
    """

    model: type[BaseModel]

    def read(self, answer: Answer) -> Reply:
        """Read the object and check it."""
        data = _object(answer, self.instruction)
        try:
            return Reply(data=self._checked(data).model_dump(mode="json"))
        except ValidationError as error:
            raise WrongForm(f"{sentences(error)} {self.instruction}") from error
        except Refused as error:
            raise WrongForm(f"{error} {self.instruction}") from error

    @property
    def instruction(self) -> str:
        """What the model is told to do."""
        keys = ", ".join(self.model.model_fields)
        return f"Reply with exactly one JSON object with the keys {keys}, and nothing else."

    def _checked(self, data: dict[str, Any]) -> BaseModel:
        if issubclass(self.model, Empty):
            return read_arguments(data, self.model, self.model.__name__)
        return self.model.model_validate(data)


def is_words(text: str) -> bool:
    """Whether a reply is meant as words: something is said, and no object with an action is in it, nor begun."""
    reply = without_thought(text)
    if not reply or reply.startswith(("{", "[")):
        return False
    try:
        return "action" not in _as_action(find_object(reply, key="action"))
    except NoObject:
        return '"action"' not in reply


def _native(answer: Answer) -> dict[str, Any] | None:
    """The call that a server read out of the reply itself; what it does not fit is said as of any other action."""
    if not answer.calls or answer.text.strip():
        return None
    call = answer.calls[0]
    return {"name": call.name, "arguments": call.arguments}


def _as_action(data: dict[str, Any]) -> dict[str, Any]:
    """Read a call in the form of servers, which small models write whatever they are told, as an action."""
    arguments: Any = data.get("arguments", data.get("parameters"))
    if len(data) != 2 or not isinstance(data.get("name"), str):
        return data
    if isinstance(arguments, str):
        try:
            arguments = find_object(arguments)
        except NoObject:
            return data
    return {"action": data["name"], **cast("dict[str, Any]", arguments)} if isinstance(arguments, dict) else data


def _object(answer: Answer, instruction: str, key: str | None = None) -> dict[str, Any]:
    try:
        return find_object(answer.text, key=key)
    except NoObject as error:
        cut = " It was cut off: write less." if answer.finish == "length" else ""
        raise WrongForm(f"{error}{cut} {instruction}") from error


def _unwrapped(rest: dict[str, Any], tool: Tool) -> dict[str, Any]:
    """Take arguments out of the object that models put them in, where the tool has no argument of that name."""
    if len(rest) == 1:
        ((key, inner),) = rest.items()
        if key in _WRAPPERS and key not in tool.input.fields and isinstance(inner, dict):
            return cast("dict[str, Any]", inner)
    return rest
