"""The plain questions that an agent asks of a user, what an answer to each of them says, and what an answer is like."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from .known.people import CONDITIONS, DIETS, RELATIVES
from .known.places import PLACES
from .known.tools import ORGANIZATIONS, TOOLS
from .known.verbs import STEPS
from .known.words import words
from .phrase import CAPITAL

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
class Question:
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
QUESTIONS: tuple[Question, ...] = (
    Question(
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
    Question(
        _asks(r"where are you (?:originally )?from|where do you come from"),
        "I am from {}",
        frozenset({"comes_from"}),
        _somewhere,
        "from|originally from|in",
    ),
    Question(_asks(r"where were you born"), "I was born in {}", frozenset({"born_in"}), _somewhere, "in"),
    Question(_asks(r"where did you grow up"), "I grew up in {}", frozenset({"grew_up_in"}), _somewhere, "in"),
    Question(
        _asks(
            r"what(?:'s| is) your (?:first |full )?name|what are you called|who am i (?:speaking|talking|chatting)"
            r" (?:with|to)|your name"
        ),
        "my name is {}",
        frozenset({"name"}),
        _is_name,
    ),
    Question(
        _asks(r"what (?:should|can|may|shall|do) i call you|how (?:should|can|may|shall) i (?:call|address) you"),
        "call me {}",
        frozenset({"called"}),
        _is_name,
    ),
    Question(
        _asks(
            r"(?:do you have )?any (?:known |food )?allerg(?:y|ies)|are you allergic to anything"
            r"|what are you allergic to|what allergies do you have|which foods are you allergic to"
        ),
        "I am allergic to {}",
        frozenset({"allergic_to"}),
        _allergens,
        "to",
    ),
    Question(
        _asks(
            rf"(?:which|what) {_KIND}(?: do you {_CALMLY}(?:use|work with|run)| are you {_CALMLY}(?:using|running|on))"
            rf"|what(?:'s| is) your (?:main |favou?rite |preferred )?{_KIND}(?: of choice)?"
        ),
        "I use {}",
        frozenset({"uses"}),
        _tools,
    ),
    Question(
        _asks(r"where do you work"),
        "I work at {}",
        frozenset({"works_at"}),
        _employer_surely,
        "at|for",
    ),
    Question(
        _asks(
            rf"(?:who|whom) do you {_CALMLY}work for|(?:which|what) (?:company|organi[sz]ation) do you {_CALMLY}work"
            rf" (?:for|at)|who(?:'s| is) your employer|what(?:'s| is) the name of your (?:company|employer)"
        ),
        "I work at {}",
        frozenset({"works_at"}),
        _employer,
        "at|for",
    ),
    Question(
        _asks(
            r"what do you do(?: for (?:a living|work))?|what(?:'s| is) your (?:job|profession|occupation|job title"
            r"|role)|what do you work as"
        ),
        "I work as {}",
        frozenset({"works_as", "works_at"}),
        lambda answer: not re.search(r"\b(?:the|my|your|his|her)\b", answer),
    ),
    Question(_asks(r"how old are you|what(?:'s| is) your age"), "I am {}", frozenset({"age"}), _any),
    Question(
        _asks(r"when(?:'s| is) your birthday|what(?:'s| is) your (?:birthday|date of birth)|when were you born"),
        "my birthday is {}",
        frozenset({"birthday"}),
        _any,
        "on|on the|it's|the",
    ),
    Question(
        _asks(r"(?:what|which) languages?(?: do you|can you) speak|what(?:'s| is) your native language"),
        "I speak {}",
        frozenset({"speaks"}),
        _any,
    ),
    Question(
        _asks(
            r"(?:do you have )?any dietary (?:restrictions|requirements|preferences|needs)|what(?:'s| is) your diet"
            r"|do you follow (?:a|any)(?: special| particular)? diet"
        ),
        "I am {}",
        frozenset({"diet"}),
        lambda answer: answer.split()[-1].lower() in DIETS,
    ),
    Question(
        _asks(r"(?:do you have )?any (?:medical|health) (?:conditions?|issues?|problems?)"),
        "I have {}",
        frozenset({"has_condition"}),
        lambda answer: answer.lower() in CONDITIONS,
    ),
    Question(
        _asks(r"do you have (?:any |a )?(?:pets?|animals|cats?|dogs?|cats or dogs|kids|children|kids or pets)"),
        "I have {}",
        frozenset({"has_pet", "has_children"}),
        _any,
    ),
    Question(_asks(r"what(?:'s| is) your e-?mail(?: address)?"), "my email is {}", frozenset({"email"}), _any),
    Question(
        _asks(r"what(?:'s| is) your time ?zone|(?:what|which) time ?zone are you in"),
        "my timezone is {}",
        frozenset({"timezone"}),
        _any,
    ),
    Question(
        _asks(
            rf"what(?:'s| is) your (?P<who>{_KINS}|{_PETS})(?:'s name| called)|what(?:'s| is) the name of your"
            rf" (?P<whom>{_KINS}|{_PETS})"
        ),
        "my {who}'s name is {}",
        frozenset({f"{relation}_of" for relation in RELATIVES.values()} | {"has_pet"}),
        _is_name,
    ),
    Question(
        _asks(r"what(?:'s| is) your favou?rite (?P<who>[a-z]{3,15})"),
        "my favorite {who} is {}",
        frozenset({}),
        _is_name,
    ),
)
