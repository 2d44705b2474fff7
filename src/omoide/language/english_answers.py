"""English: questions of an assistant, and what a brief answer to each of them states."""

from __future__ import annotations

_LEAD = r"""
    (?:(?:so|and|ok|okay|great|thanks|cool|also|just curious|first|may i ask|can i ask|if i may ask|by the way|lovely
    |nice|noted|got it|good)[,:!]? )*
"""

ANSWERS = (
    (_LEAD + r"where (?:do|are) you (?:live|living|based|located)(?: now| these days)?", "I live in {answer}"),
    (_LEAD + r"(?:where|who) do you work(?: for| at)?(?: now)?", "I work at {answer}"),
    (_LEAD + r"what do you do(?: for (?:a living|work))?", "I work as {answer}"),
    (_LEAD + r"how old are you", "I am {answer}"),
    (_LEAD + r"how old is (?P<what>[\w' ]+)", "{what} is {answer}"),
    (
        _LEAD + r"what(?:'s| is| was) (?P<what>your [\w' ]+?)(?: called| named)?(?: again)?",
        "{what} is {answer}",
    ),
    (_LEAD + r"what(?:'s| is) (?P<what>(?:his|her|their|the) [\w' ]+?)(?: called| named)", "{what} is called {answer}"),
    (_LEAD + r"(?:who|which one)(?:'s| is) (?P<what>your [\w' ]+)", "{what} is {answer}"),
    (_LEAD + r"who(?:'s| is) (?P<what>[A-Z][\w' ]*)", "{what} is {answer}"),
    (_LEAD + r"(?:when|what time|what day|where)(?:'s| is| are) (?P<what>(?:the|your) [\w' ]+)", "{what} is {answer}"),
    (
        _LEAD + r"how many (?P<what>[\w' ]+?) (?:do|have) you (?P<verb>have|own|need|eat|drink|speak|run|got)",
        "I {verb} {answer} {what}",
    ),
    (
        _LEAD + r"(?:what|which) [\w' ]+? do you (?:usually |normally )?(?P<verb>(?!want|think|mean|need|prefer i)\w+)",
        "I {verb} {answer}",
    ),
    (_LEAD + r"what do you (?P<verb>eat|drink|play|study|teach|drive|use|cook|build|grow|sell)", "I {verb} {answer}"),
    (_LEAD + r"(?:when|what time|how often) do you (?P<verb>(?!want|need)[\w' ]+)", "I {verb} {answer}"),
    (_LEAD + r"what are you (?:allergic to)", "I am allergic to {answer}"),
)

# Questions to be answered by yes or no. What only concerns the task at hand is left out.
_TASK = r"""
    (?!(?:want|need|think|know|mean|see|mind|remember|like me|prefer|happy|sure|ready|ok|okay|looking|planning to send
    |have (?:a|any|the) (?:\w+ )?(?:preference|question|date|idea|example|time))\b)
"""

AGREED = (
    (_LEAD + r"do you (?P<rest>" + _TASK + r"[\w' -]+)", "I {rest}"),
    (_LEAD + r"are you (?P<rest>" + _TASK + r"[\w' -]+)", "I am {rest}"),
    (_LEAD + r"have you (?P<rest>" + _TASK + r"[\w' -]+)", "I have {rest}"),
    (_LEAD + r"is (?P<what>your [\w']+|[A-Z]\w+) (?P<rest>[\w' -]+)", "{what} is {rest}"),
)
REFUSED = (
    (_LEAD + r"do you (?P<rest>" + _TASK + r"[\w' -]+)", "I don't {rest}"),
    (_LEAD + r"are you (?P<rest>" + _TASK + r"[\w' -]+)", "I am not {rest}"),
    (_LEAD + r"have you (?P<rest>" + _TASK + r"[\w' -]+)", "I haven't {rest}"),
    (_LEAD + r"is (?P<what>your [\w']+|[A-Z]\w+) (?P<rest>[\w' -]+)", "{what} is not {rest}"),
)
YES = r"""
    \W*(?:yes|yep|yeah|yup|i do|i am|i have|(?:yes|yeah),? (?:i (?:do|am|have)|of course|sure)|of course|sadly yes)\W*
"""
NO = r"""
    \W*(?:no|nope|nah|i don't|i'm not|i haven't|never|sadly no|(?:no|nope),? (?:i (?:don't|haven't|am not)|i'm not
    |not really|sorry|never))\W*
"""
UNANSWERED = r"""
    ^(?:i|i'm|i've|im|my|we|we're|our|he|she|they|it|that|this)\b|\b(?:not|never|none|no|idea|was|were|if|guess|would
    |could|should|might|why|haha\w*|lol|kidding|depends|wish|dunno|ha|right|oh|well|whatever|skip|pass|later|secret
    |anything|surprise|either|both|you)\b|\.\.|…|[😂🤣😉😜🙃]
"""
ANSWER_LEADS = (
    r"^(?:(?:in|at|for|as|an?|on|it's|its|he's|she's|just|only|mostly|currently|probably|about|around) )(?=\S)"
)
TURNED = (
    (r"\byour\b", "my"),
    (r"\byours\b", "mine"),
    (r"\byou are\b", "I am"),
    (r"\byou\b", "I"),
)
