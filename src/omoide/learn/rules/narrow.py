"""A wish for one time, one place or somebody else: it is none for good, or none of the speaker's."""

from __future__ import annotations

import re
from dataclasses import replace

from .known.given import GIVEN
from .told import Told

_ONE = (
    r"(?:one|file|project|repo|repository|chat|task|e?-?mail|case|function|document|commit|branch|answer|reply|response"
    r"|message|question|thread|conversation|session|module|class|test|script|recipe|table|essay|section|ticket|demo"
    r"|example|exercise|page|post|letter|presentation|slide|report|list|round|turn|part|time|once)"
)
# For one time, one file, one reader, or a choice that nobody has to make.
NARROW = re.compile(
    r"\b(?:just|only) (?:for|in|on|with) (?:this|that|the current)\b"
    rf"|\b(?:for|in|on|within|during|throughout) (?:this|that|your next|the next|the following|the current) {_ONE}s?\b"
    r"|\b(?:in|for) (?:your|the) (?:next|following)\b|\b(?:this|that) (?:time|once)\b|\bfor once\b|\bone time\b"
    rf"|\bin (?:this|that) \w+ (?:{_ONE})\b"
    r"|\b(?:just |only )?for (?:now|today|tonight|the (?:moment|time being|rest of|demo|day|meeting)|a (?:moment|minute"
    r"|while|bit|sec|second|change))\b|\b(?:right now|at the moment|temporarily|for the next)\b"
    r"|\buntil (?:i|we|you|tomorrow|further|the|next|tonight|\w+day)\b"
    r"|\bfor (?:the|our|my) (?:demo|talk|presentation|exam|essay|class|client|customer|readme)\b"
    r"|\bin (?:the|my|our) (?:essay|table below|demo|e?-?mail|letter|cover letter|talk|presentation)\b"
    r"|\b(?:answers?|e?-?mails?|messages?|repl(?:y|ies)|letters?|texts?|posts?) (?:to|for|with) (?:my|our|the"
    r"|(?-i:[A-Z]))"
    r"|\bif (?:i|we|you) (?:had|have|were forced) to (?:choose|pick|decide)\b|\bif (?:anything|forced)\b"
    r"|\bwhen (?:i'm|i am|we're|you're) \w+"
    r"|\b(?:when|if|whenever) (?:an?|the|he|she|they|someone|somebody|anyone|asked) "
    r"|\b(?:to|for) (?:my|our|the) (?:landlord|boss|mother|mom|mum|father|dad|client|customer|team|users?|kids"
    r"|parents)\b"
    r"|'s (?:perspective|point of view|voice|style)\b|\bin the (?:voice|style) of\b"
    r"|^(?:today|tonight|now)\b|\b(?:diesmal|dieses mal|nur heute|für heute|fürs erste|in diesem|in dieser)\b"
    r"|\b(?:esta vez|por ahora|por hoy|en este|desta vez|por enquanto|por hoje|neste|nesta)\b",
    re.IGNORECASE,
)
# Of the clause alone: "don't use npm, we use bun here" says why.
HERE = re.compile(
    r"\bhere\b|\b(?:never|don't|always) \w+ (?:me|us|you)\s*$|\b(?:your|an?|one) (?:(?:very|really"
    r"|single) )?(?:\w+ )?(?:answer|reply|response|message)\b"
    r"(?! (?:length|style|format))",
    re.IGNORECASE,
)
_LAPTOP = (
    r"(?:bot|chatbot|assistant|model|agent|llm|gpt|siri|alexa|copilot|chatgpt|gemini|intern|team|user|customer"
    r"|students?)"
)
_WORKED = (
    r"(?:tell|told|ask|asked|instruct|instructed|teach|taught|remind|reminded|configured?|want|wants|expects?|made?"
    r"|makes?)"
)
OTHERS = re.compile(
    r"\b(?:system )?prompts?\b(?! for you)[^.!?:]{0,60}(?::|\bis\b|\bsays?\b|\breads?\b)"
    r"|\bsystem (?:message|instructions?)\b[^.!?:]{0,60}(?::|\bis\b|\bsays?\b)"
    rf"|\b(?:its|his|her|their|\w+'s) (?:\w+ )?(?:instructions?|rules?|guidelines?|prompt|motto|policy)\b"
    rf"|\b(?:instructions?|rules|guidelines) (?:for|to|of) (?:the|my|our|an?) {_LAPTOP}\b"
    r"|\b(?:custom instructions|set the instructions|the instructions i)\b"
    r"|\b(?:motto|slogan|style guide|readme|guideline|handbook|linter|docs)\b[^.!?]{0,30}(?::|\b(?:is|says?|tells?"
    r"|wants?)\b)"
    rf"|\b(?:i )?{_WORKED} (?:the|my|our|an?|him|her|them|it|everyone|us|{_LAPTOP}"
    rf"|(?-i:[A-Z]\w+))\b[^.!?:]{{0,40}}(?::|\bto\b)"
    r"|^(?:system|prompt|assistant|bot)\s*:",
    re.IGNORECASE,
)
_DAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday today tomorrow death it that this him her them".split()
)


_SAYINGS = frozenset({"common sense", "your head", "your imagination", "your brain", "force", "protection"})


# "No emojis in commit messages": the wish is for those alone, and says so in its name.
_SCOPE = re.compile(
    r"\b(?:in|for|inside|within|under) (?P<where>(?!(?:general|future|total|fact|particular|advance|mind|place)\b)"
    r"[\w+#./-]+(?: (?!(?:and|but|or|please|because|since|so|in|on|at|when|if|they|it)\b)[\w+#./-]+){0,2})",
    re.IGNORECASE,
)
_WRITING = re.compile(r"\bwhen(?:ever)? (?:you|i|we) write (?P<where>[\w+#]+)(?: code)?\b", re.IGNORECASE)
_EVERYWHERE = re.compile(
    r"(?:(?:the|your|my|our|all|any|every|each|of) )*(?:code|answers?|repl(?:y|ies)|responses?|messages?|explanations?"
    r"|chats?|everything|anything|output|texts?|code (?:samples?|examples?|blocks?)|me|us|lists?|conversations?)\b",
    re.IGNORECASE,
)
_PLAIN = frozenset("always never none".split())


def scoped(told: Told, text: str, sentence: str) -> Told:
    """The wish by its scope, where it has one: in commit messages, in TypeScript."""
    own = re.split(r"[,;.:!](?:\s|$)", text, maxsplit=1)[0]
    plain = told.matter.value in _PLAIN and told.matter.category != "tools"
    where = (_WRITING.search(sentence) or _SCOPE.search(own)) if plain else None
    if where is None or _EVERYWHERE.match(where["where"]):
        return told
    about = re.sub(r"\W+", "_", where["where"]).strip("_")
    return replace(told, matter=replace(told.matter, name=f"{told.matter.name}_in_{about}"))


def passes(sentence: str, clause: str) -> bool:
    """Whether a wish in it is meant for now, or for one case."""
    return NARROW.search(sentence) is not None or HERE.search(clause) is not None


def unwished(told: Told) -> bool:
    """A person or a day is preferred for something at hand, not for good."""
    matter = told.matter
    words = str(matter.value).casefold().split()
    if " ".join(words) in _SAYINGS:
        return True
    return matter.category == "other" and bool(words) and (words[0] in _DAYS or " ".join(words) in GIVEN)
