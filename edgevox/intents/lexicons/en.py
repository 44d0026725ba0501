"""English."""

from edgevox.intents.lexicons.lexicon import Lexicon, NumberWords, Switch, phrases, words

LEXICON = Lexicon(
    code="en",
    openings=phrases(
        "first | first of all | please | hey | hi | hello | okay | ok | alright | all right | right | well | so |"
        " now | then | yeah | yes |"
        " oh |"
        " just | and | can you | could you | would you | will you | can you please | could you please | would you"
        " please |"
        " would you mind | can we | could we | i want you to | i would like you to | i need you to | i want to |"
        " i would like to | i need to | i would like | go ahead and | let us | let me | go on and | sorry |"
        " excuse me | quickly | do me a favor and | do me a favour and | be so kind and | kindly | listen | try to |"
        " can i get you to | could i get you to | could we | i would love you to | i would love it if you could |"
        " i would appreciate it if you could | would you be able to | are you able to | do you think you could |"
        " would you kindly | could you kindly | is it possible to | would it be possible to | i was wondering if you"
        " could | be a dear and | make sure to | robot | computer | assistant | quick | for me | may i have |"
        " can i have |"
        " could i have | can i get | could i get | give me | get me"
    ),
    closings=phrases(
        "please | for me | for us | thanks | thank you | thank you very much | thanks a lot | now | right now |"
        " right away | immediately | okay | ok | will you | would you | would you please | could you | can you | for"
        " me please | if you can |"
        " if you could | if you please | if you do not mind | if you would | real quick | quickly | alright | all"
        " right |"
        " then | man | buddy | at once | again please | would you mind | and thank you | if that is okay | you know"
    ),
    hesitations=words("um umm uh uhh uhm er erm ah hmm hm mm mhm eh huh"),
    light=words("the a an my our your this that these those some of to in at for there here it please just kindly"),
    distinct=words("meeting table dinner alarm music radio tv television appointment old cool chill car card"
        " movie train coffee beer door window garden bath toilet sleep food story joke news picture email letter stay"
        " charm charms farm army floor font poor hose horse"),
    guards=words(
        "not no never none nothing without i we he she they you who whom whose what when where why how which whether is"
        " are was were am be been being did does do done has have had having will would should shall could can may"
        " might"
        " must ought and or but if unless until till after before while because since except instead rather than then"
        " once whenever everywhere nobody anyone said say says saying tell told ask asked think thought mean means"
        " meant"
        " on off open closed close shut up down start stop left right enable disable lock unlock increase decrease more"
        " less higher lower raise mute unmute begin end forward backward backwards back out add remove only all every"
        " both either neither almost maybe again already yesterday tomorrow later"
    ),
    contractions={
        "don't": "do not",
        "dont": "do not",
        "doesn't": "does not",
        "didn't": "did not",
        "didnt": "did not",
        "won't": "will not",
        "wouldn't": "would not",
        "can't": "can not",
        "cannot": "can not",
        "cant": "can not",
        "couldn't": "could not",
        "shouldn't": "should not",
        "mustn't": "must not",
        "isn't": "is not",
        "aren't": "are not",
        "wasn't": "was not",
        "weren't": "were not",
        "haven't": "have not",
        "hasn't": "has not",
        "hadn't": "had not",
        "ain't": "is not",
        "what's": "what is",
        "whats": "what is",
        "where's": "where is",
        "who's": "who is",
        "how's": "how is",
        "when's": "when is",
        "that's": "that is",
        "there's": "there is",
        "it's": "it is",
        "he's": "he is",
        "she's": "she is",
        "let's": "let us",
        "lets": "let us",
        "i'm": "i am",
        "im": "i am",
        "i'd": "i would",
        "i'll": "i will",
        "i've": "i have",
        "you're": "you are",
        "you'd": "you would",
        "you'll": "you will",
        "we're": "we are",
        "we'd": "we would",
        "we'll": "we will",
        "they're": "they are",
        "gonna": "going to",
        "wanna": "want to",
        "gimme": "give me",
        "lemme": "let me",
        "pls": "please",
        "plz": "please",
    },
    homophones={
        "of": ("off",),
        "offf": ("off",),
        "onn": ("on",),
        "lite": ("light",),
        "lights": ("light",),
        "lied": ("light",),
        "might": ("light",),
        "slide": ("light",),
        "then": ("turn",),
        "and": ("add",),
        "that": ("set",),
        "too": ("to",),
        "two": ("to",),
        "2": ("to",),
        "4": ("for",),
        "four": ("for",),
        "their": ("the", "there"),
        "tern": ("turn",),
        "torn": ("turn",),
        "term": ("turn",),
        "clothes": ("close",),
        "brake": ("break",),
        "wether": ("weather",),
    },
    switches=(
        Switch(true=("on",), false=("off", "out"), names=words("on powered lit"), negative=words("off"), general=True),
        Switch(true=("yes", "true"), false=("no", "false"), general=True),
        Switch(told="enable", true=("enabled", "enable", "activate", "activated", "start"), false=("disabled",
        "disable",
        "deactivate", "deactivated", "stop"), names=words("enabled enable active activated"), negative=words("disabled"
        " disable"), general=True),
        Switch(true=("open", "opened"), false=("closed", "close", "shut"), names=words("open opened"),
        negative=words("closed close shut")),
        Switch(told="lock", true=("locked", "lock"), false=("unlocked", "unlock"), names=words("locked lock"),
        negative=words("unlocked unlock")),
        Switch(told="unmute", true=("unmuted", "unmute"), false=("muted", "mute"), names=words("unmuted"),
        negative=words("muted"
        " mute")),
    ),
    counted={"s": "second|seconds", "min": "minute|minutes", "h": "hour|hours", "d": "day|days", "m": "meter|meters",
        "cm": "centimeter|centimeters", "km": "kilometer|kilometers", "%": "percent|percent", "deg": "degree|degrees"},
    units={
        "second": "s", "seconds": "s", "sec": "s", "secs": "s", "s": "s",
        "minute": "min", "minutes": "min", "min": "min", "mins": "min",
        "hour": "h", "hours": "h", "hr": "h", "hrs": "h", "h": "h",
        "day": "d", "days": "d",
        "meter": "m", "meters": "m", "metre": "m", "metres": "m", "m": "m",
        "centimeter": "cm", "centimeters": "cm", "centimetre": "cm", "centimetres": "cm", "cm": "cm",
        "millimeter": "mm", "millimeters": "mm", "millimetre": "mm", "millimetres": "mm", "mm": "mm",
        "kilometer": "km", "kilometers": "km", "kilometre": "km", "kilometres": "km", "km": "km",
        "foot": "ft", "feet": "ft", "ft": "ft", "inch": "in", "inches": "in", "yard": "yd", "yards": "yd",
        "percent": "%",
        "degree": "deg", "degrees": "deg", "degrees celsius": "c", "celsius": "c", "centigrade": "c",
        "degrees centigrade": "c",
        "degree celsius": "c", "degrees c": "c", "fahrenheit": "f", "degrees fahrenheit": "f", "degrees f": "f",
    },
    unit_joiners=words("and"),
    percent="percent",
    degrees="degrees",
    numbers=NumberWords(
        ordinals={"last": -1, "latest": -1},
        ordinal_endings=("st", "nd", "rd", "th"),
        fractions={"half": 0.5, "a half": 0.5, "half way": 0.5, "halfway": 0.5, "a quarter": 0.25, "quarter": 0.25,
            "one quarter": 0.25, "a third": 0.33, "one third": 0.33, "two thirds": 0.67, "three quarters": 0.75,
            "full": 1, "maximum": 1, "max": 1, "full power": 1, "minimum": 0, "min": 0},
        point=words("point dot"),
        minus=words("minus negative"),
        joiner="and",
        thousand=words("thousand"),
        one=words("a an"),
        misheard={"to": 2, "too": 2},
        halves=phrases("and a half | and half"),
        fixed={"half a": 0.5, "half an": 0.5, "half": 0.5, "quarter of an": 0.25, "three quarters of an": 0.75,
               "a half": 0.5, "a quarter of an": 0.25, "a quarter of a": 0.25, "a"
        " couple of": 2,
               "a dozen": 12, "a hundred": 100, "a thousand": 1000},
        decimal_comma=False,
    ),
    english_sounds=True,
    courtesies=phrases("please | thanks | thank you | thank you very much | thanks a lot | for me please"),
    conjunctions=words("and then plus also"),
    connectors=phrases("and then | and after that | and also | and afterwards | and next | and | then | after that"
        " | afterwards | also | plus | as well as | followed by | next"),
    joiners=words("and"),
    negations=words("not no never none nothing without neither nobody"),
    and_word="and",
    done="Done.",
    failed="Sorry, {error}",
    declined="Okay, I left it.",
    not_permitted="I may not do that; edgevox permissions says how to allow it.",
    stopped="Stopped.",
)  # fmt: skip
