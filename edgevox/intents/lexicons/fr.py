"""French."""

from edgevox.intents.lexicons.lexicon import Lexicon, NumberWords, Switch, phrases, words

LEXICON = Lexicon(
    code="fr",
    openings=phrases(
        "d'abord | s'il te plaît | s'il vous plaît | salut | bonjour | hé | ok | okay | d'accord | alors | bon |"
        " bien | et | oui"
        " | maintenant |"
        " peux tu | pourrais tu | est ce que tu peux | tu peux | tu pourrais | pouvez vous | pourriez vous | vous"
        " pouvez |"
        " veux tu | veuillez | je veux que tu | je voudrais que tu | je voudrais | j'aimerais | je veux | vas y |"
        " tu veux bien | veux tu bien | tu voudrais | voudrais tu |"
        " est ce que tu pourrais | est ce que vous pouvez | pourriez vous s'il vous plaît | peux tu s'il te plaît |"
        " j'ai besoin d' | j'ai besoin de | allez | robot | ordinateur | assistant |"
        " merci de | s'il te plaît peux tu | tu peux me | peux tu me | pourrais tu me | dis moi |"
        " excuse moi | dis"
    ),
    closings=phrases(
        "s'il te plaît | s'il vous plaît | merci | merci beaucoup | pour moi | pour nous | maintenant | tout de suite"
        " | ok |"
        " okay | d'accord | si tu peux | vite | stp"
    ),
    hesitations=words("euh heu hum hmm hm bah ben beuh"),
    light=words("le la les l' un une des du de d' au aux à dans en mon ma mes ton ta tes ce cette ces sur y"),
    distinct=words("musique radio télé table porte fenêtre voiture train café blague histoire réunion"),
    guards=words(
        "ne n' pas jamais rien aucun aucune sans je j' nous il elle ils elles on tu qui que quoi quand où pourquoi"
        " comment"
        " quel quelle quels quelles est sont était étaient suis ai as a ont avait ou et mais si sauf avant après"
        " pendant"
        " parce jusqu' jusque lorsque puis dit dire disais pense pensais crois veut gauche droite haut bas plus moins"
        " allume éteins ouvre ferme active désactive démarre arrête monte baisse seulement tous toutes chaque demain"
        " hier"
    ),
    contractions={},
    homophones={"alume": ("allume",), "allumes": ("allume",), "allumer": ("allume",), "allumez": ("allume",),
                "éteint": ("éteins",), "éteindre": ("éteins",), "éteignez": ("éteins",), "ouvrir": ("ouvre",),
                "ouvres": ("ouvre",),
                "fermer": ("ferme",), "fermez": ("ferme",)},
    switches=(
        Switch(told="allume", true=("allumée", "allume", "allumé", "allumez", "on"), false=("éteinte", "éteins",
        "éteint",
        "éteignez", "off"), names=words("on powered lit"), negative=words("off"), general=True),
        Switch(true=("oui", "vrai"), false=("non", "faux"), general=True),
        Switch(told="active", true=("activée", "active", "activé", "démarre"), false=("désactivée", "désactive",
        "désactivé",
        "arrête"), names=words("enabled enable active activated"), negative=words("disabled disable"), general=True),
        Switch(told="ouvre", true=("ouverte", "ouvre", "ouvert", "ouvrez"), false=("fermée", "ferme", "fermé",
        "fermez"),
        names=words("open opened"), negative=words("closed close shut")),
        Switch(told="verrouille", true=("verrouillée", "verrouille", "verrouillé"), false=("déverrouillée",
        "déverrouille",
        "déverrouillé"), names=words("locked lock"), negative=words("unlocked unlock")),
    ),
    counted={"s": "seconde|secondes", "min": "minute|minutes", "h": "heure|heures", "d": "jour|jours",
        "m": "mètre|mètres", "cm": "centimètre|centimètres", "km": "kilomètre|kilomètres", "%": "pour cent|pour cent",
        "deg": "degré|degrés"},
    units={
        "seconde": "s", "secondes": "s", "s": "s", "minute": "min", "minutes": "min", "min": "min", "heure": "h",
        "heures": "h",
        "h": "h", "jour": "d", "jours": "d", "mètre": "m", "mètres": "m", "m": "m", "centimètre": "cm",
        "centimètres": "cm",
        "cm": "cm", "millimètre": "mm", "millimètres": "mm", "mm": "mm", "kilomètre": "km", "kilomètres": "km",
        "km": "km",
        "pour cent": "%", "pour 100": "%", "pourcent": "%", "degré": "deg", "degrés": "deg",
               "degrés celsius": "c", "degrés c": "c",
        "celsius": "c",
        "degrés fahrenheit": "f", "fahrenheit": "f",
    },
    unit_joiners=words("et"),
    percent="pourcent",
    degrees="degrés",
    numbers=NumberWords(
        ordinals={"1er": 1, "1re": 1, "dernier": -1, "dernière": -1, "second": 2, "seconde": 2},
        ordinal_endings=("e", "ème", "eme", "er", "ère"),
        fractions={"moitié": 0.5, "la moitié": 0.5, "un quart": 0.25, "un tiers": 0.33, "deux tiers": 0.67,
            "trois quarts": 0.75, "fond": 1, "maximum": 1, "max": 1, "minimum": 0},
        point=words("virgule point"), minus=words("moins"), thousand=words("mille"), one=words("un une"),
        halves=phrases("et demi | et demie"),
        fixed={"une demi": 0.5, "un demi": 0.5, "une demie": 0.5, "septante": 70, "huitante": 80, "nonante": 90,
               "un quart d'": 0.25, "trois quarts d'": 0.75, "vingt et un": 21, "vingt et une": 21},
    ),
    courtesies=phrases("s'il te plaît | s'il vous plaît | merci | merci beaucoup | stp"),
    conjunctions=words("et puis"),
    connectors=phrases("et puis | et ensuite | et après | et après ça | et aussi | et | puis | ensuite | après ça |"
        " ainsi que"),
    joiners=words("et"),
    negations=words("ne n' pas jamais rien aucun aucune sans personne"),
    and_word="et",
    done="C'est fait.",
    failed="Désolé, {error}",
    declined="D'accord, je n'ai rien fait.",
    not_permitted="Je n'en ai pas le droit ; edgevox permissions dit comment l'autoriser.",
    stopped="Arrêté.",
)  # fmt: skip
