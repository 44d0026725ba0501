"""The page on chains can be followed from top to bottom."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "chains.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_examples_of_the_page_run_one_after_the_other_and_say_what_they_promise(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, names = tmp_path / "page.py", dict[str, Any]()
    source = "\n".join(blocks("python"))
    path.write_text(source)
    exec(compile(source, str(path), "exec"), names)
    printed = capsys.readouterr().out
    for promised in re.findall(r"print\(.*\)  # (.*)", source):
        assert promised in printed
    assert blocks("text")[0].strip() in printed


def test_every_page_that_is_named_is_there() -> None:
    for target in re.findall(r"\]\(([\w-]+\.md)\)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / target).is_file(), target


def test_the_chain_of_the_readme_says_what_it_promises(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    readme = (PAGE.parents[1] / "README.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```python\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    (source,) = [example for example in examples if "edgevox.chains" in example]
    path = tmp_path / "readme.py"
    path.write_text(source)
    exec(compile(source, str(path), "exec"), dict[str, Any]())
    assert capsys.readouterr().out == re.findall(r"print\(.*\)  # (.*\n)", source)[0]
