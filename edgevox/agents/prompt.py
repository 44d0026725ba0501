"""What a language model is told before the conversation begins.

The beginning never changes between turns, so that a model which remembers it does not read it again: persona, how to
speak, how to use tools, which language. What changes (the time) goes beside the person's words (`facts`).
"""

from datetime import datetime

VOICE_RULES = (
    "Your words are spoken aloud. Answer in one or two short sentences of plain words: no lists, no markdown, "
    "no emoji, no links. Say numbers and units as a person would."
)

TOOL_RULES = (
    "When a tool does what the person asks, call it; afterwards say in a few words what its result says. Do not say "
    "that you did something you have not called a tool for. When no tool fits, answer yourself, and when you do not "
    "know, say so."
)

HANDOFF_RULES = (
    "Where another agent knows more about what the person asks, hand off to it at once and say nothing yourself; it "
    "answers in your place."
)

_LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
    "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nl": "Dutch",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak",
    "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def system_prompt(name: str, instructions: str, language: str, *, has_tools: bool, hands_off: bool = False) -> str:
    """Return the words a conversation begins with.

    Args:
        name: of the agent; used where there are no instructions.
        instructions: the persona.
        language: two-letter code of the answers.
        has_tools: whether tools are offered with the request.
        hands_off: whether some of them hand the turn to another agent.
    """
    persona = instructions.strip() or f"You are {name}, a helpful voice assistant."
    parts = [persona, VOICE_RULES, *([TOOL_RULES] if has_tools else []), *([HANDOFF_RULES] if hands_off else [])]
    parts.append(f"Answer in {language_name(language)}.")
    return "\n\n".join(parts)


def language_name(code: str) -> str:
    """The English name of a language, or its code where the name is not known."""
    return _LANGUAGES.get(code.casefold().replace("_", "-").split("-")[0], code)


def clock_facts(_: object = None) -> str:
    """Say which day and time it is here: pass it as `LLMAgent(facts=clock_facts)`."""
    now = datetime.now().astimezone()
    return f"It is {now:%A}, {now.day} {now:%B %Y}, {now:%H:%M}."
