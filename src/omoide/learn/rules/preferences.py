"""How the user wants things: standing instructions and preferences, not requests for this one time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from omoide.learn.proposal import Claim, StatedPreference
from omoide.learn.rules import preference_topics
from omoide.learn.rules.known_words import GIVEN
from omoide.learn.rules.phrases import thing
from omoide.learn.rules.preference_topics import ELSEWHERE, START, PreferenceTopic, StandingPreference, abroad, closed
from omoide.learn.rules.rule import FoundClaim, TurnScene, quoted
from omoide.learn.rules.rule_clauses import GAP, open_clause
from omoide.learn.rules.rule_modality import SentenceReading
from omoide.learn.rules.standing_instructions import banned, instruction, soft, standing

_LONGEST = 240  # characters of an instruction
_ASKED_OF_YOU = re.compile(r"(?:can|could|would|will) you\b", re.IGNORECASE)
_CHOOSES = re.compile("_or_|package_manager|editor|shell|browser|database|theme|framework")


def wishes_in(
    scene: TurnScene, reads: list[SentenceReading], disliked: str | None = None
) -> Iterator[StatedPreference]:
    """Every standing wish of a turn, one a sentence at most."""
    for read in reads:
        sentence = read.sentence
        if OTHERS.search(sentence.text):
            continue
        for clause in read.told or (sentence.clauses if read.asks else ()):
            text = sentence.text[clause.start - sentence.start :][:_LONGEST]
            if read.asks and not _ASKED_OF_YOU.match(text):
                continue
            told = _told(text, clause.text, disliked) or banned(scene.turn.text[clause.start : sentence.end])
            told = scoped(told, text, sentence.text) if told else None
            if told and not passes(sentence.text, clause.text) and not unwished(told):
                yield _wish(scene, told, clause.start, sentence.end)
                break


def narrowed(scene: TurnScene, reads: list[SentenceReading]) -> Iterator[str]:
    """The wishes that are for something narrower than everything: told, since they are not learned."""
    for read in reads:
        text = read.sentence.text
        if not read.asks and any(passes(text, each.text) and _told(each.text, each.text, None) for each in read.told):
            yield f"a wish for some cases alone was not learned: {text!r} [id:{scene.turn.id}]"


_SHORT = 3  # words: "pnpm", "dark mode"


def of_another(scene: TurnScene, wish: StatedPreference) -> FoundClaim | None:
    """What somebody wishes who does not own the memory is a fact about them: it binds nobody."""
    if len(str(wish.value).split()) > _SHORT or not wish.strength:
        return None  # "always be yourself" is said to whoever is talked to
    stands = str(wish.value).casefold() in wish.quote.words.casefold()
    return FoundClaim(
        Claim(
            subject=scene.speaker.subject,
            predicate="prefers",
            object=str(wish.value) if stands else wish.quote.words,
            text=wish.text if stands else f"{scene.speaker.name} wants: {wish.quote.words}",
            quote=wish.quote,
            confidence=wish.strength,
        )
    )


def _told(text: str, clause: str, disliked: str | None) -> StandingPreference | None:
    said, text, clause = closed(clause), _own(text), _own(clause)
    if GAP in clause:
        return None
    return (
        lifted(closed(text))
        or lifted(said)
        or contrast(text)
        or standing(clause)
        or instruction(text, clause, disliked)
        or preference(text, clause)
        or soft(text)
        or abroad(said)
    )


def _own(words: str) -> str:
    """Without its opening, but "no emojis" is not an opening and the words after it."""
    words = closed(words).strip(" .!")
    return words if re.match(r"(?i:no) \w", words) else open_clause(words).text


def _wish(scene: TurnScene, told: StandingPreference, start: int, end: int) -> StatedPreference:
    matter = told.matter
    return StatedPreference(
        category=matter.category,
        name=matter.name,
        value=matter.value or None,  # of a wish that is taken back, whatever it was
        text=_text(scene.speaker.name, matter, told.instead_of),
        quote=quoted(scene.turn, start, end),
        strength=told.strength,
        source_type=told.source,
        instead_of=told.instead_of,
    )


def _text(name: str, matter: PreferenceTopic, instead_of: str | None) -> str:
    about = matter.name.replace("_", " ")
    value = matter.value
    if not value:
        return f"{name} has no wish about {about}"
    if instead_of:
        return f"{name} prefers {value} over {instead_of}"
    if value in {"never", "none"}:
        return f"{name} does not want {about}"
    if value == "always":
        return f"{name} wants {about}"
    if _CHOOSES.search(matter.name) or matter.category == "other":
        return f"{name} prefers {value}"
    return f"{name} wants: {value}" if len(value.split()) > 2 else f"{name} prefers {about}: {value}"


# One thing rather than another: "use pnpm, not npm", "I prefer tea over coffee", "I prefer dark mode".


_USE = re.compile(
    rf"{START}(?:always )?(?:use|pick|choose|go with|stick (?:to|with)"
    rf"|switch to) (?P<right>[\w][\w .+#/-]{{0,40}}?)(?:,? (?:and )?not |,? (?:instead of|rather than"
    rf"|over|never|and never) )(?:using )?(?P<wrong>[\w][\w .+#/-]{{0,30}})",
    re.IGNORECASE,
)
_PREFER = re.compile(
    r"(?:personally,? )?(?:i|i(?P<would>'d| would)|we)(?: (?:really|much|strongly|generally|usually|always"
    r"|definitely|tend to"
    r"|personally))* prefer (?:to (?:use|work with|write in) |using |working with |writing in )?(?P<right>[^,;]+?)"
    r"(?:,? (?:over|instead of|rather than|not|more than|and not) (?P<wrong>[^,;.]+?)"
    r"|,? to (?!be\b|have\b|get\b|do\b)(?P<less>[^,;. ]+(?: [^,;. ]+)?))?"
    r"(?: (?:for|when|because|if|since|as|any day|these days|nowadays|though|so|whenever|while)\b.*)?$",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"\b(?:this|that|these|those|it|them|one|ones|him|her|the (?:first|second|last|other|former|latter))\b",
    re.IGNORECASE,
)
_WITH = re.compile(r"prefer (?:to work|working) with ", re.IGNORECASE)
_TAIL = re.compile(r" (?:for|in|when|please|here|because|everywhere|from|if)\b")


def contrast(text: str) -> StandingPreference | None:
    """An instruction that rules something out."""
    match = _USE.match(text) or ELSEWHERE.match(text)
    if not match or _LEANS.search(match[0]):
        return None
    right, wrong = match["right"].strip(), _TAIL.split(match["wrong"])[0].strip()
    known = preference_topics.choice(right)
    if known is None:
        if len(right.split()) > 3 or len(wrong.split()) > 3 or preference_topics.snake(right) == "other":
            return None
        category = "tools" if preference_topics.named_tool(right) or preference_topics.named_tool(wrong) else "other"
        known = PreferenceTopic(category, preference_topics.between(right, wrong), right)
    return StandingPreference(known, 0.9, wrong, "corrected")


def preference(text: str, clause: str) -> StandingPreference | None:
    """What is liked better. "I'd prefer" is said of the choice at hand, unless it is between two things."""
    match = _PREFER.match(text) or _PREFER.match(clause)
    if not match:
        return None
    right = match["right"].strip()
    wrong = (match["wrong"] or match["less"] or "").strip() or None
    if _LEANS.search(right) or re.match(
        r"(?:not|to|that|when|if|your|you|my|the|being|having)\b", right, re.IGNORECASE
    ):
        return None
    if _WITH.search(match[0]) and right[:1].isupper() and not preference_topics.named_tool(right):
        return None  # "I prefer working with Kim"
    known = preference_topics.choice(right) or preference_topics.style(right, wanted=True, whole=True)
    if known:
        return StandingPreference(known, 0.8, wrong)
    objects, other = thing(right), thing(wrong) if wrong else ()
    whole = len(objects) == 1 and len(objects[0].split()) >= len(right.split()) - 1
    if not whole or len(objects[0].split()) > 5 or (match["would"] and not other) or (wrong and not other):
        return None
    if match["less"] and re.match(r"\w+ing\b", right) and not re.match(r"\w+ing\b", match["less"]):
        return None  # "I prefer winding down early to prepare for the night"
    name = preference_topics.between(objects[0], other[0]) if other else preference_topics.snake(objects[0])
    category = "tools" if preference_topics.named_tool(right) else "other"
    return StandingPreference(PreferenceTopic(category, name, objects[0]), 0.8, other[0] if other else None)


# A wish for one time, one place or somebody else: it is none for good, or none of the speaker's.


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


def scoped(told: StandingPreference, text: str, sentence: str) -> StandingPreference:
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


def unwished(told: StandingPreference) -> bool:
    """A person or a day is preferred for something at hand, not for good."""
    matter = told.matter
    words = str(matter.value).casefold().split()
    if " ".join(words) in _SAYINGS:
        return True
    return matter.category == "other" and bool(words) and (words[0] in _DAYS or " ".join(words) in GIVEN)


# A wish that is taken back: "emojis are fine now", "you don't need to use black anymore", "go back to npm".


# What is taken back has no strength, whatever it was before.
TAKEN_BACK = 0.0

_AGAIN = r"(?P<again> (?:again|now|after all|from now on|any ?more|any longer))?"
_NEEDLESS = re.compile(
    rf"{START}(?:you (?:don't|do not|dont|no longer) (?:need|have) to|you needn't|(?:there's |there is )?no need to"
    rf"|you (?:can|may) stop|stop|quit) (?P<what>[^,;]+?){_AGAIN}$",
    re.IGNORECASE,
)
_ALLOWED = re.compile(
    rf"{START}(?:you (?:can|may)(?: now)?|you're (?:free|allowed|welcome) to|feel free to|it's (?:ok|okay|fine) to"
    rf"|i don't mind(?: if you)?) (?P<what>[^,;]+?){_AGAIN}$",
    re.IGNORECASE,
)
_FINE = re.compile(
    rf"(?P<what>[\w .+#-]{{2,30}}?) (?:is|are)(?: totally| perfectly| actually)? (?:fine|ok|okay|allowed|welcome"
    rf"|alright|all right)(?: with me| by me)?{_AGAIN}$",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"(?:please )?(?:forget|ignore|never ?mind|scrap|drop) (?:what i (?:said|told you) about|my (?:rule|wish"
    r"|preference) (?:about|for|on)|the rule (?:about|on)) (?:using |not using |the )?(?P<what>[^,;]+)$",
    re.IGNORECASE,
)
_AFTER_ALL = re.compile(
    r"\s*(?:actually|on second thoughts?|sorry|i changed my mind|scratch that|come to think of it)\b", re.IGNORECASE
)
_BACK_TO = re.compile(
    rf"(?:^|, ){START}(?:let's )?(?:go|switch|change|move) back to (?:using )?(?P<right>[\w .+#-]{{2,30}})$",
    re.IGNORECASE,
)
_WRONG_ABOUT = re.compile(r"\bwrong about (?:using )?(?P<wrong>[\w.+#-]+)", re.IGNORECASE)
_DOING = re.compile(
    r"(?:us(?:e|ing)|put(?:ting)?|add(?:ing)?|includ(?:e|ing)|writ(?:e|ing)|giv(?:e|ing)|send(?:ing)?|suggest(?:ing)?"
    r"|recommend(?:ing)?|mention(?:ing)?|propos(?:e|ing)|be(?:ing)?|format(?:ting)? with|work(?:ing)? with)\b"
    r"(?: (?:any|the|so|me))? ?",
    re.IGNORECASE,
)
_ANSWERING = re.compile(
    r"(?:answer|respond|reply|speak|talk|writ)(?:e|ing)?(?: (?:to )?me)?(?P<in> in \w+)", re.IGNORECASE
)
_STOPS = re.compile(rf"{START}(?:stop|quit)\b", re.IGNORECASE)


def lifted(said: str) -> StandingPreference | None:
    """`said` is a clause with its opening: "actually" may be all that tells a change of mind."""
    said = said.strip(" .!")
    after_all = _AFTER_ALL.match(said)
    text = said[after_all.end() :].lstrip(" ,") if after_all else said
    if back := _back(text):
        return back
    for pattern in (_NEEDLESS, _ALLOWED, _FINE, _FORGET):
        match = pattern.match(text)
        again = match and (match.groupdict().get("again") or after_all or pattern in (_NEEDLESS, _FORGET))
        what = _what(match["what"]) if match and again else None
        if match and what and (what.name == "answer_language" or not _STOPS.match(text)):
            return StandingPreference(what, TAKEN_BACK)  # "stop using emojis" is a wish of its own, no end of one
    return None


def _back(text: str) -> StandingPreference | None:
    match = _BACK_TO.search(text)
    known = preference_topics.choice(match["right"]) if match else None
    wrong = _WRONG_ABOUT.search(text)
    return StandingPreference(known, 0.9, wrong["wrong"] if wrong else None, "corrected") if known else None


def _what(words: str) -> PreferenceTopic | None:
    """What was wished: its matter, and its value where one is named."""
    answering = _ANSWERING.match(words)
    if answering:
        language = preference_topics.answer_language(answering["in"])
        return PreferenceTopic("communication", "answer_language", language) if language else None
    rest = _DOING.sub("", words.strip(), count=1)
    if len(rest.split()) > 5 or not rest:
        return None
    tool = preference_topics.named_tool(rest)
    style = preference_topics.style(rest, wanted=True, whole=True) or preference_topics.style(
        _in_code(rest), wanted=True, whole=True
    )
    if style:
        return PreferenceTopic(style.category, style.name, "")
    known = preference_topics.choice(rest)
    if known and len(known.value.split()) == len(rest.split()):
        return known
    return (
        PreferenceTopic("tools", preference_topics.snake(tool), "")
        if tool and len(tool.split()) == len(rest.split())
        else None
    )


def _in_code(words: str) -> str:
    """Without where it is done: "comments in the code" are comments."""
    return re.sub(r" (?:in|to|into) (?:the|your|my) (?:code|answers?|replies|repl(?:y|ies))$", "", words)
