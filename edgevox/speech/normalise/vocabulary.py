"""What a language calls numbers' signs, units, money, months and abbreviations.

Data only. English is complete; German, French, Spanish and Vietnamese hold what assistants say; other languages leave
their digits to the synthesiser.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

Forms = tuple[str, str]
"""One of it, several of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """The words of one language."""

    code: str
    decimal_comma: bool = False
    """Whether 3,14 is a bit more than 3 and 1.000 is a thousand."""
    minus: str = ""
    plus: str = ""
    point: str = ""
    to: str = ""
    """Between the ends of a range."""
    and_: str = ""
    at: str = "@"
    dot: str = "."
    link: str = ""
    code_block: str = ""
    percent: str = ""
    degrees: Forms = ("", "")
    celsius: str = "Celsius"
    fahrenheit: str = "Fahrenheit"
    number_sign: str = ""
    version: str = ""
    equals: str = ""
    times: str = ""
    slash: str = ""
    units: Mapping[str, Forms] = field(default_factory=dict[str, Forms])
    money: Mapping[str, tuple[Forms, Forms | None]] = field(default_factory=dict[str, tuple[Forms, Forms | None]])
    """By sign or code: the whole and its hundredth."""
    months: tuple[str, ...] = ()
    hour: Forms = ("", "")
    """Between hours and minutes of a time of day."""
    abbreviations: Mapping[str, str] = field(default_factory=dict[str, str])
    """Lower case, as written with its full stop."""


def _same(word: str) -> Forms:
    return (word, word)


def _plural_s(**units: str) -> dict[str, Forms]:
    return {symbol: (word, word + "s") for symbol, word in units.items()}


_ENGLISH_UNITS: dict[str, Forms] = {
    **_plural_s(
        km="kilometer", m="meter", cm="centimeter", mm="millimeter", mi="mile", yd="yard", kg="kilogram", g="gram",
        mg="milligram", lb="pound", lbs="pound", oz="ounce", l="liter", L="liter", ml="milliliter", mL="milliliter",
        ms="millisecond", s="second", sec="second", min="minute", h="hour", hr="hour", hrs="hour", W="watt",
        kW="kilowatt", V="volt", mA="milliampere", A="ampere", dB="decibel", KB="kilobyte", kB="kilobyte",
        MB="megabyte", GB="gigabyte", TB="terabyte", rad="radian", N="newton", px="pixel",
    ),
    "Hz": _same("hertz"), "kHz": _same("kilohertz"), "MHz": _same("megahertz"), "GHz": _same("gigahertz"),
    "ft": ("foot", "feet"), "in": ("inch", "inches"), "kWh": ("kilowatt hour", "kilowatt hours"),
    "Wh": ("watt hour", "watt hours"), "hPa": _same("hectopascal"), "m/s": ("meter per second", "meters per second"),
    "km/h": ("kilometer per hour", "kilometers per hour"), "kph": ("kilometer per hour", "kilometers per hour"),
    "mph": ("mile per hour", "miles per hour"), "rad/s": ("radian per second", "radians per second"),
    "m²": ("square meter", "square meters"), "m^2": ("square meter", "square meters"),
    "m³": ("cubic meter", "cubic meters"), "km²": ("square kilometer", "square kilometers"),
    "rpm": ("revolution per minute", "revolutions per minute"), "fps": ("frame per second", "frames per second"),
    "Mbps": ("megabit per second", "megabits per second"),
    "m/s²": ("meter per second squared", "meters per second squared"),
}  # fmt: skip

ENGLISH = Vocabulary(
    code="en", minus="minus", plus="plus", point="point", to="to", and_="and", at="at", dot="dot", link="link",
    code_block="The code is on the screen.", percent="percent", degrees=("degree", "degrees"), number_sign="number",
    version="version", equals="equals", times="times", slash="slash", units=_ENGLISH_UNITS,
    money={
        "$": (("dollar", "dollars"), ("cent", "cents")), "US$": (("dollar", "dollars"), ("cent", "cents")),
        "USD": (("dollar", "dollars"), ("cent", "cents")), "€": (("euro", "euros"), ("cent", "cents")),
        "EUR": (("euro", "euros"), ("cent", "cents")), "£": (("pound", "pounds"), ("penny", "pence")),
        "GBP": (("pound", "pounds"), ("penny", "pence")), "¥": (_same("yen"), None), "₹": (("rupee", "rupees"), None),
        "₫": (_same("dong"), None), "CHF": (("Swiss franc", "Swiss francs"), None),
    },
    months=("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December"),
    abbreviations={
        "dr.": "Doctor", "mr.": "Mister", "mrs.": "Missus", "ms.": "Miz", "prof.": "Professor", "e.g.": "for example",
        "i.e.": "that is", "etc.": "et cetera", "vs.": "versus", "approx.": "approximately", "dept.": "department",
        "est.": "estimated", "jr.": "Junior", "sr.": "Senior", "inc.": "Incorporated", "ltd.": "Limited",
        "ave.": "Avenue", "blvd.": "Boulevard", "max.": "maximum", "min.": "minimum", "temp.": "temperature",
        "fig.": "figure", "ca.": "about", "lt.": "Lieutenant", "gen.": "General", "sgt.": "Sergeant",
    },
)  # fmt: skip

GERMAN = Vocabulary(
    code="de", decimal_comma=True, minus="minus", plus="plus", point="Komma", to="bis", and_="und", at="ät",
    dot="Punkt", link="Link", code_block="Der Code steht auf dem Bildschirm.", percent="Prozent", degrees=_same("Grad"),
    number_sign="Nummer", version="Version", equals="gleich", times="mal", slash="Schrägstrich",
    units={
        "km": _same("Kilometer"), "m": _same("Meter"), "cm": _same("Zentimeter"), "mm": _same("Millimeter"),
        "kg": _same("Kilogramm"), "g": _same("Gramm"), "l": _same("Liter"), "ml": _same("Milliliter"),
        "s": ("Sekunde", "Sekunden"), "min": ("Minute", "Minuten"), "h": ("Stunde", "Stunden"),
        "km/h": _same("Kilometer pro Stunde"), "m/s": _same("Meter pro Sekunde"), "W": _same("Watt"),
        "kW": _same("Kilowatt"), "kWh": ("Kilowattstunde", "Kilowattstunden"), "MB": _same("Megabyte"),
        "GB": _same("Gigabyte"), "m²": _same("Quadratmeter"), "Hz": _same("Hertz"), "V": _same("Volt"),
    },
    money={"€": (_same("Euro"), _same("Cent")), "EUR": (_same("Euro"), _same("Cent")),
           "$": (_same("Dollar"), _same("Cent")), "£": (_same("Pfund"), _same("Pence")),
           "CHF": (_same("Franken"), None)},
    months=("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
            "Dezember"),
    hour=_same("Uhr"),
    abbreviations={
        "dr.": "Doktor", "hr.": "Herr", "fr.": "Frau", "prof.": "Professor", "z.b.": "zum Beispiel",
        "z. b.": "zum Beispiel", "d.h.": "das heißt", "d. h.": "das heißt", "usw.": "und so weiter",
        "bzw.": "beziehungsweise", "ca.": "circa", "evtl.": "eventuell", "ggf.": "gegebenenfalls", "nr.": "Nummer",
        "str.": "Straße", "inkl.": "inklusive", "vgl.": "vergleiche", "min.": "Minuten", "mio.": "Millionen",
    },
)  # fmt: skip

FRENCH = Vocabulary(
    code="fr", decimal_comma=True, minus="moins", plus="plus", point="virgule", to="à", and_="et", at="arobase",
    dot="point", link="lien", code_block="Le code est à l'écran.", percent="pour cent", degrees=("degré", "degrés"),
    number_sign="numéro", version="version", equals="égale", times="fois", slash="barre oblique",
    units={
        **_plural_s(km="kilomètre", m="mètre", cm="centimètre", mm="millimètre", kg="kilogramme", g="gramme", l="litre",
                    ml="millilitre", s="seconde", min="minute", h="heure", W="watt", kW="kilowatt", V="volt"),
        "km/h": ("kilomètre par heure", "kilomètres par heure"), "m/s": ("mètre par seconde", "mètres par seconde"),
        "m²": ("mètre carré", "mètres carrés"),
    },
    money={"€": (("euro", "euros"), ("centime", "centimes")), "EUR": (("euro", "euros"), ("centime", "centimes")),
           "$": (("dollar", "dollars"), ("cent", "cents")), "£": (("livre", "livres"), None)},
    months=("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
            "décembre"),
    hour=("heure", "heures"),
    abbreviations={"m.": "Monsieur", "mme": "Madame", "mlle": "Mademoiselle", "dr.": "Docteur", "etc.": "et cetera",
                   "p. ex.": "par exemple", "p.ex.": "par exemple", "env.": "environ", "n°": "numéro", "av.": "avenue"},
)  # fmt: skip

SPANISH = Vocabulary(
    code="es", decimal_comma=True, minus="menos", plus="más", point="coma", to="a", and_="y", at="arroba", dot="punto",
    link="enlace", code_block="El código está en la pantalla.", percent="por ciento", degrees=("grado", "grados"),
    number_sign="número", version="versión", equals="igual a", times="por", slash="barra",
    units={
        **_plural_s(km="kilómetro", m="metro", cm="centímetro", mm="milímetro", kg="kilogramo", g="gramo", l="litro",
                    ml="mililitro", s="segundo", min="minuto", h="hora", W="vatio", kW="kilovatio", V="voltio"),
        "km/h": ("kilómetro por hora", "kilómetros por hora"), "m/s": ("metro por segundo", "metros por segundo"),
        "m²": ("metro cuadrado", "metros cuadrados"),
    },
    money={"€": (("euro", "euros"), ("céntimo", "céntimos")), "EUR": (("euro", "euros"), ("céntimo", "céntimos")),
           "$": (("dólar", "dólares"), ("centavo", "centavos")), "£": (("libra", "libras"), None)},
    months=("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
            "noviembre", "diciembre"),
    hour=("", ""),
    abbreviations={"sr.": "señor", "sra.": "señora", "srta.": "señorita", "dr.": "doctor", "dra.": "doctora",
                   "ud.": "usted", "uds.": "ustedes", "etc.": "etcétera", "p. ej.": "por ejemplo",
                   "p.ej.": "por ejemplo", "núm.": "número", "n.º": "número", "aprox.": "aproximadamente"},
)  # fmt: skip

VIETNAMESE = Vocabulary(
    code="vi", decimal_comma=True, minus="âm", plus="cộng", point="phẩy", to="đến", and_="và", at="a còng", dot="chấm",
    link="liên kết", code_block="Mã nguồn ở trên màn hình.", percent="phần trăm", degrees=_same("độ"),
    celsius="xê", fahrenheit="ép", number_sign="số", version="phiên bản", equals="bằng", times="nhân",
    slash="gạch chéo",
    units={
        "km": _same("ki lô mét"), "m": _same("mét"), "cm": _same("xen ti mét"), "mm": _same("mi li mét"),
        "kg": _same("ki lô gam"), "g": _same("gam"), "l": _same("lít"), "ml": _same("mi li lít"), "s": _same("giây"),
        "min": _same("phút"), "h": _same("giờ"), "km/h": _same("ki lô mét trên giờ"), "m/s": _same("mét trên giây"),
        "m²": _same("mét vuông"), "W": _same("oát"), "kWh": _same("ki lô oát giờ"),
    },
    money={"₫": (_same("đồng"), None), "đ": (_same("đồng"), None), "VND": (_same("đồng"), None),
           "$": (_same("đô la"), _same("xu")), "€": (_same("ơ rô"), _same("xu"))},
    months=tuple(f"tháng {number}" for number in range(1, 13)),
    hour=_same("giờ"),
    abbreviations={"tp.": "thành phố", "v.v.": "vân vân", "ts.": "tiến sĩ", "gs.": "giáo sư", "ths.": "thạc sĩ"},
)  # fmt: skip

_BY_LANGUAGE = {each.code: each for each in (ENGLISH, GERMAN, FRENCH, SPANISH, VIETNAMESE)}


def vocabulary(language: str) -> Vocabulary:
    """Return the words of a language; an empty vocabulary where there is none."""
    code = language[:2].lower()
    return _BY_LANGUAGE.get(code) or Vocabulary(code=code)
