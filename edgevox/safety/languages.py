"""What stopping sounds like, language by language: words, the company they keep, and what makes them a mention.

Knows vocabulary only; `decide` knows what to do with it. English is part of every language's list: a person in alarm
uses the word they know best, and an English keyword is often the one a robot's label shows.
"""

from dataclasses import dataclass, field
from functools import cache


@dataclass(frozen=True, slots=True, kw_only=True)
class StopVocabulary:
    """One language. Every entry is written as a person would write it; phrases are separated by `|`."""

    strong: str
    """Stop as the command, alone or at the head of a clause; anywhere else they are doubtful."""
    weak: str = ""
    """Common words that stop only when they are the whole clause (Spanish `para` is also "for")."""
    company: str = ""
    """What may stand around a stop word without making it anything but the command: `please`, `the robot`."""
    negations: str = ""
    """Before a stop word they turn it round: `don't stop`."""
    compounds: str = ""
    """Longer words and names that contain a stop word: `bus stop`."""
    questions: str = ""
    """First words of a question; a stop word inside one is talked about."""
    misheard: dict[str, str] = field(default_factory=dict[str, str])
    """Stop word to what recognisers write for it when it is shouted or cut short."""


_ENGLISH = StopVocabulary(
    strong="stop|halt|freeze|e-stop|estop|emergency stop|emergency halt|stop it|hold it right there|don't move|"
    "do not move|stand still|hold still|stay still|stay where you are",
    weak="abort|emergency|whoa|cease|hold it",
    company="please|now|right now|right there|right here|immediately|at once|this instant|this second|instantly|quick|"
    "quickly|fast|hey|oh|oh no|ok|okay|no|no no|yes|well|just|robot|the robot|this robot|your robot|my robot|robots|"
    "it|that|this|there|here|everything|all|all of it|all of that|all motion|all movement|all motors|the motors|"
    "motion|movement|the motion|the movement|moving|driving|going|running|rolling|turning|walking|navigating|talking|"
    "speaking|reading|playing|what you're doing|what you are doing|whatever you're doing|whatever you are doing|"
    "doing that|doing this|the car|the arm|the robot arm|the machine|the drone|the vehicle|the motor|can you|"
    "could you|will you|would you|you must|you have to|you need to|you should|i want you to|i need you to|i said|"
    "i say|said|i told you to|make it|make that|let's|and|then|so|uh|um|er|ah|again|for a moment|for a second|"
    "for a minute|a moment|a second|on the spot|dead|completely|already|god|my god|oh my god|damn|wait|guys|"
    "everybody|everyone|you|sir|mate|buddy|dude|button|the robot now|thank you|thanks",
    negations="don't|dont|do not|never|not|non|without|doesn't|does not|didn't|did not|can't|cannot|couldn't|"
    "won't|wouldn't|shouldn't|mustn't|must not|isn't|non|no need to|don't want to|don't you|don't ever|do not ever|"
    "don't just|do not just|never ever|not going to|not gonna|don't want you to|don't let it|don't let him|"
    "don't let her|don't let them|don't make it|do not let it|please don't|no one can|nobody can",
    compounds="bus stop|bus stops|tram stop|train stop|metro stop|truck stop|pit stop|rest stop|full stop|next stop|"
    "last stop|first stop|door stop|f stop|non stop|whistle stop|stop sign|stop signs|stop light|stop lights|"
    "stop word|stop words|stop watch|stop motion|stop by|deep freeze|brain freeze|freeze frame|freeze dried|"
    "emergency contact|emergency contacts|emergency number|emergency numbers|emergency exit|emergency exits",
    questions="when|where|what|what's|where's|which|who|how|does|did|is|are|was|has",
    misheard={"stop": "top|stopp|stob|stap|stahp|stup|stopt|stoppe|sstop|setop|stoop", "halt": "hault"},
)

_LANGUAGES: dict[str, StopVocabulary] = {
    "en": _ENGLISH,
    "de": StopVocabulary(
        strong="stopp|anhalten|halt an|stehen bleiben|stehenbleiben|bleib stehen|bleiben sie stehen|nicht bewegen|"
        "keine bewegung|aufhören|hör auf|hören sie auf|not-aus|notaus|nothalt|not-halt|sofort anhalten",
        weak="halt|haltet|stoppe|stoppen|abbrechen|schluss|notfall",
        company="bitte|jetzt|sofort|mal|doch|nein|ja|he|hey|ok|okay|roboter|der roboter|den roboter|das|alles|damit|"
        "es|du|sie|auf der stelle|endlich|schnell|los|kannst du|könntest du|würdest du|ich sagte|ich habe gesagt|und|"
        "dann|die motoren|die bewegung|das auto|der arm|den arm|hier|da|dort",
        negations="nicht|nie|niemals|kein|keine|keinen|ohne|nicht mehr|noch nicht",
        compounds="stopp schild|stoppuhr|stop and go|halt so|haltestelle",
        questions="wann|wo|wie|was|wer|welche|welcher|warum",
        misheard={"stopp": "stob|schtopp|stup|topp", "halt": "hald"},
    ),
    "fr": StopVocabulary(
        strong="arrête|arrêtez|arrête-toi|arrêtez-vous|arrête tout|arrêtez tout|ne bouge pas|ne bougez pas|"
        "ne bouge plus|ne bougez plus|arrêt d'urgence|stoppe|stoppez|on arrête",
        weak="arrêt|halte|assez|urgence|immobile|stopper",
        company="s'il te plaît|s'il vous plaît|stp|maintenant|tout de suite|immédiatement|vite|non|oui|hé|ok|robot|"
        "le robot|ça|cela|tout|là|ici|de bouger|de rouler|d'avancer|de parler|toi|vous|je t'ai dit|j'ai dit|peux-tu|"
        "pouvez-vous|et|alors|donc|la machine|la voiture|le bras|les moteurs|je dis",
        negations="ne|jamais|sans|ne pas|pas|ne vous",
        compounds="arrêt de bus|arrêt de tram|arrêt du bus|prochain arrêt|sans arrêt|arrêt maladie|non stop",
        questions="quand|où|comment|que|qui|quel|quelle|est-ce",
        misheard={"arrête": "arette|arrete|a rete|arrêtes|arrêter"},
    ),
    "es": StopVocabulary(
        strong="detente|deténgase|detengase|detenlo|detén el robot|alto ahí|no te muevas|no se mueva|quieto|párate|"
        "pare|parada de emergencia|paro de emergencia|deja de moverte",
        weak="para|alto|basta|detén|parar|emergencia|páralo|paren|espera",
        company="por favor|ahora|ahora mismo|ya|inmediatamente|enseguida|rápido|no|sí|eh|oye|ok|robot|el robot|"
        "al robot|todo|eso|esto|ahí|aquí|de moverte|de hablar|puedes|te digo|he dicho|te he dicho|y|que|la máquina|"
        "el coche|el brazo|los motores|quieto",
        negations="no|nunca|sin|jamás|no te|no se|no lo",
        compounds="alto volumen|parada de autobús|sin parar|alto el fuego",
        questions="cuándo|cuando|dónde|cómo|qué|quién|cuál",
        misheard={"detente": "de tente|detent", "para": "pará"},
    ),
    "it": StopVocabulary(
        strong="fermati|si fermi|fermo|fermatevi|ferma tutto|ferma il robot|non muoverti|non ti muovere|"
        "arresto di emergenza|arresto d'emergenza|fermalo|smettila",
        weak="ferma|alt|basta|arresto|emergenza|aspetta",
        company="per favore|per piacere|adesso|ora|subito|immediatamente|presto|no|sì|ehi|ok|robot|il robot|tutto|"
        "questo|quello|lì|là|qui|di muoverti|di parlare|puoi|ho detto|ti ho detto|e|allora|la macchina|il braccio|"
        "i motori|così",
        negations="non|mai|senza|non ti|non si|non lo",
        compounds="fermo posta|senza sosta|fermata dell'autobus",
        questions="quando|dove|come|cosa|che|chi|quale",
        misheard={"fermati": "fermate|ferma ti|fermat"},
    ),
    "pt": StopVocabulary(
        strong="pare|parem|pare o robô|fique parado|fica quieto|não se mexa|não te mexas|"
        "parada de emergência|detenha-se|pare com isso|alto lá",
        weak="para|parar|alto|basta|chega|emergência|espera|parado",
        company="por favor|agora|agora mesmo|já|imediatamente|rápido|não|sim|ei|ok|robô|o robô|tudo|isso|isto|aí|aqui|"
        "de se mexer|de falar|você|pode|eu disse|e|então|a máquina|o carro|o braço|os motores",
        negations="não|nunca|sem|jamais|não se|não te",
        compounds="parada de ônibus|sem parar",
        questions="quando|onde|como|que|quem|qual",
        misheard={"pare": "paré|pari"},
    ),
    "vi": StopVocabulary(
        strong="dừng lại|dừng ngay|dừng|ngừng lại|ngừng|đứng lại|đứng yên|không được di chuyển|đừng di chuyển|"
        "dừng khẩn cấp|đừng cử động",
        weak="thôi|khẩn cấp|khoan|khoan đã",
        company="ngay|ngay lập tức|lập tức|đi|nào|làm ơn|xin|hãy|bây giờ|robot|rô bốt|con robot|lại|tất cả|mọi thứ|"
        "này|đó|ở đó|ở đây|không|ơi|này robot|giúp tôi|tôi bảo|tôi nói|di chuyển|nói|máy|xe",
        negations="đừng|không|chưa|chớ|không bao giờ|đừng có|không được|không thể",
        compounds="trạm dừng|điểm dừng|không ngừng",
        questions="khi nào|bao giờ|ở đâu|tại sao|cái gì|ai",
        misheard={"dừng lại": "rừng lại|vừng lại|dừng lạy|giừng lại", "dừng": "giừng"},
    ),
    "nl": StopVocabulary(
        strong="stoppen|hou op|houd op|sta stil|blijf staan|niet bewegen|noodstop|blijf stil|stop ermee|stop daarmee",
        weak="stil|halt|ho|genoeg|nood|wacht",
        company="alsjeblieft|alstublieft|nu|meteen|direct|onmiddellijk|snel|nee|ja|hé|oké|robot|de robot|alles|dat|dit|"
        "daar|hier|met bewegen|met praten|kun je|ik zei|en|dan|nou|eens|maar|de machine|de auto|de arm|de motoren",
        negations="niet|nooit|geen|zonder|nog niet",
        compounds="bushalte|volgende stop",
        questions="wanneer|waar|hoe|wat|wie|welke",
        misheard={"stop": "stob|stopt"},
    ),
    "pl": StopVocabulary(
        strong="zatrzymaj się|zatrzymaj|stój|nie ruszaj się|zatrzymaj robota|awaryjne zatrzymanie",
        weak="dość|przestań|wystarczy|awaria",
        company="proszę|teraz|natychmiast|szybko|nie|tak|hej|ok|robot|robota|wszystko|to|tam|tu|i|już",
        negations="nie|nigdy|bez",
        questions="kiedy|gdzie|jak|co|kto",
    ),
    "ru": StopVocabulary(
        strong="стоп|стой|стоять|остановись|остановитесь|не двигайся|не двигайтесь|аварийная остановка|замри",
        weak="хватит|довольно|прекрати|остановка",
        company="пожалуйста|сейчас|немедленно|быстро|сейчас же|нет|да|эй|ок|робот|всё|все|это|там|тут|и|же|ну",
        negations="не|никогда|без",
        questions="когда|где|как|что|кто|почему",
        misheard={"стоп": "стопп|топ"},
    ),
    "sv": StopVocabulary(
        strong="stopp|stanna|stanna nu|stå stilla|rör dig inte|nödstopp|sluta",
        weak="stilla|halt|nog",
        company="snälla|nu|genast|omedelbart|fort|nej|ja|hej|ok|robot|roboten|allt|det|där|här|och|tack",
        negations="inte|aldrig|utan",
        questions="när|var|hur|vad|vem",
    ),
    "tr": StopVocabulary(
        strong="dur|durun|hareket etme|kıpırdama|acil durdurma|acil dur|durdur",
        weak="yeter|acil",
        company="lütfen|şimdi|hemen|derhal|çabuk|hayır|evet|hey|tamam|robot|robotu|her şeyi|orada|burada|ve|artık",
        negations="asla|hiç",
        questions="ne zaman|nerede|nasıl|ne|kim",
    ),
    "hi": StopVocabulary(
        strong="रुको|रुक जाओ|रुकिए|रुक जाइए|ठहरो|रोको|बंद करो|हिलो मत",
        weak="बस|स्टॉप",
        company="कृपया|अभी|तुरंत|जल्दी|नहीं|हाँ|अरे|रोबोट|सब|यह|वहाँ|यहाँ|और",
        negations="मत|नहीं|कभी नहीं",
        questions="कब|कहाँ|कैसे|क्या|कौन",
    ),
    "zh": StopVocabulary(
        strong="停|停下|停下来|停止|站住|别动|不要动|紧急停止|急停|停住",
        weak="够了|紧急",
        company="请|快|快点|马上|立刻|立即|现在|机器人|吧|了|啊|呀|一下|全部|都|给我|不|喂|嘿|移动|运动|说话",
        negations="别|不要|不|没有|没|不能|不会",
        compounds="停车场|停车|车站|停电|不停",
        questions="什么|哪里|怎么|谁|为什么|何时",
    ),
    "ja": StopVocabulary(
        strong="止まれ|止まって|とまれ|とまって|ストップ|停止|動くな|動かないで|止めて|やめて|緊急停止|止めろ",
        weak="待て|緊急",
        company="ください|今|すぐ|すぐに|早く|ロボット|を|は|よ|ね|さい|だめ|おい|ねえ|全部|して|しろ|下さい",
        negations="絶対に",
        compounds="バス停",
        questions="いつ|どこ|どう|何|誰|なぜ",
    ),
    "ko": StopVocabulary(
        strong="멈춰|멈추세요|멈춰요|멈춰라|정지|스톱|그만|움직이지 마|비상 정지|비상정지",
        company="제발|지금|당장|빨리|로봇|아니|야|모두|다|주세요|해|하세요|요|그거|거기",
        negations="절대",
        compounds="정류장",
        questions="언제|어디|어떻게|뭐|누가",
    ),
}


def stop_words_of(language: str) -> tuple[str, ...]:
    """The words and phrases that stop in a language, English included; an unknown language has the English ones.

    Args:
        language: two-letter code; a region (`pt-BR`) is ignored.
    """
    words = [word for vocabulary in vocabularies_of(language) for word in entries(vocabulary.strong, vocabulary.weak)]
    return tuple(dict.fromkeys(words))


@cache
def vocabularies_of(language: str) -> tuple[StopVocabulary, ...]:
    """The language's own vocabulary, then the English one; only the English one where there is no other."""
    code = language.casefold().replace("_", "-").split("-")[0]
    own = _LANGUAGES.get(code)
    return (_ENGLISH,) if own is None or own is _ENGLISH else (own, _ENGLISH)


def entries(*lists: str) -> list[str]:
    """Split lists that are written with `|` between their entries."""
    return [entry for text in lists for entry in text.split("|") if entry]
