"""The dev agent: what a developer asks for with full hands: sums, notes, files, units, time zones, identifiers, hashes.

Nothing here reaches a network or runs what it is told. Notes and files are kept on this machine.
"""

import base64
import binascii
import hashlib
import uuid
from typing import Annotated, Literal

from edgevox.core.session import AgentContext
from edgevox.examples.agents.calculator import CannotCalculate, evaluate
from edgevox.examples.agents.dev_clock import convert_time, get_time, time_difference
from edgevox.examples.agents.dev_files import DEV_FILES, dev_permissions
from edgevox.examples.agents.dev_notes import NOTES, add_note, delete_note, list_notes, search_notes
from edgevox.examples.agents.dev_words import (
    BASE64_PHRASES,
    GREETINGS,
    HASH_PHRASES,
    SUM_PHRASES,
    UNIT_PHRASES,
    UUID_PHRASES,
    about_desk,
)
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.sayings import RESULT, language_of
from edgevox.examples.agents.spoken_sums import sum_in
from edgevox.examples.agents.units import UnknownUnit, UnlikeUnits, convert
from edgevox.intents import Parsed, Spoken
from edgevox.intents.lexicons import base_language, for_language
from edgevox.tools import tool

__all__ = ["APP", "DEV_TOOLS", "NOTES"]

Algorithm = Annotated[
    Literal["sha256", "sha512", "sha1", "md5"],
    Spoken({"sha256": ["sha 256"], "sha512": ["sha 512"], "sha1": ["sha 1"], "md5": ["md 5"]}),
]
Direction = Annotated[
    Literal["encode", "decode"],
    Spoken(
        de={"encode": ["kodiere", "codiere"], "decode": ["dekodiere", "decodiere"]},
        fr={"encode": ["encode"], "decode": ["décode"]},
        es={"encode": ["codifica"], "decode": ["decodifica"]},
        vi={"encode": ["mã hóa"], "decode": ["giải mã"]},
    ),
]


Sum = Annotated[str, Parsed(sum_in, longest=12, verbatim=True, example="12 times 7")]


@tool(phrases=SUM_PHRASES, effect="read")
def calculate(expression: Sum, ctx: AgentContext | None = None) -> str:
    """Evaluate an arithmetic expression.

    Args:
        expression: e.g. "2 * (3 + 4)" or "sqrt(2)"
        ctx: of the run
    """
    language = language_of(ctx)
    try:
        value = evaluate(expression, language)
    except CannotCalculate as error:
        if base_language(language) == "en":
            raise
        raise ValueError(about_desk(error.kind, language)) from error
    return _number(f"{value:.10g}" if isinstance(value, float) else str(value), language)


@tool(phrases=UNIT_PHRASES, says=RESULT, effect="read")
def convert_units(value: float, from_unit: str, to_unit: str, ctx: AgentContext | None = None) -> str:
    """Convert a value between units of length, mass, volume, time, speed, data, angle or temperature.

    Args:
        value: the number to convert
        from_unit: e.g. "miles" or "celsius"
        to_unit: e.g. "km" or "fahrenheit"
        ctx: of the run
    """
    language = language_of(ctx)
    try:
        result = convert(value, from_unit, to_unit)
    except UnknownUnit as error:
        raise ValueError(about_desk("no_unit", language, unit=error.word)) from error
    except UnlikeUnits as error:
        raise ValueError(about_desk("unlike", language, unit=from_unit, other=to_unit)) from error
    shown, worth = _number(f"{value:.10g}", language), _number(f"{result:.6g}", language)
    name = "one_unit" if value == 1 else "units"
    return about_desk(name, language, value=shown, unit=from_unit, result=worth, other=to_unit)


@tool(phrases=UUID_PHRASES)
def make_uuid() -> str:
    """Make a random UUID."""
    return str(uuid.uuid4())


@tool(phrases=HASH_PHRASES, effect="read")
def hash_text(text: str, algorithm: Algorithm = "sha256") -> str:
    """Hash a text; the digest is hexadecimal.

    Args:
        text: hashed as UTF-8
        algorithm: which hash; sha1 and md5 only to compare with old checksums
    """
    return hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()


@tool(phrases=BASE64_PHRASES, effect="read")
def base64_text(text: str, direction: Direction = "encode", ctx: AgentContext | None = None) -> str:
    """Encode a text as Base64, or decode one.

    Args:
        text: the text, as UTF-8, or its Base64
        direction: encode or decode
        ctx: of the run
    """
    if direction == "encode":
        return base64.b64encode(text.encode()).decode()
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise ValueError(about_desk("no_base64", language_of(ctx))) from error


def _number(digits: str, language: str) -> str:
    """Write a number's point as the language does."""
    return digits.replace(".", ",") if for_language(language).numbers.decimal_comma else digits


DEV_TOOLS = [
    calculate,
    convert_units,
    get_time,
    convert_time,
    time_difference,
    add_note,
    list_notes,
    search_notes,
    delete_note,
    make_uuid,
    hash_text,
    base64_text,
]

APP = AgentApp(
    name="Dev",
    description="A developer's toolbox: sums, notes, files, units, time zones, identifiers, hashes.",
    instructions="You are Dev, a developer's assistant. Use the tools for what can be computed; never guess digits.",
    tools=DEV_TOOLS,
    skills=DEV_FILES,
    permissions=dev_permissions,
    greeting=GREETINGS,
)

if __name__ == "__main__":
    APP.run()
