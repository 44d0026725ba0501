"""Arithmetic on text, without ever handing the text to Python.

Knows numbers, a few functions, and when an answer would be too big to be worth computing. Refuses everything else.
"""

import ast
import math
import operator
from collections.abc import Callable
from typing import Any

from edgevox.examples.agents.spoken_sums import written

Number = int | float

LONGEST_EXPRESSION = 200
"""Characters."""

MOST_BITS = 1024
"""Of a whole number on the way; 2 to the 1024th has 309 digits."""

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": math.sqrt, "abs": abs, "round": round, "floor": math.floor, "ceil": math.ceil, "min": min, "max": max,
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "asin": math.asin, "acos": math.acos, "atan": math.atan,
    "log": math.log, "log10": math.log10, "log2": math.log2, "exp": math.exp, "radians": math.radians,
    "degrees": math.degrees,
}  # fmt: skip
_CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Div: lambda left, right: left / right,
    ast.FloorDiv: lambda left, right: left // right,
    ast.Mod: operator.mod,
}


class CannotCalculate(ValueError):
    """The text is no arithmetic; the sentence says why."""

    kind = "no_sum"
    """What is wrong, in a word."""


class TooBig(CannotCalculate):
    """The answer is out of reach."""

    kind = "too_big"

    def __init__(self) -> None:
        super().__init__("that is too big to calculate")


class DividesByZero(CannotCalculate):
    """It divides by zero."""

    kind = "by_zero"

    def __init__(self) -> None:
        super().__init__("that divides by zero")


def evaluate(expression: str, language: str = "en") -> Number:
    """Work out an expression: `2 + 3 * 4`, `sqrt(2)`, `(1 + 2) ^ 3`, `7 plus 5`, `fifteen percent of 80`.

    Args:
        expression: typed or spoken.
        language: whose words it may hold.

    Raises:
        CannotCalculate: it is no arithmetic, or too big.
    """
    if len(expression) > LONGEST_EXPRESSION:
        raise CannotCalculate(f"that is too long: at most {LONGEST_EXPRESSION} characters")
    try:
        tree = ast.parse(written(expression, language), mode="eval")
        return _checked(_value(tree.body))
    except CannotCalculate:
        raise
    except ZeroDivisionError as error:
        raise DividesByZero from error
    except OverflowError as error:
        raise TooBig from error
    except (ValueError, TypeError) as error:
        raise CannotCalculate(f"that cannot be calculated: {error}") from error
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise CannotCalculate(f"'{expression}' is not an expression I can calculate") from error


def _value(node: ast.expr) -> Number:
    match node:
        case ast.Constant(value=bool()):
            raise CannotCalculate("only numbers can be calculated")
        case ast.Constant(value=int() | float() as number):
            return _checked(number)
        case ast.Name(id=name) if name in _CONSTANTS:
            return _CONSTANTS[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand)
        case ast.BinOp(left=left, op=op, right=right):
            return _checked(_combined(op, _value(left), _value(right)))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in _FUNCTIONS:
            return _checked(_FUNCTIONS[name](*(_value(arg) for arg in args)))
        case ast.Name(id=name):
            raise CannotCalculate(f"I do not know what '{name}' is")
        case _:
            raise CannotCalculate("only numbers, + - * / % **, brackets and simple functions can be calculated")


def _combined(op: ast.operator, left: Number, right: Number) -> Number:
    """Apply an operator, after making sure that the answer stays within reach: computing it to find out may hang."""
    if isinstance(op, ast.Pow):
        return _power(left, right)
    if isinstance(op, ast.Mult):
        if _bits(left) + _bits(right) > MOST_BITS:
            raise TooBig
        return left * right
    apply = _BINARY.get(type(op))
    if apply is None:
        raise CannotCalculate("only + - * / // % and ** can be calculated")
    return apply(left, right)


def _power(base: Number, exponent: Number) -> Number:
    whole = isinstance(base, int) and isinstance(exponent, int) and abs(base) > 1
    if whole and exponent > 0 and _bits(base) * exponent > MOST_BITS:
        raise TooBig
    result = base**exponent
    if isinstance(result, complex):
        raise CannotCalculate("that has no real answer")
    return result


def _bits(number: Number) -> int:
    return abs(number).bit_length() if isinstance(number, int) else 0


def _checked(number: Number) -> Number:
    if isinstance(number, complex):
        raise CannotCalculate("that has no real answer")
    if isinstance(number, float) and not math.isfinite(number):
        raise TooBig
    if _bits(number) > MOST_BITS:
        raise TooBig
    return number
