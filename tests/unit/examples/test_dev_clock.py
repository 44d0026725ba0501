"""Times as people say them, in five languages, and clocks in other cities."""

from datetime import time

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.examples.agents.cities import CITIES, city_said, in_city
from edgevox.examples.agents.dev_clock import zone_of
from edgevox.examples.agents.dev_toolbox import DEV_TOOLS
from edgevox.examples.agents.times import read_time
from edgevox.testing import ScriptedModel

AGENT = LLMAgent("dev", tools=DEV_TOOLS, llm=ScriptedModel(otherwise="MODEL"))


def said(text: str, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(language=language)).reply


@pytest.mark.parametrize(
    ("language", "text", "meant"),
    [
        ("en", "9", time(9)),
        ("en", "9:30", time(9, 30)),
        ("en", "nine thirty", time(9, 30)),
        ("en", "half past nine", time(9, 30)),
        ("en", "a quarter to ten", time(9, 45)),
        ("en", "quarter past 12 am", time(0, 15)),
        ("en", "3 pm", time(15)),
        ("en", "12 pm", time(12)),
        ("en", "three in the afternoon", time(15)),
        ("en", "9 o'clock", time(9)),
        ("en", "noon", time(12)),
        ("en", "Midnight.", time(0)),
        ("en", "24:00", time(0)),
        ("de", "21 Uhr 30", time(21, 30)),
        ("de", "halb zehn", time(9, 30)),
        ("de", "Viertel nach neun abends", time(21, 15)),
        ("de", "ein Uhr", time(1)),
        ("fr", "neuf heures et demie", time(9, 30)),
        ("fr", "15 h 30", time(15, 30)),
        ("fr", "dix heures moins le quart", time(9, 45)),
        ("fr", "midi", time(12)),
        ("es", "las nueve y media", time(9, 30)),
        ("es", "tres de la tarde", time(15)),
        ("es", "la una", time(1)),
        ("vi", "chín giờ rưỡi", time(9, 30)),
        ("vi", "3 giờ chiều", time(15)),
        ("vi", "9 giờ 30 phút", time(9, 30)),
        ("en", "banana", None),
        ("en", "25:00", None),
        ("en", "9:75", None),
        ("en", "half past nine thirty", None),
        ("en", "1 2 3", None),
        ("en", "-3", None),
        ("en", "", None),
    ],
)
def test_a_time_is_read_as_it_is_said(language: str, text: str, meant: time | None) -> None:
    assert read_time(text, language) == meant


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        (
            "en",
            "when it is 9 in Berlin what time is it in Madrid",
            "When it is 09:00 in Berlin, it is 09:00 in Madrid.",
        ),
        (
            "en",
            "when it is 11 pm in Tokyo what time is it in Auckland",
            "When it is 23:00 in Tokyo, it is {} in Auckland, on the next day.",
        ),
        (
            "de",
            "wenn es in Berlin halb zehn ist wie spät ist es in Neu-Delhi oder Tokio",
            "MODEL",
        ),
        (
            "de",
            "wenn es in Berlin 9 Uhr ist wie spät ist es in Wien",
            "Wenn es in Berlin 09:00 Uhr ist, ist es in Wien 09:00 Uhr.",
        ),
        (
            "fr",
            "quand il est 9 heures à Paris quelle heure est-il à Rome",
            "Quand il est 9 h 00 à Paris, il est 9 h 00 à Rome.",
        ),
        (
            "es",
            "cuando son las 9 en Madrid qué hora es en Viena",
            "Cuando en Madrid son las 9:00, en Viena son las 9:00.",
        ),
        (
            "vi",
            "khi ở Hà Nội là 9 giờ thì ở Bangkok là mấy giờ",
            "Khi ở Hà Nội là 9 giờ 00 thì ở Băng Cốc là 9 giờ 00.",
        ),
    ],
)
def test_a_time_there_is_a_time_here(language: str, text: str, reply: str) -> None:
    before, _, after = reply.partition("{}")
    answer = said(text, language)
    assert answer.startswith(before)
    assert answer.endswith(after)


def test_what_is_no_time_is_said_with_an_example() -> None:
    reply = said("when it is banana in Berlin what time is it in Tokyo")
    assert reply == "Sorry, 'banana' is not a time of day; say for example half past nine or 15:30."


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "what is the time difference between Tokyo and Seoul", "It is the same time in Tokyo and in Seoul."),
        ("en", "time difference between Tokyo and Bangkok", "In Tokyo it is 2 hours later than in Bangkok."),
        ("en", "time difference between Delhi and Tokyo",
         "In Delhi it is 3 hours and 30 minutes earlier than in Tokyo."),
        ("de", "Zeitunterschied zwischen Tokio und Bangkok", "In Tokio ist es 2 Stunden später als in Bangkok."),
        ("fr", "décalage horaire entre Tokyo et Bangkok", "À Tokyo, il est 2 heures plus tard qu'à Bangkok."),
        ("es", "diferencia horaria entre Tokio y Bangkok", "En Tokio hay 2 horas más que en Bangkok."),
        ("vi", "Tokyo và Bangkok lệch nhau mấy giờ", "Giờ ở Tokyo nhanh hơn ở Băng Cốc 2 giờ."),
    ],
)  # fmt: skip
def test_clocks_are_compared_in_five_languages(language: str, text: str, reply: str) -> None:
    assert said(text, language) == reply


@pytest.mark.parametrize(
    ("name", "zone"),
    [
        ("Tokyo", "Asia/Tokyo"),
        ("Tokio", "Asia/Tokyo"),
        ("münchen", "Europe/Berlin"),
        ("New York City", "America/New_York"),
        ("sài gòn", "Asia/Ho_Chi_Minh"),
        ("Europe/Paris", "Europe/Paris"),
        ("los  angeles", "America/Los_Angeles"),
        ("UTC", "UTC"),
    ],
)
def test_a_zone_is_found_by_any_name_of_its_city(name: str, zone: str) -> None:
    assert zone_of(name).key == zone


def test_every_city_that_is_understood_has_a_zone() -> None:
    assert len(CITIES) == len(set(CITIES))
    assert all(zone_of(city) for city in CITIES)
    with pytest.raises(ValueError, match="Atlantis"):
        zone_of("Atlantis")
    with pytest.raises(ValueError, match="Zeitzone von 'Atlantis'"):
        zone_of("Atlantis", "de")


def test_a_city_is_called_as_the_language_does() -> None:
    assert (city_said("Munich", "de"), city_said("Munich", "en"), city_said("Oslo", "vi")) == (
        "München",
        "Munich",
        "Oslo",
    )
    assert (in_city("Cairo", "fr"), in_city("London", "fr"), in_city("Tokyo", "es")) == (
        "au Caire",
        "à Londres",
        "en Tokio",
    )
