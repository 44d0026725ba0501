"""Weather from a table, from a source of one's own, and from a service that is asked only when it is named."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.config.settings import load_settings_or_defaults
from edgevox.examples.agents.home_assistant import HOME_TOOLS
from edgevox.examples.agents.house import House
from edgevox.examples.agents.sayings import LANGUAGES
from edgevox.examples.agents.weather_sources import (
    DEMO_WEATHER,
    DemoWeather,
    OpenMeteo,
    Weather,
    WeatherSource,
    WeatherUnknown,
    source_of_settings,
)
from edgevox.examples.agents.weather_words import weather_said
from edgevox.testing import ScriptedModel

AGENT = LLMAgent("home", tools=HOME_TOOLS, llm=ScriptedModel(otherwise="MODEL"))

PLACE = {"results": [{"name": "Paris", "latitude": 48.85, "longitude": 2.35}]}
NOW = {"current": {"temperature_2m": 7.4, "relative_humidity_2m": 81, "weather_code": 61}}


class Service:
    """A weather service on this machine."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {"/places": PLACE, "/forecast": NOW}
        self.status = 200
        self.asked: list[tuple[str, dict[str, list[str]]]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                url = urlparse(self.path)
                service.asked.append((url.path, parse_qs(url.query)))
                answer = service.answers[url.path]
                body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
                self.send_response(service.status)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def source(self) -> OpenMeteo:
        base = f"http://127.0.0.1:{self._server.server_port}"
        return OpenMeteo(f"{base}/forecast", f"{base}/places", timeout_s=3.0)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service() -> Iterator[Service]:
    running = Service()
    yield running
    running.close()


def said(house: House, text: str, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(deps=house, language=language)).reply


def test_the_table_says_that_it_is_one() -> None:
    weather = DemoWeather().look_up(" new  york ")
    assert (weather.city, weather.temp_c, weather.sky, weather.source) == ("New York", 9.0, "clear", "demo data")
    assert len(DEMO_WEATHER) > 30


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sky_is_said_in_every_language(language: str) -> None:
    for city, (temp_c, sky, _) in DEMO_WEATHER.items():
        sentence = weather_said(Weather(city=city, temp_c=temp_c, sky=sky, source="demo data"), language)
        assert sentence.endswith(".")
        assert language == "en" or f" {sky}," not in sentence or sky == "mild", sentence


@pytest.mark.parametrize(
    ("language", "reply"),
    [
        ("en", "Sorry, there is no demo weather for Gotham; try London, Paris, Berlin, Tokyo, Hanoi or New York."),
        ("de", "für Gotham gibt es kein Demowetter"),
        ("fr", "pas de météo de démonstration pour Gotham"),
        ("es", "no hay tiempo de demostración para Gotham"),
        ("vi", "không có thời tiết mẫu cho Gotham"),
    ],
)
def test_a_city_without_weather_is_named(language: str, reply: str) -> None:
    outcome = AGENT.tools.dispatch("get_weather", {"city": "Gotham"}, AgentContext(deps=House(), language=language))
    assert (outcome.error or "") in reply or reply in (outcome.error or "")


def test_a_source_of_ones_own_answers_in_the_language() -> None:
    class Thermometer:
        def look_up(self, city: str) -> Weather:
            return Weather(city=city, temp_c=3.5, sky="foggy", source="the garden")

    source: WeatherSource = Thermometer()
    house = House(weather=source)
    assert said(house, "what is the weather in Paris") == "In Paris it is 3.5 degrees and foggy, says the garden."
    assert said(house, "wie ist das Wetter in Rom", "de") == "In Rom sind es 3,5 Grad, neblig, sagt the garden."
    result = AGENT.tools.dispatch("get_weather", {"city": "Oslo"}, AgentContext(deps=house)).result
    assert (result["city"], result["temp_c"], result["sky"]) == ("Oslo", 3.5, "foggy")


def test_the_service_is_asked_for_the_place_and_its_weather(service: Service) -> None:
    house = House(weather=service.source)
    assert said(house, "weather in Paris") == "In Paris it is 7.4 degrees and raining lightly, says Open-Meteo."
    assert [path for path, _ in service.asked] == ["/places", "/forecast"]
    assert service.asked[0][1]["name"] == ["Paris"]
    assert service.asked[1][1]["latitude"] == ["48.85"]


def _no_place(service: Service) -> None:
    service.answers["/places"] = {"generationtime_ms": 0.5}


def _failing(service: Service) -> None:
    service.status = 500


def _no_json(service: Service) -> None:
    service.answers["/forecast"] = b"<html>"


def _no_weather(service: Service) -> None:
    service.answers["/forecast"] = {"current": {"temperature_2m": None}}


def _a_list(service: Service) -> None:
    service.answers["/places"] = [1, 2]


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_no_place, "unknown_city"),
        (_failing, "broken"),
        (_no_json, "broken"),
        (_no_weather, "broken"),
        (_a_list, "broken"),
    ],
)
def test_a_service_that_fails_is_one_sentence(service: Service, spoil: Callable[[Service], None], reason: str) -> None:
    spoil(service)
    with pytest.raises(WeatherUnknown) as failure:
        service.source.look_up("Paris")
    assert failure.value.reason == reason
    assert "Open-Meteo" in said(House(weather=service.source), "weather in Paris")


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "weather in Paris", "Sorry, Open-Meteo cannot be reached; check the network, or set house.weather to "
         "demo."),
        ("de", "Wetter in Paris", "Das ging nicht: Open-Meteo ist nicht erreichbar; prüfe das Netz oder stelle "
         "house.weather auf demo."),
    ],
)  # fmt: skip
def test_without_a_network_it_says_what_to_do(service: Service, language: str, text: str, reply: str) -> None:
    source = service.source
    service.close()
    assert said(House(weather=source), text, language) == reply


def test_the_service_is_used_only_when_the_settings_name_it(home_of_its_own: Path) -> None:
    assert isinstance(source_of_settings(), DemoWeather)
    config = home_of_its_own / "config"
    config.mkdir(parents=True)
    (config / "settings.toml").write_text('[house]\nweather = "open-meteo"\n')
    assert isinstance(source_of_settings(), OpenMeteo)


def test_the_city_of_the_settings_is_meant_when_none_is_named(home_of_its_own: Path) -> None:
    assert said(House(), "what is the weather") == (
        "Which city? Say for example: the weather in Paris. Your own city is the setting house.city."
    )
    config = home_of_its_own / "config"
    config.mkdir(parents=True)
    (config / "settings.toml").write_text('[house]\ncity = "Oslo"\n')
    assert said(House(), "what is the weather") == "In Oslo it is 3 degrees and snowing lightly, in the demo data."


def test_the_settings_of_the_house_do_not_collide_with_the_folder_of_edgevox(home_of_its_own: Path) -> None:
    assert str(home_of_its_own) == os.environ["EDGEVOX_HOME"]
    assert load_settings_or_defaults()[1] == []
