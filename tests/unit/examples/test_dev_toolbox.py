"""The developer's toolbox."""

from typing import Any

import pytest

from edgevox.agents import AgentContext, LLMAgent
from edgevox.core.ports import Approval
from edgevox.examples.agents.dev_toolbox import APP, DEV_TOOLS, NOTES
from edgevox.llm import ToolCallResult, ToolRegistry
from edgevox.testing import ScriptedModel

AGENT = LLMAgent("dev", tools=DEV_TOOLS, llm=ScriptedModel(otherwise="MODEL"))
REGISTRY = ToolRegistry(*DEV_TOOLS)


class Yes:
    def ask(self, request: Any, scope: Any) -> Approval:
        return Approval(approved=True)


def dispatch(name: str, **arguments: Any) -> ToolCallResult:
    return REGISTRY.dispatch(name, arguments, AgentContext(approver=Yes()))


def said(text: str, language: str = "en") -> str:
    return AGENT.run(text, AgentContext(approver=Yes(), language=language)).reply


def test_sums_are_spoken_and_typed() -> None:
    assert said("how much is 12 times 7") == "84"
    assert dispatch("calculate", expression="2 * (3 + 4)").result == "14"
    assert dispatch("calculate", expression="1 / 3").result == "0.3333333333"


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "how much is twelve times seven", "84"),
        ("en", "calculate fifteen percent of eighty", "12"),
        ("en", "work out the square root of sixteen", "4"),
        ("de", "wie viel ist zwölf mal sieben", "84"),
        ("de", "berechne 3,5 mal 2", "7"),
        ("de", "was ist eins geteilt durch 4", "0,25"),
        ("fr", "combien font douze fois sept", "84"),
        ("fr", "calcule la racine carrée de seize", "4"),
        ("es", "cuánto es doce por siete", "84"),
        ("es", "cuánto es el veinte por ciento de ochenta", "16"),
        ("es", "calcula 9**9**9**9", "Lo siento, es demasiado grande para calcularlo."),
        ("de", "berechne 1 durch 0", "Das ging nicht: durch null kann niemand teilen."),
        ("fr", "calcule 3 + * 4", "Désolé, je ne peux pas calculer cela."),
        ("fr", "calcule le fromage", "MODEL"),
        ("vi", "mười hai nhân bảy bằng bao nhiêu", "84"),
        ("vi", "tính mười trừ ba", "7"),
    ],
)
def test_sums_are_spoken_in_five_languages(language: str, text: str, reply: str) -> None:
    assert said(text, language) == reply


@pytest.mark.parametrize(
    ("language", "text", "reply"),
    [
        ("en", "convert one mile to kilometers", "1 mile is 1.60934 kilometers."),
        ("en", "how many ounces are in 2 kilograms", "2 kilograms are 70.5479 ounces."),
        ("de", "rechne 5 Meilen in Kilometer um", "5 Meilen sind 8,04672 Kilometer."),
        ("de", "wie viele Kilometer sind 5 Meilen", "5 Meilen sind 8,04672 Kilometer."),
        ("fr", "convertis 5 kilomètres en mètres", "5 kilomètres font 5000 mètres."),
        ("es", "cuántos kilómetros son 5 millas", "5 millas son 8,04672 kilómetros."),
        ("vi", "đổi 5 dặm sang mét", "5 dặm bằng 8046,72 mét."),
        ("de", "rechne 5 Meilen in Kilogramm um", "Das ging nicht: Meilen und Kilogramm messen nicht dasselbe."),
    ],
)
def test_units_are_converted_in_five_languages(language: str, text: str, reply: str) -> None:
    assert said(text, language) == reply


def test_a_power_bomb_is_refused_and_the_turn_goes_on() -> None:
    assert "too big" in said("calculate 9**9**9**9")
    assert not dispatch("calculate", expression="9**9**9**9").ok


def test_a_wrong_sum_is_never_said() -> None:
    """A sign that a matcher drops on the way comes back before anything is worked out."""
    assert said("calculate 2 * -3") == "-6"
    assert said("calculate 2 + 2 * 10") == "22"
    assert said("how much is (1 + 2) * 3") == "9"


def test_units_are_converted() -> None:
    assert said("convert 5 miles to kilometers") == "5 miles are 8.04672 kilometers."
    assert "parsecs" in (dispatch("convert_units", value=1, from_unit="parsecs", to_unit="m").error or "")


def test_the_time_here_and_elsewhere() -> None:
    assert said("what time is it").startswith("It is ")
    assert " in Tokyo, " in said("what time is it in Tokyo")
    assert dispatch("get_time", timezone="Europe/Paris").ok
    assert "Atlantis" in (dispatch("get_time", timezone="Atlantis").error or "")


def test_notes_are_kept_found_and_deleted_after_a_yes() -> None:
    said("note that the build is broken")
    assert said("list my notes") == "1 note. 1: the build is broken."
    said("add a note buy milk")
    assert NOTES == ["the build is broken", "buy milk"]
    assert said("list my notes") == "2 notes. 1: the build is broken; 2: buy milk."
    assert said("find notes about milk") == "1 found. 2: buy milk."
    assert said("delete note 1") == "Note 1 is deleted."
    assert NOTES == ["buy milk"]
    assert dispatch("search_notes", query="build").result == "No note mentions build."


def test_nothing_is_deleted_while_nobody_says_yes() -> None:
    dispatch("add_note", text="keep me")
    REGISTRY.dispatch("delete_note", {"number": 1}, AgentContext())
    AGENT.run("delete note 1", AgentContext())
    assert NOTES == ["keep me"]


def test_a_note_that_is_not_there_is_named() -> None:
    assert "no note 3" in (dispatch("delete_note", number=3).error or "")
    assert not dispatch("add_note", text="").ok


@pytest.mark.parametrize(
    ("language", "lines", "replies"),
    [
        ("de", ("notiere Milch kaufen", "lies meine Notizen", "lösche Notiz 1"),
         ("Notiert.", "1 Notiz. 1: Milch kaufen.", "Notiz 1 ist gelöscht.")),
        ("fr", ("note que le pain est fini", "lis mes notes", "supprime la note 1"),
         ("C'est noté.", "1 note. 1: le pain est fini.", "La note 1 est supprimée.")),
        ("es", ("anota comprar leche", "lee mis notas", "borra la nota 1"),
         ("Anotado.", "1 nota. 1: comprar leche.", "La nota 1 está borrada.")),
        ("vi", ("ghi chú mua sữa", "đọc ghi chú", "xóa ghi chú 1"),
         ("Đã ghi.", "1 ghi chú. 1: mua sữa.", "Đã xóa ghi chú 1.")),
    ],
)  # fmt: skip
def test_notes_are_spoken_in_five_languages(language: str, lines: tuple[str, ...], replies: tuple[str, ...]) -> None:
    assert tuple(said(line, language) for line in lines) == replies


def test_a_question_is_asked_in_the_language() -> None:
    asked: list[str] = []

    class Listens:
        def ask(self, request: Any, scope: Any) -> Approval:
            asked.append(request.question)
            return Approval(approved=False, by="voice")

    NOTES.append("bleib")
    reply = AGENT.run("lösche Notiz 1", AgentContext(approver=Listens(), language="de")).reply
    assert asked == ["Notiz 1 löschen?"]
    assert reply == "Gut, ich habe es gelassen."
    assert NOTES == ["bleib"]


def test_identifiers_and_hashes() -> None:
    assert len(dispatch("make_uuid").result) == 36
    assert dispatch("make_uuid").result != dispatch("make_uuid").result
    assert dispatch("hash_text", text="abc").result.startswith("ba7816bf8f01cfea")
    assert dispatch("hash_text", text="abc", algorithm="md5").result == "900150983cd24fb0d6963f7d28e17f72"
    assert not dispatch("hash_text", text="abc", algorithm="rot13").ok


def test_base64_goes_both_ways() -> None:
    assert dispatch("base64_text", text="grüße").result == "Z3LDvMOfZQ=="
    assert dispatch("base64_text", text="Z3LDvMOfZQ==", direction="decode").result == "grüße"
    assert "Base64" in (dispatch("base64_text", text="%%%", direction="decode").error or "")


def test_the_app_declares_its_tools() -> None:
    assert list(APP.definition().tools) == DEV_TOOLS
    assert len(DEV_TOOLS) <= 12
    assert AGENT.matches_phrase(APP.definition().greeting_in("en").partition("Try: ")[2])
