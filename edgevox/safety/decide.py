"""Whether a text commands a stop, may mean one, or only speaks of stopping.

A clause is the command when nothing but stop words and the company they keep is in it. It is a mention when a
negation, a compound or a question makes it one. Everything else with a stop word in it is doubtful, and what that
means depends on whether anything moves or sounds: the caller knows.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from edgevox.safety.languages import StopVocabulary, entries, stop_words_of, vocabularies_of
from edgevox.safety.normalise import clauses, tokens_of, unstretched, without_accents

Tokens = tuple[str, ...]


class Verdict(StrEnum):
    """How a text relates to stopping."""

    COMMAND = "command"
    DOUBTFUL = "doubtful"
    """Stops while something moves or sounds; otherwise the agent hears it."""
    MENTION = "mention"
    """The word is there and is not meant."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict and the stop word it is about."""

    verdict: Verdict
    word: str = ""
    """As it stands in the list; empty for NOTHING."""


_ALARM = "stop"
"""The word that people of every language know from signs."""
_NOTHING = Finding(Verdict.NOTHING)
_GRAVEST_FIRST = (Verdict.COMMAND, Verdict.DOUBTFUL, Verdict.MENTION)


@dataclass(slots=True)
class _Lexicon:
    stops: dict[Tokens, str] = field(default_factory=dict[Tokens, str])
    """Tokens to the word as the list spells it."""
    accentless: dict[Tokens, str] = field(default_factory=dict[Tokens, str])
    """The same without accents, for those that have any."""
    weak: set[Tokens] = field(default_factory=set[Tokens])
    company: set[Tokens] = field(default_factory=set[Tokens])
    negations: set[Tokens] = field(default_factory=set[Tokens])
    compounds: set[Tokens] = field(default_factory=set[Tokens])
    questions: set[Tokens] = field(default_factory=set[Tokens])
    misheard: dict[Tokens, str] = field(default_factory=dict[Tokens, str])
    longest: int = 1
    """Tokens in the longest entry of any list."""

    def stop_word(self, piece: Tokens) -> str:
        """The stop word that these tokens are; empty when they are none."""
        return self.stops.get(piece) or self.accentless.get(piece, "")


class StopDecider:
    """Judges texts against a list of stop words.

    Args:
        words: stop words and phrases; `None` takes the language's list, an empty sequence never stops.
        language: two-letter code of what is spoken; its company, negations and compounds count, and the English ones.
        names: what the assistant is called: `Scout stop` is a command.
    """

    def __init__(self, words: Sequence[str] | None = None, *, language: str = "en", names: Iterable[str] = ()) -> None:
        vocabularies = vocabularies_of(language)
        spelled = stop_words_of(language) if words is None else tuple(words)
        self._lexicon = _build(spelled, vocabularies, own=words is not None)
        self._lexicon.company.update(filter(None, map(tokens_of, names)))
        self.words = tuple(self._lexicon.stops.values())
        """The list in force, as it was spelled."""
        self.key_words = _key_words(self._lexicon)
        """Those of the list that are never filler words, the shortest first; the fourth at the latest is `stop`."""

    def judge(self, text: str) -> Finding:
        """Say how the text relates to stopping; a command in any of its clauses makes it one."""
        if not self._lexicon.stops:
            return _NOTHING
        found = [self._judge_clause(tuple(tokens)) for tokens in clauses(text)]
        # A recogniser may put a comma inside a phrase: "do not, move".
        found.append(_whole(tokens_of(text), self._lexicon) if len(found) > 1 else _NOTHING)
        return _gravest(found)

    def _judge_clause(self, clause: Tokens) -> Finding:
        lexicon = self._lexicon
        whole = _whole(clause, lexicon)
        if whole.verdict is not Verdict.NOTHING:
            return whole
        return _gravest(
            [_judge_occurrence(clause, start, end, lexicon) for start, end in _occurrences(clause, lexicon)]
        )


def _key_words(lexicon: _Lexicon) -> tuple[str, ...]:
    spelled = [(tokens, word) for tokens, word in lexicon.stops.items() if tokens not in lexicon.weak]
    words = [word for _, word in sorted(spelled, key=lambda each: len(each[0]))]
    if _ALARM in words[3:]:
        words.remove(_ALARM)
        words.insert(3, _ALARM)
    return tuple(words)


def _gravest(found: Sequence[Finding]) -> Finding:
    for verdict in _GRAVEST_FIRST:
        for finding in found:
            if finding.verdict is verdict:
                return finding
    return _NOTHING


def _whole(clause: Tokens, lexicon: _Lexicon) -> Finding:
    """Judge a clause that holds nothing but stop words and their company; NOTHING when it holds anything else."""
    calm = tuple(unstretched(token) for token in clause)
    for tokens in (clause, calm) if calm != clause else (clause,):
        covered = _cover(tokens, lexicon)
        if covered is not None:
            word, start = covered
            # "no" before a stop word is an exclamation in one language and a negation in the next.
            negated = _ends_with(tokens[:start], lexicon.negations, lexicon.longest)
            return Finding(Verdict.DOUBTFUL if negated else Verdict.COMMAND, word)
        misheard = _misheard(tokens, lexicon)
        if misheard:
            return Finding(Verdict.COMMAND, misheard)
    return _NOTHING


def _cover(clause: Tokens, lexicon: _Lexicon) -> tuple[str, int] | None:
    """The first stop word, and where it starts, of a clause that stop words and company cover from end to end.

    Reading from the right, `reach[i]` is what the tokens from `i` on hold: a stop word and its start, nothing but
    company (an empty word), or `None` when they cannot be covered.
    """
    reach: list[tuple[str, int] | None] = [None] * len(clause) + [("", len(clause))]
    for start in range(len(clause) - 1, -1, -1):
        for end in range(start + 1, min(start + lexicon.longest, len(clause)) + 1):
            rest, known, piece = reach[end], reach[start], clause[start:end]
            if rest is None:
                continue
            word = lexicon.stop_word(piece)
            if word:
                reach[start] = (word, start)
            elif piece in lexicon.company and (known is None or not known[0]):
                reach[start] = rest
    covered = reach[0]
    return covered if covered is not None and covered[0] else None


def _misheard(clause: Tokens, lexicon: _Lexicon) -> str:
    """The stop word that a recogniser's misspelling at the head of a clause stands for, if only company follows."""
    for length in range(1, min(lexicon.longest, len(clause)) + 1):
        word = lexicon.misheard.get(clause[:length])
        rest = clause[length:]
        if word and (not rest or _covered_by_company(rest, lexicon) or rest == clause[:length]):
            return word
    return ""


def _covered_by_company(tokens: Tokens, lexicon: _Lexicon) -> bool:
    reach = [False] * len(tokens) + [True]
    for start in range(len(tokens) - 1, -1, -1):
        ends = range(start + 1, min(start + lexicon.longest, len(tokens)) + 1)
        reach[start] = any(reach[end] and tokens[start:end] in lexicon.company for end in ends)
    return reach[0]


def _occurrences(clause: Tokens, lexicon: _Lexicon) -> list[tuple[int, int]]:
    """Where stop words stand, as start and end; common words only where they are said twice in a row."""
    found: list[tuple[int, int]] = []
    for start in range(len(clause)):
        for end in range(min(start + lexicon.longest, len(clause)), start, -1):
            word = clause[start:end]
            if word in lexicon.stops and (word not in lexicon.weak or _said_twice(clause, start, end)):
                found.append((start, end))
    return found


def _judge_occurrence(clause: Tokens, start: int, end: int, lexicon: _Lexicon) -> Finding:
    before, after = clause[:start], clause[end:]
    word = lexicon.stops[clause[start:end]]
    if _said_twice(clause, start, end):
        return Finding(Verdict.COMMAND, word)
    if _in_compound(clause, start, end, lexicon) or _ends_with(before, lexicon.negations, lexicon.longest):
        return Finding(Verdict.MENTION, word)
    asked = bool(before) and _starts_with(clause, lexicon.questions, lexicon.longest)
    if asked and after and not _covered_by_company(after, lexicon):
        return Finding(Verdict.MENTION, word)
    return Finding(Verdict.DOUBTFUL, word)


def _said_twice(clause: Tokens, start: int, end: int) -> bool:
    return clause[end : 2 * end - start] == clause[start:end]


def _ends_with(tokens: Tokens, endings: set[Tokens], longest: int) -> bool:
    return any(tokens[-length:] in endings for length in range(1, min(longest, len(tokens)) + 1))


def _starts_with(tokens: Tokens, beginnings: set[Tokens], longest: int) -> bool:
    return any(tokens[:length] in beginnings for length in range(1, min(longest, len(tokens)) + 1))


def _in_compound(clause: Tokens, start: int, end: int, lexicon: _Lexicon) -> bool:
    """Whether a compound that is longer than the stop word covers it."""
    return any(
        clause[first:last] in lexicon.compounds
        for first in range(max(0, end - lexicon.longest), start + 1)
        for last in range(end, min(first + lexicon.longest, len(clause)) + 1)
        if last - first > end - start
    )


def _build(words: Sequence[str], vocabularies: Sequence[StopVocabulary], *, own: bool) -> _Lexicon:
    lexicon = _Lexicon()
    for word in words:
        _add_stop_word(lexicon, word)
    for vocabulary in vocabularies:
        lexicon.company.update(map(tokens_of, entries(vocabulary.company)))
        lexicon.negations.update(map(tokens_of, entries(vocabulary.negations)))
        lexicon.compounds.update(map(tokens_of, entries(vocabulary.compounds)))
        lexicon.questions.update(map(tokens_of, entries(vocabulary.questions)))
        _add_misheard(lexicon, vocabulary)
    if not own:
        # What one language uses for a filler may be another's alarm; the language that is spoken decides.
        lexicon.weak = {tokens_of(word) for vocabulary in vocabularies for word in entries(vocabulary.weak)}
        lexicon.weak -= {tokens_of(word) for word in entries(vocabularies[0].strong)}
        lexicon.weak |= {tokens_of(word) for word in entries(vocabularies[0].weak)}
    groups = (lexicon.stops, lexicon.company, lexicon.compounds, lexicon.negations, lexicon.misheard)
    lexicon.longest = max((len(tokens) for group in groups for tokens in group), default=1)
    return lexicon


def _add_stop_word(lexicon: _Lexicon, word: str) -> None:
    tokens = tokens_of(word)
    if not tokens:
        return
    lexicon.stops.setdefault(tokens, word)
    plain = tuple(map(without_accents, tokens))
    if plain != tokens:
        lexicon.accentless.setdefault(plain, word)


def _add_misheard(lexicon: _Lexicon, vocabulary: StopVocabulary) -> None:
    for word, forms in vocabulary.misheard.items():
        if tokens_of(word) in lexicon.stops:
            lexicon.misheard.update((tokens_of(form), word) for form in entries(forms))
