"""German."""

from edgevox.intents.lexicons.lexicon import Lexicon, NumberWords, Switch, phrases, words

LEXICON = Lexicon(
    code="de",
    openings=phrases(
        "zuerst | erst | als erstes | bitte | hey | hi | hallo | okay | ok | also | so | nun | jetzt | mal | ja |"
        " gut | ach | und | kannst du |"
        " könntest du |"
        " würdest du | kannst du bitte | könntest du bitte | kannst du mal | könnten sie | können sie | würden sie |"
        " ich möchte dass du | ich will dass du | ich möchte | ich hätte gern | sei so gut und | sei so nett und |"
        " entschuldigung | könntest du mir | kannst du mir | kannst du uns | würdest du mir | würdest du bitte |"
        " machst du | machst du bitte | magst du | ich würde gern | ich würde gerne | ich brauche | ich hätte gerne |"
        " ich will | wir brauchen | los | komm | lass uns | bitte mal | roboter | computer | assistent | sei ein schatz"
        " und | ich bitte dich |"
        " schnell"
    ),
    closings=phrases(
        "bitte | danke | danke schön | vielen dank | für mich | für uns | jetzt | sofort | gleich | okay | ok | mal |"
        " schnell | ja | bitte schön | wenn du kannst | wenn es geht | bitte sofort"
    ),
    hesitations=words("äh ähm öh hm hmm mhm ähh em"),
    light=words("der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner im in am an zu zur"
        " zum auf"
                " von es doch mal bitte"),
    distinct=words("alt alarm musik radio fernseher termin tisch tür fenster auto zug kaffee bier witz"
        " nachrichten bild geschichte"),
    guards=words(
        "nicht kein keine keinen nie niemals nichts ohne ich wir er sie du ihr wer wen was wann wo warum wieso weshalb"
        " wie"
        " welche welcher welches ob ist sind war waren bin hat habe haben hatte hatten wird werden würde sollte soll"
        " muss"
        " kann darf und oder aber wenn falls bis nachdem bevor während weil außer statt anstatt dann sagte sagen gesagt"
        " sag denke dachte meine ein aus auf zu an links rechts hoch runter höher niedriger mehr weniger start stopp"
        " vor"
        " zurück nur alle jeder morgen gestern später schon"
    ) - words("meine ein auf zu an"),
    contractions={"ins": "in das", "ans": "an das", "aufs": "auf das", "geht's": "geht es", "gibt's": "gibt es",
        "wie's": "wie es",
                  "ist's": "ist es", "mach's": "mach es", "fürs": "für das", "viertelstunde": "viertel stunde",
                  "dreiviertelstunde": "dreiviertel stunde"},
    homophones={"licht's": ("licht",), "lichter": ("licht",), "seid": ("seit",)},
    switches=(
        Switch(true=("an", "ein", "eingeschaltet", "angeschaltet", "einschalten", "anschalten", "anmachen"),
        false=("aus", "ab", "ausgeschaltet", "ausschalten", "ausmachen"), names=words("on powered lit"),
        negative=words("off"), general=True),
        Switch(true=("ja", "wahr"), false=("nein", "falsch"), general=True),
        Switch(told="aktiviere", true=("aktiviert", "aktiviere", "aktivieren", "starte"), false=("deaktiviert",
        "deaktiviere",
        "deaktivieren", "stoppe"), names=words("enabled enable active activated"), negative=words("disabled disable"),
        general=True),
        Switch(told="öffne", true=("offen", "öffne", "geöffnet", "auf"), false=("geschlossen", "schließe", "schließ",
        "zu"),
        names=words("open opened"), negative=words("closed close shut")),
        Switch(told="sperre", true=("gesperrt", "sperre", "verriegle", "verriegelt"), false=("entsperrt", "entsperre",
        "entriegle",
        "entriegelt"), names=words("locked lock"), negative=words("unlocked unlock")),
    ),
    counted={"s": "Sekunde|Sekunden", "min": "Minute|Minuten", "h": "Stunde|Stunden", "d": "Tag|Tage",
        "m": "Meter|Meter", "cm": "Zentimeter|Zentimeter", "km": "Kilometer|Kilometer", "%": "Prozent|Prozent",
        "deg": "Grad|Grad"},
    units={
        "sekunde": "s", "sekunden": "s", "sek": "s", "s": "s", "minute": "min", "minuten": "min", "min": "min",
        "stunde": "h", "stunden": "h", "std": "h", "h": "h", "tag": "d", "tage": "d", "tagen": "d",
        "meter": "m", "metern": "m", "m": "m", "zentimeter": "cm", "zentimetern": "cm", "cm": "cm", "millimeter": "mm",
        "mm": "mm", "kilometer": "km", "kilometern": "km", "km": "km",
        "prozent": "%", "grad": "deg", "grad celsius": "c", "grad c": "c", "celsius": "c", "grad fahrenheit": "f",
        "fahrenheit": "f",
    },
    unit_joiners=words("und"),
    percent="prozent",
    degrees="grad",
    numbers=NumberWords(
        ordinals={"letzte": -1, "letzten": -1, "letzter": -1, "letztes": -1},
        ordinal_endings=("te", "ten", "ter"),
        fractions={"halb": 0.5, "die hälfte": 0.5, "hälfte": 0.5, "ein viertel": 0.25, "viertel": 0.25,
            "ein drittel": 0.33, "zwei drittel": 0.67, "drei viertel": 0.75, "dreiviertel": 0.75, "voll": 1,
            "ganz": 1, "maximum": 1, "maximal": 1, "minimum": 0, "minimal": 0},
        point=words("komma punkt"), minus=words("minus"), joiner="und", thousand=words("tausend"),
        one=words("ein eine einen einer einem"),
        halves=phrases("einhalb | und ein halb | und eine halbe"),
        fixed={"eineinhalb": 1.5, "anderthalb": 1.5, "zweieinhalb": 2.5, "dreieinhalb": 3.5, "viereinhalb": 4.5,
               "fünfeinhalb": 5.5, "eine halbe": 0.5, "einen halben": 0.5, "ein halber": 0.5,
               "eine viertel": 0.25, "viertel": 0.25, "dreiviertel": 0.75,
               "eine dreiviertel": 0.75, "halbe": 0.5, "halben": 0.5,
               "hundert": 100,
               "zwo": 2, "fuffzig": 50},
    ),
    courtesies=phrases("bitte | danke | danke schön | vielen dank | bitte schön"),
    conjunctions=words("und dann"),
    connectors=phrases("und dann | und danach | und anschließend | und außerdem | und auch | und | dann | danach |"
        " anschließend | außerdem | sowie"),
    joiners=words("und"),
    negations=words("nicht kein keine keinen nie niemals nichts ohne niemand"),
    and_word="und",
    done="Erledigt.",
    failed="Das ging nicht: {error}",
    declined="Gut, ich habe es gelassen.",
    not_permitted="Das darf ich nicht; edgevox permissions sagt, wie man es erlaubt.",
    stopped="Angehalten.",
)  # fmt: skip
