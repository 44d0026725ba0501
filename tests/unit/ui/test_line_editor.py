"""The input line: editing, history, completion."""

from hypothesis import given
from hypothesis import strategies as st

from edgevox.ui.keys import Key
from edgevox.ui.line_editor import HISTORY, LineEditor


def typed(text: str, *names: str, editor: LineEditor | None = None) -> LineEditor:
    editor = editor or LineEditor()
    for char in text:
        editor.feed(Key("text", char))
    for name in names:
        editor.feed(Key(name))
    return editor


def test_text_goes_in_at_the_cursor() -> None:
    editor = typed("lght", "home", "right")
    editor.feed(Key("text", "i"))
    assert editor.text == "light"
    assert editor.cursor == 2


def test_words_and_ends_can_be_deleted() -> None:
    assert typed("turn on the light", "ctrl+w").text == "turn on the "
    assert typed("turn on", "ctrl+left", "ctrl+k").text == "turn "
    assert typed("turn on", "ctrl+left", "ctrl+u").text == "on"
    assert typed("turn", "backspace", "home", "delete").text == "ur"
    assert typed("turn on", "home", "ctrl+right").cursor == 4


def test_a_pasted_text_of_several_lines_becomes_one_line() -> None:
    editor = LineEditor()
    editor.feed(Key("paste", "turn on\r\nthe light\n"))
    assert editor.text == "turn on the light "


def test_the_lines_before_come_back_and_the_draft_is_kept() -> None:
    editor = typed("one")
    assert editor.take() == "one"
    typed("two", editor=editor).take()
    typed("dra", "up", "up", "up", editor=editor)
    assert editor.text == "one"
    typed("", "down", "down", "down", editor=editor)
    assert editor.text == "dra"


def test_the_same_line_twice_is_remembered_once_and_the_history_has_an_end() -> None:
    editor = LineEditor()
    for number in range(HISTORY + 20):
        typed(f"line {number}", editor=editor).take()
        typed(f"line {number}", editor=editor).take()
    for _ in range(2 * HISTORY):
        editor.feed(Key("up"))
    assert editor.text == "line 19"


def test_a_command_is_completed_and_completed_again() -> None:
    editor = LineEditor(lambda line: ["/voice ", "/voices"] if line == "/vo" else [])
    typed("/vo", "tab", editor=editor)
    assert editor.text == "/voice "
    editor.feed(Key("tab"))
    assert editor.text == "/voices"
    typed("x", "tab", editor=editor)
    assert editor.text == "/voicesx"


def test_a_key_that_means_nothing_is_refused() -> None:
    assert not LineEditor().feed(Key("f1"))
    assert not LineEditor().feed(Key("escape"))


NAMES = [
    "text", "backspace", "delete", "left", "right", "home", "end", "up", "down", "tab", "take",
    "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+left", "ctrl+right",
]  # fmt: skip


@given(st.lists(st.sampled_from(NAMES)))
def test_no_sequence_of_keys_leads_the_cursor_out_of_the_line(names: list[str]) -> None:
    editor = LineEditor(lambda line: [line + "!"])
    for name in names:
        if name == "take":
            editor.take()
        else:
            editor.feed(Key(name, "w "))
        assert 0 <= editor.cursor <= len(editor.text)
