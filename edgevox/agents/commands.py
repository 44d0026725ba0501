"""Several commands in one sentence: *turn off the kitchen light and set a timer*, *go to the kitchen, then the office*.

A sentence is taken apart where a conjunction or a pause may part two commands, and only if every part is understood;
otherwise it is one thing for a model to think about. Words that somebody wants kept (*add a note buy milk and eggs*)
are never taken apart: where they would not be the last part, nothing is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from edgevox.agents.followups import FollowUps, recent_calls
from edgevox.agents.vocabulary import Explainer
from edgevox.core.session import Session
from edgevox.intents.matcher import PhraseMatch, PhraseMatcher
from edgevox.intents.slots import Slot, SlotKind
from edgevox.intents.tokens import Token
from edgevox.intents.values import names_at, values_at

MOST = 6
"""Commands that one sentence may hold."""
_MOST_CUTS = 10
_LABEL = 3
"""Words of one's own choice that a part may hold which is not the last."""
_PAUSES = ",;.!?"

Chain = tuple[PhraseMatch, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place between two commands."""

    end: int
    """Where the words before it end."""
    start: int
    """Where those after it begin."""


class Commands:
    """Takes sentences apart that ask for more than one thing.

    Args:
        matcher: understands one command.
        explainer: the vocabularies of the same tools.
        follow_ups: understands what points back.
    """

    def __init__(self, matcher: PhraseMatcher, explainer: Explainer, follow_ups: FollowUps) -> None:
        self._matcher = matcher
        self._explainer = explainer
        self._follow_ups = follow_ups
        self._connectors = [phrase for phrase in explainer.lexicon.connectors if phrase]

    def match(self, text: str, session: Session | None = None) -> PhraseMatch | None:
        """The calls that a sentence asks for, the first with the others behind it; `None` when it is not several.

        Args:
            text: what was said.
            session: what was said before, for a first part that points back.
        """
        words = text.split()
        chain = self._spread(text) or self._split(words, self._cuts(words), 0, (), session)
        if not chain or not 1 < len(chain) <= MOST:
            return None
        return replace(chain[0], text=text, then=chain[1:])

    def _split(
        self, words: Sequence[str], cuts: Sequence[_Cut], start: int, before: Chain, session: Session | None
    ) -> Chain | None:
        """Understand what begins at `start`, the longest part first; `None` when a word of it is left over."""
        if len(before) >= MOST:
            return None
        whole_is_new = start > 0
        ends = ([_Cut(len(words), len(words))] if whole_is_new else []) + [c for c in reversed(cuts) if c.end > start]
        for cut in ends:
            last = cut.end == len(words)
            part = self._part(" ".join(words[start : cut.end]), before, session, last=last)
            if not part:
                continue
            rest = () if last else self._split(words, cuts, cut.start, (*before, *part), session)
            if rest is not None:
                return (*part, *rest)
        return None

    def _part(self, text: str, before: Chain, session: Session | None, *, last: bool) -> Chain:
        match = self._matcher.match(text)
        if match is not None:
            match = self._follow_ups.verbatim(match)
            return (match,) if match is not None and (last or self._may_go_on(match)) else ()
        spread = self._spread(text)
        if spread:
            return spread
        found = self._follow_ups.rest(text, before[-1]) if before else self._first_that_points_back(text, session)
        return (found,) if found is not None else ()

    def _first_that_points_back(self, text: str, session: Session | None) -> PhraseMatch | None:
        if session is None or not any(message.tool_uses for message in session.messages):
            return None
        found = self._follow_ups.match(text, session)
        latest = next(recent_calls(session), None)
        same = found and latest and (found.tool_name, found.arguments) == (latest.tool_name, dict(latest.arguments))
        return None if same else found

    def _may_go_on(self, match: PhraseMatch) -> bool:
        """Whether a second command may follow: not where it could belong to words that are to be kept."""
        vocabulary = self._explainer.known.get(match.tool_name)
        if vocabulary is None:
            return True
        free = [name for name in vocabulary.free if name in match.arguments]
        return not any(name in vocabulary.required or len(str(match.arguments[name]).split()) > _LABEL for name in free)

    def _spread(self, text: str) -> Chain:
        """Understand one command about several things: *turn on the kitchen and bedroom lights*."""
        tokens = self._explainer.tokens(text)
        if not any(token.word in self._explainer.reader.joiners for token in tokens) and "," not in text:
            return ()
        for name, vocabulary in self._explainer.known.items():
            for slot in vocabulary.slots:
                if slot.kind is SlotKind.NAMES and not slot.many:
                    for sentences in self._each_alone(slot, tokens):
                        chain = self._all_of(sentences, name, slot.parameter)
                        if chain:
                            return chain
        return ()

    def _each_alone(self, slot: Slot, tokens: Sequence[Token]) -> Iterator[list[str]]:
        """Yield the sentence once for each name of a list in it."""
        reader = self._explainer.reader
        for index in range(len(tokens)):
            runs = values_at(replace(slot, many=True), tokens, index, reader)
            longest = max(runs, key=lambda run: run[0], default=None)
            if longest is None or len(longest[2]) < 2:
                continue
            head = [token.word for token in tokens[:index]]
            tail = [token.word for token in tokens[index + longest[0] :]]
            names = self._names(slot, tokens[index : index + longest[0]])
            yield [" ".join([*head, name, *tail]) for name in names]
            return

    def _names(self, slot: Slot, run: Sequence[Token]) -> list[str]:
        """The names in a list as they were said."""
        names: list[str] = []
        index = 0
        while index < len(run):
            named = names_at(slot, run, index, self._explainer.reader)
            taken = named[0] if named else 1
            if named:
                names.append(" ".join(token.word for token in run[index : index + taken]))
            index += taken
        return names

    def _all_of(self, sentences: Sequence[str], tool: str, parameter: str) -> Chain:
        """The calls that the sentences ask for, if they differ in that parameter alone."""
        chain: list[PhraseMatch] = []
        for sentence in sentences:
            match = self._matcher.match(sentence)
            if match is None or match.tool_name != tool or parameter not in match.arguments:
                return ()
            if any(name in match.arguments for name in self._explainer.known[tool].free):
                return ()
            chain.append(match)
        others = [{k: v for k, v in match.arguments.items() if k != parameter} for match in chain]
        different = {repr(match.arguments[parameter]) for match in chain}
        return tuple(chain) if all(other == others[0] for other in others) and len(different) == len(chain) else ()

    def _cuts(self, words: Sequence[str]) -> list[_Cut]:
        """Where the sentence may be taken apart."""
        plain = [word.strip('.,;:!?¡¿"“”…').casefold() for word in words]
        cuts: list[_Cut] = []
        index = 0
        while index < len(words):
            length = self._connector_at(plain, index)
            if index > 0 and length and index + length < len(words):
                cuts.append(_Cut(index, index + length))
                index += length
                continue
            paused = words[index][-1] in _PAUSES
            if paused and index + 1 < len(words) and not self._connector_at(plain, index + 1):
                cuts.append(_Cut(index + 1, index + 1))
            index += 1
        return cuts[:_MOST_CUTS]

    def _connector_at(self, words: Sequence[str], index: int) -> int:
        return max((len(p) for p in self._connectors if tuple(words[index : index + len(p)]) == p), default=0)
