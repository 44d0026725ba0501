"""Doors and the burglar alarm of the home agent: an alarm goes on only when every door is shut."""

import pytest

from edgevox.agents import AgentContext, AgentResult, LLMAgent
from edgevox.core.cancel import CancelScope
from edgevox.core.ports import Approval, ApprovalRequest
from edgevox.examples.agents.home_assistant import HOME_TOOLS, House
from edgevox.testing import ScriptedModel, call


class Person:
    """Answers every question the same, and keeps the questions."""

    def __init__(self, approves: bool) -> None:
        self.approves, self.asked = approves, list[str]()

    def ask(self, request: ApprovalRequest, scope: CancelScope) -> Approval:
        self.asked.append(request.question)
        return Approval(approved=self.approves)


AGENT = LLMAgent("home", tools=HOME_TOOLS, llm=ScriptedModel(otherwise="MODEL"))


def run(house: House, text: str, language: str = "en") -> AgentResult:
    return AGENT.run(text, AgentContext(deps=house, language=language))


@pytest.mark.parametrize(
    ("language", "opening", "open_words", "shutting", "shut_words"),
    [
        ("en", "open the front door", "The front door is open.", "lock the front door", "The front door is shut."),
        ("de", "öffne die Haustür", "Die Haustür ist offen.", "mach die Haustür zu", "Die Haustür ist zu."),
        ("fr", "ouvre la porte d'entrée", "La porte d'entrée est ouverte.", "ferme la porte d'entrée",
         "La porte d'entrée est fermée."),
        ("es", "abre la puerta principal", "La puerta principal está abierta.", "cierra la puerta principal",
         "La puerta principal está cerrada."),
        ("vi", "mở cửa trước", "Cửa trước đang mở.", "đóng cửa trước", "Cửa trước đang đóng."),
    ],
)  # fmt: skip
def test_a_door_opens_and_shuts_in_five_languages(
    language: str, opening: str, open_words: str, shutting: str, shut_words: str
) -> None:
    house = House()
    assert run(house, opening, language).reply == open_words
    assert house.open_doors() == ["front_door"]
    assert run(house, shutting, language).reply == shut_words
    assert house.open_doors() == []


@pytest.mark.parametrize(
    ("language", "on", "off"),
    [
        ("en", "arm the house", "turn the alarm off"),
        ("de", "schalte die Alarmanlage ein", "schalte die Alarmanlage aus"),
        ("fr", "active l'alarme", "désactive l'alarme"),
        ("es", "enciende la alarma", "apaga la alarma"),
        ("vi", "bật báo động", "tắt báo động"),
    ],
)
def test_the_alarm_goes_on_and_off_in_five_languages(language: str, on: str, off: str) -> None:
    house = House()
    assert run(house, on, language).tool_calls[0].ok
    assert house.alarm_on
    assert run(house, off, language).tool_calls[0].ok
    assert not house.alarm_on


def test_an_open_door_keeps_the_alarm_off_and_is_named() -> None:
    house = House()
    house.doors["back_door"] = True
    reply = run(house, "turn on the burglar alarm").reply
    assert "still open: the back door" in reply
    assert not house.alarm_on


def test_with_the_alarm_on_no_door_opens() -> None:
    house = House()
    house.alarm_on = True
    assert "the alarm is on, so turn it off before you open the front door" in run(house, "open the front door").reply
    assert house.open_doors() == []


@pytest.mark.parametrize(
    ("open_doors", "text", "reply"),
    [
        ([], "are all the doors shut", "All the doors are shut."),
        (["front_door"], "which doors are open", "The front door is open."),
        (["front_door", "back_door"], "are any doors open", "The front door and the back door are open."),
        (["front_door"], "is the back door closed", "The back door is shut."),
    ],
)
def test_the_house_says_which_doors_are_open(open_doors: list[str], text: str, reply: str) -> None:
    house = House()
    house.doors.update(dict.fromkeys(open_doors, True))
    assert run(house, text).reply == reply


def test_a_door_that_was_not_named_is_asked_for_or_left_to_the_model() -> None:
    house = House()
    assert run(house, "close the door").reply in ("Which door?", "MODEL")
    assert house.open_doors() == []


def test_a_house_that_is_put_back_has_shut_doors_and_no_alarm() -> None:
    house = House()
    house.doors["front_door"], house.alarm_on = True, True
    house.reset()
    assert house.open_doors() == []
    assert not house.alarm_on


@pytest.mark.parametrize(("answer", "on"), [(True, False), (False, True)])
def test_a_model_that_would_turn_the_alarm_off_asks_first(answer: bool, on: bool) -> None:
    house, person = House(), Person(answer)
    house.alarm_on = True
    agent = LLMAgent("home", tools=HOME_TOOLS, llm=ScriptedModel(call("set_alarm", on=False), otherwise="As you like."))
    agent.run("lock everything up for tonight", AgentContext(deps=house, approver=person))
    assert person.asked == ["Shall I turn the alarm off?"]
    assert house.alarm_on is on


def test_what_a_person_says_of_the_alarm_is_done_without_a_question() -> None:
    house, person = House(), Person(False)
    AGENT.run("arm the house", AgentContext(deps=house, approver=person))
    assert house.alarm_on
    assert person.asked == []
