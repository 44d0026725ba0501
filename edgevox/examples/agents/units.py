"""Conversion between units of one kind: length, mass, volume, time, speed, data, angle, temperature."""

from dataclasses import dataclass

from edgevox.examples.agents.unit_words import WORDS

_LINEAR: dict[str, dict[str, float]] = {
    "length": {
        "millimeter": 0.001, "centimeter": 0.01, "meter": 1.0, "kilometer": 1000.0, "inch": 0.0254, "foot": 0.3048,
        "yard": 0.9144, "mile": 1609.344,
    },
    "mass": {"milligram": 1e-6, "gram": 0.001, "kilogram": 1.0, "ton": 1000.0, "ounce": 0.028349523125,
             "pound": 0.45359237},
    "volume": {
        "milliliter": 0.001, "centiliter": 0.01, "liter": 1.0, "cup": 0.2365882365, "pint": 0.473176473,
        "gallon": 3.785411784, "teaspoon": 0.00492892159375, "tablespoon": 0.01478676478125,
    },
    "time": {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0},
    "speed": {"meter per second": 1.0, "kilometer per hour": 1 / 3.6, "mile per hour": 0.44704, "knot": 1852 / 3600},
    "data": {
        "bit": 0.125, "byte": 1.0, "kilobyte": 1e3, "megabyte": 1e6, "gigabyte": 1e9, "terabyte": 1e12,
        "kibibyte": 1024.0, "mebibyte": 1024.0**2, "gibibyte": 1024.0**3,
    },
    "angle": {"degree": 1.0, "radian": 57.29577951308232, "turn": 360.0},
}  # fmt: skip
"""Unit to its size in the kind's base unit: metre, kilogram, litre (US cups and gallons), second, m/s, byte, degree."""

_TEMPERATURE = {"celsius": (1.0, 0.0), "fahrenheit": (5 / 9, -32 * 5 / 9), "kelvin": (1.0, -273.15)}
"""Unit to scale and offset, in degrees Celsius."""

_SHORT = {
    "mm": "millimeter", "cm": "centimeter", "m": "meter", "km": "kilometer", "in": "inch", "ft": "foot", "feet": "foot",
    "yd": "yard", "mi": "mile", "inches": "inch", "mg": "milligram", "g": "gram", "kg": "kilogram", "t": "ton",
    "tonne": "ton", "oz": "ounce", "lb": "pound", "lbs": "pound", "ml": "milliliter", "cl": "centiliter", "l": "liter",
    "tsp": "teaspoon", "tbsp": "tablespoon", "s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour",
    "d": "day", "m/s": "meter per second", "meters per second": "meter per second", "km/h": "kilometer per hour",
    "kmh": "kilometer per hour", "kph": "kilometer per hour", "kilometers per hour": "kilometer per hour",
    "mph": "mile per hour", "miles per hour": "mile per hour", "kb": "kilobyte", "mb": "megabyte", "gb": "gigabyte",
    "tb": "terabyte", "kib": "kibibyte", "mib": "mebibyte", "gib": "gibibyte", "c": "celsius", "°c": "celsius",
    "f": "fahrenheit", "°f": "fahrenheit", "k": "kelvin", "deg": "degree", "rad": "radian",
    "degrees celsius": "celsius",
    "degrees fahrenheit": "fahrenheit",
}  # fmt: skip


class UnknownUnit(ValueError):
    """A word is no unit.

    Args:
        word: as it was said.
    """

    def __init__(self, word: str) -> None:
        super().__init__(f"'{word}' is not a unit I know")
        self.word = word


class UnlikeUnits(ValueError):
    """Two units measure different things."""


@dataclass(frozen=True, slots=True)
class _Unit:
    kind: str
    name: str
    scale: float
    offset: float = 0.0


def convert(value: float, from_unit: str, to_unit: str) -> float:
    """Convert a value.

    Args:
        value: in `from_unit`.
        from_unit: in any of five languages, one or many, or short.
        to_unit: likewise.

    Raises:
        UnknownUnit: a unit is not known.
        UnlikeUnits: the two measure different things.
    """
    source, target = _unit(from_unit), _unit(to_unit)
    if source.kind != target.kind:
        raise UnlikeUnits(f"{source.name} measures {source.kind} and {target.name} measures {target.kind}")
    return (value * source.scale + source.offset - target.offset) / target.scale


def _unit(spelled: str) -> _Unit:
    word = " ".join(spelled.casefold().replace("metre", "meter").replace("litre", "liter").split())
    names = _SHORT | WORDS
    for name in (names.get(form, form) for form in (word, word.removesuffix("s"))):
        if name in _TEMPERATURE:
            scale, offset = _TEMPERATURE[name]
            return _Unit("temperature", name, scale, offset)
        for kind, units in _LINEAR.items():
            if name in units:
                return _Unit(kind, name, units[name])
    raise UnknownUnit(spelled)
