"""GBNF from JSON schemas: what a model may write, rule by rule.

Only names, enumerations and types reach the grammar; descriptions never do. Every name is a quoted literal under a rule
name of ours, so that no text of a tool can change the grammar's meaning. What a schema says beyond that (ranges,
patterns, formats) is checked when the answer is read.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

DEPTH_LIMIT = 8
"""Nested schemas below this depth may hold any JSON."""
ENUM_LIMIT = 200
"""An enumeration longer than this is any value of its type: it would slow every token."""

BASE = r"""
value ::= object | array | string | number | boolean | null
object ::= "{" ws (string ":" ws value ("," ws string ":" ws value)*)? "}"
array ::= "[" ws (value ("," ws value)*)? "]"
string ::= "\"" char* "\""
char ::= [^"\\\x00-\x1f\x7f] | "\\" (["\\/bfnrt] | "u" hex hex hex hex)
hex ::= [0-9a-fA-F]
integer ::= "-"? ("0" | [1-9] digits)
digits ::= [0-9]{0,15}
number ::= integer ("." [0-9] digits)? ([eE] [-+]? [0-9] [0-9]?)?
boolean ::= "true" | "false"
null ::= "null"
ws ::= " "?
""".strip()

WORDS = r"""words ::= [^{\[<`\x00-\x20] [^\x00]*"""
"""Words never begin like a call in any family's notation, nor with nothing."""

_TYPES = {
    "string": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
    "array": "array",
    "object": "object",
}


def literal(text: str) -> str:
    """Return a GBNF literal for a text, whatever is in it."""
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return f"\\{char}"
    code = ord(char)
    if 0x20 <= code < 0x7F:
        return char
    return f"\\x{code:02X}" if code < 0x80 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _json_literal(value: Any) -> str:
    return literal(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode())


def definitions_of(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the definitions that a schema refers to."""
    return schema.get("$defs") or schema.get("definitions") or {}


@dataclass(slots=True)
class GrammarRules:
    """Rules as they are made; names are numbers, never text of a schema."""

    definitions: Mapping[str, Any] = field(default_factory=dict[str, Any])
    lines: list[str] = field(default_factory=list[str])
    references: dict[str, str] = field(default_factory=dict[str, str])

    def under(self, definitions: Mapping[str, Any]) -> None:
        """Read the references of what follows in these definitions."""
        self.definitions, self.references = definitions, {}

    def of(self, schema: Any, depth: int) -> str:
        """Return a rule, or the name of one, for any schema; what is not understood is any value."""
        if not isinstance(schema, Mapping) or depth > DEPTH_LIMIT:
            return "value"
        known = cast("Mapping[str, Any]", schema)
        if isinstance(known.get("$ref"), str):
            return self._referred(known["$ref"], depth)
        if "const" in known:
            return self._one_of([known["const"]])
        if isinstance(known.get("enum"), list) and 0 < len(known["enum"]) <= ENUM_LIMIT:
            return self._one_of(known["enum"])
        for union in ("anyOf", "oneOf"):
            if isinstance(known.get(union), list) and known[union]:
                return self._any_of([self.of(each, depth + 1) for each in known[union]])
        return self._of_type(known, depth)

    def _of_type(self, schema: Mapping[str, Any], depth: int) -> str:
        kind = schema.get("type")
        if isinstance(kind, list) and kind:
            return self._any_of([self.of({**schema, "type": each}, depth + 1) for each in cast("list[Any]", kind)])
        if kind == "object" and isinstance(schema.get("properties"), Mapping) and schema["properties"]:
            return self.object(schema, depth)
        if kind == "array" and "items" in schema:
            return self._array(schema, depth)
        return _TYPES.get(kind, "value") if isinstance(kind, str) else "value"

    def object(self, schema: Mapping[str, Any], depth: int) -> str:
        """Properties in their order; each optional one may be left out."""
        properties = cast("Mapping[str, Any]", schema["properties"])
        required = {name for name in schema.get("required") or () if name in properties}
        members = {
            name: f"{literal(json.dumps(name, ensure_ascii=False) + ': ')} {self.of(each, depth + 1)}"
            for name, each in properties.items()
        }
        if not required:
            return self.rule(f'"{{" ({self._optional_members(list(members.values()))})? "}}"')
        must = ' ", " '.join(members[name] for name in properties if name in required)
        may = "".join(f' (", " {members[name]})?' for name in properties if name not in required)
        return self.rule(f'"{{" {must}{may} "}}"')

    def _optional_members(self, members: Sequence[str]) -> str:
        """Any of the members in their order, at least one."""
        ways = [
            member + "".join(f' (", " {later})?' for later in members[index + 1 :])
            for index, member in enumerate(members)
        ]
        return " | ".join(self.rule(way) for way in ways)

    def _array(self, schema: Mapping[str, Any], depth: int) -> str:
        item = self.of(schema["items"], depth + 1)
        least, most = schema.get("minItems"), schema.get("maxItems")
        least = least if isinstance(least, int) and 0 <= least <= 16 else 0
        most = most if isinstance(most, int) and least <= most <= 64 else None
        if most == 0:
            return '"[]"'
        more = f'(", " {item}){{{max(least - 1, 0)},{"" if most is None else most - 1}}}'
        body = f"{item} {more}"
        return self.rule(f'"[" {body} "]"' if least else f'"[" ({body})? "]"')

    def _one_of(self, values: Sequence[Any]) -> str:
        return self._any_of([_json_literal(value) for value in values])

    def _any_of(self, choices: Sequence[str]) -> str:
        distinct = list(dict.fromkeys(choices))
        return distinct[0] if len(distinct) == 1 else self.rule(" | ".join(distinct))

    def _referred(self, reference: str, depth: int) -> str:
        """The rule of a definition; one that refers to itself refers to its rule."""
        name = reference.rsplit("/", 1)[-1]
        if name not in self.definitions:
            return "value"
        if name not in self.references:
            self.references[name] = self.rule("value")
            index = int(self.references[name][1:])
            self.lines[index] = f"r{index} ::= {self.of(self.definitions[name], depth)}"
        return self.references[name]

    def rule(self, body: str) -> str:
        """Add a rule and return its name."""
        name = f"r{len(self.lines)}"
        self.lines.append(f"{name} ::= {body}")
        return name
