"""A plain question of the agent and the user's short answer to it, which together are one statement."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from omoide.learn.proposal import ConversationTurn
from omoide.learn.rules.claims import claims_in
from omoide.learn.rules.known_words import CONDITIONS, DIETS, ORGANIZATIONS, PLACES, RELATIVES, STEPS, TOOLS, words
from omoide.learn.rules.phrases import CAPITAL
from omoide.learn.rules.rule import FoundClaim, TurnScene
from omoide.learn.rules.rule_clauses import GAP, RuleClause, masked, open_clause, parse_sentences
from omoide.learn.rules.rule_modality import SentenceReading

_MOST = 7  # words; a longer answer says itself what it is about
_LEADS = re.compile(
    r"(?:(?:so|and|ok(?:ay)?|great|thanks|cool|by the way|also|just curious|out of curiosity|first|hi|hello|may i ask"
    r"|can i ask|could you tell me|can you tell me|if i may ask|if you don't mind me asking)[,:!]? +)*",
    re.IGNORECASE,
)
# Where the agent plays, tests or teaches, the answer is part of that.
_STAGED = re.compile(
    r"\b(?:role|play|pretend|imagine|quiz|game|character|story|scene|interview|practi[cs]e|example|exercise|scenario"
    r"|sample|lesson|suppose|hypothetical\w*|translate|translation|persona|customer|riddle)\b",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:not|never|no|none|used|was|were|formerly|if|or|guess|than|would|could|should|might|why|haha+|lol|lmao|jk"
    r"|kidding|depends|anymore|wish|pretend|fake|n't|ex)\b|n't\b|[?😂🤣😉😜🙃]|\.\.\.|…",
    re.IGNORECASE,
)


def answered(scene: TurnScene, before: ConversationTurn, reads: list[SentenceReading]) -> Iterator[FoundClaim]:
    """ "Where do you live?" – "Bari". The quote is the answer; the question must be the only one."""
    answer = _answer(reads)
    if answer is None or before.origin not in {"agent", "user"} or _STAGED.search(before.text):
        return
    asked = [each for each in parse_sentences(masked(before.text, before.speaker)) if "?" in each.mark]
    if len(asked) != 1 or before.text.rstrip()[-1:] != "?":
        return
    text = _LEADS.sub("", asked[0].text, count=1).strip()
    for question in QUESTIONS:
        match = question.asked.fullmatch(text)
        if match:
            yield from _statements(scene, question, match, answer)
            return


def _answer(reads: list[SentenceReading]) -> RuleClause | None:
    """The first words of the turn, if they are few and nothing in them turns them round."""
    first = reads[0] if reads else None
    clause = first.told[0] if first and first.told else None
    if clause is None or first is None or GAP in first.sentence.text or _TURNS.search(clause.text):
        return None
    beside = first.sentence.text[clause.end - first.sentence.start :]
    short = len(clause.text.split()) <= _MOST and not re.match(r"\s*,? (?:or|no|not|wait|if|unless)\b", beside)
    return clause if short and not re.match(r"(?i:i|i'm|im|my|we|he|she|it|they|you|your)\b", clause.text) else None


def _statements(
    scene: TurnScene, question: AgentQuestion, match: re.Match[str], answer: RuleClause
) -> Iterator[FoundClaim]:
    text = re.sub(r"^(?i:mostly|mainly|usually|just|only|probably|currently|now) ", "", open_clause(answer.text).text)
    if question.lead:
        text = re.sub(rf"^(?i:{question.lead}) (?=\S)", "", text)
    text = re.sub(
        r"(?i:,? (?:these days|at the moment|right now|currently|mostly|now|mainly|please|thanks))$", "", text
    )
    if not text or not question.fits(text):
        return
    who = (match.groupdict().get("who") or match.groupdict().get("whom") or "").lower()
    said = question.said.replace("{who}", "dog" if who == "pet" else who).replace("{}", text)
    told = replace(answer, text=said)
    read = SentenceReading(parse_sentences(said)[0], (told,), False, (told,))
    for found in claims_in(replace(scene, ceiling=0.9), [read]):
        if found.claim.predicate in question.predicates or found.claim.predicate.startswith("favorite_"):
            yield found


# The plain questions that an agent asks of a user, what an answer to each of them says, and what an answer is like.


_CALMLY = r"(?:currently |now |usually |mostly |normally |mainly )?"
_ENDS = r"(?: now| currently| these days| right now| at the moment| mostly| usually| mainly| by the way)?$"
# Words that stand where an answer should, and are none.
_NO_ANSWER = words("""
    anonymous cancel
    guess depends nowhere somewhere abroad everywhere secret private classified none nothing everything anything
    whatever unknown unsure dunno idk why stop skip pass later never varies remote remotely freelance unemployed
    retired student myself nobody earth mars heaven hell online hmm maybe what sorry nah nope no not various lots
    tons both neither all any many several same different old young forget nvm nevermind tbd n/a na same here there
    home work school secret personal confidential ask tell you me us them who whoever wherever nothing planet space
    internet cloud outside inside downtown city village town countryside suburbs
""")
_ALLERGENS = words("""
    peanut peanuts nut nuts tree hazelnuts almonds cashews walnuts pistachios shellfish shrimp shrimps prawns crab
    lobster seafood fish eggs egg milk dairy soy soya wheat gluten sesame mustard celery strawberries kiwi bananas
    avocado tomatoes apples lactose cats cat dogs dog horses pollen grass birch ragweed dust mites mold mould latex
    penicillin amoxicillin ibuprofen aspirin sulfa bees bee wasp wasps stings nickel sulfites fur feathers
""")
_RUN = re.compile(rf"(?:{CAPITAL}[\w'.&-]*|de|la|of|the|am|an|der|den|do|da|&)(?: |$)")


@dataclass(frozen=True, slots=True)
class AgentQuestion:
    asked: re.Pattern[str]
    said: str  # what the answer says, with {} for it
    predicates: frozenset[str]
    fits: Callable[[str], bool]
    lead: str = ""  # what may stand before the answer proper: "in Bari"


def _is_name(answer: str) -> bool:
    """Nothing but words with a capital, and none of them an everyday one."""
    parts = answer.split()
    first = parts[0].lower()
    named = len(parts) < 5 and all(_RUN.fullmatch(part) for part in parts)
    return named and first not in _NO_ANSWER and first not in STEPS and first != "the"


def _somewhere(answer: str) -> bool:
    head = answer.split(",")[0].strip()
    return head.lower() in PLACES or (_is_name(head) and len(head) > 2)


def _employer(answer: str) -> bool:
    head = re.split(r",| as ", answer)[0].strip()
    return head.lower() in ORGANIZATIONS or _is_name(head) or head.startswith(("a ", "an "))


def _employer_surely(answer: str) -> bool:
    return answer.split(",")[0].strip().lower() in ORGANIZATIONS


def _tools(answer: str) -> bool:
    first = re.findall(r"[\w.+#-]+", answer)[:3]
    return any(" ".join(first[:size]).lower() in TOOLS for size in range(1, len(first) + 1))


def _allergens(answer: str) -> bool:
    found = re.findall(r"[\w-]+", answer.lower())
    return bool(found) and all(word in _ALLERGENS or word in {"and", "some", "also"} for word in found)


def _any(answer: str) -> bool:
    return True  # the reader of the predicate knows its own: trades, diets, languages, numbers, addresses


def _asks(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern}){_ENDS}", re.IGNORECASE)


_KINS = "|".join(sorted(map(re.escape, RELATIVES), key=len, reverse=True))
_KIND = (
    r"(?:text |code )?(?:editor|ide|browser|shell|terminal|os|operating system|database|package manager|framework"
    r"|note(?:s|-taking)? app|linter|formatter|version control|chat app|distro)"
)
_PETS = "dog|cat|pet|puppy|kitten|hamster|rabbit|parrot|horse"
QUESTIONS: tuple[AgentQuestion, ...] = (
    AgentQuestion(
        _asks(
            rf"where do you {_CALMLY}live|where are you {_CALMLY}(?:living|based|located)"
            rf"|(?:what|which) (?:city|town|country|place) (?:do you {_CALMLY}live|are you {_CALMLY}(?:based"
            r"|living)) in"
            r"|where do you call home|what(?:'s| is) your (?:location|city|home city)"
        ),
        "I live in {}",
        frozenset({"lives_in"}),
        _somewhere,
        "in|near the center of|from",
    ),
    AgentQuestion(
        _asks(r"where are you (?:originally )?from|where do you come from"),
        "I am from {}",
        frozenset({"comes_from"}),
        _somewhere,
        "from|originally from|in",
    ),
    AgentQuestion(_asks(r"where were you born"), "I was born in {}", frozenset({"born_in"}), _somewhere, "in"),
    AgentQuestion(_asks(r"where did you grow up"), "I grew up in {}", frozenset({"grew_up_in"}), _somewhere, "in"),
    AgentQuestion(
        _asks(
            r"what(?:'s| is) your (?:first |full )?name|what are you called|who am i (?:speaking|talking|chatting)"
            r" (?:with|to)|your name"
        ),
        "my name is {}",
        frozenset({"name"}),
        _is_name,
    ),
    AgentQuestion(
        _asks(r"what (?:should|can|may|shall|do) i call you|how (?:should|can|may|shall) i (?:call|address) you"),
        "call me {}",
        frozenset({"called"}),
        _is_name,
    ),
    AgentQuestion(
        _asks(
            r"(?:do you have )?any (?:known |food )?allerg(?:y|ies)|are you allergic to anything"
            r"|what are you allergic to|what allergies do you have|which foods are you allergic to"
        ),
        "I am allergic to {}",
        frozenset({"allergic_to"}),
        _allergens,
        "to",
    ),
    AgentQuestion(
        _asks(
            rf"(?:which|what) {_KIND}(?: do you {_CALMLY}(?:use|work with|run)| are you {_CALMLY}(?:using|running|on))"
            rf"|what(?:'s| is) your (?:main |favou?rite |preferred )?{_KIND}(?: of choice)?"
        ),
        "I use {}",
        frozenset({"uses"}),
        _tools,
    ),
    AgentQuestion(
        _asks(r"where do you work"),
        "I work at {}",
        frozenset({"works_at"}),
        _employer_surely,
        "at|for",
    ),
    AgentQuestion(
        _asks(
            rf"(?:who|whom) do you {_CALMLY}work for|(?:which|what) (?:company|organi[sz]ation) do you {_CALMLY}work"
            rf" (?:for|at)|who(?:'s| is) your employer|what(?:'s| is) the name of your (?:company|employer)"
        ),
        "I work at {}",
        frozenset({"works_at"}),
        _employer,
        "at|for",
    ),
    AgentQuestion(
        _asks(
            r"what do you do(?: for (?:a living|work))?|what(?:'s| is) your (?:job|profession|occupation|job title"
            r"|role)|what do you work as"
        ),
        "I work as {}",
        frozenset({"works_as", "works_at"}),
        lambda answer: not re.search(r"\b(?:the|my|your|his|her)\b", answer),
    ),
    AgentQuestion(_asks(r"how old are you|what(?:'s| is) your age"), "I am {}", frozenset({"age"}), _any),
    AgentQuestion(
        _asks(r"when(?:'s| is) your birthday|what(?:'s| is) your (?:birthday|date of birth)|when were you born"),
        "my birthday is {}",
        frozenset({"birthday"}),
        _any,
        "on|on the|it's|the",
    ),
    AgentQuestion(
        _asks(r"(?:what|which) languages?(?: do you|can you) speak|what(?:'s| is) your native language"),
        "I speak {}",
        frozenset({"speaks"}),
        _any,
    ),
    AgentQuestion(
        _asks(
            r"(?:do you have )?any dietary (?:restrictions|requirements|preferences|needs)|what(?:'s| is) your diet"
            r"|do you follow (?:a|any)(?: special| particular)? diet"
        ),
        "I am {}",
        frozenset({"diet"}),
        lambda answer: answer.split()[-1].lower() in DIETS,
    ),
    AgentQuestion(
        _asks(r"(?:do you have )?any (?:medical|health) (?:conditions?|issues?|problems?)"),
        "I have {}",
        frozenset({"has_condition"}),
        lambda answer: answer.lower() in CONDITIONS,
    ),
    AgentQuestion(
        _asks(r"do you have (?:any |a )?(?:pets?|animals|cats?|dogs?|cats or dogs|kids|children|kids or pets)"),
        "I have {}",
        frozenset({"has_pet", "has_children"}),
        _any,
    ),
    AgentQuestion(_asks(r"what(?:'s| is) your e-?mail(?: address)?"), "my email is {}", frozenset({"email"}), _any),
    AgentQuestion(
        _asks(r"what(?:'s| is) your time ?zone|(?:what|which) time ?zone are you in"),
        "my timezone is {}",
        frozenset({"timezone"}),
        _any,
    ),
    AgentQuestion(
        _asks(
            rf"what(?:'s| is) your (?P<who>{_KINS}|{_PETS})(?:'s name| called)|what(?:'s| is) the name of your"
            rf" (?P<whom>{_KINS}|{_PETS})"
        ),
        "my {who}'s name is {}",
        frozenset({f"{relation}_of" for relation in RELATIVES.values()} | {"has_pet"}),
        _is_name,
    ),
    AgentQuestion(
        _asks(r"what(?:'s| is) your favou?rite (?P<who>[a-z]{3,15})"),
        "my favorite {who} is {}",
        frozenset({}),
        _is_name,
    ),
)


# Statements whose "I" is left out: "Moved to Utrecht last month", "- based in Cork" in a list about oneself.


_ADVERBS = r"(?:(?:just|recently|finally|officially|actually|so|hey|btw|update:|well|oh|ok|and)[, ]+)*"
# Past forms and what nobody commands. A bare "work at Stripe" may be an instruction, unless it stands in a list.
_I_DID = (
    r"moved (?:back |over )?to|relocated to|started (?:working )?(?:at|as)|started (?:a|my) (?:new )?(?:job|role"
    r"|position)"
    r"|got a (?:new )?(?:job|position|role)|got hired|got married|got divorced|grew up in|adopted an?"
    r"|switched (?:over )?(?:from|to)|graduated from|quit my job|left my job"
)
_I_HAVE = r"been (?:living in|working (?:at|for|as)|a vegan|a vegetarian)"
_I_AM = r"based in|(?:currently|still|now) (?:living in|based in|working (?:at|for|as))|allergic to"
_A_FAN = r"(?:big|huge) fan of"
_I_WAS = r"born in|born and raised in"
DROPS = re.compile(
    rf"(?P<adverbs>{_ADVERBS})(?:(?P<did>{_I_DID})|(?P<have>{_I_HAVE})|(?P<am>{_I_AM})|(?P<fan>{_A_FAN})"
    rf"|(?P<was>{_I_WAS}))"
    r"(?= \S)",
    re.IGNORECASE,
)
_SUBJECT = {"did": "I", "have": "I have", "am": "I'm", "fan": "I'm a", "was": "I was"}
_KIN = "|".join(sorted(map(re.escape, RELATIVES), key=len, reverse=True))
# Somebody else is spoken of: then it is they who moved.
_OTHERS = re.compile(
    rf"\b(?:he|she|they|he's|she's|his|him|them|their|who)\b|\b(?:my|your|our|the|a|her) (?:\w+ )?(?:{_KIN}|ex|parents"
    rf"|kids|team|company|office|friends)\b"
    rf"|(?-i:(?<=[a-z,] ){CAPITAL}[a-z]+(?:'s| (?:is|was|has|did|moved|lives|works))\b)",
    re.IGNORECASE,
)
_DANGLES = re.compile(rf",\s*(?:the|this|that|an?|its|it|he|she|they|his|her|(?-i:{CAPITAL})\w+ [a-z]+(?:s|ed))\b")
_THEN = re.compile(
    r"\s*(?:$|[,.!;]|(?:last|this|two|three|an?|few|\d+|in (?:\d|(?-i:[A-Z]))|recently|yesterday|for|with|from|because"
    r"|and|after|since|back|to (?:be|work|study|live))(?:\b|(?<=\d)))",
    re.IGNORECASE,
)
_LIST = re.compile(r"^[ \t]*(?:[-*•·]|\d[.)])[ \t]+\S", re.MULTILINE)
_ABOUT_ME = re.compile(
    r"\b(?:about (?:me|myself)|my (?:profile|background|details|situation)|who i am|quick intro)\b[^\n]{0,20}\n",
    re.IGNORECASE,
)
_LINES = (
    (re.compile(r"(?:based|living|from|allergic|married|learning|fluent) |(?:vegan|vegetarian)$", re.I), "I'm {}"),
    (re.compile(r"(?:\d\d)(?: years old)?$", re.IGNORECASE), "I am {}"),
    (re.compile(r"(?:work|live|love|like|hate|speak|use|drive|own|play|study|enjoy|prefer) ", re.IGNORECASE), "I {}"),
    (re.compile(r"(?:an?|one|two|three|\d) (?:\w+ )?(?:kids?|children|sons?|daughters?|cats?|dogs?)\b"), "I have {}"),
    (re.compile(r"born in ", re.IGNORECASE), "I was {}"),
)  # fmt: skip
# Without a heading "- use React" is a task.
_ALONE = re.compile(r"I'm (?:based|living|allergic)|I was born|I (?:work (?:at|for|as)|live in)|I have", re.IGNORECASE)
_LONGEST = 8  # words of a line in a list


def dropped(scene: TurnScene, reads: list[SentenceReading], before: Sequence[ConversationTurn]) -> Iterator[FoundClaim]:
    """What a turn says of its speaker without saying "I"."""
    if len(_LIST.findall(scene.turn.text)) > 1:
        for read, clause in _listed(scene.turn.text, reads):
            yield from claims_in(scene, [_told(read, clause)])
        return
    if before and _OTHERS.search(before[-1].text[-400:]):
        return
    for read in reads:
        first = read.told[0] if read.told else None
        found = DROPS.match(first.text) if first and not read.asks else None
        if found and first and not _DANGLES.search(read.sentence.text):
            said = f"{_SUBJECT[found.lastgroup or 'did']} {first.text[found.end('adverbs') :]}"
            for item in claims_in(scene, [_told(read, replace(first, text=said))]):
                if item.claim.predicate != "lives_in" or _is_place(item.claim.object, said):
                    yield item
        if _OTHERS.search(read.sentence.text) and not found:
            return


def _is_place(name: str, said: str) -> bool:
    """A card is moved to Done as well, and a kitchen to Chicago style pizza."""
    after = said[said.lower().find(name.lower()) + len(name) :]
    return name.split(",")[0].lower() in PLACES and _THEN.match(after) is not None


def _told(read: SentenceReading, clause: RuleClause) -> SentenceReading:
    return replace(
        read, told=(clause,), presupposed=(), sentence=replace(read.sentence, text=clause.text, clauses=(clause,))
    )


def _listed(text: str, reads: list[SentenceReading]) -> list[tuple[SentenceReading, RuleClause]]:
    """The lines of a list about the speaker: under a heading that says so, or where every line can be read."""
    items = [read for read in reads if _LIST.match(text[text.rfind("\n", 0, read.sentence.start) + 1 :])]
    found = [(read, said) for read in items if (said := _line(read))]
    headed = _ABOUT_ME.search(text[: items[0].sentence.start]) if items else None
    alone = len(found) == len(items) == len(reads) and all(_ALONE.match(said.text) for _, said in found)
    return found if headed or alone else []


def _line(read: SentenceReading) -> RuleClause | None:
    text = re.sub(r"^(?:[-*•·]|\d[.)])\s*", "", read.sentence.text)
    if not read.told or len(text.split()) > _LONGEST:
        return None
    said = next((form.format(text) for pattern, form in _LINES if pattern.match(text)), None)
    return RuleClause(said, read.sentence.end - len(text), read.sentence.end) if said else None
