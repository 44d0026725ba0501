"""What must hold for every stream of frames, and for every way to cut it into blocks."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.core.frames import SAMPLE_RATE, VAD_FRAME, Frame, SoftEndFrame, SpeechStartedFrame, UtteranceFrame
from edgevox.speech.framing import FrameCutter
from edgevox.speech.segmenter import Segmenter, SegmenterOptions

if TYPE_CHECKING:
    from conftest import Stream

FRAME_S = VAD_FRAME / SAMPLE_RATE
CURVE = Path(__file__).parents[2] / "data" / "speech_pause_curve.json"

runs = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 60)), min_size=1, max_size=25)
"""Stretches of frames with one probability each."""


def utterances(frames: list[Frame]) -> list[UtteranceFrame]:
    return [each for each in frames if isinstance(each, UtteranceFrame)]


def stream_of(new_stream: "type[Stream]", stretches: list[tuple[float, int]], max_s: float) -> "Stream":
    stream = new_stream(Segmenter(SegmenterOptions(max_s=max_s, split_window_s=max_s / 10)))
    for probability, count in stretches:
        stream.push([probability] * count)
    stream.frames += stream.segmenter.flush()
    return stream


@given(runs, st.sampled_from([1.5, 4.0, 20.0]))
@settings(max_examples=150, deadline=None)
def test_no_sample_is_lost_within_an_utterance_nor_doubled_between_two(
    new_stream: "type[Stream]", stretches: list[tuple[float, int]], max_s: float
) -> None:
    stream = stream_of(new_stream, stretches, max_s)
    last = -1.0
    for each in utterances(stream.frames):
        assert np.all(np.diff(each.samples) == 1)
        assert each.samples[0] > last
        assert each.samples.size <= max_s * SAMPLE_RATE
        last = each.samples[-1]


@given(runs, st.sampled_from([1.5, 4.0, 20.0]))
@settings(max_examples=150, deadline=None)
def test_every_certain_stretch_of_speech_is_heard_whole(
    new_stream: "type[Stream]", stretches: list[tuple[float, int]], max_s: float
) -> None:
    stream = stream_of(new_stream, stretches, max_s)
    heard: set[float] = {value for each in utterances(stream.frames) for value in each.samples.tolist()}
    position = 0
    for probability, count in stretches:
        size = count * VAD_FRAME
        if probability >= 0.5 and count >= 2:
            assert set(range(position, position + size)) <= heard
        position += size


@given(runs)
@settings(max_examples=100, deadline=None)
def test_an_utterance_that_ends_in_silence_is_the_soft_end_before_it(
    new_stream: "type[Stream]", stretches: list[tuple[float, int]]
) -> None:
    stream = stream_of(new_stream, stretches, 20.0)
    soft: SoftEndFrame | None = None
    for each in stream.frames:
        if isinstance(each, SoftEndFrame):
            soft = each
        elif isinstance(each, UtteranceFrame) and each.cause == "silence":
            assert soft is not None
            assert (each.ended, each.samples.size) == (soft.ended, soft.samples.size)


@given(runs)
@settings(max_examples=100, deadline=None)
def test_at_least_300_ms_before_the_trigger_reach_the_recogniser(
    new_stream: "type[Stream]", stretches: list[tuple[float, int]]
) -> None:
    stream = stream_of(new_stream, stretches, 20.0)
    claimed = 0.0
    started = iter([each.at for each in stream.frames if isinstance(each, SpeechStartedFrame)])
    for each in utterances(stream.frames):
        if each.cause != "maximum":
            trigger = (next(started) - stream.start) * SAMPLE_RATE
            assert trigger - each.samples[0] >= min(0.3 * SAMPLE_RATE, trigger - claimed) - 1
        claimed = each.samples[-1] + 1


@given(st.lists(st.integers(0, 1500), max_size=30), st.integers(1, 700))
def test_the_cutter_loses_and_repeats_nothing(sizes: list[int], length: int) -> None:
    cutter = FrameCutter(length)
    position, out = 0, [np.zeros(0, np.float32)]
    for size in sizes:
        block = np.arange(position, position + size).astype(np.float32)
        for frame, at in cutter.feed(block, position / SAMPLE_RATE):
            assert frame.size == length
            assert at == pytest.approx(frame[0] / SAMPLE_RATE)
            out.append(frame)
        position += size
    rest, _ = cutter.rest()
    assert np.array_equal(np.concatenate([*out, rest]), np.arange(position))


def test_after_a_gap_in_capture_the_next_whole_frame_has_the_right_time() -> None:
    cutter = FrameCutter()
    cutter.feed(np.zeros(600, np.float32), 1.0)
    (_, first), (_, second) = cutter.feed(np.zeros(1000, np.float32), 9.0)
    assert first == pytest.approx(1.0 + 512 / SAMPLE_RATE)
    assert second == pytest.approx(9.0 + 424 / SAMPLE_RATE)


def cut_rate(new_stream: "type[Stream]", pause_ms: int) -> float:
    """Return the share of sentences that a pause of this length cuts in two."""
    cut = 0
    offsets = range(0, VAD_FRAME, 64)
    for offset in offsets:
        samples = round(pause_ms / 1000 * SAMPLE_RATE) + offset
        stream = new_stream(Segmenter())
        stream.speech(1.28)
        stream.push([0.02] * (samples // VAD_FRAME))
        stream.speech(1.28)
        stream.silence(2)
        cut += len(stream.of(UtteranceFrame)) > 1
    return cut / len(offsets)


def test_thinking_pauses_cut_no_more_sentences_than_the_published_curve(new_stream: "type[Stream]") -> None:
    published = {int(key): float(value) for key, value in json.loads(CURVE.read_text())["cut_rate"].items()}
    assert sorted(published) == list(range(100, 1600, 100))
    measured = {pause: cut_rate(new_stream, pause) for pause in published}
    worse = {pause: rate for pause, rate in measured.items() if rate > published[pause]}
    assert not worse, f"pauses (ms) that cut more sentences than before: {worse}"
    assert published[400] == 0.0
    assert published[1500] == 1.0
