"""Where the plain front ends write: in order, as it is, and the prompt stays at the bottom."""

import io

from rich.console import Console

from edgevox.ui.screen import LiveScreen, PlainScreen, Prompt


def live(width: int = 40, height: int = 12) -> tuple[LiveScreen, io.StringIO]:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=width, height=height, highlight=False, color_system=None)
    return LiveScreen(console), file


def drawn(file: io.StringIO) -> str:
    return file.getvalue()


def test_a_pipe_gets_lines_and_pieces_in_order() -> None:
    file = io.StringIO()
    screen = PlainScreen(file)
    screen.line("you")
    screen.stream("The kitchen ")
    screen.stream("light is on.")
    screen.line("next", "red")
    screen.set_status("listening")
    screen.set_prompt(Prompt("typed"))
    screen.close()
    assert file.getvalue() == "you\nThe kitchen light is on.\nnext\n"


def test_markup_and_control_characters_are_shown_and_not_obeyed() -> None:
    file = io.StringIO()
    screen = PlainScreen(file)
    screen.line("[kitchen] is on [/done]")
    screen.line("a\x1b[2Jb")
    assert file.getvalue() == "[kitchen] is on [/done]\na␛[2Jb\n"
    terminal, drawing = live()
    terminal.line("[kitchen] is on [/done] :smile:")
    terminal.stream("[red]no[/red] \x1b[2J")
    terminal.close()
    assert "[kitchen] is on [/done] :smile:" in drawn(drawing)
    assert "[red]no[/red] ␛[2J" in drawn(drawing)


def test_a_pipe_that_nobody_reads_any_more_does_no_harm() -> None:
    file = io.StringIO()
    screen = PlainScreen(file)
    file.close()
    screen.line("into the void")
    screen.close()


def test_a_terminal_keeps_every_line_of_a_long_reply_exactly_once() -> None:
    screen, file = live(width=30)
    words = [f"word{number}" for number in range(200)]
    for word in words:
        screen.stream(word + " ")
    screen.end_stream()
    screen.line("end")
    screen.close()
    kept = _what_stays(drawn(file), 30)
    assert [kept.count(f"{word} ") + kept.count(f"{word}\n") for word in words] == [1] * 200
    assert kept.rstrip().endswith("end")


def test_the_prompt_shows_the_cursor_and_as_much_as_fits() -> None:
    screen, file = live(width=20)
    screen.set_prompt(Prompt("abcdefghijklmnopqrstuvwxyz", 26))
    shown = drawn(file)
    screen.close()
    assert "xyz" in shown
    assert "abc" not in shown


def test_closing_twice_is_fine_and_gives_the_cursor_back() -> None:
    screen, file = live()
    screen.close()
    screen.close()
    assert drawn(file).rstrip("\n").endswith("\x1b[?25h") or "\x1b[?25h" in drawn(file)


def _what_stays(stream: str, width: int) -> str:
    """Play the drawing on a small terminal with an endless page and return what is left on it."""
    rows: list[list[str]] = [[]]
    row, column, position = 0, 0, 0
    while position < len(stream):
        char = stream[position]
        if char == "\x1b":
            end = next(i for i in range(position + 2, len(stream)) if stream[i].isalpha())
            count = stream[position + 2 : end]
            if stream[end] == "A":
                row -= int(count or 1)
            elif stream[end] == "K":
                rows[row] = []
            position = end + 1
            continue
        if char == "\r":
            column = 0
        elif char == "\n":
            row, column = row + 1, 0
            while len(rows) <= row:
                rows.append([])
        else:
            line = rows[row]
            line.extend(" " * (column + 1 - len(line)))
            line[column] = char
            column += 1
        position += 1
    return "\n".join("".join(line).rstrip() + " " for line in rows)
