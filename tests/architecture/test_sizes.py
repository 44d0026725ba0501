"""The limits of the house style, held by machine."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAX_MODULE_LINES = 500
MAX_TEST_LINES = 600
MAX_FUNCTION_LINES = 40

LONGER_MODULES: dict[str, int] = {}
"""Modules that are longer, with their length. This list may only shrink."""
LONGER_FUNCTIONS: dict[str, int] = {}
"""Functions that are longer (`path:name`), with their length. This list may only shrink."""

MODULES = sorted((ROOT / "edgevox").rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its signature and its docstring."""
    body = function.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(body) > 1:
        first = body[1]
    return (function.end_lineno or first.lineno) - first.lineno + 1


def functions_of(path: Path) -> list[tuple[str, int]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        (f"{name_of(path)}:{node.name}", body_lines(node))
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def test_there_is_something_to_measure() -> None:
    assert len(MODULES) > 50
    assert len(TESTS) > 10


def test_no_module_is_longer_than_the_limit() -> None:
    too_long = {name_of(path): lines_of(path) for path in MODULES if lines_of(path) > MAX_MODULE_LINES}
    assert too_long == LONGER_MODULES


def test_no_test_module_is_longer_than_the_limit() -> None:
    assert {name_of(path): lines_of(path) for path in TESTS if lines_of(path) > MAX_TEST_LINES} == {}


def test_no_function_is_longer_than_the_limit() -> None:
    too_long = {name: size for path in MODULES for name, size in functions_of(path) if size > MAX_FUNCTION_LINES}
    assert too_long == LONGER_FUNCTIONS


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_module_says_what_it_knows(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_no_module_is_named_for_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
    assert [name_of(path) for path in MODULES if path.stem in vague or path.parent.name in vague] == []
