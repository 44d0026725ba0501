import numpy as np
import pytest

from edgevox.core.cancel import CancelScope
from edgevox.core.errors import SpeechError
from edgevox.speech.cache import CachedSpeech
from edgevox.testing.speech import ToneTalk

REPLY = "The kitchen light is on."


def cached(**options: float) -> tuple[CachedSpeech, ToneTalk]:
    engine = ToneTalk()
    cache = CachedSpeech(engine, **options)
    cache.open()
    return cache, engine


def test_a_reply_that_comes_again_is_not_made_again() -> None:
    cache, engine = cached()
    first = np.concatenate(list(cache.synthesize(REPLY)))
    second = np.concatenate(list(cache.synthesize(REPLY)))
    assert np.array_equal(first, second)
    assert engine.said == [REPLY]


def test_replies_can_be_made_ahead() -> None:
    cache, engine = cached()
    assert cache.prepare([REPLY, "Good night.", "…"]) == 2
    assert cache.holds("Good night.")
    list(cache.synthesize(REPLY))
    assert engine.said.count(REPLY) == 1


def test_a_stream_that_was_cut_off_is_not_kept() -> None:
    cache, engine = cached()
    scope = CancelScope()
    stream = cache.synthesize(REPLY, scope)
    next(stream)
    scope.cancel()
    assert list(stream) == []
    assert not cache.holds(REPLY)
    next(cache.synthesize(REPLY))
    assert not cache.holds(REPLY)
    assert engine.said == [REPLY, REPLY]


def test_a_failure_is_not_kept() -> None:
    engine = ToneTalk(fail_at=2)
    cache = CachedSpeech(engine)
    cache.open()
    with pytest.raises(SpeechError):
        list(cache.synthesize(REPLY))
    assert not cache.holds(REPLY)
    assert len(list(cache.synthesize(REPLY))) == 5


def test_the_least_recently_used_reply_goes_first() -> None:
    cache, _ = cached(capacity_s=1.0)
    texts = ["aaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbb", "cccccccccccccccccccc"]
    cache.prepare(texts[:2])
    list(cache.synthesize(texts[0]))
    cache.prepare([texts[2]])
    assert [cache.holds(text) for text in texts] == [True, False, True]


def test_a_long_text_is_not_kept() -> None:
    cache, _ = cached(longest_s=1.0)
    list(cache.synthesize("word " * 40))
    assert not cache.holds("word " * 40)


def test_a_closed_cache_holds_nothing() -> None:
    cache, _ = cached()
    cache.prepare([REPLY])
    cache.close()
    assert not cache.holds(REPLY)
