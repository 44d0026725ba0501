"""Which texts stop: the tables."""

import pytest

from edgevox.safety import StopDecider, Verdict, stop_words_of

COMMANDS = [
    "stop", "Stop", "STOP", "Stop.", "stop!", "Stop!!!", '"Stop"', "'stop'", "“Stop”", "«Stop»", "(stop)", "[stop]",
    "stop…", "stop...", "stop-stop", "stop, stop", "stop stop stop", "¡Stop!", "¿Stop?", "Stop。", "Stop！", "ｓｔｏｐ",
    "ＳＴＯＰ", " stop ", "st\u200bop", "please stop", "Stop, please.", "stop the robot", "stop now", "Stop right now!",
    "e-stop", "E-Stop!", "estop", "emergency stop", "stop it", "Stop it.", "stop that", "stop everything",
    "stop moving", "stop talking", "just stop", "ok stop", "Okay, stop.", "hey stop", "no stop", "No! Stop!",
    "no no no stop", "oh no stop", "can you stop", "could you please stop", "will you stop", "I said stop",
    "make it stop", "stop there", "stop what you're doing", "stop what you are doing", "robot stop", "Robot, stop!",
    "halt", "Halt!", "freeze", "Freeze, robot!", "please freeze", "halt the robot", "Turn left. Stop!",
    "go to the kitchen, stop", "wait stop", "stooop", "STOOOOOP", "Top!", "top", "stopp", "Stopp!", "stob", "stahp",
    "Top it.", "don't move", "Don’t move!", "do not move", "oh no stop stop it's going to hit the wall",
    "stop!\nstop!", "stop it now", "and stop", "stop for a moment", "hold still", "stand still", "abort",
    "emergency",
]  # fmt: skip

MENTIONS = [
    "don't stop", "Don’t stop!", "dont stop", "do not stop", "please don't stop", "never stop", "unstoppable",
    "non-stop", "non stop", "Non-stop music please", "nonstop", "where is the bus stop",
    "Where is the next bus stop?", "do not freeze the account", "emergency contacts list",
    "when will it stop raining", "stop sign", "stop words are fun", "the last stop is the harbour",
    "it never stopped", "it stopped", "unstop the drain", "a stopover in Paris", "don't ever stop", "stoplight",
    "he can't stop laughing", "the deep freeze is full", "full stop at the end",
]  # fmt: skip

DOUBTFUL = [
    "stop the timer", "stop the washing machine", "freeze the account", "where are you going stop", "scout stop",
    "what the hell stop it", "halt production for today", "tell it to stop", "please do stop before the wall",
    "why won't you just stop", "stop before you hit the wall", "the car came to a stop at the sign",
]  # fmt: skip

NOTHING = [
    "",
    "   ",
    "...",
    "!?",
    "turn on the kitchen light",
    "what time is it",
    "it is top of the list",
    "stopper",
    "🛑",
]


@pytest.mark.parametrize("text", COMMANDS)
def test_a_stop_word_that_is_the_command_stops(text: str) -> None:
    assert StopDecider().judge(text).verdict is Verdict.COMMAND


@pytest.mark.parametrize("text", MENTIONS)
def test_a_stop_word_that_is_only_mentioned_does_not_stop(text: str) -> None:
    assert StopDecider().judge(text).verdict in (Verdict.MENTION, Verdict.NOTHING)


@pytest.mark.parametrize("text", DOUBTFUL)
def test_a_text_that_may_mean_a_stop_is_doubtful(text: str) -> None:
    assert StopDecider().judge(text).verdict is Verdict.DOUBTFUL


@pytest.mark.parametrize("text", NOTHING)
def test_a_text_without_a_stop_word_is_none_of_its_business(text: str) -> None:
    assert StopDecider().judge(text).verdict is Verdict.NOTHING


LOCAL = {
    "de": [
        "Stopp", "stopp!", "Halt!", "Bitte anhalten.", "Bleib stehen!", "Hör auf.", "Roboter, stopp!",
        "sofort anhalten", "Not-Aus!",
    ],
    "fr": [
        "Arrête !", "arrête", "Arrêtez-vous.", "Arrête tout de suite.", "arrete", "Ne bouge plus !", "stop",
        "Arrête-toi",
    ],
    "es": [
        "¡Para!", "para", "¡Detente!", "Alto.", "detente ahora", "¡Basta!", "Para, por favor.", "deténgase",
        "detengase",
    ],
    "it": [
        "Fermati!", "ferma", "Basta!", "Alt!", "fermati subito", "non muoverti",
    ],
    "pt": [
        "Pare!", "para", "pare agora", "Chega!", "não se mexa", "nao se mexa",
    ],
    "vi": [
        "Dừng lại!", "dừng lại", "dung lai", "Dừng ngay.", "Hãy dừng lại đi", "đứng yên", "làm ơn dừng lại",
    ],
    "nl": [
        "Stop!", "hou op", "Sta stil.", "stop nu", "halt",
    ],
    "pl": [
        "Stój!", "zatrzymaj się", "zatrzymaj sie", "stoj",
    ],
    "ru": [
        "Стоп!", "стой", "Остановись, пожалуйста", "хватит",
    ],
    "sv": [
        "Stopp!", "stanna nu", "stå stilla",
    ],
    "tr": [
        "Dur!", "lütfen dur", "hemen durun",
    ],
    "hi": [
        "रुको", "रुक जाओ!", "अभी रुको",
    ],
    "zh": [
        "停！", "停下来", "停止。", "请停止", "别动", "马上停下",
    ],
    "ja": [
        "止まれ！", "止まって", "ストップ", "止まってください", "ｽﾄｯﾌﾟ",
    ],
    "ko": [
        "멈춰!", "정지", "지금 멈추세요",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("language", "text"), [(code, text) for code, texts in LOCAL.items() for text in texts])
def test_every_language_has_its_own_stop_words(language: str, text: str) -> None:
    assert StopDecider(language=language).judge(text).verdict is Verdict.COMMAND


@pytest.mark.parametrize("language", ["en", *LOCAL])
def test_english_stops_in_every_language(language: str) -> None:
    assert StopDecider(language=language).judge("Stop!").verdict is Verdict.COMMAND
    assert {"stop", "halt", "freeze"} <= set(stop_words_of(language))


LOCAL_MENTIONS = [
    ("de", "Das ist halt so."), ("de", "Wo ist die nächste Haltestelle?"), ("de", "hör nicht auf"),
    ("de", "nicht anhalten"), ("es", "pon música para dormir"), ("es", "para mañana recuérdame el pan"),
    ("es", "más alto"), ("fr", "n'arrête pas"), ("fr", "Où est l'arrêt de bus ?"), ("it", "dove si ferma il treno"),
    ("pt", "toca música para dormir"), ("vi", "đừng làm thế"), ("zh", "停车场在哪里"), ("zh", "别停"),
    ("vi", "mẹ đang thôi nôi"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "text"), LOCAL_MENTIONS)
def test_a_mention_in_another_language_does_not_stop_at_rest(language: str, text: str) -> None:
    assert StopDecider(language=language).judge(text).verdict is not Verdict.COMMAND


def test_a_region_and_an_unknown_language_still_have_stop_words() -> None:
    assert StopDecider(language="pt-BR").judge("pare").verdict is Verdict.COMMAND
    assert stop_words_of("xx") == stop_words_of("en")


def test_words_of_your_own_take_the_place_of_the_list() -> None:
    decider = StopDecider(("cease", "do not move", "dừng lại"))
    assert [decider.judge(text).word for text in ("Cease!", "Do not move.", "DỪNG LẠI", "stop")] == [
        "cease", "do not move", "dừng lại", "",
    ]  # fmt: skip


def test_a_decomposed_word_is_the_same_word() -> None:
    import unicodedata

    assert StopDecider(("dừng lại",)).judge(unicodedata.normalize("NFD", "Dừng lại!")).verdict is Verdict.COMMAND


def test_no_words_means_no_stop() -> None:
    assert StopDecider(()).judge("stop").verdict is Verdict.NOTHING


def test_a_name_may_stand_beside_a_stop_word() -> None:
    assert StopDecider(names=("Scout",)).judge("Scout stop").verdict is Verdict.COMMAND
    assert StopDecider(names=("Home Assistant",)).judge("home assistant, please stop").verdict is Verdict.COMMAND


def test_a_long_monologue_is_judged_quickly() -> None:
    import time

    started = time.perf_counter()
    StopDecider(language="de").judge("the bus came to a stop and everybody got off then " * 200)
    assert time.perf_counter() - started < 0.25
