"""Asks a model once, and once more when its reply does not have the form that was asked for.

Corrections live in a copy of the conversation that nobody else sees; the tokens of every attempt are counted. Knows no
scheduler and keeps nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from pydantic import BaseModel

from edgevox.chains.reply_forms import Action, ActionForm, AnyWords, ObjectForm, Reply, ReplyForm, WrongForm
from edgevox.core.cancel import CancelScope
from edgevox.core.completion import Answer, Assembler, as_mapping, collect, deltas
from edgevox.core.errors import OutputFormatError
from edgevox.core.messages import Message, Role, Severity, TextBlock, Truncation, Usage
from edgevox.core.ports import ChatModel
from edgevox.core.running import current_run
from edgevox.tools import Tool

if TYPE_CHECKING:
    import threading

__all__ = ["TRIES", "Action", "Asking", "Completion", "get_completion", "in_openai_shape"]

CORRECTION = "correction"
"""Kind of the message that tells a model what was wrong with its reply."""
TRIES = 2
"""Attempts: one, and one repair."""
CORRECTION_RULES = (Truncation(threshold=0, severity=Severity.LIGHT), Truncation(threshold=5, severity=Severity.REMOVE))
"""How long a correction is shown where somebody keeps it."""

Request = Sequence[Message | Mapping[str, Any]]
"""A conversation, oldest first: messages, or dictionaries in the OpenAI shape."""
CallApi = Callable[[Sequence[Mapping[str, Any]]], Any]
"""Given a request in the OpenAI shape; returns the reply's text, or an answer in the OpenAI shape."""

_RAW_LIMIT = 1500
"""Characters of a reply that its correction repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What a model replied."""

    text: str
    """The whole reply of the last attempt, as it came."""
    reply: Reply
    """What it says."""
    usage: Usage
    """Tokens of all attempts."""
    attempts: int = 1
    corrections: tuple[Message, ...] = ()
    """What the model was told between the attempts."""


@dataclass(slots=True, kw_only=True)
class Asking:
    """How to ask, and what counts as a reply.

    Args:
        endpoint: who is asked, unless `call` does the asking.
        call: asks in the endpoint's place.
        form: what is asked for.
        tries: attempts.
        on_error: told each correction.
        on_attempt: told the number of each attempt, from 1, before it.
        on_answer: told each answer, whether it has the form or not.
        on_text: told the reply's pieces as they come; the endpoint then streams.
        repeat_reply: whether a correction repeats what the model wrote.
        scope: its end ends the attempt under way.
        stop_event: an event that does so too.
        options: passed on to the endpoint.
    """

    endpoint: ChatModel | None = None
    call: CallApi | None = None
    form: ReplyForm = field(default_factory=AnyWords)
    tries: int = TRIES
    on_error: Callable[[Message], object] | None = None
    on_attempt: Callable[[int], object] | None = None
    on_answer: Callable[[Answer], object] | None = None
    on_text: Callable[[str], object] | None = None
    repeat_reply: bool = True
    scope: CancelScope | None = None
    stop_event: "threading.Event | None" = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def complete(self, request: Sequence[Mapping[str, Any]]) -> Completion:
        """Ask until a reply has the form, or the attempts are spent.

        Args:
            request: in the OpenAI shape; never changed.

        Raises:
            OutputFormatError: no reply had the form; the sentence says what was wrong with the last.
            LanguageModelError: the endpoint could not answer.
            Cancelled: the scope ended.
        """
        tokens = (0, 0)
        corrections: list[Message] = []
        wrong: WrongForm | None = None
        for attempt in range(1, max(self.tries, 1) + 1):
            _tell(self.on_attempt, attempt)
            answer = self._ask(request)
            _tell(self.on_answer, answer)
            tokens = (tokens[0] + answer.usage.prompt_tokens, tokens[1] + answer.usage.completion_tokens)
            try:
                reply = self.form.read(answer)
            except WrongForm as error:
                wrong = error
                corrections.append(self._correction(answer.text, error))
                _tell(self.on_error, corrections[-1])
                request = [*request, *corrections[-1].openai()]
            else:
                told = tuple(corrections)
                usage = self._usage(answer, tokens)
                return Completion(text=answer.text, reply=reply, usage=usage, attempts=attempt, corrections=told)
        raise OutputFormatError(
            f"The language model did not answer in the form that was asked for: {wrong} Ask for less at once, or use a "
            "larger model."
        ) from wrong

    def _ask(self, request: Sequence[Mapping[str, Any]]) -> Answer:
        if self.scope is not None:
            self.scope.check()
        answer = self._from_endpoint(request) if self.call is None else _as_answer(self.call(request))
        if self.scope is not None:
            self.scope.check()
        return answer

    def _from_endpoint(self, request: Sequence[Mapping[str, Any]]) -> Answer:
        if self.endpoint is None:
            raise ValueError("there is nobody to ask: give an endpoint.")
        stop = self.stop_event if self.stop_event is not None else self.scope.event if self.scope is not None else None
        if self.on_text is None:
            return collect(self.endpoint.complete(request, stop_event=stop, **self.options))
        raw = self.endpoint.complete(request, stop_event=stop, stream=True, **self.options)
        return _told(raw, self.on_text)

    def _usage(self, answer: Answer, tokens: tuple[int, int]) -> Usage:
        return Usage(
            endpoint=str(getattr(self.endpoint, "api_name", "") or ""),
            model=answer.model or str(getattr(self.endpoint, "model_name", "") or ""),
            token_input=tokens[0],
            token_output=tokens[1],
        )

    def _correction(self, reply: str, wrong: WrongForm) -> Message:
        shown = reply if len(reply) <= _RAW_LIMIT else f"{reply[:_RAW_LIMIT]}…"
        previous = f"Your previous reply was: {shown}\n" if self.repeat_reply else ""
        block = TextBlock(text=f"{previous}That cannot be used. {wrong}")
        return Message(role=Role.USER, content=(block,), kind=CORRECTION, truncation=CORRECTION_RULES)


@overload
def get_completion(
    *,
    messages: Request,
    endpoint: ChatModel | None = None,
    call_llm_api: CallApi | None = None,
    active_tools: Sequence[Tool],
    words: bool = False,
    tries: int = TRIES,
    include_raw_response_in_reprompt: bool = True,
    stop_event: "threading.Event | None" = None,
    scope: CancelScope | None = None,
    on_error: Callable[[Message], object] | None = None,
    on_attempt_start: Callable[[int], object] | None = None,
    on_text: Callable[[str], object] | None = None,
    **options: Any,
) -> str | dict[str, Any]: ...
@overload
def get_completion(
    *,
    messages: Request,
    endpoint: ChatModel | None = None,
    call_llm_api: CallApi | None = None,
    LlmOutputModel: type[BaseModel],  # noqa: N803 - a promised name
    tries: int = TRIES,
    include_raw_response_in_reprompt: bool = True,
    stop_event: "threading.Event | None" = None,
    scope: CancelScope | None = None,
    on_error: Callable[[Message], object] | None = None,
    on_attempt_start: Callable[[int], object] | None = None,
    on_text: Callable[[str], object] | None = None,
    **options: Any,
) -> dict[str, Any]: ...
@overload
def get_completion(
    *,
    messages: Request,
    endpoint: ChatModel | None = None,
    call_llm_api: CallApi | None = None,
    active_tools: None = None,
    LlmOutputModel: None = None,  # noqa: N803 - a promised name
    tries: int = TRIES,
    include_raw_response_in_reprompt: bool = True,
    stop_event: "threading.Event | None" = None,
    scope: CancelScope | None = None,
    on_error: Callable[[Message], object] | None = None,
    on_attempt_start: Callable[[int], object] | None = None,
    on_text: Callable[[str], object] | None = None,
    **options: Any,
) -> str: ...
def get_completion(
    *,
    messages: Request,
    endpoint: ChatModel | None = None,
    call_llm_api: CallApi | None = None,
    active_tools: Sequence[Tool] | None = None,
    LlmOutputModel: type[BaseModel] | None = None,  # noqa: N803 - a promised name
    words: bool = False,
    tries: int = TRIES,
    include_raw_response_in_reprompt: bool = True,
    stop_event: "threading.Event | None" = None,
    scope: CancelScope | None = None,
    on_error: Callable[[Message], object] | None = None,
    on_attempt_start: Callable[[int], object] | None = None,
    on_text: Callable[[str], object] | None = None,
    **options: Any,
) -> str | dict[str, Any]:
    """Ask a model and return its reply: words as they came, or an object that has been checked.

    Args:
        messages: the conversation, oldest first; never changed.
        endpoint: who is asked.
        call_llm_api: asks in the endpoint's place; exactly one of the two is given.
        active_tools: asks for one action of these tools: a dictionary with `action` and the tool's arguments.
        LlmOutputModel: asks for an object of this class instead.
        words: whether plain words are a reply where an action is asked for; they come back as a text.
        tries: attempts; a reply without the form is answered with a correction, in a copy of the conversation.
        include_raw_response_in_reprompt: whether a correction repeats what the model wrote.
        stop_event: ends the answer at the next token when it is set.
        scope: its end does so too, and raises; that of the run which the calling tool belongs to when neither it nor an
            event is given.
        on_error: told each correction.
        on_attempt_start: told the number of each attempt, from 1, before it.
        on_text: told the reply's pieces as they come.
        options: passed on to the endpoint: `max_tokens`, `temperature`, `grammar`, `response_format`, …

    Returns:
        The text, without tools and class exactly as the model wrote it. Otherwise a dictionary, to which `endpoint`,
        `model`, `token_input` and `token_output` (of all attempts) are added where the reply has no such keys.

    Raises:
        ValueError: no messages, or not exactly one way to ask, or both tools and a class.
        OutputFormatError: no reply had the form.
        LanguageModelError: the model could not answer.
        Cancelled: the scope ended.
    """
    if not messages:
        raise ValueError("get_completion needs messages: give it at least one.")
    if (endpoint is None) == (call_llm_api is None):
        raise ValueError("get_completion needs either endpoint or call_llm_api, and not both.")
    if active_tools is not None and LlmOutputModel is not None:
        raise ValueError("get_completion takes active_tools or LlmOutputModel, not both.")
    if scope is None and stop_event is None and (run := current_run()) is not None:
        scope = run.asking_scope
    asking = Asking(
        endpoint=endpoint,
        call=call_llm_api,
        form=_form(active_tools, LlmOutputModel, words=words),
        tries=tries,
        on_error=on_error,
        on_attempt=on_attempt_start,
        on_text=on_text,
        repeat_reply=include_raw_response_in_reprompt,
        scope=scope,
        stop_event=stop_event,
        options=options,
    )
    return _flat(asking.complete(in_openai_shape(messages)))


def in_openai_shape(messages: Request) -> Sequence[Mapping[str, Any]]:
    """Return a conversation as an endpoint takes it; one that is a request already comes back as it is."""
    if not any(isinstance(message, Message) for message in messages[:1]):
        return messages  # pyright: ignore[reportReturnType] a request does not mix the two
    projected: list[Mapping[str, Any]] = []
    for message in messages:
        projected += message.openai() if isinstance(message, Message) else [message]
    return projected


def _form(tools: Sequence[Tool] | None, model: type[BaseModel] | None, *, words: bool) -> ReplyForm:
    if tools is not None:
        return ActionForm(tools, words=words)
    return ObjectForm(model) if model is not None else AnyWords()


def _flat(completion: Completion) -> str | dict[str, Any]:
    reply = completion.reply
    if reply.action is not None:
        called = {"action": reply.action.tool.name, "rationale": reply.action.rationale}
        return completion.usage.model_dump() | called | reply.action.arguments
    if reply.data is not None:
        return completion.usage.model_dump() | reply.data
    return reply.words or ""


def _as_answer(reply: Any) -> Answer:
    return Answer(text=reply) if isinstance(reply, str) else collect(reply)


def _tell(listener: Callable[[Any], object] | None, news: Any) -> None:
    if listener is not None:
        listener(news)


def _told(raw: Any, on_text: Callable[[str], object]) -> Answer:
    assembler = Assembler()
    for chunk in deltas(raw):
        piece = assembler.feed(as_mapping(chunk))
        if piece:
            on_text(piece)
    return assembler.finish()
