"""How people ask for the time elsewhere and what they are told, in five languages. Words only."""

from edgevox.examples.agents.home_phrases import Phrases
from edgevox.examples.agents.sayings import Sayings

TIME_PHRASES: Phrases = {
    "en": [
        "what time is it [in {timezone}] [now]",
        "what is the time [in {timezone}] [now]",
        "[the] time in {timezone}",
        "what (day|date) is it [today] [in {timezone}]",
        "what is the date [today]",
        "what is today's date",
        "(tell|give) me the time [in {timezone}]",
        "what (time|hour) (is it|do they have|do people have) [right now|now|currently] [in {timezone}] [right"
        " now|now|currently]",
        "what is the (current|local|exact) time [right now|now] [in {timezone}] [right now|now]",
        "[the|current|local] time [right now|now] in {timezone} [right now|now|please]",
        "(tell|give) me the [current|local] time [right now|now] [in {timezone}]",
        "(do|can|could) you (know|tell me|say) what time it is [now|right now] [in {timezone}] [now|right now]",
        "how late is it [now] [in {timezone}]",
        "what (day|date|weekday) (is it|is today|do we have|have we got|are we on) [today|now] [in {timezone}]",
        "what is (the date|today's date|the day|the current date) [today|now]",
        "what day of the week is it [today]",
        "(tell|give) me (the|today's) date",
        "what is {timezone} time",
        "{timezone} time",
        "what is today",
    ],
    "de": [
        "wie spät ist es [jetzt|gerade] [in {timezone}]",
        "wie viel Uhr ist es [jetzt|gerade] [in {timezone}]",
        "(welcher Tag ist|welches Datum ist|welches Datum haben wir|der wievielte ist) heute",
        "Uhrzeit in {timezone}",
    ],
    "fr": [
        "quelle heure est-il [maintenant] [à {timezone}|au {timezone}]",
        "il est quelle heure [à {timezone}|au {timezone}]",
        "quel jour sommes-nous [aujourd'hui]",
        "(quelle est|donne-moi) la date [aujourd'hui]",
    ],
    "es": [
        "qué hora es [ahora] [en {timezone}]",
        "(dime|dame) la hora [en {timezone}]",
        "qué (día|fecha) es [hoy]",
    ],
    "vi": [
        "[bây giờ] [ở] {timezone} [là] mấy giờ [rồi]",
        "[bây giờ] [là] mấy giờ [rồi] [ở {timezone}]",
        "hôm nay [là] (thứ mấy|ngày mấy|ngày bao nhiêu)",
    ],
}
CONVERT_PHRASES: Phrases = {
    "en": [
        "when it is {time} in {from_city} what time is it in {to_city}",
        "what time is it in {to_city} when it is {time} in {from_city}",
        "if it is {time} in {from_city} what time is it in {to_city}",
        "(convert|what is) {time} {from_city} time (to|in) {to_city} [time]",
        "what is {time} in {from_city} in {to_city} [time]",
    ],
    "de": [
        "wenn es in {from_city} {time} ist wie (spät|viel Uhr) ist es [dann] in {to_city}",
        "wenn es {time} in {from_city} ist wie (spät|viel Uhr) ist es [dann] in {to_city}",
        "wie (spät|viel Uhr) ist es in {to_city} wenn es in {from_city} {time} ist",
    ],
    "fr": [
        "quand il est {time} à {from_city} quelle heure est-il à {to_city}",
        "s'il est {time} à {from_city} quelle heure est-il à {to_city}",
        "quelle heure est-il à {to_city} quand il est {time} à {from_city}",
    ],
    "es": [
        "cuando (son|es) {time} en {from_city} qué hora es en {to_city}",
        "si (son|es) {time} en {from_city} qué hora es en {to_city}",
        "qué hora es en {to_city} cuando (son|es) {time} en {from_city}",
    ],
    "vi": [
        "khi [ở] {from_city} là {time} thì [ở] {to_city} là mấy giờ",
        "nếu [ở] {from_city} là {time} thì [ở] {to_city} là mấy giờ",
    ],
}
DIFFERENCE_PHRASES: Phrases = {
    "en": [
        "what is the [time] difference between {first_city} and {second_city}",
        "[the] time difference between {first_city} and {second_city}",
        "how many hours (are there|are|is it) between {first_city} and {second_city}",
        "how far (ahead of|behind) {second_city} is {first_city}",
        "how many hours is {first_city} (ahead of|behind) {second_city}",
        "how (many hours|far) are {first_city} and {second_city} apart",
        "how many hours (are|is) {first_city} and {second_city} apart",
        "how (many hours|far) apart (are|is) {first_city} (and|from) {second_city} [in time]",
        "what is the [time] difference (between|from) {first_city} (and|to) {second_city}",
        "how many hours (ahead of|behind) {second_city} is {first_city}",
        "{first_city} (and|to|versus) {second_city} time difference",
        "how (big|large) is the time difference between {first_city} and {second_city}",
        "how much (earlier|later) is it in {first_city} than in {second_city}",
        "how many hours (separate|lie between) {first_city} and {second_city}",
        "how many hours [is] (from|between) {first_city} (to|and) {second_city}",
    ],
    "de": [
        "wie groß ist der (Zeitunterschied|Unterschied) zwischen {first_city} und {second_city}",
        "[der] Zeitunterschied zwischen {first_city} und {second_city}",
        "wie viele Stunden liegen zwischen {first_city} und {second_city}",
    ],
    "fr": [
        "quel est le décalage [horaire] entre {first_city} et {second_city}",
        "[le] décalage horaire entre {first_city} et {second_city}",
    ],
    "es": [
        "(cuál es|qué) [la] diferencia horaria [hay] entre {first_city} y {second_city}",
        "[la] diferencia horaria entre {first_city} y {second_city}",
        "cuántas horas hay entre {first_city} y {second_city}",
    ],
    "vi": [
        "{first_city} và {second_city} (lệch|cách|chênh) nhau (mấy|bao nhiêu) (giờ|tiếng)",
        "chênh lệch [giờ] giữa {first_city} và {second_city}",
    ],
}

_SAYINGS = Sayings(
    en={
        "now": "It is {time}{where}, {weekday}, {day} {month} {year}.",
        "one": "It is {time}{where}, {weekday}, {day} {month} {year}.",
        "converted": "When it is {time} {place}, it is {other_time} {other_place}.",
        "converted_later": "When it is {time} {place}, it is {other_time} {other_place}, on the next day.",
        "converted_earlier": "When it is {time} {place}, it is {other_time} {other_place}, on the day before.",
        "same": "it is the same time {first} and {second}.",
        "ahead": "{first} it is {span} later than {second}.",
        "behind": "{first} it is {span} earlier than {second}.",
        "no_time": "'{time}' is not a time of day; say for example half past nine or 15:30",
        "no_zone": "I do not know the time zone of '{place}'; say a city such as Tokyo, or a zone like Europe/Paris",
    },
    de={
        "now": "Es ist {time} Uhr{where}, {weekday}, der {day}. {month} {year}.",
        "one": "Es ist {time} Uhr{where}, {weekday}, der {day}. {month} {year}.",
        "converted": "Wenn es {place} {time} Uhr ist, ist es {other_place} {other_time} Uhr.",
        "converted_later": "Wenn es {place} {time} Uhr ist, ist es {other_place} {other_time} Uhr am nächsten Tag.",
        "converted_earlier": "Wenn es {place} {time} Uhr ist, ist es {other_place} {other_time} Uhr am Tag davor.",
        "same": "{first} und {second} ist es gleich spät.",
        "ahead": "{first} ist es {span} später als {second}.",
        "behind": "{first} ist es {span} früher als {second}.",
        "no_time": "'{time}' ist keine Uhrzeit; sag zum Beispiel halb zehn oder 15:30",
        "no_zone": "die Zeitzone von '{place}' kenne ich nicht; sag eine Stadt wie Tokio oder eine Zone wie"
        " Europe/Paris",
    },
    fr={
        "now": "Il est {time}{where}, {weekday} {day} {month} {year}.",
        "one": "Il est {time}{where}, {weekday} {day} {month} {year}.",
        "converted": "Quand il est {time} {place}, il est {other_time} {other_place}.",
        "converted_later": "Quand il est {time} {place}, il est {other_time} {other_place}, le lendemain.",
        "converted_earlier": "Quand il est {time} {place}, il est {other_time} {other_place}, la veille.",
        "same": "il est la même heure {first} et {second}.",
        "ahead": "{first}, il est {span} plus tard qu'{second}.",
        "behind": "{first}, il est {span} plus tôt qu'{second}.",
        "no_time": "'{time}' n'est pas une heure ; dites par exemple neuf heures et demie ou 15 h 30",
        "no_zone": "je ne connais pas le fuseau horaire de '{place}' ; dites une ville comme Tokyo ou une zone comme"
        " Europe/Paris",
    },
    es={
        "now": "Son las {time}{where}, {weekday} {day} de {month} de {year}.",
        "one": "Es la {time}{where}, {weekday} {day} de {month} de {year}.",
        "converted": "Cuando {place} son las {time}, {other_place} son las {other_time}.",
        "converted_later": "Cuando {place} son las {time}, {other_place} son las {other_time} del día siguiente.",
        "converted_earlier": "Cuando {place} son las {time}, {other_place} son las {other_time} del día anterior.",
        "same": "{first} y {second} es la misma hora.",
        "ahead": "{first} hay {span} más que {second}.",
        "behind": "{first} hay {span} menos que {second}.",
        "no_time": "'{time}' no es una hora; di por ejemplo las nueve y media o 15:30",
        "no_zone": "no conozco la zona horaria de '{place}'; di una ciudad como Tokio o una zona como Europe/Paris",
    },
    vi={
        "now": "Bây giờ{where} là {time}, {weekday}, ngày {day} {month} năm {year}.",
        "one": "Bây giờ{where} là {time}, {weekday}, ngày {day} {month} năm {year}.",
        "converted": "Khi {place} là {time} thì {other_place} là {other_time}.",
        "converted_later": "Khi {place} là {time} thì {other_place} là {other_time} ngày hôm sau.",
        "converted_earlier": "Khi {place} là {time} thì {other_place} là {other_time} ngày hôm trước.",
        "same": "{first} và {second} cùng giờ.",
        "ahead": "giờ {first} nhanh hơn {second} {span}.",
        "behind": "giờ {first} chậm hơn {second} {span}.",
        "no_time": "'{time}' không phải là giờ; hãy nói, ví dụ: chín giờ rưỡi hoặc 15:30",
        "no_zone": "tôi không biết múi giờ của '{place}'; hãy nói một thành phố như Tokyo hoặc múi giờ như"
        " Europe/Paris",
    },
)


def about_time(name: str, language: str, **values: object) -> str:
    """Say one of the sentences about the time elsewhere."""
    return _SAYINGS.say(name, language, **values)
