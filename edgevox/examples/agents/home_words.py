"""The sentences of the home agent that a reply template cannot make: spans of time, weekdays, timers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeWords:
    """One language."""

    second: tuple[str, str]
    """One and many."""
    minute: tuple[str, str]
    hour: tuple[str, str]
    joiner: str
    clock: str
    """With `{time}`, `{weekday}`, `{day}` and `{month}`."""
    weekdays: tuple[str, ...]
    """Monday first."""
    months: tuple[str, ...]
    timer: str
    """A timer that has no name."""
    named: str
    """A timer with a `{label}`."""
    is_set: str
    """With `{timer}` and `{span}`."""
    is_over: str
    is_cancelled: str
    left: str
    """With `{timer}` and `{span}`."""
    none: str
    """No timer runs."""


_LANGUAGES: Mapping[str, HomeWords] = {
    "en": HomeWords(
        second=("second", "seconds"), minute=("minute", "minutes"), hour=("hour", "hours"), joiner=" and ",
        clock="It is {time} on {weekday}, {day} {month}.",
        weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        months=("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December"),
        timer="timer", named="{label} timer", is_set="The {timer} is set for {span}.", is_over="The {timer} is done.",
        is_cancelled="The {timer} is cancelled.", left="The {timer} has {span} left.", none="No timer is running.",
    ),
    "de": HomeWords(
        second=("Sekunde", "Sekunden"), minute=("Minute", "Minuten"), hour=("Stunde", "Stunden"), joiner=" und ",
        clock="Es ist {time} Uhr, {weekday}, der {day}. {month}.",
        weekdays=("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
        months=("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
                "November", "Dezember"),
        timer="Timer", named="Timer {label}", is_set="Der {timer} läuft: {span}.",
        is_over="Der {timer} ist abgelaufen.",
        is_cancelled="Der {timer} ist gelöscht.", left="Der {timer} läuft noch {span}.", none="Es läuft kein Timer.",
    ),
    "fr": HomeWords(
        second=("seconde", "secondes"), minute=("minute", "minutes"), hour=("heure", "heures"), joiner=" et ",
        clock="Il est {time}, {weekday} {day} {month}.",
        weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        months=("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
                "novembre", "décembre"),
        timer="minuteur", named="minuteur {label}", is_set="Le {timer} est réglé sur {span}.",
        is_over="Le {timer} est terminé.", is_cancelled="Le {timer} est annulé.", left="Il reste {span} au {timer}.",
        none="Aucun minuteur n'est en marche.",
    ),
    "es": HomeWords(
        second=("segundo", "segundos"), minute=("minuto", "minutos"), hour=("hora", "horas"), joiner=" y ",
        clock="Son las {time} del {weekday} {day} de {month}.",
        weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        months=("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
                "noviembre", "diciembre"),
        timer="temporizador", named="temporizador {label}", is_set="El {timer} está puesto: {span}.",
        is_over="El {timer} ha terminado.", is_cancelled="El {timer} está cancelado.",
        left="Al {timer} le quedan {span}.", none="No hay ningún temporizador en marcha.",
    ),
    "vi": HomeWords(
        second=("giây", "giây"), minute=("phút", "phút"), hour=("giờ", "giờ"), joiner=" ",
        clock="Bây giờ là {time}, {weekday}, ngày {day} {month}.",
        weekdays=("thứ hai", "thứ ba", "thứ tư", "thứ năm", "thứ sáu", "thứ bảy", "chủ nhật"),
        months=tuple(f"tháng {number}" for number in range(1, 13)),
        timer="hẹn giờ", named="hẹn giờ {label}", is_set="Đã đặt {timer}: {span}.", is_over="{timer} đã hết.",
        is_cancelled="Đã hủy {timer}.", left="{timer} còn {span}.", none="Không có hẹn giờ nào.",
    ),
}  # fmt: skip


def words_of(language: str) -> HomeWords:
    """The words of a language, the English ones where there are none."""
    return _LANGUAGES.get(language.casefold().partition("-")[0], _LANGUAGES["en"])


def span(seconds: float, language: str) -> str:
    """Say a span of time in at most two units: `1 hour and 30 minutes`."""
    words, whole = words_of(language), max(0, round(seconds))
    parts = [
        (whole // 3600, words.hour),
        (whole % 3600 // 60, words.minute),
        (whole % 60, words.second),
    ]
    said = [f"{count} {names[count != 1]}" for count, names in parts if count][:2]
    return words.joiner.join(said) if said else f"0 {words.second[1]}"


def clock(now: datetime, language: str) -> str:
    """Say the time of day and the date."""
    words = words_of(language)
    return words.clock.format(
        time=f"{now:%H:%M}", weekday=words.weekdays[now.weekday()], day=now.day, month=words.months[now.month - 1]
    )


def timer_name(label: str, language: str) -> str:
    """Say which timer is meant."""
    words = words_of(language)
    return words.named.format(label=label) if label else words.timer


def timer_set(label: str, seconds: float, language: str) -> str:
    """Say that a timer runs."""
    return _capital(words_of(language).is_set.format(timer=timer_name(label, language), span=span(seconds, language)))


def timer_over(label: str, language: str) -> str:
    """Say that a timer is done."""
    return _capital(words_of(language).is_over.format(timer=timer_name(label, language)))


def timer_cancelled(label: str, language: str) -> str:
    """Say that a timer was thrown away."""
    return _capital(words_of(language).is_cancelled.format(timer=timer_name(label, language)))


def timers_left(timers: Sequence[tuple[str, float]], language: str) -> str:
    """Say how long each timer has left.

    Args:
        timers: label and seconds of each.
        language: two-letter code.
    """
    words = words_of(language)
    said = [
        _capital(words.left.format(timer=timer_name(label, language), span=span(seconds, language)))
        for label, seconds in timers
    ]
    return " ".join(said) or words.none


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
