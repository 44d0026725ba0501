"""Units that people say with numbers, and what a number in one is in another.

A parameter names its unit (`minutes`, `distance_m`, `celsius`), so *two hours* for `minutes` is 120 and *two metres* is
not a match at all.
"""

_FACTORS: dict[str, tuple[str, float]] = {
    "s": ("time", 1.0),
    "min": ("time", 60.0),
    "h": ("time", 3600.0),
    "d": ("time", 86400.0),
    "mm": ("length", 0.001),
    "cm": ("length", 0.01),
    "m": ("length", 1.0),
    "km": ("length", 1000.0),
    "in": ("length", 0.0254),
    "ft": ("length", 0.3048),
    "yd": ("length", 0.9144),
}

_NAMES = {
    "seconds": "s", "secs": "s", "sec": "s", "s": "s",
    "minutes": "min", "mins": "min", "min": "min",
    "hours": "h", "hrs": "h", "h": "h",
    "days": "d",
    "meters": "m", "metres": "m", "m": "m", "cm": "cm", "centimeters": "cm", "centimetres": "cm", "mm": "mm",
    "millimeters": "mm", "millimetres": "mm", "km": "km", "kilometers": "km", "kilometres": "km",
    "feet": "ft", "ft": "ft", "inches": "in",
    "celsius": "c", "c": "c", "fahrenheit": "f", "f": "f", "degrees": "deg", "deg": "deg", "angle": "deg",
    "percent": "%", "pct": "%", "percentage": "%", "brightness": "%", "volume": "%", "level": "%",
}  # fmt: skip

_SINGLE = 1
"""A one-letter name is a unit only behind an underscore: `duration_s`, not `s`."""


def unit_of(parameter: str) -> str | None:
    """Return the unit that a parameter's name ends with; `None` when it names none."""
    head, _, tail = parameter.lower().rpartition("_")
    if len(tail) == _SINGLE and not head:
        return None
    return _NAMES.get(tail)


def converted(number: float, spoken: str, wanted: str | None) -> float | None:
    """Return what `number` in the `spoken` unit is in the unit `wanted`; `None` when it cannot be said in that.

    Args:
        number: as it was said.
        spoken: the unit that was said with it.
        wanted: the unit of the parameter; without one, only percent and degrees may be said.
    """
    if wanted is None:
        return number if spoken in ("%", "deg") else None
    if spoken == wanted or {spoken, wanted} in ({"deg", "c"}, {"deg", "f"}):
        return number
    if (spoken, wanted) == ("f", "c"):
        return _tidy((number - 32) * 5 / 9, 1)
    if (spoken, wanted) == ("c", "f"):
        return _tidy(number * 9 / 5 + 32, 1)
    kind, factor = _FACTORS.get(spoken, ("", 1.0))
    wanted_kind, wanted_factor = _FACTORS.get(wanted, ("other", 1.0))
    return _tidy(number * factor / wanted_factor, 6) if kind == wanted_kind else None


def summed(parts: list[tuple[float, str]]) -> tuple[float, str] | None:
    """Add numbers of one kind (*1 hour 30 minutes*) up in the finest of their units; `None` if they are not of one."""
    known = [(number, unit, *_FACTORS[unit]) for number, unit in parts if unit in _FACTORS]
    if len(known) != len(parts) or len({kind for _, _, kind, _ in known}) != 1:
        return None
    unit, factor = min(((unit, factor) for _, unit, _, factor in known), key=lambda pair: pair[1])
    return _tidy(sum(number * own / factor for number, _, _, own in known), 6), unit


def _tidy(number: float, digits: int) -> float:
    rounded = round(number, digits)
    return int(rounded) if rounded == int(rounded) else rounded
