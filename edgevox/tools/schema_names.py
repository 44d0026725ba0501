"""Pydantic's schema generator, with the names of enumerations kept.

A module of its own because the generator is heavy: it is imported when the first tool is declared.
"""

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from edgevox.tools.wording import NAMES


class SchemaWithNames(GenerateJsonSchema):
    """Adds the names of an enumeration whose values are not text."""

    def enum_schema(self, schema: Any) -> JsonSchemaValue:
        """Describe an enumeration."""
        generated = super().enum_schema(schema)
        members: list[Any] = list(schema["members"])
        if "enum" in generated and not all(isinstance(member.value, str) for member in members):
            generated[NAMES] = [member.name for member in members]
        return generated
