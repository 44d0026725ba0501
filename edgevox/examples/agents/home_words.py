"""The sentences of the home agent about time: spans, the clock, timers. Words only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from edgevox.examples.agents.sayings import Sayings, capital
from edgevox.intents.lexicons import base_language


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """How one language counts time."""

    second: tuple[str, str]
    """One and many."""
    minute: tuple[str, str]
    hour: tuple[str, str]
    joiner: str
    weekdays: tuple[str, ...]
    """Monday first."""
    months: tuple[str, ...]
    time: str = "%H:%M"
    """As `strftime` reads it."""


_TIME: Mapping[str, TimeWords] = {
    "en": TimeWords(
        second=("second", "seconds"), minute=("minute", "minutes"), hour=("hour", "hours"), joiner=" and ",
        weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        months=("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December"),
    ),
    "de": TimeWords(
        second=("Sekunde", "Sekunden"), minute=("Minute", "Minuten"), hour=("Stunde", "Stunden"), joiner=" und ",
        weekdays=("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
        months=("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                "November", "Dezember"),
    ),
    "fr": TimeWords(
        second=("seconde", "secondes"), minute=("minute", "minutes"), hour=("heure", "heures"), joiner=" et ",
        weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        months=("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
                "novembre", "décembre"),
        time="%-H h %M",
    ),
    "es": TimeWords(
        second=("segundo", "segundos"), minute=("minuto", "minutos"), hour=("hora", "horas"), joiner=" y ",
        weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        months=("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
                "noviembre", "diciembre"),
        time="%-H:%M",
    ),
    "vi": TimeWords(
        second=("giây", "giây"), minute=("phút", "phút"), hour=("giờ", "giờ"), joiner=" ",
        weekdays=("thứ hai", "thứ ba", "thứ tư", "thứ năm", "thứ sáu", "thứ bảy", "chủ nhật"),
        months=tuple(f"tháng {number}" for number in range(1, 13)),
        time="%-H giờ %M",
    ),
}  # fmt: skip

_SAYINGS = Sayings(
    en={
        "clock": "It is {time} on {weekday}, {day} {month}.",
        "clock_one": "It is {time} on {weekday}, {day} {month}.",
        "timer": "timer",
        "named": "{label} timer",
        "lasting": "timer for {span}",
        "set": "The {timer} is set for {span}.",
        "over": "The {timer} is done.",
        "cancelled": "The {timer} is cancelled.",
        "all_cancelled": "All timers are cancelled.",
        "left": "The {timer} has {span} left.",
        "none": "No timer is running.",
        "no_timer": "no timer is running",
        "unknown": "there is no {timer}; running: {timers}",
        "which": "{count} timers are running; say which: {timers}",
        "length": "a timer can run for at most {hours} hours",
        "too_many": "{count} timers are running already; cancel one first",
    },
    de={
        "clock": "Es ist {time} Uhr, {weekday}, der {day}. {month}.",
        "clock_one": "Es ist {time} Uhr, {weekday}, der {day}. {month}.",
        "timer": "Timer",
        "named": "Timer {label}",
        "lasting": "Timer über {span}",
        "set": "Der {timer} läuft: {span}.",
        "over": "Der {timer} ist abgelaufen.",
        "cancelled": "Der {timer} ist gelöscht.",
        "all_cancelled": "Alle Timer sind gelöscht.",
        "left": "Der {timer} läuft noch {span}.",
        "none": "Es läuft kein Timer.",
        "no_timer": "es läuft kein Timer",
        "unknown": "es gibt keinen {timer}; es läuft: {timers}",
        "which": "es laufen {count} Timer; sag, welcher: {timers}",
        "length": "ein Timer kann höchstens {hours} Stunden laufen",
        "too_many": "es laufen schon {count} Timer; lösche erst einen",
    },
    fr={
        "clock": "Il est {time}, {weekday} {day} {month}.",
        "clock_one": "Il est {time}, {weekday} {day} {month}.",
        "timer": "minuteur",
        "named": "minuteur {label}",
        "lasting": "minuteur de {span}",
        "set": "Le {timer} est réglé sur {span}.",
        "over": "Le {timer} est terminé.",
        "cancelled": "Le {timer} est annulé.",
        "all_cancelled": "Tous les minuteurs sont annulés.",
        "left": "Il reste {span} au {timer}.",
        "none": "Aucun minuteur n'est en marche.",
        "no_timer": "aucun minuteur n'est en marche",
        "unknown": "il n'y a pas de {timer} ; en marche : {timers}",
        "which": "{count} minuteurs sont en marche ; dites lequel : {timers}",
        "length": "un minuteur dure au plus {hours} heures",
        "too_many": "{count} minuteurs sont déjà en marche ; annulez-en un d'abord",
    },
    es={
        "clock": "Son las {time} del {weekday} {day} de {month}.",
        "clock_one": "Es la {time} del {weekday} {day} de {month}.",
        "timer": "temporizador",
        "named": "temporizador {label}",
        "lasting": "temporizador de {span}",
        "set": "El {timer} está puesto: {span}.",
        "over": "El {timer} ha terminado.",
        "cancelled": "El {timer} está cancelado.",
        "all_cancelled": "Todos los temporizadores están cancelados.",
        "left": "Tiempo restante del {timer}: {span}.",
        "none": "No hay ningún temporizador en marcha.",
        "no_timer": "no hay ningún temporizador en marcha",
        "unknown": "no hay ningún {timer}; en marcha: {timers}",
        "which": "hay {count} temporizadores en marcha; di cuál: {timers}",
        "length": "un temporizador puede durar como mucho {hours} horas",
        "too_many": "ya hay {count} temporizadores en marcha; cancela uno antes",
    },
    vi={
        "clock": "Bây giờ là {time}, {weekday}, ngày {day} {month}.",
        "clock_one": "Bây giờ là {time}, {weekday}, ngày {day} {month}.",
        "timer": "hẹn giờ",
        "named": "hẹn giờ {label}",
        "lasting": "hẹn giờ {span}",
        "set": "Đã đặt {timer}: {span}.",
        "over": "{timer} đã hết.",
        "cancelled": "Đã hủy {timer}.",
        "all_cancelled": "Đã hủy tất cả hẹn giờ.",
        "left": "{timer} còn {span}.",
        "none": "Không có hẹn giờ nào.",
        "no_timer": "không có hẹn giờ nào đang chạy",
        "unknown": "không có {timer}; đang chạy: {timers}",
        "which": "có {count} hẹn giờ đang chạy; hãy nói cái nào: {timers}",
        "length": "hẹn giờ chỉ được tối đa {hours} giờ",
        "too_many": "đã có {count} hẹn giờ đang chạy; hãy hủy bớt một cái",
    },
)


def span(seconds: float, language: str) -> str:
    """Say a span of time in at most two units: `1 hour and 30 minutes`."""
    words, whole = _time_words(language), max(0, round(seconds))
    parts = [
        (whole // 3600, words.hour),
        (whole % 3600 // 60, words.minute),
        (whole % 60, words.second),
    ]
    said = [f"{count} {names[count != 1]}" for count, names in parts if count][:2]
    return words.joiner.join(said) if said else f"0 {words.second[1]}"


def clock(now: datetime, language: str) -> str:
    """Say the time of day and the date."""
    name = "clock_one" if now.hour == 1 else "clock"
    return _SAYINGS.say(name, language, time=time_of(now, language), **day_of(now, language))


def time_of(now: datetime, language: str) -> str:
    """Say the time of day alone, as it stands behind *it is*."""
    return now.strftime(_time_words(language).time)


def day_of(now: datetime, language: str) -> dict[str, str]:
    """The words of a date: `weekday`, `day` and `month`."""
    words = _time_words(language)
    first = now.day == 1 and base_language(language) == "fr"
    return {
        "weekday": words.weekdays[now.weekday()],
        "day": "1er" if first else str(now.day),
        "month": words.months[now.month - 1],
    }


def timer_name(label: str, language: str, seconds: float | None = None) -> str:
    """Say which timer is meant: by its name, or by how long it runs, or just that it is one."""
    if label:
        return _SAYINGS.say("named", language, label=label)
    if seconds is not None:
        return _SAYINGS.say("lasting", language, span=span(seconds, language))
    return _SAYINGS.say("timer", language)


def about_timer(name: str, language: str, **values: object) -> str:
    """Say one of the sentences about timers, with a capital where it is a whole sentence."""
    said = _SAYINGS.say(name, language, **values)
    return capital(said) if said.endswith(".") else said


def timers_left(timers: Sequence[tuple[str, float, float]], language: str) -> str:
    """Say how long each timer has left.

    Args:
        timers: of each its label, the seconds it was set for and the seconds that are left.
        language: two-letter code.
    """
    several = len(timers) > 1
    return " ".join(
        about_timer(
            "left", language, timer=timer_name(label, language, whole if several else None), span=span(left, language)
        )
        for label, whole, left in timers
    ) or about_timer("none", language)


def _time_words(language: str) -> TimeWords:
    return _TIME.get(base_language(language), _TIME["en"])
