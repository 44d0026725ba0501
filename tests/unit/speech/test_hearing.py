import pytest

from edgevox.speech.hearing import collapse, in_script, plain, rejection
from edgevox.speech.whisper_model import Attempt


def attempt(text: str, logprob: float = -0.3, no_speech: float = 0.05, *, cut: bool = False) -> Attempt:
    return Attempt(text=text, avg_logprob=logprob, no_speech_prob=no_speech, cut=cut)


@pytest.mark.parametrize("text", ["yes", "Stop.", "No!", "Turn on the kitchen light.", "Thank you.", "You", "21"])
def test_short_words_that_the_model_is_sure_of_are_kept(text: str) -> None:
    assert rejection(attempt(text), "en") is None


@pytest.mark.parametrize("text", ["yes", "Stop.", "Turn it off"])
def test_a_likely_silence_is_overruled_by_sure_words(text: str) -> None:
    assert rejection(attempt(text, -0.4, 0.8), "en") is None


@pytest.mark.parametrize("text", ["I think that", "you", "Thanks."])
def test_unsure_words_in_a_likely_silence_are_none(text: str) -> None:
    assert rejection(attempt(text, -1.2, 0.7), "en") == "no_speech"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Thanks for watching!"),
        ("en", "Thank you for watching."),
        ("en", "Please subscribe to my channel."),
        ("en", "Subtitles by the Amara.org community"),
        ("de", "Untertitel der Amara.org-Community"),
        ("de", "Vielen Dank für die Aufmerksamkeit."),
        ("fr", "Sous-titres réalisés par la communauté d'Amara.org"),
        ("fr", "Merci d'avoir regardé cette vidéo!"),
        ("es", "¡Gracias por ver el video!"),
        ("vi", "Hãy subscribe cho kênh Ghiền Mì Gõ"),
        ("de", "Thanks for watching!"),
    ],
)
def test_what_subtitles_say_is_said_by_nobody(language: str, text: str) -> None:
    assert rejection(attempt(text, -0.1, 0.01), language) == "filler"


@pytest.mark.parametrize("text", ["You", "Thank you.", "Bye.", "Okay."])
def test_doubtful_fillers_count_as_nothing_when_the_model_is_unsure(text: str) -> None:
    assert rejection(attempt(text, -0.9, 0.1), "en") == "filler"
    assert rejection(attempt(text, -0.3, 0.5), "en") == "filler"


@pytest.mark.parametrize("text", ["", " ", "...", "♪♪", "[BLANK_AUDIO]", "(wind blowing)", "!?", "[Music] ♪"])
def test_marks_and_sounds_are_no_words(text: str) -> None:
    assert rejection(attempt(text), "en") == "no_speech"


def test_a_guess_is_low_confidence() -> None:
    assert rejection(attempt("the quantum of the moon", -1.8, 0.1), "en") == "low_confidence"


def test_a_loop_in_a_likely_silence_is_repetition() -> None:
    assert rejection(attempt("go " * 40, -0.2, 0.9), "en") == "repetition"


@pytest.mark.parametrize(
    ("language", "text", "wanted"),
    [
        ("en", "関灯", "foreign_script"),
        ("en", "выключи свет", "foreign_script"),
        ("en", "Tắt đèn", None),
        ("en", "21", None),
        ("vi", "bật đèn nhà bếp", None),
        ("vi", "打开灯", "foreign_script"),
        ("ru", "выключи свет", None),
        ("ja", "電気をつけて", None),
        ("ja", "テレビをつけて YouTube", None),
        ("el", "выключи свет", "foreign_script"),
    ],
)
def test_words_in_another_script_are_asked_again_not_acted_on(language: str, text: str, wanted: str | None) -> None:
    assert rejection(attempt(text), language) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("10 of clubs 10 of clubs 10 of clubs 10 of clubs", "10 of clubs"),
        ("Turn it off. Turn it off. Turn it off.", "Turn it off."),
        ("no, no, no", "no, no, no"),
        ("stop stop stop stop stop stop", "stop"),
        ("turn it off, turn it off", "turn it off, turn it off"),
        ("please go to the bedroom now", "please go to the bedroom now"),
        ("well go go go go go now", "well go now"),
        ("", ""),
        ("... ... ... ... ... ...", "... ... ... ... ... ..."),
    ],
)
def test_hallucinated_repetition_is_said_once(text: str, wanted: str) -> None:
    assert collapse(text) == wanted


def test_digits_and_punctuation_survive() -> None:
    text = "Set it to 21.5 degrees, at 6:30 p.m.!"
    assert collapse(text) == text
    assert rejection(attempt(text), "en") is None


def test_plain_words_have_no_case_marks_or_brackets() -> None:
    assert plain("[Music] Don't STOP — Amara.org, é!") == "dont stop amara org é"


def test_accents_written_as_combining_marks_stay_with_their_letters() -> None:
    assert plain("bât") == plain("bât").strip()
    assert " " not in plain("bât")


def test_a_text_without_letters_is_in_every_script() -> None:
    assert in_script("42!", "ja")
