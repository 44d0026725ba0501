"""Hearing with a provider, and what stays on this machine."""

import io
import threading
import time
import wave
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from edgevox.core.errors import EndpointUnavailable, SpeechError
from edgevox.core.frames import SAMPLE_RATE
from edgevox.core.ports import WordScorer
from edgevox.endpoints import MockTranscriptionEndpoint, TranscriptionEndpoint
from edgevox.endpoints.recognizer import EndpointRecognizer, endpoint_recognizer, wav_bytes
from edgevox.testing import ChatServer, Misbehaviour
from edgevox.testing.speech import ScriptedRecognizer

if TYPE_CHECKING:
    from edgevox.core.frames import Samples

SOUND: "Samples" = (0.3 * np.sin(np.arange(SAMPLE_RATE) / 20)).astype(np.float32)
DOWN = EndpointUnavailable("The server at h cannot be reached: check that it runs.")


def opened(*script: Any, language: str = "en") -> tuple[EndpointRecognizer, MockTranscriptionEndpoint]:
    mock = MockTranscriptionEndpoint(script)
    made = EndpointRecognizer(mock, language=language)
    made.open()
    return made, mock


def test_an_utterance_is_sent_as_a_recording_in_the_language() -> None:
    ears, mock = opened("turn on the light", language="de")
    heard = ears.transcribe(SOUND)
    assert (heard.text, heard.language, heard.rejected) == ("turn on the light", "de", None)
    sent, options = mock.requests[0]
    assert options["language"] == "de"
    with wave.open(io.BytesIO(sent)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getnframes()) == (SAMPLE_RATE, 1, SOUND.size)
        back = np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(np.float32) / 32767
    assert float(np.abs(back - SOUND).max()) < 1e-4


@pytest.mark.parametrize("sound", [np.zeros(0, np.float32), np.zeros(SAMPLE_RATE, np.float32), SOUND[:100]])
def test_silence_is_not_sent(sound: "Samples") -> None:
    ears, mock = opened("Thank you.")
    assert ears.transcribe(sound).rejected == "no_speech"
    assert mock.requests == []


@pytest.mark.parametrize("said", ["Thanks for watching!", "...", ""])
def test_what_such_models_write_when_nobody_spoke_is_thrown_away(said: str) -> None:
    heard = opened(said)[0].transcribe(SOUND)
    assert heard.text == ""
    assert heard.rejected


def test_speech_that_goes_on_and_single_words_are_heard_on_this_machine() -> None:
    mock = MockTranscriptionEndpoint(["final words"])
    beside = ScriptedRecognizer(["here"], partials=["stop"], scores={"stop": -0.1})
    both = endpoint_recognizer(mock, language="en", beside=beside)
    both.open()
    assert both.transcribe(SOUND, partial=True).text == "stop"
    assert isinstance(both, WordScorer)
    assert both.score(SOUND, ["stop", "turn"])[0] == -0.1
    assert mock.requests == []
    assert both.transcribe(SOUND).text == "final words"
    both.close()
    assert not isinstance(endpoint_recognizer(mock, language="en", beside=None), WordScorer)


def test_what_the_provider_cannot_write_down_this_machine_does() -> None:
    both = endpoint_recognizer(MockTranscriptionEndpoint([DOWN]), language="en", beside=ScriptedRecognizer(["here"]))
    both.open()
    assert both.transcribe(SOUND).text == "here"
    alone, _ = opened(DOWN, DOWN)
    with pytest.raises(SpeechError, match="cannot be reached"):
        alone.transcribe(SOUND)
    assert alone.transcribe(SOUND, partial=True).text == ""


def test_closing_hangs_up_on_what_is_being_written_down() -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="stall")) as server:
        ears = EndpointRecognizer(TranscriptionEndpoint(server.url, "w"))
        ears.open()

        def close_when_asked() -> None:
            while not server.uploads:
                time.sleep(0.005)
            ears.close()

        threading.Thread(target=close_when_asked, daemon=True).start()
        assert ears.transcribe(SOUND).rejected == "no_speech"
        assert server.hung_up.wait(5)


def test_a_provider_that_is_silent_is_given_up_in_time() -> None:
    with ChatServer(misbehaviour=Misbehaviour(kind="stall")) as server:
        ears = EndpointRecognizer(TranscriptionEndpoint(server.url, "w"), final_s=0.3)
        ears.open()
        with pytest.raises(SpeechError, match="in time"):
            ears.transcribe(SOUND)


def test_a_missing_key_is_said_when_hearing_is_opened(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDGEVOX_HOME", str(tmp_path))
    monkeypatch.delenv("EARS_API_KEY_SECRET", raising=False)
    ears = EndpointRecognizer(TranscriptionEndpoint("http://h/v1", "w", api_key_env="EARS_API_KEY_SECRET"))
    with pytest.raises(SpeechError, match="edgevox secrets set EARS_API_KEY_SECRET"):
        ears.open()


def test_loud_sound_is_clipped_and_not_wrapped() -> None:
    with wave.open(io.BytesIO(wav_bytes(np.array([2.0, -2.0], np.float32)))) as file:
        assert np.frombuffer(file.readframes(2), "<i2").tolist() == [32767, -32767]
