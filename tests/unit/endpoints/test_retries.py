"""A provider that is busy, down, half dead or talks nonsense: what is tried again, what is said, what it cost."""

import ssl
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import trustme

from edgevox.core.completion import collect
from edgevox.core.errors import ContextOverflow, EndpointRefused, EndpointUnavailable, LanguageModelError
from edgevox.endpoints import LLMEndpoint, Retries
from edgevox.endpoints.faults import Where, fault_of
from edgevox.testing import ChatServer, Misbehaviour

HELLO: list[dict[str, Any]] = [{"role": "user", "content": "hello"}]
SOON = Retries(base_delay_s=0.01)
BUSY = Misbehaviour(kind="status", status=429)
DOWN = Misbehaviour(kind="status", status=503)
HALF = Misbehaviour(kind="cut", after=3)


def endpoint(server: ChatServer, retries: Retries = SOON, **options: Any) -> LLMEndpoint:
    return LLMEndpoint(f"{server.url}#m", retries=retries, **options)


def words_of(chunk: Any) -> str:
    return "".join(str(choice["delta"].get("content") or "") for choice in chunk["choices"])


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("wrong", [[BUSY], [DOWN, BUSY], [Misbehaviour(kind="status", status=500)]])
def test_a_busy_or_failing_provider_is_asked_again_and_it_is_one_question(
    wrong: list[Misbehaviour], stream: bool
) -> None:
    with ChatServer("Hello.", misbehaviour=wrong) as server:
        model = endpoint(server)
        assert collect(model.complete(HELLO, stream=stream)).text == "Hello."
        assert len(server.bodies) == len(wrong) + 1
    assert (model.tally.calls, model.tally.failed_attempts) == (1, len(wrong))


def test_it_is_given_up_after_three_attempts() -> None:
    with ChatServer(misbehaviour=DOWN) as server:
        with pytest.raises(EndpointUnavailable, match="status 503"):
            endpoint(server).complete(HELLO)
        assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        (Misbehaviour(kind="status", status=401), EndpointRefused, "check the API key"),
        (Misbehaviour(kind="status", status=402), EndpointRefused, "no money or quota"),
        (Misbehaviour(kind="status", status=429, error={"code": "insufficient_quota"}), EndpointRefused, "no money"),
        (Misbehaviour(kind="status", status=422), EndpointRefused, "refused"),
        (Misbehaviour(kind="status", status=307), EndpointRefused, "elsewhere"),
        (Misbehaviour(kind="status", status=501), EndpointUnavailable, "status 501"),
        (Misbehaviour(kind="status", status=400, error={"code": "context_length_exceeded"}), ContextOverflow, "fewer"),
        (Misbehaviour(kind="status", status=429, headers={"Retry-After": "60"}), EndpointUnavailable, "in 60 seconds"),
        (Misbehaviour(kind="html"), EndpointRefused, "web page"),
    ],
)
def test_what_another_attempt_does_not_mend_is_not_tried_again(
    wrong: Misbehaviour, error: type[Exception], words: str
) -> None:
    with ChatServer(misbehaviour=wrong) as server:
        with pytest.raises(error, match=words):
            endpoint(server).complete(HELLO)
        assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "message",
    [
        "the author of this request is not authorised",
        "lost the context of the quota for the api key: insufficient funds, rate limit, timeout",
    ],
)
def test_the_words_of_an_error_decide_nothing(message: str) -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="status", status=400, message=message)) as server:
        with pytest.raises(EndpointRefused, match="status 400") as caught:
            endpoint(server).complete(HELLO)
        assert len(server.bodies) == 1
    assert message not in str(caught.value)


def test_a_timeout_is_not_tried_again() -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="stall")) as server:
        with pytest.raises(EndpointUnavailable, match="in time"):
            endpoint(server, timeout_s=0.2).complete(HELLO)
        assert len(server.bodies) == 1


def test_a_pause_that_the_provider_asks_for_is_kept() -> None:
    busy = Misbehaviour(kind="status", status=429, headers={"Retry-After": "0.3"})
    with ChatServer("Hello.", misbehaviour=[busy]) as server:
        began = time.monotonic()
        assert collect(endpoint(server).complete(HELLO)).text == "Hello."
    assert time.monotonic() - began >= 0.3


def test_pauses_double_up_to_a_limit() -> None:
    usual = Retries(attempts=7)
    assert [usual.delay_s(n, None) for n in range(1, 8)] == [0.5, 1.0, 2.0, 4.0, 4.0, 4.0, None]
    assert usual.delay_s(1, 3.0) == 3.0
    assert usual.delay_s(1, 5.0) is None


def test_a_stop_ends_a_pause_at_once() -> None:
    with ChatServer(misbehaviour=DOWN) as server:
        stop = threading.Event()
        threading.Timer(0.3, stop.set).start()
        began = time.monotonic()
        slow = Retries(base_delay_s=30.0, max_delay_s=30.0)
        got = collect(endpoint(server, retries=slow).complete(HELLO, stop_event=stop, stream=True))
    assert got.finish == "cancelled"
    assert time.monotonic() - began < 5


def test_a_stream_that_breaks_off_is_not_begun_again_behind_the_back_of_its_reader() -> None:
    with ChatServer("one two three", "one two three", misbehaviour=[HALF]) as server:
        chunks = endpoint(server).complete(HELLO, stream=True)
        words: list[str] = []
        with pytest.raises(EndpointUnavailable, match="broke off"):
            words.extend(map(words_of, chunks))
        assert "".join(words) == "one two"
        assert len(server.bodies) == 1


def test_a_reader_that_can_begin_again_is_told_and_gets_another_stream() -> None:
    told: list[str] = []
    words: list[str] = []

    def begin_again() -> None:
        told.append("".join(words))
        words.clear()

    with ChatServer("one two three", "one two three", misbehaviour=[HALF]) as server:
        for chunk in endpoint(server).complete(HELLO, stream=True, on_replaced=begin_again):
            words.append(words_of(chunk))  # noqa: PERF401 - the list is cleared while it grows
    assert told == ["one two"]
    assert "".join(words) == "one two three"


def test_a_whole_answer_is_made_of_one_attempt_alone() -> None:
    with ChatServer("one two three", "four five", misbehaviour=[HALF]) as server:
        assert collect(endpoint(server).complete(HELLO)).text == "four five"


def test_an_answer_tells_what_its_failed_attempts_took_as_well() -> None:
    with ChatServer("one two three", "four five", misbehaviour=[HALF]) as server:
        model = endpoint(server)
        usage = model.complete(HELLO)["usage"]
    assert usage["completion_tokens"] == 2 + 2, "two words that were lost, and two of the answer"
    assert (model.tally.completion_tokens, model.tally.prompt_tokens) == (4, 1)
    assert model.tally.failed_attempts == 1


def test_what_was_lost_is_counted_although_nothing_came_of_it() -> None:
    with ChatServer("one two three", misbehaviour=HALF) as server:
        model = endpoint(server, retries=Retries(attempts=1))
        with pytest.raises(EndpointUnavailable):
            model.complete(HELLO)
    assert (model.tally.completion_tokens, model.tally.failed_attempts) == (2, 1)


def test_usage_that_was_told_is_kept_when_a_later_chunk_has_none() -> None:
    with ChatServer("one two", misbehaviour=[Misbehaviour(kind="null-usage")]) as server:
        assert endpoint(server).complete(HELLO)["usage"]["completion_tokens"] == 2


def test_an_answer_without_an_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    from edgevox.endpoints import lines

    monkeypatch.setattr(lines, "LIMIT_BYTES", 1_000_000)
    with ChatServer("one two three", misbehaviour=Misbehaviour(kind="huge")) as server:
        with pytest.raises(LanguageModelError, match="without an end"):
            endpoint(server).complete(HELLO)
        assert server.hung_up.wait(5)
        assert len(server.bodies) == 1


@pytest.mark.parametrize("option", ["stream_options", "response_format", "seed"])
def test_an_option_that_the_provider_does_not_know_is_left_out(option: str) -> None:
    refusal = Misbehaviour(
        kind="status", status=400, message="Unsupported parameter.", error={"param": option, "code": "unsupported"}
    )
    with ChatServer("Hello.", misbehaviour=[refusal]) as server:
        model = endpoint(server, seed=1, response_format={"type": "json_object"}, retries=Retries(attempts=1))
        assert collect(model.complete(HELLO)).text == "Hello."
        assert [option in body for body in server.bodies] == [True, False]


def test_a_stream_that_is_over_before_it_began_is_asked_for_in_one_piece_which_says_why() -> None:
    empty = Misbehaviour(kind="empty", status=400, error={"code": "context_length_exceeded"})
    with ChatServer(misbehaviour=empty) as server:
        with pytest.raises(ContextOverflow):
            endpoint(server).complete(HELLO)
        assert ["stream" in body for body in server.bodies] == [True, False]
    with ChatServer("Hello.", misbehaviour=[empty]) as server:
        assert collect(endpoint(server).complete(HELLO, stream=True)).text == "Hello."


def test_stopped_questions_leave_no_thread_and_no_connection_behind() -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="stall")) as server:
        model = endpoint(server)
        for _ in range(10):
            stop = threading.Event()
            asked = len(server.bodies)
            question = threading.Thread(target=model.complete, args=(HELLO,), kwargs={"stop_event": stop})
            question.start()
            while len(server.bodies) == asked:
                time.sleep(0.005)
            stop.set()
            question.join(5)
            assert not question.is_alive()
        deadline = time.monotonic() + 5
        while _readers() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert _readers() == 0
        server.misbehaviour = None
        assert collect(model.complete(HELLO)).text == "ok"


def test_questions_that_hang_hold_up_nobody_else() -> None:
    stop = threading.Event()
    with ChatServer(misbehaviour=Misbehaviour(kind="stall")) as hung, ChatServer("Here.") as well:
        silent = endpoint(hung)
        waiting = [
            threading.Thread(target=silent.complete, args=(HELLO,), kwargs={"stop_event": stop}) for _ in range(12)
        ]
        for thread in waiting:
            thread.start()
        try:
            assert collect(endpoint(well).complete(HELLO)).text == "Here."
            assert all(thread.is_alive() for thread in waiting)
        finally:
            stop.set()
            for thread in waiting:
                thread.join(10)


def test_a_certificate_that_cannot_be_verified_is_never_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)  # pyright: ignore[reportUnknownMemberType]
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    with ChatServer("Hello.", tls=tls) as server:
        with pytest.raises(EndpointRefused, match="set SSL_CERT_FILE"):
            endpoint(server).complete(HELLO)
        assert server.bodies == []
        authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        assert collect(endpoint(server).complete(HELLO)).text == "Hello."


def test_a_provider_behind_a_network_that_cannot_be_reached_names_the_proxy() -> None:
    far = Where(host="models.example.com", far=True)
    refused = ConnectionRefusedError()
    assert "HTTPS_PROXY" in str(fault_of(refused, far).error)
    assert "HTTPS_PROXY" not in str(fault_of(refused, Where(host="localhost:8080")).error)
    assert not fault_of(refused, far).passing
    assert fault_of(ConnectionResetError(), far).passing


def _readers() -> int:
    return sum(thread.name == "endpoint" for thread in threading.enumerate())
