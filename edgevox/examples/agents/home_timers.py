"""The timers of the home agent: they run down and say so, in the language they were set in."""

from typing import Annotated

from pydantic import Field

from edgevox.core.session import AgentContext
from edgevox.examples.agents.home_words import timer_cancelled, timer_over, timer_set, timers_left
from edgevox.examples.agents.house import LONGEST_TIMER_MIN, KitchenTimer, house_of, language_of
from edgevox.tools import tool

ANNOUNCEMENT = "announcement"
"""Event kind: something to say that nobody asked for just now; the payload is the sentence."""

LONGEST_LABEL = 40
"""Characters."""


@tool(
    phrases={
        "en": [
            "(set|start) [a|the] timer (for|of) {minutes}",
            "(set|start) a {minutes} timer",
            "(set|start) (a|an|the) {label} timer (for|of) {minutes}",
            "timer [for] {minutes}",
            "(set|start) a timer for {minutes} (for|called|named) {label}",
        ],
        "de": [
            "(stelle|stell|starte) einen Timer (auf|für|von|mit) {minutes}",
            "Timer [auf|für] {minutes}",
            "(stelle|stell|starte) einen Timer (auf|für) {minutes} für {label}",
        ],
        "fr": ["(mets|lance|règle) un minuteur (de|sur|pour) {minutes}", "minuteur [de] {minutes}"],
        "es": ["(pon|inicia) un temporizador (de|por|para) {minutes}", "temporizador [de] {minutes}"],
        "vi": ["(đặt|hẹn) [hẹn] giờ {minutes}", "hẹn giờ {minutes}"],
    },
)
def start_timer(
    minutes: Annotated[float, Field(gt=0, le=LONGEST_TIMER_MIN)], label: str = "", ctx: AgentContext | None = None
) -> str:
    """Start a countdown timer that says so when it is over.

    Args:
        minutes: how long it runs
        label: what it is for, e.g. "tea"
        ctx: of the run
    """
    language = language_of(ctx)
    name = " ".join(label.split())[:LONGEST_LABEL]

    def announce(timer: KitchenTimer) -> None:
        if ctx is not None:
            ctx.emit(ANNOUNCEMENT, "Home", timer_over(timer.label, language))

    house_of(ctx).start_timer(minutes, name, announce)
    return timer_set(name, minutes * 60, language)


@tool(
    phrases={
        "en": [
            "(list|show|what are) [all] [my|the] timers",
            "(which|what) timers are (running|set)",
            "how (long|much time) is left [on the timer|on my timer]",
            "how long does the timer have left",
        ],
        "de": ["welche Timer laufen", "wie lange läuft der Timer noch"],
        "fr": ["combien de temps reste-t-il [au minuteur]", "quels minuteurs sont en marche"],
        "es": ["cuánto (queda|falta) [del temporizador]", "qué temporizadores hay"],
        "vi": ["hẹn giờ còn bao lâu", "có những hẹn giờ nào"],
    },
    effect="read",
)
def list_timers(ctx: AgentContext | None = None) -> str:
    """Say which timers run and how long they have left."""
    return timers_left([(timer.label, timer.left_s) for timer in house_of(ctx).timers()], language_of(ctx))


@tool(
    phrases={
        "en": ["(stop|cancel|delete|end) [the|my] timer", "(stop|cancel|delete|end) [the|my] {label} timer"],
        "de": ["(stoppe|lösche|beende) den Timer", "(stoppe|lösche|beende) den Timer {label}"],
        "fr": ["(annule|arrête|supprime) le minuteur", "(annule|arrête|supprime) le minuteur {label}"],
        "es": ["(cancela|quita|borra) el temporizador", "(cancela|quita|borra) el temporizador {label}"],
        "vi": ["(hủy|tắt|xóa) hẹn giờ", "(hủy|xóa) hẹn giờ {label}"],
    },
)
def cancel_timer(label: str = "", ctx: AgentContext | None = None) -> str:
    """Cancel a running timer.

    Args:
        label: which one; without it, the only one that runs
        ctx: of the run
    """
    house = house_of(ctx)
    timer = _chosen(house.timers(), label.strip())
    house.cancel(timer)
    return timer_cancelled(timer.label, language_of(ctx))


def _chosen(running: list[KitchenTimer], label: str) -> KitchenTimer:
    """Find the timer that is meant.

    Raises:
        ValueError: there is none, or more than one could be.
    """
    if not running:
        raise ValueError("no timer is running")
    names = ", ".join(timer.title for timer in running)
    fitting = [timer for timer in running if timer.is_called(label)] if label else running
    if not fitting:
        raise ValueError(f"there is no '{label}' timer; running: {names}")
    if len(fitting) > 1 and not label:
        raise ValueError(f"{len(fitting)} timers are running; say which: {names}")
    return fitting[0]
