# pyright: reportUnknownMemberType=false
# matplotlib's stubs leave parts of pyplot untyped.
"""A matplotlib window in this process, for scripts that own the main thread and draw from it.

Every method is for the main thread; `IrSimEnvironment.pump_render` sees to that. Whatever back end matplotlib has is
used; without a display that draws into memory, and nothing is seen.
"""

from edgevox.sims.scene import Scene
from edgevox.sims.window_process import SIZE_IN, draw_on


class InlineWindow:
    """A figure of pyplot.

    Args:
        title: of the window.
    """

    def __init__(self, title: str) -> None:
        import matplotlib.pyplot as plt

        self._pyplot = plt
        self._figure = plt.figure(title, figsize=SIZE_IN)
        self._closed = False
        if plt.get_backend().lower() != "agg":
            plt.show(block=False)

    def show(self, scene: Scene) -> None:
        """Draw this scene and let the window answer the person; one that was closed stays closed."""
        if self._closed or not self._pyplot.fignum_exists(self._figure.number):
            return
        draw_on(self._figure, scene)
        self._figure.canvas.draw()
        self._figure.canvas.flush_events()

    def close(self) -> None:
        """Close the window. Twice is fine."""
        if not self._closed:
            self._closed = True
            self._pyplot.close(self._figure)
