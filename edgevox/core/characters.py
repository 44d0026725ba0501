"""Makes texts that UTF-8 can hold.

JSON escapes and file names can bring halves of a character into a text. Such a half can be neither sent nor stored nor
printed, so it is replaced where a text comes in. Knows characters only.
"""

from collections.abc import Mapping
from typing import Any, cast


def encodable(text: str) -> str:
    """Return a text with the halves of characters joined where both are there, and replaced where one is missing."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def encodable_data(data: Any) -> Any:
    """Return JSON-compatible data with encodable texts."""
    if isinstance(data, str):
        return encodable(data)
    if isinstance(data, Mapping):
        return {encodable(key): encodable_data(part) for key, part in cast("Mapping[str, Any]", data).items()}
    if isinstance(data, list):
        return [encodable_data(part) for part in cast("list[Any]", data)]
    return data
