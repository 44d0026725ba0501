"""Things that an assistant in a kitchen might say."""

QUOTES = (
    "I have set nine timers and I love them all equally.",
    "You asked for darkness. I gave you darkness. Mind the cat.",
    "The oven is warm, which is more than can be said for the coffee.",
    "I do not know where your keys are, but I know where they are not.",
    "Somebody told the fridge a joke and the light came on.",
    "Today is a good day to water whatever is on the windowsill.",
    "I was asked for a second opinion. Here is the first one again, louder.",
    "The robot has found the sock. The robot will not give it back.",
    "Rain until noon, excuses until evening.",
    "Every door is shut, except the one that you are about to think of.",
    "I speak five languages and the dishwasher understands none of them.",
    "Good night. I will keep an ear open, for that is all I have.",
)
