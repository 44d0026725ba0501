"""Understands what only makes sense after what was said before: *turn it off again*, *and the bedroom too*, *again*.

A follow-up names some arguments and leaves the others as they were in a recent call. It is understood only when every
word of it is accounted for: a value of a parameter, a word of the tool's own phrases, a small word, or a word that
points back; without one of the latter it is no follow-up. Everything else goes on to the model.

What was said before is read from the conversation itself, so that nothing has to be remembered beside it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from edgevox.agents.verbatim import has_signs, restored
from edgevox.agents.vocabulary import Explained, Explainer
from edgevox.core.messages import Role, ToolUseBlock
from edgevox.core.session import Session
from edgevox.intents.changes import Change
from edgevox.intents.matcher import PhraseMatch
from edgevox.tools import Tool

TURNS_BACK = 3
"""How many turns before this one count as recent."""
LONGEST = 12
"""Words of a follow-up."""
SCORE = 0.9
"""What a follow-up counts as, beside 1 for a phrase word for word."""


@dataclass(frozen=True, slots=True)
class RecentCall:
    """A call that worked, not long ago."""

    tool_name: str
    arguments: Mapping[str, Any]


class FollowUps:
    """The follow-ups that a set of tools allows in one language.

    Args:
        explainer: the vocabularies of the tools.
    """

    def __init__(self, explainer: Explainer) -> None:
        self._explainer = explainer
        self._known = explainer.known

    def match(self, text: str, session: Session) -> PhraseMatch | None:
        """The call that a text asks for in the light of the conversation; `None` when it is no follow-up.

        Args:
            text: what was said.
            session: the conversation; its last message may be the text itself.
        """
        recent = list(recent_calls(session))
        if not recent or not self._known or not 0 < len(self._explainer.tokens(text)) <= LONGEST:
            return None
        found = self._of_recent_tool(text, recent) or self._of_other_tool(text, recent)
        if found is None:
            return None
        name, arguments = found
        return PhraseMatch(tool_name=name, arguments=arguments, score=SCORE, text=text)

    def rest(self, text: str, before: PhraseMatch) -> PhraseMatch | None:
        """The call that the rest of a sentence asks for in the light of the one before it: *then to the bedroom*.

        Args:
            text: the words after a conjunction, which points back by itself.
            before: what was asked for until there.
        """
        if not 0 < len(self._explainer.tokens(text)) <= LONGEST:
            return None
        found = self._same_again(text, before) or self._of_other_tool(
            text, [RecentCall(before.tool_name, before.arguments)], joined=True
        )
        if found is None:
            return None
        return PhraseMatch(tool_name=found[0], arguments=found[1], score=SCORE, text=text)

    def verbatim(self, match: PhraseMatch) -> PhraseMatch | None:
        """The match with slots for any words as they were said; `None` when that cannot be told."""
        vocabulary = self._known.get(match.tool_name)
        kept = vocabulary.verbatim if vocabulary is not None else ()
        free = [name for name in kept if name in match.arguments]
        said = {name: restored(str(match.arguments[name]), match.text) for name in free}
        if None in said.values() and has_signs(match.text):
            return None
        found = {name: words for name, words in said.items() if words is not None}
        return replace(match, arguments={**match.arguments, **found})

    def _of_recent_tool(self, text: str, recent: Sequence[RecentCall]) -> tuple[str, dict[str, Any]] | None:
        """The same tool once more, with other arguments or with the same ones."""
        for index, call in enumerate(recent):
            explained = self._explain(text, call.tool_name)
            if explained is None:
                continue
            if explained.values:
                return call.tool_name, {**call.arguments, **_since(call, recent[:index]), **explained.values}
            if explained.repeats:
                return call.tool_name, dict(call.arguments)
        return None

    def _of_other_tool(
        self, text: str, recent: Sequence[RecentCall], *, joined: bool = False
    ) -> tuple[str, dict[str, Any]] | None:
        """Another tool about the same thing: *is the kitchen light on? turn it on*."""
        found: list[tuple[str, dict[str, Any]]] = []
        for name, vocabulary in self._known.items():
            if joined and name == recent[0].tool_name:
                continue
            explained = self._explain(text, name, joined=joined)
            if explained is None or not explained.values:
                continue
            arguments = {**_recalled(vocabulary.tool, recent), **explained.values}
            complete = all(parameter in arguments for parameter in vocabulary.required)
            if complete and (set(arguments) != set(explained.values) or _changes(explained)):
                found.append((name, arguments))
        return found[0] if len(found) == 1 else None

    def _same_again(self, text: str, before: PhraseMatch) -> tuple[str, dict[str, Any]] | None:
        """The tool of the words before, with other values; words of one's own choice are not passed on."""
        explained = self._explain(text, before.tool_name, joined=True)
        if explained is None or not explained.values or not explained.measured:
            return None
        vocabulary = self._known[before.tool_name]
        kept = {
            name: value
            for name, value in before.arguments.items()
            if name not in vocabulary.free or name in vocabulary.required
        }
        arguments = {**kept, **explained.values}
        return (before.tool_name, arguments) if arguments != before.arguments else None

    def _explain(self, text: str, name: str, *, joined: bool = False) -> Explained | None:
        """Account for every word; `None` when one is left, or nothing refers to what was before."""
        explained = self._explainer.explain(text, name)
        return explained if explained is not None and (joined or explained.refers) else None


def recent_calls(session: Session, turns_back: int = TURNS_BACK) -> Iterator[RecentCall]:
    """Yield the calls of the last turns that worked, newest first."""
    worked: set[str] = set()
    turns = 0
    for message in reversed(session.messages):
        worked.update(block.tool_use_id for block in message.tool_results if block.ok)
        for use in reversed(message.tool_uses):
            if use.tool_use_id in worked:
                yield _call(use)
        turns += message.role is Role.USER
        if turns > turns_back:
            return


def _call(use: ToolUseBlock) -> RecentCall:
    return RecentCall(use.tool_name, dict(use.input))


def _since(call: RecentCall, newer: Sequence[RecentCall]) -> dict[str, Any]:
    """What newer calls were about, as far as this one takes it: *it* is what was spoken of last."""
    about: dict[str, Any] = {}
    for later in reversed(newer):
        about |= {name: value for name, value in later.arguments.items() if name in call.arguments}
    return about


def _recalled(tool: Tool, recent: Sequence[RecentCall]) -> dict[str, Any]:
    """What recent calls said about the parameters that the tool cannot do without."""
    recalled: dict[str, Any] = {}
    for parameter in tool.signature.parameters:
        if parameter.required:
            said = next((call.arguments[parameter.name] for call in recent if parameter.name in call.arguments), None)
            recalled |= {parameter.name: said} if said is not None else {}
    return recalled


def _changes(explained: Explained) -> bool:
    """Whether a value is told by what it is now: *warmer*."""
    return any(isinstance(value, Change) for value in explained.values.values())
