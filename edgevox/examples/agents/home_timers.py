"""The timers of the home agent: they run down and say so, in the language they were set in."""

from typing import Annotated, Literal

from edgevox.core.session import AgentContext
from edgevox.examples.agents.home_timer_phrases import CANCEL_PHRASES, LEFT_PHRASES, START_PHRASES
from edgevox.examples.agents.home_words import about_timer, span, timer_name, timers_left
from edgevox.examples.agents.house import LONGEST_TIMER_MIN, MOST_TIMERS, KitchenTimer, house_of
from edgevox.examples.agents.sayings import RESULT, language_of, listed
from edgevox.intents import Spoken
from edgevox.tools import tool

ANNOUNCEMENT = "announcement"
"""Event kind: something to say that nobody asked for just now; the payload is the sentence."""

LONGEST_LABEL = 40
"""Characters."""

HowMany = Annotated[
    Literal["all", "one"],
    Spoken(
        en={"all": ["all", "all the", "all my", "all of the", "all of my", "every", "both", "both my", "both the"]},
        de={"all": ["alle", "alle meine", "sämtliche", "beide"]},
        fr={"all": ["tous les", "tous mes", "les deux"]},
        es={"all": ["todos los", "todos mis", "los dos"]},
        vi={"all": ["tất cả", "hết", "tất cả các", "cả hai"]},
    ),
]


@tool(phrases=START_PHRASES, says=RESULT, final=True)
def start_timer(minutes: float, label: str = "", ctx: AgentContext | None = None) -> str:
    """Start a countdown timer that says so when it is over.

    Args:
        minutes: how long it runs, above 0; half a minute is 0.5
        label: what it is for, e.g. "tea"
        ctx: of the run
    """
    language = language_of(ctx)
    if not 0 < minutes <= LONGEST_TIMER_MIN:
        raise ValueError(about_timer("length", language, hours=LONGEST_TIMER_MIN // 60))
    name = " ".join(label.split())[:LONGEST_LABEL]

    def announce(timer: KitchenTimer) -> None:
        if ctx is not None:
            rung = timer_name(timer.label, language, timer.minutes * 60)
            ctx.emit(ANNOUNCEMENT, "Home", about_timer("over", language, timer=rung))

    if house_of(ctx).start_timer(minutes, name, announce) is None:
        raise ValueError(about_timer("too_many", language, count=MOST_TIMERS))
    return about_timer("set", language, timer=timer_name(name, language), span=span(minutes * 60, language))


@tool(phrases=LEFT_PHRASES, says=RESULT, effect="read")
def list_timers(label: str = "", ctx: AgentContext | None = None) -> str:
    """Say which timers run and how long they have left.

    Args:
        label: only the timers of that name
        ctx: of the run
    """
    language = language_of(ctx)
    running = house_of(ctx).timers()
    chosen = _fitting(running, label, None, language) if label.strip() and running else running
    return timers_left([(timer.label, timer.minutes * 60, timer.left_s) for timer in chosen], language)


@tool(phrases=CANCEL_PHRASES, says=RESULT, final=True)
def cancel_timer(
    label: str = "", minutes: float | None = None, how_many: HowMany = "one", ctx: AgentContext | None = None
) -> str:
    """Cancel a running timer, or all of them.

    Args:
        label: which one, by its name; without it, the only one that runs
        minutes: which one, by how long it was set for
        how_many: one, or all
        ctx: of the run
    """
    house, language = house_of(ctx), language_of(ctx)
    running = house.timers()
    if not running:
        raise ValueError(about_timer("no_timer", language))
    if how_many == "all":
        for timer in running:
            house.cancel(timer)
        return about_timer("all_cancelled", language)
    fitting = _fitting(running, label, minutes, language)
    if len(fitting) > 1 and not label.strip() and minutes is None:
        raise ValueError(about_timer("which", language, count=len(fitting), timers=_names(fitting, language)))
    house.cancel(fitting[0])
    length = None if minutes is None else fitting[0].minutes * 60
    return about_timer("cancelled", language, timer=timer_name(fitting[0].label, language, length))


def _fitting(running: list[KitchenTimer], label: str, minutes: float | None, language: str) -> list[KitchenTimer]:
    """Find the timers that are meant.

    Raises:
        ValueError: none of those that run is.
    """
    fitting = [
        timer
        for timer in running
        if (not label.strip() or timer.is_called(label)) and (minutes is None or timer.runs_for(minutes))
    ]
    if not fitting:
        meant = timer_name(label.strip(), language, None if minutes is None else minutes * 60)
        raise ValueError(about_timer("unknown", language, timer=meant, timers=_names(running, language)))
    return fitting


def _names(timers: list[KitchenTimer], language: str) -> str:
    return listed([timer_name(timer.label, language, timer.minutes * 60) for timer in timers], language)
