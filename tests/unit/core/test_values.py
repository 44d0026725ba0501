"""Values that travel along chains, and what is said about the messages they become."""

import copy
import pickle
from collections.abc import Callable
from typing import Any, cast

import pytest
from pydantic import ValidationError

from edgevox.core.messages import Severity, Truncation
from edgevox.core.values import All, Empty, Int, Invoke, Stop, StopLocation, Str, Value

RULE = Truncation(threshold=1, severity=Severity.REMOVE)


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "model_copy": lambda value: value.model_copy(),
    "deep model_copy": lambda value: value.model_copy(deep=True),
    "pickle": pickled,
}


@pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)
def test_a_copy_keeps_what_is_said_about_the_message(copied: Callable[[Any], Any]) -> None:
    value = Str(value="trace", truncation=RULE, message_kind="note")
    other = copied(value)
    assert other == value
    assert other is not value
    assert (other.truncation, other.message_kind) == ((RULE,), "note")


def test_nothing_is_said_unless_it_is_given() -> None:
    for value in (Str(value=""), Str.model_validate({"value": ""}), Str.model_construct(value="")):
        assert (value.truncation, value.message_kind) == ((), None)


def test_what_is_said_is_no_part_of_the_payload_and_of_no_schema() -> None:
    value = Str(value="x", truncation=[RULE, RULE], message_kind="note")
    assert value.model_dump() == {"value": "x"}
    assert value == Str(value="x")
    assert list(Str.model_json_schema()["properties"]) == ["value"]
    with pytest.raises(AttributeError):
        cast("Any", value).truncation = ()


def test_each_kind_of_value_takes_what_it_takes() -> None:
    assert Empty(**cast("Any", {"x": 1})).model_dump() == {}
    assert All(**cast("Any", {"x": 1, "self": 2})).model_dump() == {"x": 1, "self": 2}
    assert Invoke(action="go", **cast("Any", {"speed": 2})).model_dump() == {
        "action": "go",
        "rationale": "",
        "speed": 2,
    }
    for refused in (lambda: Int(value=1, **cast("Any", {"x": 1})), lambda: Stop(**cast("Any", {"x": 1}))):
        with pytest.raises(ValidationError):
            refused()


def test_the_root_of_inputs_is_empty_and_a_stop_is_none() -> None:
    assert issubclass(Int, Empty)
    assert issubclass(All, Empty)
    assert not issubclass(Stop, Empty)
    assert not issubclass(Invoke, Empty)
    assert issubclass(StopLocation, Stop)
    assert issubclass(Stop, Value)
