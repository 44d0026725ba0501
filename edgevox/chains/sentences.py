"""What the assistant says when the model has nothing to say, in the languages it speaks.

Whole sentences that can be spoken as they are; a language without an entry is answered in English.
"""

from collections.abc import Mapping

_SENTENCES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "repeated": "I stopped, because I kept trying the same thing with the same result. {result}",
        "hops": "I stopped, because that took too many steps.",
        "done": "Done.",
        "no_answer": "Sorry, I have no answer to that.",
        "failed": "That did not work. {result}",
        "too_long": "Sorry, that is too long for me. Please say it in fewer words.",
        "unclear": "Sorry, I could not work out how to do that. Please say it another way.",
    },
    "de": {
        "repeated": "Ich habe aufgehört, weil ich immer wieder dasselbe mit demselben Ergebnis versucht habe. {result}",
        "hops": "Ich habe aufgehört, weil das zu viele Schritte gebraucht hat.",
        "done": "Erledigt.",
        "no_answer": "Darauf habe ich leider keine Antwort.",
        "failed": "Das hat nicht geklappt. {result}",
        "too_long": "Das ist mir leider zu lang. Bitte sag es mit weniger Worten.",
        "unclear": "Ich habe leider nicht verstanden, wie ich das tun soll. Bitte sag es anders.",
    },
    "fr": {
        "repeated": "Je me suis arrêté, car j'essayais toujours la même chose avec le même résultat. {result}",
        "hops": "Je me suis arrêté, car cela demandait trop d'étapes.",
        "done": "C'est fait.",
        "no_answer": "Désolé, je n'ai pas de réponse à cela.",
        "failed": "Cela n'a pas marché. {result}",
        "too_long": "Désolé, c'est trop long pour moi. Dites-le en moins de mots.",
        "unclear": "Désolé, je n'ai pas compris comment faire. Dites-le autrement.",
    },
    "es": {
        "repeated": "Me he detenido, porque intentaba siempre lo mismo con el mismo resultado. {result}",
        "hops": "Me he detenido, porque hacían falta demasiados pasos.",
        "done": "Hecho.",
        "no_answer": "Lo siento, no tengo respuesta para eso.",
        "failed": "Eso no ha funcionado. {result}",
        "too_long": "Lo siento, es demasiado largo para mí. Dilo con menos palabras.",
        "unclear": "Lo siento, no he entendido cómo hacerlo. Dilo de otra manera.",
    },
    "vi": {
        "repeated": "Tôi đã dừng lại vì cứ thử mãi một việc mà kết quả không đổi. {result}",
        "hops": "Tôi đã dừng lại vì việc đó cần quá nhiều bước.",
        "done": "Xong rồi.",
        "no_answer": "Xin lỗi, tôi không có câu trả lời.",
        "failed": "Việc đó không thành công. {result}",
        "too_long": "Xin lỗi, câu đó quá dài đối với tôi. Xin hãy nói ngắn gọn hơn.",
        "unclear": "Xin lỗi, tôi chưa hiểu phải làm thế nào. Xin hãy nói cách khác.",
    },
}


def sentence(key: str, language: str = "en", *, result: str = "") -> str:
    """Return a sentence to speak.

    Args:
        key: which one.
        language: two-letter code.
        result: words that stand inside it, if it has a place for them.
    """
    table = _SENTENCES.get(language, _SENTENCES["en"])
    return table[key].format(result=result).strip()
