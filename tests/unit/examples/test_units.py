"""Unit conversion."""

import pytest

from edgevox.examples.agents.units import convert


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (1, "mile", "kilometers", 1.609344),
        (5, "ft", "m", 1.524),
        (100, "fahrenheit", "celsius", 37.7778),
        (-40, "°C", "°F", -40),
        (0, "kelvin", "celsius", -273.15),
        (2, "lbs", "kg", 0.907185),
        (90, "minutes", "hours", 1.5),
        (36, "km/h", "m/s", 10),
        (1, "GB", "mebibytes", 953.674),
        (3, "Feet", "inches", 36),
        (1, "litre", "millilitres", 1000),
        (180, "degrees", "radians", 3.14159),
        (60, "miles per hour", "kph", 96.5606),
    ],
)
def test_units_of_one_kind_are_converted(value: float, source: str, target: str, result: float) -> None:
    assert convert(value, source, target) == pytest.approx(result, rel=1e-5)


def test_there_and_back_is_the_same() -> None:
    from edgevox.examples.agents import units

    for kind in units._LINEAR.values():  # pyright: ignore[reportPrivateUsage]
        names = list(kind)
        for name in names:
            assert convert(convert(7.0, names[0], name), name, names[0]) == pytest.approx(7.0)


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [("parsecs", "m", "parsecs"), ("m", "kg", "length"), ("hours", "celsius", "temperature"), ("", "m", "not a unit")],
)
def test_what_cannot_be_converted_says_why(source: str, target: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        convert(1, source, target)
