"""An agent as one step of a pipeline of your own: frames in, frames out."""

from collections.abc import Iterator

from edgevox.core.cancel import CancelReason, CancelScope
from edgevox.core.errors import Cancelled, EdgeVoxError
from edgevox.core.frames import Frame, InterruptFrame, SentenceFrame, StopFrame, TextFrame, TranscriptionFrame
from edgevox.core.ports import RunAgent
from edgevox.core.session import AgentContext
from edgevox.pipeline.turn import reply_to
from edgevox.speech.splitter import SentenceSplitter


class AgentProcessor:
    """Answers final transcripts; a stop or an interruption, from any thread, ends the answer that is under way.

    Args:
        agent: who answers.
        ctx: session, world and bus of the conversation; each turn runs in a child of it.
        language: two-letter code, for telling sentences apart.
    """

    def __init__(self, agent: RunAgent, ctx: AgentContext | None = None, *, language: str = "en") -> None:
        self.agent = agent
        self.ctx = ctx if ctx is not None else AgentContext()
        self.language = language
        self._scope: CancelScope | None = None

    def process(self, frame: Frame) -> Iterator[Frame]:
        """Yield the pieces and sentences of the answer; frames that are no transcript pass through."""
        match frame:
            case TranscriptionFrame(final=True):
                yield from self._answer(frame)
            case StopFrame():
                self.cancel(CancelReason.STOP)
                yield frame
            case InterruptFrame():
                self.cancel(CancelReason.BARGE_IN)
                yield frame
            case _:
                yield frame

    def cancel(self, reason: str = CancelReason.USER) -> None:
        """End the answer that is under way, if there is one; from any thread."""
        scope = self._scope
        if scope is not None:
            scope.cancel(reason)

    def _answer(self, frame: TranscriptionFrame) -> Iterator[TextFrame | SentenceFrame]:
        turn = self.ctx.child()
        self._scope = turn.scope
        try:
            yield from reply_to(self.agent, frame.text, turn, SentenceSplitter(self.language))
        except Cancelled:
            return
        except EdgeVoxError as error:
            yield TextFrame(generation=turn.scope.generation, text=str(error))
            yield SentenceFrame(generation=turn.scope.generation, text=str(error))
        finally:
            self._scope = None
            turn.scope.close()
