"""The conversation: what was said, heard, done and left unsaid, line by line, as it happens."""

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from edgevox.assistant.display import clean

KEPT = 300
"""Entries that are kept; older ones are in the conversation, not on the screen."""
PART = 1200
"""Characters after which a streamed reply goes on in a new entry, so that a piece costs the same at any length."""


class Entry(Horizontal):
    """Somebody's words, or a line about them: who, what, and a remark at the right."""

    def __init__(self, who: str, text: str, kind: str, remark: str = "") -> None:
        super().__init__(classes=f"entry {kind}")
        self._who = Static(Content(who), classes="who")
        self._body = Static(Content(clean(text)), classes="body")
        self._remark = Static(Content(remark), classes="remark")
        self.text = text
        """The words, as they came."""

    def compose(self) -> ComposeResult:
        """Lay the three parts side by side."""
        yield self._who
        yield self._body
        yield self._remark

    def set_text(self, text: str) -> None:
        """Replace the words."""
        self.text = text
        self._body.update(Content(clean(text)))

    def set_remark(self, remark: str) -> None:
        """Replace the remark."""
        self._remark.update(Content(remark))


class ChatPane(VerticalScroll):
    """The entries, newest at the bottom; follows them unless the person scrolled up."""

    BORDER_TITLE = "Chat"

    def __init__(self, agent: str) -> None:
        super().__init__(id="chat")
        self.agent = agent
        """Who answers; names its lines."""
        self._streams: dict[int | None, list[Entry]] = {}
        self._broken: set[int | None] = set()
        self._partial: Entry | None = None
        self._asked: dict[int | None, Entry] = {}

    def on_mount(self) -> None:
        """Keep the newest entry in sight."""
        self.anchor()

    @property
    def entries(self) -> list[Entry]:
        """What is shown, oldest first."""
        return list(self.query(Entry))

    def add(self, who: str, text: str, kind: str, remark: str = "") -> Entry:
        """Show one more entry."""
        entry = Entry(who, text, kind, remark)
        self.mount(entry)
        surplus = len(self.children) - KEPT
        if surplus > 0:
            self.remove_children(list(self.children)[:surplus])
        return entry

    def heard(self, text: str, *, spoken: bool) -> None:
        """Show what the person said."""
        self.hear_partly("")
        self._asked[None] = self.add("you", text, "you", "◉ heard" if spoken else "")

    def hear_partly(self, text: str) -> None:
        """Show, in grey, what the person is saying; nothing takes it away."""
        if self._partial is not None and not text:
            self._partial.remove()
            self._partial = None
        elif self._partial is not None:
            self._partial.set_text(text)
        elif text:
            self._partial = self.add("you", text, "partial", "…")

    def stream(self, turn: int | None, piece: str) -> None:
        """Add a piece to the reply of a turn."""
        parts = self._streams.setdefault(turn, [])
        while piece:
            if not parts or turn in self._broken:
                self._broken.discard(turn)
                parts.append(self.add(self.agent, "", "reply"))
            elif len(parts[-1].text) >= PART:
                parts.append(self.add("", "", "reply"))
                piece = piece.lstrip(" ")
            room = PART - len(parts[-1].text)
            taken = piece if len(piece) <= room else piece[: _last_gap(piece, room)]
            parts[-1].set_text(parts[-1].text + taken)
            piece = piece[len(taken) :]

    def break_stream(self) -> None:
        """Let what comes next of every reply begin below what has been shown since."""
        self._broken.update(self._streams)

    def said(self, turn: int | None, text: str) -> None:
        """Show a whole reply, unless all of it has been streamed; pieces that were lost on the way come back."""
        if turn is None:
            if text:
                self.add(self.agent, text, "reply")
            return
        parts = self._streams.get(turn, [])
        if text and "".join(part.text for part in parts).split() != text.split():
            for part in parts:
                part.remove()
            self._streams[turn] = []
            self.stream(turn, text)

    def spoken(self, turn: int | None, *, cut: bool, upto: str) -> None:
        """Mark a reply as spoken, or say where it was cut."""
        parts = self._streams.get(turn)
        if not parts:
            return
        parts[-1].set_remark("✂ cut" if cut else "► spoken")
        if cut and upto:
            self.add("", f"cut after “{upto}”", "quiet")

    def took(self, turn: int | None, time: str) -> None:
        """Write the time of a turn beside what the person said, and forget the turn."""
        asked = self._asked.pop(None, None)
        if asked is not None and time:
            asked.set_remark(time)
        self._streams.pop(turn, None)
        self._broken.discard(turn)


def _last_gap(text: str, room: int) -> int:
    """Where to cut a text that is too long: behind the first gap after `room` characters."""
    gap = text.find(" ", room)
    return gap + 1 if gap >= 0 else len(text)
