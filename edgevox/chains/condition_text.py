"""Says in words what an edge's condition is: the name of its function, or the text of its lambda."""

import ast
import linecache
from functools import lru_cache
from types import CodeType, FunctionType

from edgevox.tools.edges import Condition

ALWAYS = "always"
_LIMIT = 80


def condition_text(condition: Condition | None) -> str:
    """Return a condition as a person reads it: `always`, `x.value % 2 == 0`, `is_open`."""
    if condition is None:
        return ALWAYS
    name = str(getattr(condition, "__name__", type(condition).__name__))
    if name != "<lambda>" or not isinstance(condition, FunctionType):
        return name
    text = _written(condition.__code__) or "a condition"
    return text if len(text) <= _LIMIT else f"{text[: _LIMIT - 1]}…"


def _written(code: CodeType) -> str | None:
    """What stands behind the colon of a lambda; `None` where its file cannot be read."""
    found = [known for known in _lambdas(code.co_filename) if known.lineno == code.co_firstlineno]
    if len(found) > 1:
        found = [known for known in found if _code_of(known) == code.co_code] or found
    return ast.unparse(found[0].body) if found else None


@lru_cache(maxsize=32)
def _lambdas(filename: str) -> tuple[ast.Lambda, ...]:
    try:
        tree = ast.parse("".join(linecache.getlines(filename)))
    except (SyntaxError, ValueError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Lambda))


def _code_of(node: ast.Lambda) -> bytes | None:
    module = compile(ast.Expression(node), "<condition>", "eval")
    return next((const.co_code for const in module.co_consts if isinstance(const, CodeType)), None)
