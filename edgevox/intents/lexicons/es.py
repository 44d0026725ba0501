"""Spanish."""

from edgevox.intents.lexicons.lexicon import Lexicon, NumberWords, Switch, phrases, words

LEXICON = Lexicon(
    code="es",
    openings=phrases(
        "primero | por favor | oye | hola | ok | okay | vale | bueno | pues | entonces | y | sí | ahora | a ver |"
        " puedes |"
        " podrías | puede |"
        " podría | me puedes | puedes por favor | podrías por favor | quiero que | quiero | quisiera | me gustaría |"
        " necesito que |"
        " necesito | haz el favor de | hazme el favor de | podrías por favor | te importaría |"
        " te importa | me gustaría que | quería | querría | me podrías | serías tan amable de |"
        " venga | anda | robot | ordenador | computadora | asistente | puedes por favor | quieres | disculpa | perdona"
    ),
    closings=phrases(
        "por favor | gracias | muchas gracias | para mí | para nosotros | ahora | ahora mismo | ya | vale | ok | okay |"
        " si puedes | rápido | porfa"
    ),
    hesitations=words("eh ehm em mmm hmm este esto"),
    light=words("el la los las un una unos unas de del al a en mi mis tu tus su sus este esta ese esa lo"),
    distinct=words("música radio tele mesa puerta ventana coche tren café chiste historia reunión"),
    guards=words(
        "no nunca jamás nada ningún ninguna sin yo nosotros él ella ellos ellas tú quién qué cuándo dónde cómo cuál"
        " cuáles"
        " porqué es son era eran está están estaba soy he ha han había o pero si salvo excepto antes después"
        " mientras porque hasta cuando luego dije dijo decir digo piensa pensé creo izquierda derecha arriba abajo más"
        " menos"
        " enciende apaga prende abre cierra activa desactiva sube baja empieza para solo todos todas cada mañana ayer y"
    ),
    contractions={},
    homophones={"ensiende": ("enciende",), "encender": ("enciende",), "enciendes": ("enciende",),
        "encienda": ("enciende",),
                "apagar": ("apaga",), "apague": ("apaga",), "apagas": ("apaga",), "abrir": ("abre",), "abra": ("abre",),
                "cerrar": ("cierra",), "cierre": ("cierra",), "lus": ("luz",), "luces": ("luz",)},
    switches=(
        Switch(told="enciende", true=("encendida", "enciende", "encendido", "encienda", "prende", "prendida", "on"),
        false=("apagada",
        "apaga", "apagado", "apague", "off"), names=words("on powered lit"), negative=words("off"), general=True),
        Switch(true=("sí", "si", "verdadero"), false=("no", "falso"), general=True),
        Switch(told="activa", true=("activada", "activa", "activado"), false=("desactivada", "desactiva",
        "desactivado"),
        names=words("enabled enable active activated"), negative=words("disabled disable"), general=True),
        Switch(told="abre", true=("abierta", "abre", "abierto", "abra"), false=("cerrada", "cierra", "cerrado",
        "cierre"),
        names=words("open opened"), negative=words("closed close shut")),
        Switch(told="bloquea", true=("bloqueada", "bloquea", "bloqueado"), false=("desbloqueada", "desbloquea",
        "desbloqueado"),
        names=words("locked lock"), negative=words("unlocked unlock")),
    ),
    counted={"s": "segundo|segundos", "min": "minuto|minutos", "h": "hora|horas", "d": "día|días",
        "m": "metro|metros", "cm": "centímetro|centímetros", "km": "kilómetro|kilómetros",
        "%": "por ciento|por ciento", "deg": "grado|grados"},
    units={
        "segundo": "s", "segundos": "s", "s": "s", "minuto": "min", "minutos": "min", "min": "min", "hora": "h",
        "horas": "h",
        "h": "h", "día": "d", "días": "d", "metro": "m", "metros": "m", "m": "m", "centímetro": "cm",
        "centímetros": "cm",
        "cm": "cm", "milímetro": "mm", "milímetros": "mm", "mm": "mm", "kilómetro": "km", "kilómetros": "km",
        "km": "km",
        "por ciento": "%", "porciento": "%", "grado": "deg", "grados": "deg", "grados celsius": "c",
        "grados centígrados": "c",
        "grados c": "c", "celsius": "c", "centígrados": "c", "grados fahrenheit": "f", "fahrenheit": "f",
    },
    unit_joiners=words("y"),
    percent="porciento",
    degrees="grados",
    numbers=NumberWords(
        ordinals={"último": -1, "última": -1},
        ordinal_endings=("º", "ª", "o", "a"),
        fractions={"mitad": 0.5, "la mitad": 0.5, "un cuarto": 0.25, "un tercio": 0.33, "dos tercios": 0.67,
            "tres cuartos": 0.75, "máximo": 1, "el máximo": 1, "tope": 1, "mínimo": 0, "el mínimo": 0},
        point=words("coma punto"), minus=words("menos"), thousand=words("mil"), one=words("un una"),
        halves=phrases("y medio | y media"),
        fixed={"medio": 0.5, "media": 0.5, "un cuarto de": 0.25, "tres cuartos de": 0.75, "cien": 100},
    ),
    courtesies=phrases("por favor | gracias | muchas gracias | porfa"),
    conjunctions=words("y luego"),
    connectors=phrases("y luego | y después | y también | y además | y | e | luego | después | después de eso |"
        " además | así como"),
    joiners=words("y e"),
    negations=words("no nunca jamás nada ningún ninguna sin nadie"),
    and_word="y",
    done="Hecho.",
    failed="Lo siento, {error}",
    declined="De acuerdo, no lo hice.",
    not_permitted="No tengo permiso para eso; edgevox permissions dice cómo darlo.",
    stopped="Detenido.",
)  # fmt: skip
