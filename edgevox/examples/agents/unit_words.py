"""How German, French, Spanish and Vietnamese call units. Words only: they stand beside the English names of `units`."""

WORDS = {
    # German
    "millimetern": "millimeter", "zentimeter": "centimeter", "zentimetern": "centimeter", "metern": "meter",
    "kilometern": "kilometer", "zoll": "inch", "fuß": "foot", "meile": "mile", "meilen": "mile",
    "gramm": "gram", "kilogramm": "kilogram", "kilo": "kilogram", "kilos": "kilogram", "tonnen": "ton", "unze": "ounce",
    "unzen": "ounce", "pfund": "pound", "litern": "liter", "tasse": "cup", "tassen": "cup", "gallonen": "gallon",
    "gallone": "gallon", "teelöffel": "teaspoon", "esslöffel": "tablespoon", "sekunde": "second", "sekunden": "second",
    "minuten": "minute", "stunde": "hour", "stunden": "hour", "tag": "day", "tage": "day", "tagen": "day",
    "woche": "week", "wochen": "week", "stundenkilometer": "kilometer per hour", "knoten": "knot",
    "kilometer pro stunde": "kilometer per hour", "meter pro sekunde": "meter per second",
    "meilen pro stunde": "mile per hour", "grad": "degree", "bogenmaß": "radian", "grad celsius": "celsius",
    "grad fahrenheit": "fahrenheit",
    # French
    "millimètre": "millimeter", "centimètre": "centimeter", "mètre": "meter", "kilomètre": "kilometer",
    "pouce": "inch", "pied": "foot", "mille": "mile", "gramme": "gram", "kilogramme": "kilogram", "once": "ounce",
    "livre": "pound", "tasse de": "cup", "litre": "liter", "gallons": "gallon", "seconde": "second", "heure": "hour",
    "jour": "day", "semaine": "week", "kilomètre par heure": "kilometer per hour", "kilomètres par heure":
    "kilometer per hour", "mètres par seconde": "meter per second", "milles par heure": "mile per hour",
    "nœud": "knot", "degré": "degree", "degrés celsius": "celsius", "degrés fahrenheit": "fahrenheit",
    "octet": "byte", "kilooctet": "kilobyte", "mégaoctet": "megabyte", "gigaoctet": "gigabyte",
    # Spanish
    "milímetro": "millimeter", "centímetro": "centimeter", "metro": "meter", "kilómetro": "kilometer",
    "pulgada": "inch", "pie": "foot", "yarda": "yard", "milla": "mile", "gramo": "gram", "kilogramo": "kilogram",
    "tonelada": "ton", "onza": "ounce", "libra": "pound", "litro": "liter", "taza": "cup", "galón": "gallon",
    "galones": "gallon", "segundo": "second", "minuto": "minute", "hora": "hour", "día": "day", "semana": "week",
    "kilómetros por hora": "kilometer per hour", "metros por segundo": "meter per second",
    "millas por hora": "mile per hour", "nudo": "knot", "grado": "degree", "grados celsius": "celsius",
    "grados fahrenheit": "fahrenheit", "radianes": "radian",
    # Vietnamese
    "milimét": "millimeter", "xăng ti mét": "centimeter", "xentimét": "centimeter", "mét": "meter",
    "kilômét": "kilometer", "ki lô mét": "kilometer", "cây số": "kilometer", "dặm": "mile", "gam": "gram",
    "kilôgam": "kilogram", "ki lô gam": "kilogram", "cân": "kilogram", "ký": "kilogram", "tấn": "ton", "pao": "pound",
    "lít": "liter", "giây": "second", "phút": "minute", "giờ": "hour", "tiếng": "hour", "ngày": "day", "tuần": "week",
    "độ c": "celsius", "độ f": "fahrenheit", "độ": "degree",
}  # fmt: skip
"""Word in lower case to the unit."""
