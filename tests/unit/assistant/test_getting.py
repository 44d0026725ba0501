"""Models that are missing, from the question to the files, over a real download from a server of this machine."""

import pytest

from edgevox.assistant.getting import fetch_all, missing_sentence, refused
from edgevox.config.models import find, missing
from edgevox.config.paths import models_dir
from edgevox.testing import Behaviour, ModelServer, ScriptedDesk, gguf_file

DATA = gguf_file(60_000)


@pytest.fixture(autouse=True)
def server(two_models: ModelServer) -> ModelServer:
    """Give every test a home of its own."""
    return two_models


def test_the_question_names_what_is_missing_and_how_large_it_is() -> None:
    desk, absent = ScriptedDesk(answer=True), missing(["one", "two"])
    assert refused(absent, desk) is None
    assert desk.asked == [f"{missing_sentence(absent)} Download now?"]
    assert "Not on this machine yet: one, two (120 kB to download)." in desk.asked[0]


def test_a_damaged_model_is_not_said_to_be_absent() -> None:
    place = models_dir() / "one" / "model.gguf"
    place.parent.mkdir(parents=True)
    place.write_bytes(DATA[:100])
    assert missing_sentence(missing(["one"])) == "Damaged: one (60 kB to download)."
    assert missing_sentence(missing(["one", "two"])) == (
        "Not on this machine yet: two; damaged: one (120 kB to download)."
    )


@pytest.mark.parametrize("answer", [False, None])
def test_without_a_yes_the_command_is_named_and_nothing_is_downloaded(server: ModelServer, answer: bool | None) -> None:
    sentence = refused(missing(["one", "two"]), ScriptedDesk(answer=answer))
    assert sentence is not None
    assert "`edgevox models get one two`" in sentence
    assert server.requests == []


def test_a_script_says_yes_without_being_asked() -> None:
    desk = ScriptedDesk()
    assert refused(missing(["one"]), desk, yes=True) is None
    assert desk.asked == []


def test_when_nothing_is_missing_nobody_is_asked_and_nothing_drawn(server: ModelServer) -> None:
    desk = ScriptedDesk()
    assert refused([], desk) is None
    assert fetch_all([], desk).sentences == []
    assert (desk.asked, desk.shown, server.requests) == ([], [], [])


def test_what_is_fetched_is_here_and_its_progress_was_shown() -> None:
    desk = ScriptedDesk()
    assert fetch_all(["one", "two"], desk).sentences == []
    assert missing(["one", "two"]) == []
    assert {progress.model for progress in desk.shown} == {"one", "two"}


def test_what_cannot_be_had_is_said_and_the_rest_is_there(server: ModelServer) -> None:
    server.behave("/files/one", Behaviour(kind="status", status=404, times=None))
    (sentence,) = fetch_all(["one", "two"], ScriptedDesk()).sentences
    assert "The model one could not be had" in sentence
    assert find("two") is not None


def test_an_interruption_ends_this_download_and_the_ones_after_it(server: ModelServer) -> None:
    server.behave("/files/one", Behaviour(kind="stall", after=30_000, times=None))
    fetched = fetch_all(["one", "two"], ScriptedDesk(interrupts=True))
    assert fetched.cancelled == "one"
    assert fetched.sentences == ["The download of one was cancelled; what has come is kept for the next time."]
    assert find("two") is None
    assert server.ranges("/files/two") == []
