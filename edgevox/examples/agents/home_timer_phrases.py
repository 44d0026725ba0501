"""How people ask for timers, in five languages. Words only."""

from edgevox.examples.agents.home_phrases import Phrases

START_PHRASES: Phrases = {
    "en": [
        "(set|start) [a|the|another] timer (for|of) {minutes}",
        "(set|start) a {minutes} timer",
        "(set|start) (a|an|the) {label} timer (for|of) {minutes}",
        "(set|start) a {minutes} timer (for [the]|called|named) {label}",
        "(set|start) a {minutes} {label} timer",
        "timer [for] {minutes}",
        "{minutes} timer",
        "{minutes} timer (for [the]|called|named) {label}",
        "(set|start) a timer for {minutes} (for [the]|called|named) {label}",
        "(set|start) a timer (for [the]|called|named) {label} (for|of) {minutes}",
        "(time|count down) {minutes}",
        "(remind|wake|call) me in {minutes}",
        "(set|start) a countdown (of|for) {minutes}",
    ],
    "de": [
        "(stelle|stell|starte|setze|setz) [einen|den] Timer (auf|für|von|mit|über) {minutes}",
        "(stelle|stell|starte|setze|setz) [einen] Timer (auf|für|von) {minutes} (für [die|den|das]|namens) {label}",
        "(stelle|stell|starte) einen Timer (für|namens) [die|den|das] {label} (auf|von|über) {minutes}",
        "Timer [auf|für] {minutes}",
        "{minutes} Timer",
        "(erinnere|erinner|weck|wecke) mich in {minutes}",
    ],
    "fr": [
        "(mets|lance|règle|démarre|programme) (un|le) minuteur (de|sur|pour|à) {minutes}",
        "(mets|lance|règle) un minuteur (de|pour) {minutes} (pour [les|le|la]|appelé) {label}",
        "(mets|lance|règle) un minuteur {label} (de|sur) {minutes}",
        "minuteur [de] {minutes}",
        "(rappelle-moi|préviens-moi|réveille-moi) dans {minutes}",
    ],
    "es": [
        "(pon|inicia|programa|activa) (un|el) temporizador (de|por|para|a) {minutes}",
        "(pon|inicia) un temporizador (de|por) {minutes} (para [el|la|los|las]|llamado) {label}",
        "(pon|inicia) un temporizador (para [el|la|los|las]|llamado) {label} (de|por) {minutes}",
        "temporizador [de] {minutes}",
        "(avísame|recuérdame|despiértame) en {minutes}",
    ],
    "vi": [
        "(đặt hẹn giờ|hẹn giờ|đặt giờ|bắt đầu hẹn giờ) [trong] {minutes}",
        "đặt báo thức [sau|trong] {minutes}",
        "(đặt|hẹn|đặt hẹn) giờ {minutes} (cho|để) {label}",
        "(nhắc|gọi|báo) tôi sau {minutes}",
    ],
}
LEFT_PHRASES: Phrases = {
    "en": [
        "(list|show|what are|tell me) [all] [my|the] timers",
        "(which|what) timers are (running|set|there)",
        "(is there a|is any|are any|are there any) (timer|timers) [still] running",
        "how (long|much time) (is|is there) left [on the timer|on my timer]",
        "how (long|much time) (is left on|does) the {label} timer [have left]",
        "how (long|much time) (is left|do I have left) on the {label} timer",
        "how (long|much time) does the timer have left",
        "(when|how soon) (is|does) the timer (over|done|ring|end)",
        "how is the timer doing",
    ],
    "de": [
        "welche Timer laufen [gerade|noch]",
        "(läuft|laufen) [gerade|noch] [ein] Timer",
        "wie lange läuft der Timer noch",
        "wie (lange|viel Zeit) (habe ich|bleibt|ist) noch [auf dem Timer|beim Timer]",
        "wie lange läuft der Timer {label} noch",
        "wann (klingelt|endet) der Timer",
        "(zeig|zeige|nenne) [mir] (die|alle|meine) Timer",
    ],
    "fr": [
        "combien de temps reste-t-il [au minuteur|sur le minuteur]",
        "il reste combien de temps [au minuteur|sur le minuteur]",
        "combien de temps reste-t-il (au|sur le) minuteur {label}",
        "quels minuteurs sont (en marche|lancés)",
        "(liste|montre) [moi] (les|mes) minuteurs",
    ],
    "es": [
        "cuánto [tiempo] (queda|falta) [del temporizador|en el temporizador]",
        "cuánto [tiempo] (queda|falta) (del|en el) temporizador {label}",
        "qué temporizadores (hay|están en marcha)",
        "hay algún temporizador en marcha",
    ],
    "vi": [
        "[hẹn giờ] còn bao lâu [nữa]",
        "hẹn giờ {label} còn bao lâu [nữa]",
        "[đang] có những hẹn giờ nào",
        "(liệt kê|xem) [các] hẹn giờ",
    ],
}
CANCEL_PHRASES: Phrases = {
    "en": [
        "(stop|cancel|delete|end|remove|clear) [the|my|that] timer",
        "(stop|cancel|delete|end|remove|clear) [the|my] {label} timer",
        "(stop|cancel|delete|end|remove|clear) [the|my] {minutes} timer",
        "(stop|cancel|delete|end|remove|clear) {how_many} timers",
        "(get rid of|turn off|forget|never mind) [the|my] timer",
        "(get rid of|turn off|forget|never mind) [the|my] {label} timer",
    ],
    "de": [
        "(stoppe|stopp|lösche|lösch|beende|storniere) (den|meinen) Timer",
        "(stoppe|stopp|lösche|lösch|beende) den Timer [für|namens] {label}",
        "(stoppe|stopp|lösche|lösch|beende) den Timer (über|von|für) {minutes}",
        "(stoppe|stopp|lösche|lösch|beende) den {minutes} Timer",
        "(stoppe|stopp|lösche|lösch|beende) {how_many} Timer",
        "(brich|schalte|mach) den Timer (ab|aus)",
    ],
    "fr": [
        "(annule|arrête|supprime|enlève) (le|mon) minuteur",
        "(annule|arrête|supprime|enlève) le minuteur {label}",
        "(annule|arrête|supprime|enlève) le minuteur de {minutes}",
        "(annule|arrête|supprime|enlève) {how_many} minuteurs",
    ],
    "es": [
        "(cancela|quita|borra|para|elimina) (el|mi) temporizador",
        "(cancela|quita|borra|elimina) el temporizador [de|del|de la|de los] {label}",
        "(cancela|quita|borra|elimina) el temporizador de {minutes}",
        "(cancela|quita|borra|elimina) {how_many} temporizadores",
    ],
    "vi": [
        "(hủy|tắt|xóa|dừng|bỏ) hẹn giờ",
        "(hủy|tắt|xóa|bỏ) hẹn giờ {label}",
        "(hủy|tắt|xóa|bỏ) hẹn giờ {minutes}",
        "(hủy|tắt|xóa|bỏ) {how_many} hẹn giờ",
    ],
}
