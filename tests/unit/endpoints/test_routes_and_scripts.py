"""Endpoints that stand for others, endpoints with a script, and what an endpoint is made of."""

import threading
import time
from typing import Any

import pytest

from edgevox.core.completion import collect
from edgevox.core.errors import Cancelled, ConfigError, EndpointRefused, EndpointUnavailable, LanguageModelError
from edgevox.core.ports import ChatEndpoint
from edgevox.endpoints import (
    LLMEndpoint,
    LLMEndpointRoute,
    LocalEndpoint,
    MockLLMEndpoint,
    MockTranscriptionEndpoint,
    ModelSelector,
    Retries,
    TranscriptionEndpoint,
    call_transcription_api,
    with_request_options,
)
from edgevox.testing import ChatServer, Misbehaviour, ScriptedModel

HELLO: list[dict[str, Any]] = [{"role": "user", "content": "hello"}]
URL = "http://localhost:1/v1"


def test_a_script_says_words_as_they_are_and_mappings_as_json_and_raises_errors() -> None:
    mock = MockLLMEndpoint(responses=[{"action": "go", "où": 1}, "  as it is\n", ValueError("down"), TimeoutError])
    assert collect(mock.complete(HELLO)).text == '{"action": "go", "où": 1}'
    assert collect(mock.complete(HELLO, stream=True)).text == "  as it is\n"
    with pytest.raises(ValueError, match="down"):
        mock.complete(HELLO)
    with pytest.raises(TimeoutError):
        mock.complete(HELLO, stream=True)
    with pytest.raises(LanguageModelError, match="over after 4 responses"):
        mock.complete(HELLO)
    assert len(mock.requests) == 5


def test_a_script_keeps_what_it_was_asked_as_it_was() -> None:
    mock = MockLLMEndpoint(["a"])
    messages = [*HELLO]
    mock.complete(messages, temperature=0.5)
    messages.append({"role": "user", "content": "later"})
    assert list(mock.requests[0].messages) == HELLO
    assert mock.requests[0].options == {"temperature": 0.5}


def test_a_script_that_is_stopped_says_no_more_and_loses_no_response() -> None:
    stop = threading.Event()
    stop.set()
    mock = MockLLMEndpoint(["words"])
    assert collect(mock.complete(HELLO, stop_event=stop)).finish == "cancelled"
    assert (mock.responses_left, mock.requests) == (1, [])


def test_a_long_answer_of_a_script_streams_in_pieces() -> None:
    pieces = [c["choices"][0]["delta"].get("content") for c in MockLLMEndpoint(["x" * 60]).complete(HELLO, stream=True)]
    assert [len(piece or "") for piece in pieces] == [0, 24, 24, 12, 0]


def test_a_route_asks_which_endpoint_it_stands_for_at_every_call() -> None:
    first, second = MockLLMEndpoint(["one", "two"]), MockLLMEndpoint(["three"], model_name="other")
    chosen: list[ChatEndpoint] = [first]
    route = LLMEndpointRoute(lambda: chosen[0])
    assert collect(route.complete(HELLO)).text == "one"
    chosen[0] = second
    assert collect(route.complete(HELLO)).text == "three"
    assert (route.model_name, route.api_name, route.max_context_tokens) == ("other", "mock", 128_000)


def test_an_answer_that_has_begun_stays_with_the_endpoint_that_began_it() -> None:
    selector = ModelSelector({"a": MockLLMEndpoint(["from the first one"]), "b": MockLLMEndpoint(["b"])})
    stream = selector.route.complete(HELLO, stream=True)
    begun = [next(stream)]
    selector.select("b")
    assert collect([*begun, *stream]).text == "from the first one"
    assert collect(selector.route.complete(HELLO)).text == "b"


def test_a_selector_names_endpoints_by_provider_and_model_and_refuses_doubles() -> None:
    selector = ModelSelector([MockLLMEndpoint(), LLMEndpoint(URL, "m", api_name="here")], default="model:here:m")
    assert selector.names == ("model:mock:scripted", "model:here:m")
    assert selector.selected_name == "model:here:m"
    with pytest.raises(ConfigError, match="choose one of model:mock:scripted"):
        selector.select("nope")
    with pytest.raises(ConfigError, match="Two endpoints"):
        ModelSelector([MockLLMEndpoint(), MockLLMEndpoint()])
    with pytest.raises(ConfigError, match="at least one"):
        ModelSelector([])


@pytest.mark.parametrize("wrong", [MockLLMEndpoint, lambda: None, "openrouter", None, ScriptedModel()])
def test_only_instances_of_endpoints_are_endpoints(wrong: Any) -> None:
    with pytest.raises(TypeError, match="endpoint"):
        LLMEndpointRoute(lambda: wrong).complete(HELLO)
    with pytest.raises(TypeError, match="endpoint"):
        ModelSelector({"x": wrong})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"temperature": 2.1}, "between 0 and 2"),
        ({"temperature": float("nan")}, "between 0 and 2"),
        ({"max_tokens": 0}, "1 or more"),
        ({"extra_body": {"temperature": 1}}, "temperature"),
        ({"extra_body": {"messages": [], "stream": True}}, "messages, stream"),
        ({"extra_body": {"x": {1, 2}}}, "sent as JSON"),
        ({"extra_body": {"x": float("inf")}}, "sent as JSON"),
    ],
)
def test_options_that_cannot_be_sent_are_refused_when_the_endpoint_is_made(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        LLMEndpoint(URL, "m", **options)


def test_request_options_make_another_endpoint_of_the_same_identity() -> None:
    with ChatServer() as server:
        plain = LLMEndpoint(server.url, "m", temperature=0.2, stop=["END"], extra_body={"top_k": 1})
        other = with_request_options(plain, temperature=0.9, extra_body={"grammar": "root"})
        plain.complete(HELLO)
        other.complete(HELLO, max_tokens=3, seed=7)
    first, second = server.bodies
    assert (first["temperature"], first["stop"], first["top_k"]) == (0.2, ["END"], 1)
    assert (second["temperature"], second["max_tokens"], second["seed"]) == (0.9, 3, 7)
    assert (second["top_k"], second["grammar"]) == (1, "root")
    assert "grammar" not in first
    assert other.id == plain.id
    with pytest.raises(TypeError, match="belong to an LLMEndpoint"):
        with_request_options(MockLLMEndpoint(), temperature=1)  # pyright: ignore[reportArgumentType]


def test_a_provider_that_cannot_stream_is_asked_for_one_piece() -> None:
    with ChatServer("Hello there.") as server:
        model = LLMEndpoint(server.url, "m", stream=False)
        chunks = list(model.complete(HELLO, stream=True))
    assert "stream" not in server.bodies[0]
    assert collect(chunks).text == "Hello there."
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"


def test_messages_are_put_as_the_provider_takes_them() -> None:
    with ChatServer() as server:
        LLMEndpoint(server.url, "m").complete([{"role": "error", "content": "mend this"}])
        mapped = LLMEndpoint(server.url, "m", message_mapper=lambda m: {"role": "user", "content": f"<{m['content']}>"})
        mapped.complete(HELLO)
    assert server.bodies[0]["messages"] == [{"role": "user", "content": "mend this"}]
    assert server.bodies[1]["messages"] == [{"role": "user", "content": "<hello>"}]


def test_making_ready_and_checking_says_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    monkeypatch.delenv("NOWHERE_API_KEY_SECRET", raising=False)
    keyless = LLMEndpoint(URL, "m", api_key_env="NOWHERE_API_KEY_SECRET")
    failure = keyless.check()
    assert failure is not None
    assert failure.reason == "secrets_failed"
    assert "edgevox secrets set NOWHERE_API_KEY_SECRET" in failure.message
    with ChatServer() as server:
        here = LLMEndpoint(server.url, "m", api_key_env="NOWHERE_API_KEY_SECRET", api_key="given-key-123")
        here.materialize()
        assert here.check() is None
        assert server.bodies == []
        here.complete(HELLO)
    assert server.headers[-1]["authorization"] == "Bearer given-key-123"
    gone = LLMEndpoint(server.url, "m").check()
    assert gone is not None
    assert gone.reason == "endpoint_unavailable"


def test_a_local_endpoint_runs_its_model_when_it_is_first_asked() -> None:
    made: list[tuple[str, int]] = []

    def run(model: str, *, n_ctx: int) -> ChatEndpoint:
        made.append((model, n_ctx))
        return MockLLMEndpoint(["one", "two"])

    local = LocalEndpoint("tiny", max_context_tokens=512, run=run, temperature=0.1)
    assert made == []
    assert collect(local.complete(HELLO)).text == "one"
    assert collect(local.complete(HELLO)).text == "two"
    assert made == [("tiny", 512)]
    assert (local.id, local.max_context_tokens) == ("model:local:tiny", 512)


def test_a_recording_becomes_its_words() -> None:
    with ChatServer(heard=" turn on the light \n") as server:
        ears = TranscriptionEndpoint(server.url, "whisper", language="en", prompt="kitchen")
        assert call_transcription_api(ears, b"RIFF-sound", filename="a.wav") == "turn on the light"
    sent = server.uploads[0]
    for part in (b"RIFF-sound", b'filename="a.wav"', b"whisper", b"kitchen", b'name="language"'):
        assert part in sent


def test_a_recording_that_is_not_wanted_any_more_is_hung_up_on() -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="stall")) as server:
        stop = threading.Event()

        def stop_when_asked() -> None:
            while not server.uploads:
                time.sleep(0.005)
            stop.set()

        threading.Thread(target=stop_when_asked, daemon=True).start()
        with pytest.raises(Cancelled):
            TranscriptionEndpoint(server.url, "w").transcribe(b"sound", stop_event=stop)
        assert server.hung_up.wait(5)
        with pytest.raises(EndpointUnavailable, match="in time"):
            TranscriptionEndpoint(server.url, "w").transcribe(b"sound", timeout_s=0.2)


def test_a_busy_provider_is_given_the_recording_again_and_a_wrong_key_is_not_tried_twice() -> None:
    soon = Retries(base_delay_s=0.01)
    with ChatServer(misbehaviour=[Misbehaviour(kind="status", status=429)], heard="words") as server:
        assert TranscriptionEndpoint(server.url, "w", retries=soon).transcribe(b"sound") == "words"
        assert len(server.uploads) == 2
        server.misbehaviour = Misbehaviour(kind="status", status=401)
        with pytest.raises(EndpointRefused, match="API key"):
            TranscriptionEndpoint(server.url, "w", retries=soon).transcribe(b"sound")
        assert len(server.uploads) == 3


def test_what_is_no_recording_or_writes_nothing_down_is_refused() -> None:
    with pytest.raises(TypeError, match="transcription endpoint"):
        call_transcription_api(MockLLMEndpoint(), b"x")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="empty"):
        call_transcription_api(MockTranscriptionEndpoint(["x"]), b"")
    mock = MockTranscriptionEndpoint([" words "])
    assert call_transcription_api(mock, b"x", language="de") == "words"
    assert mock.requests == [(b"x", {"filename": "speech.wav", "content_type": "audio/wav", "language": "de"})]
