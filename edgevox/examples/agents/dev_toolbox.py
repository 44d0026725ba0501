"""The dev agent: what a developer asks for with full hands: sums, notes, units, time zones, identifiers, hashes.

Notes live as long as the program. Nothing here reaches a network or runs what it is told.
"""

import base64
import binascii
import hashlib
import threading
import uuid
from datetime import datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field

from edgevox.examples.agents.calculator import evaluate
from edgevox.examples.agents.framework import AgentApp
from edgevox.examples.agents.units import convert
from edgevox.intents import Spoken
from edgevox.tools import tool

NOTES: list[str] = []
"""The notes, oldest first."""

MOST_NOTES = 500
LONGEST_NOTE = 1000
"""Characters."""

CITIES = (
    "Amsterdam", "Athens", "Auckland", "Bangkok", "Berlin", "Bogota", "Brisbane", "Brussels", "Cairo", "Chicago",
    "Denver", "Dubai", "Dublin", "Helsinki", "Hong Kong", "Istanbul", "Jakarta", "Johannesburg", "Karachi", "Lagos",
    "Lima", "Lisbon", "London", "Los Angeles", "Madrid", "Manila", "Melbourne", "Mexico City", "Moscow", "Nairobi",
    "New York", "Oslo", "Paris", "Prague", "Rome", "Santiago", "Sao Paulo", "Seoul", "Shanghai", "Singapore",
    "Stockholm", "Sydney", "Taipei", "Tokyo", "Toronto", "Vancouver", "Vienna", "Warsaw", "Zurich", "UTC",
)  # fmt: skip
"""Cities that are understood when they are spoken; a model may ask for any zone there is."""

City = Annotated[str, Spoken(CITIES)]

_notes_lock = threading.Lock()

NoteNumber = Annotated[int, Field(ge=1, le=MOST_NOTES)]


@tool(
    phrases=["(calculate|compute|work out) {expression}", "how much is {expression}"],
    effect="read",
)
def calculate(expression: str) -> str:
    """Evaluate an arithmetic expression.

    Args:
        expression: e.g. "2 * (3 + 4)" or "sqrt(2)"
    """
    value = evaluate(expression)
    return f"{value:.10g}" if isinstance(value, float) else str(value)


@tool(
    phrases=[
        "(convert|change) {value} {from_unit} (to|into|in) {to_unit}",
        "how many {to_unit} are {value} {from_unit}",
        "how many {to_unit} (is|in) {value} {from_unit}",
    ],
    says="{value} {from_unit} are {result}.",
    effect="read",
)
def convert_units(value: float, from_unit: str, to_unit: str) -> str:
    """Convert a value between units of length, mass, volume, time, speed, data, angle or temperature.

    Args:
        value: the number to convert
        from_unit: e.g. "miles" or "celsius"
        to_unit: e.g. "km" or "fahrenheit"
    """
    return f"{convert(value, from_unit, to_unit):.6g} {to_unit}"


@tool(
    phrases=[
        "what time is it",
        "what time is it in {timezone}",
        "what is the time [in {timezone}]",
        "what (day|date) is it [today]",
    ],
    effect="read",
)
def get_time(timezone: City = "") -> str:
    """Say the time and date here or in a time zone.

    Args:
        timezone: a city or zone, e.g. "Tokyo" or "Europe/Paris"; empty for here
    """
    now = datetime.now(_zone(timezone)) if timezone.strip() else datetime.now().astimezone()
    where = f" in {timezone}" if timezone.strip() else ""
    return f"It is {now:%H:%M}{where}, {now:%A}, {now.day} {now:%B %Y}."


@tool(
    phrases=["(add|make|take|write) [a] note {text}", "note that {text}", "(remember|write down) that {text}"],
    says="Noted.",
)
def add_note(text: Annotated[str, Field(min_length=1, max_length=LONGEST_NOTE)]) -> str:
    """Keep a note.

    Args:
        text: what to remember
    """
    with _notes_lock:
        if len(NOTES) >= MOST_NOTES:
            raise ValueError(f"there are {MOST_NOTES} notes already; delete some first")
        NOTES.append(" ".join(text.split()))
        return f"note {len(NOTES)} kept"


@tool(phrases=["(list|show|read|what are) [me] [all] [my|the] notes", "what did i note"], effect="read")
def list_notes() -> str:
    """Read the notes."""
    with _notes_lock:
        listed = [f"{number}: {text}" for number, text in enumerate(NOTES, 1)]
    count = "1 note" if len(listed) == 1 else f"{len(listed)} notes"
    return f"{count}. {'; '.join(listed)}." if listed else "There are no notes."


@tool(phrases=["(search|find) [in] [my] notes (for|about) {query}", "find [the] note[s] about {query}"], effect="read")
def search_notes(query: Annotated[str, Field(min_length=1)]) -> str:
    """Find notes that contain a text.

    Args:
        query: the text to look for
    """
    wanted = query.casefold()
    with _notes_lock:
        found = [f"{number}: {text}" for number, text in enumerate(NOTES, 1) if wanted in text.casefold()]
    return f"{len(found)} found. {'; '.join(found)}." if found else f"No note mentions {query}."


@tool(
    phrases=["(delete|remove) note [number] {number}"],
    says="Note {number} is deleted.",
    confirm="Delete note {number}?",
)
def delete_note(number: NoteNumber) -> str:
    """Delete one note. The person is asked first.

    Args:
        number: as `list_notes` counts them, from 1
    """
    with _notes_lock:
        if number > len(NOTES):
            raise ValueError(f"there is no note {number}; there are {len(NOTES)}")
        return f"deleted: {NOTES.pop(number - 1)}"


@tool(phrases=["(make|generate|create|give me) [me] (a|an|a new) (uuid|unique identifier|random identifier)"])
def make_uuid() -> str:
    """Make a random UUID."""
    return str(uuid.uuid4())


@tool(effect="read")
def hash_text(text: str, algorithm: Literal["sha256", "sha512", "sha1", "md5"] = "sha256") -> str:
    """Hash a text; the digest is hexadecimal.

    Args:
        text: hashed as UTF-8
        algorithm: which hash; sha1 and md5 only to compare with old checksums
    """
    return hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()


@tool(effect="read")
def base64_text(text: str, direction: Literal["encode", "decode"] = "encode") -> str:
    """Encode a text as Base64, or decode one.

    Args:
        text: the text, as UTF-8, or its Base64
        direction: encode or decode
    """
    if direction == "encode":
        return base64.b64encode(text.encode()).decode()
    try:
        return base64.b64decode("".join(text.split()), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError) as error:
        raise ValueError("that is not the Base64 of a text") from error


def _zone(name: str) -> ZoneInfo:
    """Find a time zone by its name or by the city in it.

    Raises:
        ValueError: there is none of that name.
    """
    wanted = "_".join(name.strip().split()).casefold()
    for zone in sorted(available_timezones()):
        if wanted in (zone.casefold(), zone.rpartition("/")[2].casefold()):
            return ZoneInfo(zone)
    raise ValueError(f"I do not know the time zone of '{name}'; say a city such as Tokyo, or a zone like Europe/Paris")


DEV_TOOLS = [
    calculate,
    convert_units,
    get_time,
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
    description="A developer's toolbox: sums, notes, units, time zones, identifiers, hashes.",
    instructions="You are Dev, a developer's assistant. Use the tools for what can be computed; never guess digits.",
    tools=DEV_TOOLS,
    greeting="Dev is ready. Try: how much is 12 times 7.",
)

if __name__ == "__main__":
    APP.run()
