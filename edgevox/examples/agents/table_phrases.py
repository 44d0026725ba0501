"""How people ask the table-top arm, in five languages. Words only."""

from edgevox.examples.agents.home_phrases import Phrases

PICK_PHRASES: Phrases = {
    "en": [
        "(pick|lift|take) up [the] {object}",
        "(grab|take|get|grip|grasp|pick|lift|hold) [the] {object}",
        "pick [the] {object} up",
        "(pick|lift|take|scoop|grab) up [the] {object}",
        "(lift|take|grab|hold) [the] {object} (up|with your hand|with the gripper)",
        "(fetch|catch|collect|seize|snatch|take hold of|get hold of|get a grip on|get me|hand me|bring me|give"
        " me|pass me) [the] {object}",
    ],
    "de": [
        "(nimm|greif|greife|hol|hole|heb|hebe|pack) [dir] [den|das|die] {object} [auf|hoch|an]",
        "(nimm|greif|greife|hol|hole|heb|hebe|pack|schnapp|gib mir) [dir|mir|mal] [den|das|die|nach dem]"
        " {object} [auf|hoch|an]",
    ],
    "fr": [
        "(prends|attrape|saisis|ramasse|soulève) [le|la|l'] {object}",
        "(prends|attrape|saisis|ramasse|soulève|récupère|donne-moi|passe-moi) [le|la|l'] {object}",
    ],
    "es": [
        "(coge|toma|agarra|recoge|levanta|sujeta) [el|la] {object}",
        "(coge|toma|agarra|recoge|levanta|sujeta|dame|pásame|alza) [el|la] {object}",
    ],
    "vi": [
        "(lấy|cầm|nhặt|gắp|nâng) [cái] {object} [lên]",
        "(lấy|cầm|nhặt|gắp|nâng|nhấc|kẹp) [cái|lấy] {object} [lên|đi]",
    ],
}
PUT_DOWN_PHRASES: Phrases = {
    "en": [
        "(put|place|drop|set|lay) (it|that|this) [down] (in|into|on|onto|to|at) [the] {place}",
        "(drop|release) it (in|into|over) [the] {place}",
        "(put|place|drop|set|lay|leave|release|deposit|rest|throw|toss|dump|stick) (it|that|this|the thing|the"
        " object|what you hold|what you are holding) [down] (in|into|inside|on|onto|on to|to|at|over|in to|on"
        " top of) [the] {place}",
        "(let it go|let go of it|let it drop|release it) (in|into|over|on|above) [the] {place}",
        "(move|bring|take|carry) it [over] (to|into|onto) [the] {place}",
    ],
    "de": [
        "(leg|lege|stell|stelle|tu|pack) (ihn|es|das|sie) [nach] {place}",
        "(leg|lege|stell|stelle|tu|pack) (ihn|es|das|sie) (in die|in den|in das|ins|in) {place}",
        "(leg|lege|stell|stelle|tu|pack) (ihn|es|das|sie) (auf das|aufs|auf die|auf) {place}",
        "(leg|lege|stell|stelle|tu|pack|wirf|setz|setze) (ihn|es|das|sie) [nach|in die|in den|in das|ins|in|auf"
        " das|aufs|auf die|auf|ab auf] {place} [ab]",
    ],
    "fr": [
        "(pose|mets|dépose|place)-le (dans le|dans la|sur le|sur la|à|à la|au) {place}",
        "(pose|mets|dépose|place|jette|lâche)-le (dans le|dans la|sur le|sur la|à|à la|au) {place}",
    ],
    "es": [
        "(ponlo|déjalo|colócalo|mételo) (en la|en el|a la|sobre la|en) {place}",
        "(ponlo|déjalo|colócalo|mételo|suéltalo|tíralo) (en la|en el|a la|sobre la|sobre el|en) {place}",
    ],
    "vi": [
        "(đặt|để|bỏ|thả) nó (vào|lên|xuống|sang|trong|trên) {place}",
        "(đặt|để|bỏ|thả|cho) nó (vào|lên|xuống|sang|trong|trên|ở) {place}",
    ],
}
PUT_PHRASES: Phrases = {
    "en": [
        "(put|place|drop|set|lay|move|bring) [the] {object} (in|into|on|onto|to|at) [the] {place}",
        "(put|place|drop|set|lay|move|bring|carry|take|transfer|throw|toss|dump|stick|deliver|deposit|get|shift)"
        " [the] {object} [down|over] (in|into|inside|on|onto|on to|to|at|over to|on top of) [the] {place}",
        "[the] {object} (goes|belongs|should go) (in|into|on|onto|to) [the] {place}",
    ],
    "de": [
        "(leg|lege|stell|stelle|tu|pack|bring) (den|das|die) {object} [nach] {place}",
        "(leg|lege|stell|stelle|tu|pack|bring) (den|das|die) {object} (in die|in den|in das|ins|in) {place}",
        "(leg|lege|stell|stelle|tu|pack|bring) (den|das|die) {object} (auf das|aufs|auf die|auf) {place}",
        "(leg|lege|stell|stelle|tu|pack|bring|wirf|setz|setze|räum|räume) [mal|bitte] (den|das|die) {object} (in"
        " die|in den|in das|ins|in|auf das|aufs|auf die|auf|nach|zur|zum) {place}",
    ],
    "fr": [
        "(pose|mets|dépose|place) [le|la|l'] {object} (dans le|dans la|sur le|sur la|à|à la|au) {place}",
        "(pose|mets|dépose|place|range|jette|amène) [le|la|l'] {object} (dans le|dans la|sur le|sur la|à|à"
        " la|au) {place}",
    ],
    "es": [
        "(pon|deja|coloca|mete) [el|la] {object} (en la|en el|a la|sobre la|en) {place}",
        "(pon|deja|coloca|mete|lleva|mueve|tira) [el|la] {object} (en la|en el|a la|al|sobre la|sobre el|en) {place}",
    ],
    "vi": [
        "(đặt|để|bỏ|thả) [cái] {object} (vào|lên|xuống|sang|trong|trên) {place}",
        "(đặt|để|bỏ|thả|cho|chuyển) [cái] {object} (vào|lên|xuống|sang|trong|trên|ở|tới) {place}",
    ],
}
MOVE_PHRASES: Phrases = {
    "en": [
        "(go|move|drive|swing) [over] to [the] {place}",
        "move [the] (arm|gripper|hand) (to|over) [the] {place}",
        "(go|move|drive|swing|reach|point|hover) [over|above|across] (to|over|above|at|toward|towards) [the] {place}",
        "(move|swing|bring|take) [the|your] (arm|gripper|hand) [over] (to|over|above|toward|towards) [the] {place}",
    ],
    "de": ["(fahr|fahre|geh|gehe|beweg|bewege) [dich] (nach|zur|zum|über die|über das) {place}"],
    "fr": ["va (au-dessus du|au|à la|à|vers le|vers la) {place}"],
    "es": ["(ve|muévete) (a la|al|hacia la|hacia el) {place}"],
    "vi": ["(di chuyển|đi|chuyển) (đến|sang|tới) {place}"],
}
HOME_PHRASES: Phrases = {
    "en": [
        "(go|move|return|drive) [back] home",
        "go [back] to [your] (home|rest) [position|pose]",
        "(go|move|return|drive|come|get) [back] [to] [your|the] (home|rest|start|starting|resting|initial)"
        " [position|pose|place]",
        "(return|go back|move back) to (rest|start|your start|your starting position|the start)",
        "(park|rest|retract) (the arm|your arm|yourself)",
        "(move|bring|take) [the|your] arm [back] home",
        "reset (the arm|your position|your arm)",
    ],
    "de": ["(fahr|fahre|geh|gehe) [zurück] (nach Hause|in die Grundstellung|heim)"],
    "fr": ["(va|retourne|rentre) (à la maison|en position de repos|au repos)"],
    "es": ["(ve|vuelve) a (casa|la posición inicial|tu posición inicial)"],
    "vi": ["(về|quay về|trở về) (nhà|vị trí ban đầu|vị trí nghỉ)"],
}
OPEN_PHRASES: Phrases = {
    "en": [
        "open [the|your] (gripper|hand|fingers)",
        "let go [of it]",
        "let it go",
        "open [up] [the|your] (gripper|hand|fingers|claw|grip|jaws|clamp)",
        "(release|loosen|relax) (it|your grip|the grip|the gripper|the object|what you hold|your hand|the thing)",
        "(let it drop|drop it|let that go|let go of (that|the thing|the object))",
        "gripper open",
    ],
    "de": [
        "öffne [den|deinen|die|deine] (Greifer|Hand)",
        "mach [den|deinen] Greifer auf",
        "lass (los|ihn los|es los)",
    ],
    "fr": ["ouvre [la|ta] pince", "lâche-le"],
    "es": ["abre [la|tu] pinza", "suéltalo"],
    "vi": ["mở (tay kẹp|tay gắp|kẹp)", "thả nó ra"],
}
CLOSE_PHRASES: Phrases = {
    "en": [
        "close [the|your] (gripper|hand|fingers)",
        "(close|shut|tighten|squeeze|clench) [up] [the|your] (gripper|hand|fingers|claw|grip|jaws|clamp)",
        "gripper (closed|shut|close)",
        "make a fist",
    ],
    "de": ["(schließe|schließ) [den|deinen|die|deine] (Greifer|Hand)", "mach [den|deinen] Greifer zu"],
    "fr": ["ferme [la|ta] pince"],
    "es": ["cierra [la|tu] pinza"],
    "vi": ["đóng (tay kẹp|tay gắp|kẹp)"],
}
LIST_PHRASES: Phrases = {
    "en": [
        "what is (on the table|there|in front of you)",
        "what (do|can) you see",
        "list [the] (things|objects)",
        "(which|what) (things|objects) are [there] [on the table]",
        "what (is|can be seen|things are|objects are|else is|all is|lies|is lying|is there|have you got|do you"
        " have) on [the|your] (table|desk)",
        "what (do|can) you see [there|on the table|in front of you|right now|now]",
        "what is (there|in front of you|before you|around)",
        "(list|show|name|tell|describe) [me] [all] [the|your] (things|objects|items|table|cubes)",
        "(which|what) (things|objects|items|cubes|blocks) (are there|do you see|can you see|do you have|are on"
        " the table|are in front of you|lie on the table) [on the table]",
        "(which|what) (things|objects|items) are [there]",
        "look at the table",
        "how many (things|objects|cubes|items) (are there|do you see|are on the table)",
    ],
    "de": [
        "was (liegt|ist|steht) auf dem Tisch",
        "was siehst du",
        "was (liegt|ist|steht|hast du|siehst du|gibt es) [alles] (auf dem Tisch|vor dir)",
        "(welche Dinge|welche Sachen) (siehst du|gibt es|liegen da|liegen auf dem Tisch)",
    ],
    "fr": [
        "(qu'est-ce qu'il y a|qu'y a-t-il) sur la table",
        "que vois-tu",
        "(qu'est-ce que tu vois|tu vois quoi|que vois-tu) [sur la table]",
        "quels objets (y a-t-il|vois-tu)",
    ],
    "es": [
        "qué hay (en|sobre) la mesa",
        "qué ves",
        "qué (objetos|cosas) (hay|ves) [en la mesa|sobre la mesa]",
    ],
    "vi": [
        "(có gì|có những gì) trên bàn",
        "bạn (thấy|nhìn thấy) gì",
        "trên bàn có (gì|những gì)",
        "bạn thấy (gì|những gì) [trên bàn]",
    ],
}
WHERE_PHRASES: Phrases = {
    "en": [
        "where is [the] {object}",
        "where is [the] {object} [now|right now|at the moment]",
        "where (did you put|have you put|can I find|do you see|did I leave|has) [the] {object} [gone]",
        "(find|locate|look for) [the] {object}",
        "(do you know|tell me|show me|can you tell me|can you say) where [the] {object} is",
        "(what is [the]|the) (position|location|place) of [the] {object}",
        "in which place is [the] {object}",
        "do you see [the] {object}",
    ],
    "de": [
        "wo (ist|liegt|steht) [der|das|die] {object}",
        "wo (ist|liegt|steht|befindet sich|hast du) [jetzt] [der|das|die|den] {object} [hingelegt|jetzt]",
        "(zeig mir|sag mir) wo [der|das|die] {object} (ist|liegt)",
    ],
    "fr": [
        "où (est|se trouve) [le|la|l'] {object}",
        "où (est|se trouve|as-tu mis) [le|la|l'] {object}",
        "(dis-moi|montre-moi) où est [le|la|l'] {object}",
    ],
    "es": [
        "dónde está [el|la] {object}",
        "dónde (está|has puesto|queda) [el|la] {object}",
    ],
    "vi": [
        "{object} (ở đâu|đang ở đâu|nằm ở đâu)",
        "{object} (ở chỗ nào|nằm đâu)",
    ],
}
HELD_PHRASES: Phrases = {
    "en": [
        "what (do you hold|are you holding|do you have)",
        "what is in (your|the) (hand|gripper)",
        "what (do you hold|are you holding|do you have|have you got|are you carrying|are you gripping|did you"
        " grab|did you pick up) [in your (hand|gripper|fingers)|now|right now|there]",
        "what is in (your|the) (hand|gripper|claw|grip|fingers) [now|right now]",
        "(are you holding|do you hold|do you have|have you got|are you carrying) (something|anything) [in your"
        " (hand|gripper)]",
        "is (your|the) (hand|gripper) (empty|full|free)",
        "is there (anything|something) in (your|the) (hand|gripper)",
    ],
    "de": [
        "was hältst du",
        "was hast du [in der Hand|im Greifer]",
        "was hältst du [gerade|da|in der Hand|fest]",
        "was (hast|hältst) du [gerade|da] (in der Hand|im Greifer|in deiner Hand)",
        "hältst du [gerade] (etwas|was)",
    ],
    "fr": [
        "que tiens-tu",
        "qu'as-tu dans la pince",
        "(que tiens-tu|tu tiens quoi|qu'est-ce que tu tiens|qu'as-tu) [dans la pince|dans la main]",
    ],
    "es": [
        "qué (sujetas|tienes) [en la pinza|en la mano]",
        "qué (sujetas|tienes|sostienes|agarras|llevas) [en la pinza|en la mano]",
    ],
    "vi": [
        "bạn đang (cầm|giữ|kẹp) gì",
        "(bạn|tay) đang (cầm|giữ|kẹp) (gì|cái gì)",
    ],
}
