"""The list of endpoints, over the screen: which could answer, which answers now, and a choice."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from edgevox.assistant.endpoint_orders import current_name, endpoint_row, endpoint_states
from edgevox.assistant.surface import AssistantSurface
from edgevox.endpoints.states import EndpointState

HINT = "Enter lets it answer, p asks which of them answer, q closes."
ASKING = "Asking …"

Do = Callable[[Callable[[], object]], object]
"""Has something done on a thread of its own."""


class EndpointsScreen(ModalScreen[str | None]):
    """Every endpoint that can answer; gives the name of the one that was chosen, or `None`.

    Args:
        assistant: whose model is shown as the one in use.
        do: has the lists made, away from the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "probe", "ask them"),
        Binding("f6", "leave", "close"),
        Binding("q", "leave", "close"),
    ]

    class Listed(Message):
        """The endpoints are known."""

        def __init__(self, states: list[EndpointState], problem: str) -> None:
            super().__init__()
            self.states = states
            self.problem = problem

    def __init__(self, assistant: AssistantSurface, do: Do) -> None:
        super().__init__()
        self._assistant = assistant
        self._do = do
        self._list = OptionList()
        self._hint = Static(ASKING, classes="hint")

    def compose(self) -> ComposeResult:
        """Lay the list out, with what the keys do below."""
        with Vertical(id="endpoints"):
            yield self._list
            yield self._hint

    def on_mount(self) -> None:
        """Begin to find out."""
        self._list.focus()
        self._ask(asked=False)

    def on_endpoints_screen_listed(self, message: Listed) -> None:
        """Show what there is, standing on the one that was stood on, or on the one in use."""
        states, marked = message.states, self._list.highlighted
        now = current_name(self._assistant, states)
        self._list.clear_options()
        self._list.add_options(
            Option(Content(endpoint_row(state, states, now=state.name == now)), id=state.name) for state in states
        )
        names = [state.name for state in states]
        if states:
            self._list.highlighted = marked if marked is not None else names.index(now) if now else 0
        self._hint.update(Content(message.problem or HINT))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose."""
        self.dismiss(event.option.id)

    def action_probe(self) -> None:
        """Ask the providers whether they answer."""
        self._hint.update(ASKING)
        self._ask(asked=True)

    def action_leave(self) -> None:
        """Close without a choice."""
        self.dismiss(None)

    def _ask(self, *, asked: bool) -> None:
        def look() -> None:
            self.post_message(self.Listed(*endpoint_states(asked=asked)))

        self._do(look)
