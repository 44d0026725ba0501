from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from edgevox.core.frames import (
    SAMPLE_RATE,
    VAD_FRAME,
    PartialSpeechFrame,
    SoftEndFrame,
    SpeechStartedFrame,
    UtteranceFrame,
)
from edgevox.speech.segmenter import MIN_SPEECH_S, Pause, Segmenter, SegmenterOptions, adaptive_end

if TYPE_CHECKING:
    from conftest import Stream

FRAME_S = VAD_FRAME / SAMPLE_RATE


def test_one_voiced_frame_is_a_click_and_two_are_the_start_of_speech(stream: "Stream") -> None:
    stream.silence(1)
    assert stream.push([0.9, 0.1, 0.9, 0.1]) == []
    began = stream.now
    assert stream.push([0.9, 0.9]) == [SpeechStartedFrame(at=began)]


def test_a_command_is_one_soft_end_and_one_utterance_with_the_same_samples(stream: "Stream") -> None:
    stream.silence(1)
    stream.speech(1.28)
    fell_silent = stream.now
    stream.silence(1.5)
    [soft], [utterance] = stream.of(SoftEndFrame), stream.of(UtteranceFrame)
    assert soft.ended == utterance.ended == pytest.approx(fell_silent)
    assert utterance.samples is soft.samples
    assert utterance.cause == "silence"
    assert utterance.speech_s == pytest.approx(1.28)


def test_half_a_second_before_the_first_voiced_frame_belongs_to_the_utterance(stream: "Stream") -> None:
    stream.silence(3)
    first_voiced = stream.fed
    stream.speech(0.64)
    stream.silence(1)
    [utterance] = stream.of(UtteranceFrame)
    before = (first_voiced - utterance.samples[0]) / SAMPLE_RATE
    assert 0.5 <= before < 0.5 + FRAME_S


def test_the_first_word_of_a_recording_keeps_what_sound_there_is_before_it(stream: "Stream") -> None:
    stream.silence(0.096)
    stream.speech(0.64)
    stream.silence(1)
    [utterance] = stream.of(UtteranceFrame)
    assert utterance.samples[0] == 0


def test_the_soft_end_comes_once_per_pause_and_the_end_waits_when_speech_goes_on(stream: "Stream") -> None:
    stream.speech(0.64)
    stream.silence(0.32)
    stream.speech(0.64)
    assert stream.of(UtteranceFrame) == []
    stream.silence(1.5)
    soft = stream.of(SoftEndFrame)
    [utterance] = stream.of(UtteranceFrame)
    assert len(soft) == 2
    assert soft[0].ended < soft[1].ended == utterance.ended


def test_the_soft_end_comes_200_ms_after_the_voice(stream: "Stream") -> None:
    stream.speech(0.64)
    fell_silent = stream.now
    while not stream.of(SoftEndFrame):
        stream.push([0.0])
    assert 0.2 <= stream.now - fell_silent < 0.2 + FRAME_S


def test_a_wavering_model_does_not_chop_a_word(stream: "Stream") -> None:
    stream.speech(0.32)
    stream.push([0.4, 0.36, 0.45, 0.37] * 6)
    stream.speech(0.32)
    stream.silence(1.5)
    assert len(stream.of(SoftEndFrame)) == 1
    assert len(stream.of(UtteranceFrame)) == 1


def test_between_the_thresholds_a_silence_goes_on(stream: "Stream") -> None:
    stream.speech(0.64)
    stream.push([0.1] * 2 + [0.45] * 30)
    assert len(stream.of(UtteranceFrame)) == 1


def test_a_short_stop_is_emitted_and_says_how_short_it_is(stream: "Stream") -> None:
    stream.silence(1)
    stream.push([0.9] * 3)
    stream.silence(1.5)
    [utterance] = stream.of(UtteranceFrame)
    assert 0 < utterance.speech_s < MIN_SPEECH_S


def test_noise_that_never_ends_closes_at_the_cap(stream: "Stream") -> None:
    stream.speech(50)
    utterances = stream.of(UtteranceFrame)
    assert len(utterances) >= 2
    assert {each.cause for each in utterances} == {"maximum"}
    assert all(each.samples.size <= 20 * SAMPLE_RATE for each in utterances)
    assert all(each.samples.size >= 17.9 * SAMPLE_RATE for each in utterances)


def test_the_cap_cuts_at_the_least_voiced_frame_and_the_next_utterance_begins_there(stream: "Stream") -> None:
    stream.speech(19.0)
    stream.push([0.36])
    cut = stream.fed
    stream.speech(4)
    stream.silence(1.5)
    first, second = stream.of(UtteranceFrame)
    assert first.samples[-1] == cut - 1
    assert second.samples[0] == cut
    assert second.cause == "silence"


def test_a_pause_at_the_cap_ends_the_utterance_like_any_other(stream: "Stream") -> None:
    stream.segmenter.options = replace(stream.segmenter.options, hard_end=5.0)
    stream.speech(19.2)
    stream.silence(4)
    [utterance] = stream.of(UtteranceFrame)
    assert utterance.cause == "maximum"
    assert utterance.ended == pytest.approx(stream.of(SoftEndFrame)[0].ended)


def test_partials_come_only_when_somebody_wants_them(stream: "Stream") -> None:
    stream.silence(1)
    stream.speech(2)
    assert stream.of(PartialSpeechFrame) == []
    stream.segmenter.partials = True
    stream.speech(2)
    partials = stream.of(PartialSpeechFrame)
    assert 3 <= len(partials) <= 5
    assert all(a.samples.size < b.samples.size for a, b in pairwise(partials))
    assert all(each.samples[0] == partials[0].samples[0] for each in partials)


def test_the_first_partial_waits_for_speech_and_is_not_due_for_the_pre_roll(new_stream: "type[Stream]") -> None:
    stream = new_stream(Segmenter(SegmenterOptions(partial_s=0.5)))
    stream.segmenter.partials = True
    stream.silence(2)
    stream.speech(0.448)
    assert stream.of(PartialSpeechFrame) == []
    stream.speech(0.096)
    [partial] = stream.of(PartialSpeechFrame)
    assert partial.speech_s == pytest.approx(0.512)


def test_the_end_of_a_recording_closes_the_utterance(stream: "Stream") -> None:
    stream.speech(0.96)
    [utterance] = [each for each in stream.segmenter.flush() if isinstance(each, UtteranceFrame)]
    assert utterance.cause == "closed"
    assert utterance.ended == pytest.approx(stream.now)
    assert stream.segmenter.flush() == []


def test_a_talk_key_takes_everything_between_press_and_release_with_its_pre_roll(stream: "Stream") -> None:
    stream.silence(1)
    pressed = stream.fed
    stream.frames += stream.segmenter.hold()
    stream.silence(2)
    stream.speech(0.64)
    stream.silence(3)
    assert stream.of(UtteranceFrame) == []
    assert stream.of(SoftEndFrame) == []
    [utterance] = stream.segmenter.release()
    assert isinstance(utterance, UtteranceFrame)
    assert utterance.cause == "released"
    assert utterance.samples[0] < pressed
    assert utterance.samples[-1] == stream.fed - 1
    assert utterance.speech_s == pytest.approx(0.64)


def test_a_talk_key_that_is_pressed_in_silence_gives_an_utterance_without_speech(stream: "Stream") -> None:
    stream.segmenter.hold()
    stream.silence(1)
    [utterance] = stream.segmenter.release()
    assert isinstance(utterance, UtteranceFrame)
    assert utterance.speech_s == 0
    assert utterance.ended == pytest.approx(stream.now)
    assert stream.segmenter.release() == []


def test_a_talk_key_that_is_pressed_in_a_pause_keeps_what_follows(stream: "Stream") -> None:
    stream.speech(0.64)
    stream.silence(0.256)
    stream.segmenter.hold()
    stream.silence(0.64)
    [utterance] = stream.segmenter.release()
    assert isinstance(utterance, UtteranceFrame)
    assert utterance.samples[-1] == stream.fed - 1


def test_the_reader_of_the_soft_end_can_end_the_utterance_early_or_late(stream: "Stream") -> None:
    for verdict, wanted in ((0.25, 0.25), (0.9, 0.9)):
        stream.frames.clear()
        stream.speech(0.64)
        while not stream.of(SoftEndFrame):
            stream.push([0.0])
        ended = stream.of(SoftEndFrame)[0].ended
        stream.segmenter.end_after(ended, verdict)
        while not stream.of(UtteranceFrame):
            stream.push([0.0])
        assert wanted <= stream.now - ended + 1e-9 < wanted + FRAME_S


def test_a_verdict_on_an_earlier_pause_is_ignored(stream: "Stream") -> None:
    stream.speech(0.64)
    stream.silence(0.256)
    earlier = stream.of(SoftEndFrame)[0].ended
    stream.speech(0.64)
    stream.segmenter.end_after(earlier, 9.0)
    stream.silence(1.5)
    assert len(stream.of(UtteranceFrame)) == 1


def test_a_speaker_who_pauses_is_given_more_time() -> None:
    assert adaptive_end(Pause(speech_s=1, longest_pause_s=0)) == 0.5
    assert adaptive_end(Pause(speech_s=1, longest_pause_s=0.5)) == 0.75
    assert adaptive_end(Pause(speech_s=1, longest_pause_s=5)) == 0.9
    assert adaptive_end(Pause(speech_s=1, longest_pause_s=0), usual=0.1) == 0.25


def test_a_threshold_that_changes_is_used_by_the_next_frame(stream: "Stream") -> None:
    stream.push([0.6] * 1)
    stream.segmenter.options = replace(stream.segmenter.options, threshold=0.8)
    stream.push([0.6] * 20)
    assert not stream.segmenter.speaking
    stream.segmenter.options = replace(stream.segmenter.options, threshold=0.55)
    stream.push([0.6] * 2)
    assert stream.segmenter.speaking


def test_reset_forgets_what_was_open_and_what_came_before(stream: "Stream") -> None:
    stream.speech(1)
    stream.segmenter.reset()
    assert stream.segmenter.flush() == []
    restart = stream.fed
    stream.speech(1)
    [utterance] = stream.segmenter.flush()
    assert isinstance(utterance, UtteranceFrame)
    assert utterance.samples[0] == restart


def test_the_segmenter_reads_no_clock(new_stream: "type[Stream]") -> None:
    early, late = new_stream(Segmenter(), start=0.0), new_stream(Segmenter(), start=1e6)
    for each in (early, late):
        each.speech(0.64)
        each.silence(1.5)
    [a], [b] = early.of(UtteranceFrame), late.of(UtteranceFrame)
    assert b.ended - a.ended == pytest.approx(1e6)
    assert np.array_equal(a.samples, b.samples)
