import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgevox.speech.splitter import MAX_CHARS, SentenceSplitter

MATRIX: list[tuple[str, str, list[str]]] = [
    ("en", "The light is on. The door is shut.", ["The light is on.", "The door is shut."]),
    ("en", "Dr. X called. Mr. and Mrs. Lee did too.", ["Dr. X called.", "Mr. and Mrs. Lee did too."]),
    ("en", "It costs $3.50 today. Really.", ["It costs $3.50 today.", "Really."]),
    ("en", "It is 22,1 degrees. Warm!", ["It is 22,1 degrees.", "Warm!"]),
    ("en", "Dinner is at 6 p.m. on Tuesday.", ["Dinner is at 6 p.m. on Tuesday."]),
    ("en", "Dinner is at 6 p.m. The table is set.", ["Dinner is at 6 p.m.", "The table is set."]),
    ("en", "Come at 6 p.m. Monday please.", ["Come at 6 p.m. Monday please."]),
    ("en", "It is 21. The heating is off.", ["It is 21.", "The heating is off."]),
    ("en", "It is 21.", ["It is 21."]),
    ("en", "He said \"Stop.\" Then he left.", ['He said "Stop."', "Then he left."]),
    ("en", "\"Really?\" she asked. Yes.", ['"Really?" she asked.', "Yes."]),
    ("en", "“Go!” He went.", ["“Go!”", "He went."]),
    ("en", "Bring fruit, e.g. apples. Or i.e. pears.", ["Bring fruit, e.g. apples.", "Or i.e. pears."]),
    ("en", "Apples, pears, etc. are fine. Good.", ["Apples, pears, etc. are fine.", "Good."]),
    ("en", "Apples, pears, etc. Nothing else.", ["Apples, pears, etc.", "Nothing else."]),
    ("en", "The U.S. Army left the U.S. It was late.", ["The U.S. Army left the U.S.", "It was late."]),
    ("en", "J. R. R. Tolkien wrote it. Good book.", ["J. R. R. Tolkien wrote it.", "Good book."]),
    ("en", "Choose plan B. It is better.", ["Choose plan B.", "It is better."]),
    ("en", "No. I won't. See No. 5 and fig. 3.", ["No.", "I won't.", "See No. 5 and fig. 3."]),
    ("en", "Well... maybe not. Wait... What?", ["Well... maybe not.", "Wait...", "What?"]),
    ("en", "Hm… maybe. Oh… Good.", ["Hm… maybe.", "Oh…", "Good."]),
    ("en", "What?! No way!! Fine.", ["What?!", "No way!!", "Fine."]),
    ("en", "See example.com/a.html. It helps.", ["See example.com/a.html.", "It helps."]),
    ("en", "Version v1.2.3 is out. Update now.", ["Version v1.2.3 is out.", "Update now."]),
    ("en", "1. Open the door.\n2. Close it.", ["1. Open the door.", "2. Close it."]),
    ("en", "Items:\n- one\n- two\n", ["Items:", "- one", "- two"]),
    ("en", "First line\nsecond line", ["First line", "second line"]),
    ("en", "**Done.** Next one.", ["**Done.**", "Next one."]),
    ("en", "(See fig. 3.) Go on.", ["(See fig. 3.)", "Go on."]),
    ("en", "Run `a. B` now. Then stop.", ["Run `a. B` now.", "Then stop."]),
    ("en", "Try:\n```python\nx = 1. Y\n\ny = 2\n```\nThat is all.",
     ["Try:", "```python\nx = 1. Y\n\ny = 2\n```", "That is all."]),
    ("en", "Do it: ```x. Y``` never closed", ["Do it:", "```x. Y``` never closed"]),
    ("en", "A lone ` tick. Next.", ["A lone ` tick.", "Next."]),
    ("en", "Meet St. John at noon. Bring Lt. Dan.", ["Meet St. John at noon.", "Bring Lt. Dan."]),
    ("en", "It moved 0.5 m/s. Then it stopped.", ["It moved 0.5 m/s.", "Then it stopped."]),
    ("en", "I, Robot Inc. is here. We know.", ["I, Robot Inc. is here.", "We know."]),
    ("en", "It rained in Jan. 2024 a lot. Snow!", ["It rained in Jan. 2024 a lot.", "Snow!"]),
    ("en", "Is it on? yes. Off? No.", ["Is it on?", "yes.", "Off?", "No."]),
    ("zh", "灯开了。门关了！好吗？好", ["灯开了。", "门关了！", "好吗？", "好"]),
    ("ja", "「はい。」と言った。", ["「はい。」", "と言った。"]),
    ("hi", "बत्ती जल गई। दरवाज़ा बंद है।", ["बत्ती जल गई।", "दरवाज़ा बंद है।"]),
    ("de", "Am 3. Mai ist Dr. Meier da. Es ist 21. Danach nicht.",
     ["Am 3. Mai ist Dr. Meier da.", "Es ist 21.", "Danach nicht."]),
    ("de", "Nimm z. B. Äpfel. Oder Birnen usw. Fertig.", ["Nimm z. B. Äpfel.", "Oder Birnen usw.", "Fertig."]),
    ("de", "Er wohnt im 2. Stock. Die Nr. 5 ist es.", ["Er wohnt im 2. Stock.", "Die Nr. 5 ist es."]),
    ("de", "Es sind 22,1 Grad. Gut.", ["Es sind 22,1 Grad.", "Gut."]),
    ("fr", "M. Dupont est là. Il attend.", ["M. Dupont est là.", "Il attend."]),
    ("es", "¿Está la Sra. García? ¡Sí! Ya viene.", ["¿Está la Sra. García?", "¡Sí!", "Ya viene."]),
    ("vi", "TP. Hồ Chí Minh rất nóng. Bạn khỏe không?", ["TP. Hồ Chí Minh rất nóng.", "Bạn khỏe không?"]),
]  # fmt: skip

FIRST_CLAUSES: list[tuple[str, list[str]]] = [
    ("I have turned on the kitchen light, and the bedroom light is off as well.",
     ["I have turned on the kitchen light,", "and the bedroom light is off as well."]),
    ("I have turned on the kitchen light, too.", ["I have turned on the kitchen light, too."]),
    ("Yes, I have turned on the light in the kitchen.", ["Yes, I have turned on the light in the kitchen."]),
    ("There are 1,000,000 reasons for it and I know all of them.",
     ["There are 1,000,000 reasons for it and I know all of them."]),
    ("Good. I have turned on the kitchen light, and the bedroom light is off as well.",
     ["Good.", "I have turned on the kitchen light, and the bedroom light is off as well."]),
    ("我已经为你把厨房和卧室以及走廊所有的灯都打开了请放心，门窗也都已经关好了并且上了锁安全可靠。",
     ["我已经为你把厨房和卧室以及走廊所有的灯都打开了请放心，", "门窗也都已经关好了并且上了锁安全可靠。"]),
]  # fmt: skip


def split(text: str, language: str = "en", sizes: list[int] | None = None) -> list[str]:
    splitter = SentenceSplitter(language)
    sentences: list[str] = []
    position = turn = 0
    while position < len(text):
        size = sizes[turn % len(sizes)] if sizes else len(text)
        sentences += splitter.feed(text[position : position + size])
        position, turn = position + size, turn + 1
    return sentences + splitter.finish()


@pytest.mark.parametrize(("language", "text", "wanted"), MATRIX)
def test_sentences_end_where_a_reader_would_pause(language: str, text: str, wanted: list[str]) -> None:
    assert split(text, language) == wanted


@pytest.mark.parametrize(("text", "wanted"), FIRST_CLAUSES)
def test_a_long_first_sentence_begins_with_its_first_clause(text: str, wanted: list[str]) -> None:
    assert split(text) == wanted


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13])
@pytest.mark.parametrize(
    ("language", "text"), [(row[0], row[1]) for row in MATRIX] + [("en", row[0]) for row in FIRST_CLAUSES]
)
def test_the_same_sentences_however_the_text_arrives(language: str, text: str, size: int) -> None:
    assert split(text, language, [size]) == split(text, language)


pieces = st.sampled_from(
    ["Dr. ", "3.50", "22,1 ", "6 p.m. ", "The ", "it ", "U.S. ", ". ", "! ", "? ", "... ", "\n", "`", "```", "```\n",
     ", ", "word ", "word", "No. ", "5 ", '"', "'", ")", "。", "etc. ", "Monday ", " ", "—", "*", "a", "Z", "x" * 40,
     "~~~", "…"]
)  # fmt: skip


@given(st.lists(pieces, max_size=40), st.lists(st.integers(1, 9), min_size=1, max_size=6))
@settings(max_examples=400, deadline=None)
def test_any_text_in_any_chunks_gives_the_sentences_of_the_whole(parts: list[str], sizes: list[int]) -> None:
    text = "".join(parts)
    assert split(text, "en", sizes) == split(text, "en")


@given(st.text(max_size=700), st.sampled_from(["en", "de", "vi"]))
@settings(max_examples=300, deadline=None)
def test_no_character_is_lost_but_space_between_sentences(text: str, language: str) -> None:
    assert "".join("".join(split(text, language)).split()) == "".join(text.split())


def test_a_sentence_is_out_as_soon_as_the_next_one_begins() -> None:
    splitter = SentenceSplitter()
    assert splitter.feed("The light is on.") == []
    assert splitter.feed(" ") == ["The light is on."]
    assert splitter.feed("It is 6 p.m. ") == []
    assert splitter.feed("The ") == ["It is 6 p.m."]


def test_a_text_without_any_end_is_cut_between_words() -> None:
    words = ["lorem"] * 200
    sentences = split(" ".join(words))
    assert all(len(each) <= MAX_CHARS for each in sentences)
    assert " ".join(sentences).split() == words


def test_a_text_without_any_end_is_cut_at_clauses_where_there_are_some() -> None:
    text = "then we went on, " * 40
    assert all(each.endswith("on,") for each in split(text)[:-1])


def test_a_finished_splitter_begins_the_next_reply_from_nothing() -> None:
    splitter = SentenceSplitter()
    splitter.feed("unfinished business")
    assert splitter.finish() == ["unfinished business"]
    assert splitter.finish() == []
    assert splitter.feed("Next. ") == ["Next."]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "   \n "])
def test_nothing_gives_nothing(text: str) -> None:
    assert split(text) == []
