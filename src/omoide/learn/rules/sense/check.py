"""Whether the words mean what a rule took them for: jokes, idioms, other senses of a word, the half of what was said.

A rule reads a verb and what stands after it. Here the rest of the clause is heard: "a dog in this fight" is no pet.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from omoide.learn.proposal import Claim
from omoide.learn.rules.known_words import GIVEN, LANGUAGES, NATIONALITIES, ORGANIZATIONS, PETS, PLACES, TOOLS, words
from omoide.learn.rules.rule import FoundClaim
from omoide.learn.rules.sense import wording
from omoide.learn.rules.sense.wording import TIMES, ClaimWording, goes_on
from omoide.learn.rules.subjects import plain

# Relatives that are denied or were, names that are none, and what nobody needs to be reminded of.


_DENIED = re.compile(r"\b(?:not|isn't|wasn't|no longer|never) (?:my|our)\b", re.IGNORECASE)
_FORMER = re.compile(
    r"\b(?:my|our) (?:old|former|previous|ex|last|then) (?:boss|manager|supervisor|roommate|flatmate|housemate"
    r"|colleague"
    r"|coworker|co-worker|teammate|teacher|tutor|coach|trainer|mentor|neighbou?r|landlord|doctor|dentist|therapist)\b",
    re.IGNORECASE,
)
_IS_MY = re.compile(r"(?:\bis|'s) (?:my|our)\b", re.IGNORECASE)  # told, where "my brother Tom" takes it for granted
_NAMELESS = words("""
    jokes thinks shower shoes program session appointment list always said please nobody someone work life
""")
_ADJECTIVE = re.compile(r"(?:able|ible|ing|less|ful|ous|ish|ed|ly)$")
_NO_NAME = words("""
    mud taken enough missing wrong long short hard easy spelled common rare weird strange unusual unique boring
    plain confused lost tired done sick hungry home new sad happy bored stuck broke fine dead late ready back here
    外卖 legion obvious einstein sherlock captain gäste
""")


def no_relative(said: ClaimWording) -> bool:
    """The name stands as the subject of what was said: "my brother Tim"."""
    low = said.subject.casefold()
    if _DENIED.search(said.words) or _FORMER.search(said.words):
        return True
    if said.asked and _IS_MY.search(said.words):
        return True
    known = low in ORGANIZATIONS or low in TOOLS or low in LANGUAGES or low in NATIONALITIES or low in TIMES
    return low in _NAMELESS or (known and low not in GIVEN)


_NOBODY = words("whoever whatever whichever neither everyone everybody nobody most many some none both anyone dad mom")


def nobody(said: ClaimWording) -> bool:
    """ "Whoever lives in Oslo", "the Chinese use WeChat": said of no one person."""
    low = said.subject.casefold()
    return low in _NOBODY or low in NATIONALITIES or low in TIMES or (low in LANGUAGES and low not in GIVEN)


def no_name(said: ClaimWording) -> bool:
    low = said.low
    if low in GIVEN:
        return False
    if said.predicate == "called" and said.written == "Captain":
        return False
    described = said.written == low and _ADJECTIVE.search(low) is not None  # written small
    return low.startswith("了") or described or low in _NO_NAME or low.split()[-1] in _NO_NAME or low in TIMES


_POINTLESS = re.compile(
    r"(?:i'm|i am) (?:just |only )?(?:joking|kidding)|you are an? (?:ai|assistant|bot|language model)\b", re.IGNORECASE
)


def not_to_the_point(said: ClaimWording) -> bool:
    return _POINTLESS.match(said.object) is not None


# Animals that are not the speaker's: looked after, wished for, dreamt of, gone; and what only sounds like one.


_ANIMAL = "|".join(sorted(PETS, key=len, reverse=True))
# Whoever has it, got it or names it has it; whoever met, wants, draws or minds it does not.
_HAVE = re.compile(
    r"\b(?:have|has|'ve|own|keep|got|adopted|rescued|bought|took in|ended up (?:adopting|getting|buying|keeping)"
    r"|live with|share|raise|on a|j'ai|nous avons|habe?n?|tengo|tenemos|tenho|temos)\b",
    re.IGNORECASE,
)
_NOT_SO = re.compile(
    r"\b(?:had|used to|once|want(?:ed|s)?|would|will|could|might|'d|'ll|wish|hope|hoping|like|love|plan(?:ning)?"
    r"|think(?:ing)?|getting|consider(?:ing)?|going to|about to|met|saw|seen|see|found|lost|drew|draw|read|heard"
    r"|dream\w*"
    r"|sitting|sit|walk(?:ing)?|watching|minding|looking after|look after|caring for|taking care|fostering|foster"
    r"|borrow"
    r"|never|don't|not|no|picture|photo|video|about|naming|name|call|calling|friend|neighbou?r\w*|to)\b[^,;]*$",
    re.IGNORECASE,
)
_OURS = re.compile(
    rf"\b(?:my|our|meine?|unsere?|mi|meu|minha|nuestr[oa]) (?:[\w-]+ ){{0,3}}(?:{_ANIMAL}|hund|katze"
    r"|perr[oa]|gat[oa]|cachorr[oa])\b",
    re.IGNORECASE,
)
_NAMING = re.compile(rf"\b(?:name|naming|call|calling) (?:my|our) (?:[\w-]+ ){{0,2}}(?:{_ANIMAL}),? $", re.IGNORECASE)
_TOYS = re.compile(
    r"\b(?:hot|toy|stuffed|chocolate|plush|plushie|corn|balloon|robot|virtual|imaginary|rocking|clay|paper|dream"
    r"|prairie"
    r"|sea|guard|my own) $",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\s+(?:in (?:this|that|the|my) (?:fight|race|hunt|code|show|repo|script)|to (?!me\b|my\b|myself\b)\w+|on (?:my"
    r"|the)"
    r"|at the|until|this week|next week|for (?:a|the|my) (?:neighbou?r|friend|week|weekend|day|sister|brother)"
    r"|when i was|as a (?:kid|child)|growing up|back then|years ago|in the (?:\d+s|park|movie|book))\b",
    re.IGNORECASE,
)


def not_kept(said: ClaimWording) -> bool:
    if _NAMING.search(said.before) or _ELSEWHERE.match(said.after):
        return True
    if _OURS.search(said.before):
        return False
    named = said.object[:1].isupper()
    if not named and (goes_on(said.after) or _TOYS.search(said.before)):
        return True
    return bool(said.before) and (_HAVE.search(said.before) is None or _NOT_SO.search(said.before) is not None)


# Places that are none, and homes that are only half told.


# Names of parts of a firm, a building, a book, a game or a plan; of what one is in without being anywhere.
_HEADS = words("""
    team plan chapter level phase tier row room building house unit terminal floor gate seat zone section block
    group department division sales marketing hr engineering support finance legal it product design ops operations
    research qa security procurement payroll management logistics accounting devops infrastructure platform growth
    analytics data backend frontend mobile customer success business development strategy consulting audit
    compliance squad tribe guild project stage step grade class year version act scene season episode part book
    volume page line track league division scrum kanban agile standup remote hybrid freelance
""")
_STATES = words("""
    denial hope fear peace sin shame luxury poverty misery bliss hell heaven limbo exile debt silence darkness
    solitude chaos love pain doubt danger harmony isolation ignorance scouts foster narnia hogwarts mordor gotham
    atlantis wonderland neverland oz utopia wakanda whiterun camelot azeroth westeros valhalla asgard mars venus
    jupiter saturn pluto neptune uranus space cyberspace internet marte júpiter frieden sorge angst scheidung
    trennung gedanken armut saus freiheit hoffnung gefahr versehen spaß not eile ruhe paz babia exatas letras
    humanas guerra
""")
_ABSTRACT = re.compile(r"(?:ness|ment|tion|sion|ity|ism|ship|hood|heit|keit|schaft|ung|dad|ción|ção)$")
_MOVED = re.compile(r"\b(?:moved|relocated|migrated|switched|transferred)\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom (?:the )?(?P<name>[\w.+#-]+(?: [A-Z][\w.+#-]*)?) (?:over )?to\b", re.IGNORECASE)
_DAYS = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekday|weekend)s?"
_PART = re.compile(
    rf"\s*,?\s*(?:(?:on|from|during|over) )?(?:the )?(?:{_DAYS}\b|half (?:of )?the|part of the|most of the|every other"
    r"|in (?:the )?(?:summers?|winters?)\b|during the (?:week|semester|winter|summer)|some of the)",
    re.IGNORECASE,
)
_PASSING = re.compile(r"\b(?:get to|got to|would|could|almost|nearly|supposed|pretend|fast|beinahe|gezogen worden)\b")


def no_place(said: ClaimWording) -> bool:
    low = said.low.partition(",")[0]
    if low in PLACES:
        return False
    first, last = low.split()[0], low.split()[-1]
    listed = low in _STATES or low in TIMES or first in _HEADS or last in _HEADS or low in TOOLS or low in ORGANIZATIONS
    return listed or _ABSTRACT.search(last) is not None or (len(last) == 1 and last.isalpha())


def moved_elsewhere(said: ClaimWording) -> bool:
    """ "Moved from Slack to Zulip": what one moves from tells what one moves to."""
    left = _FROM.search(said.words)
    if not left or said.low.partition(",")[0] in PLACES:
        return False
    name = left["name"].casefold()
    return name in TOOLS or name in ORGANIZATIONS or name in _HEADS or name.split()[0] in _HEADS or name in GIVEN


def part_of_the_week(said: ClaimWording) -> bool:
    """ "In Berlin Monday to Thursday and in Hamburg on weekends": one of two homes is not the home."""
    return _PART.match(said.after) is not None


def passing(said: ClaimWording) -> bool:
    """ "I get to live in Paris for the weekend"."""
    return _PASSING.search(said.before) is not None or _PASSING.search(said.after) is not None


_LONG_AGO = re.compile(
    r"\b(?:in (?:19|20)\d\d|ago|last (?:year|month|summer|winter)|back then|as a (?:kid|child|student))\b",
    re.IGNORECASE,
)


def long_ago(said: ClaimWording) -> bool:
    """ "I moved to London for a month in 2015": nobody stays there now."""
    return _LONG_AGO.search(said.words) is not None


# Health, food, family and languages in another sense: allergic to Mondays, MS Office, two kids meals.


_NO_ALLERGEN = words("""
    work working mornings morning drama nonsense bullshit bs code people meetings meeting talk humans kids idiots
    liars winter summer life love money taxes monday mondays sports exercise cardio gym running cooking cleaning
    chores housework change school homework politics commitment feelings fun losing you me him her them noise
    traffic small-talk excel powerpoint javascript php java spam ads hype buzzwords jargon bureaucracy paperwork
    emails email calls arbeit menschen montage sport trabajo lunes gente trabalho
""")
_BODY_ABSTRACT = re.compile(r"(?:ness|ity|ism|ment|tion|sion|shit|ship|hood|ance|ings?)$")
_FOR_A_WHILE = re.compile(
    r"\s*(?:in (?:january|february|march|april|may|june|july|august|september|october|november|december)|on (?:weekdays"
    r"|weekends|\w+days?)|at (?:home|work)|for (?:a|one|two|three|the|this|\d+) \w+|once|this (?:week|month)|today"
    r"|tonight"
    r"|(?:last year|in \d{4}).*\b(?:hated|gave up|stopped|quit|lasted|but)\b|curious|until|except|when|some)",
    re.IGNORECASE,
)
_NO_FOOD = words(
    "lunch breakfast dinner supper brunch alone out much well enough right properly late early anything here there"
)
_TRANSIENT = re.compile(
    r"\s*(?:about|from|by|over|tonight|today|right now|this (?:morning|week)|in (?:my|a|the)|because of|whenever"
    r"|when)\b",
    re.IGNORECASE,
)
_NOT_WED = re.compile(
    r"\s*(?:in (?!\d|[A-Z])|with (?!a\b|my\b|our\b|[A-Z]|child|twins|triplets|number)|to (?:my|the) (?:work|job|idea"
    r"|laptop|game)|from)"
)
_NOT_MINE = re.compile(r"\s*(?:to|from|on|here|over)\b")


def no_allergen(said: ClaimWording) -> bool:
    """One is allergic to a matter: food, pollen, animals, drugs. "Stupidity" is none."""
    low = said.low
    parts = low.split()
    listed = low in _NO_ALLERGEN or parts[-1] in _NO_ALLERGEN or low in TIMES or parts[-1] in TIMES or low in TOOLS
    return listed or _BODY_ABSTRACT.search(parts[-1]) is not None


def for_a_while(said: ClaimWording) -> bool:
    return _FOR_A_WHILE.match(said.after.lstrip("-")) is not None


_JUST_NOW = re.compile(
    r"\b(?:right now|today|tonight|this (?:week|month|morning)|at the moment|until|because of|anymore tonight"
    r"|for now)\b",
    re.IGNORECASE,
)


def no_food(said: ClaimWording) -> bool:
    return said.low.split()[0] in _NO_FOOD or _JUST_NOW.search(said.after) is not None


def no_illness(said: ClaimWording) -> bool:
    """ "MS Office", "anxiety about the demo", "PTSD from that migration"."""
    return goes_on(said.after) or _TRANSIENT.match(said.after) is not None


def compound(said: ClaimWording) -> bool:
    """ "German cooking", "guitar hero", "chess moves"."""
    return goes_on(said.after)


def no_status(said: ClaimWording) -> bool:
    return goes_on(said.after) or _NOT_WED.match(said.after) is not None


def no_children(said: ClaimWording) -> bool:
    return goes_on(said.after) or _NOT_MINE.match(said.after) is not None


# Trades and employers that are none: "a model citizen", "at Starbucks when the wifi dies", "on Saturdays".


_NO_TRADE = re.compile(
    r"\s*(?:of (?:character|taste|people)|tonight|today|this (?:week|evening|morning|time)|for (?:a|the|one) (?:day"
    r"|night"
    r"|evening|moment|weekend)|by night|too,? in|in disguise|in training|wannabe|to my|to the (?:kids|family)|for (?:my"
    r"|our) (?:kids|family|friends|dog|cat)|'s\b|short\b|myself out|in the making)",
    re.IGNORECASE,
)
_SEEMS = re.compile(
    r"\b(?:like|as if|almost|nearly|hardly|barely|no|not|kind of|sort of|half|more of|part|wannabe)\b[^,;]*$",
    re.IGNORECASE,
)
_NOW_AND_THEN = re.compile(
    r"\b(?:when(?:ever)?|sometimes|occasionally|once in a while|from time to time)\b|\b(?:today|tonight|for the day"
    r"|this (?:morning|afternoon|evening))\b",
    re.IGNORECASE,
)
_NO_EMPLOYER = words("""
    science height food fun free money peanuts home night scale heart god jesus change justice freedom regen nacht
    kälte hitze tag licht geld spaß ruhe schnee wind nebel sonne tageslicht navidad casa natal noche
""")
# German words made like trades that say what one is like, has or did.
_WHO_ONE_IS = words("""
    feuer erster zweiter dritter letzter sieger verlierer gewinner frühaufsteher langschläfer läufer raucher
    nichtraucher mieter vermieter vegetarier veganer zuhörer nutzer benutzer anfänger besitzer eigentümer
    linkshänder rechtshänder autofahrer radfahrer fußgänger europäer italiener spanier engländer amerikaner norweger
    ausländer leser spieler träumer optimist pessimist realist perfektionist christ atheist patient schwimmer
    wanderer teilnehmer mitglieder zeuge kater opfer täter teenager rentner schüler experte kenner kunde deutscher
""")
_APPS = words("excel word powerpoint outlook figma jira slack notion zoom teams vim emacs")
_SYSTEMS = words("windows linux macos ubuntu debian fedora arch android ios mac chromeos pto ooo wfh vpn")


def no_trade(said: ClaimWording) -> bool:
    """ "I'm a model citizen", "I'm a judge of character", "a chef tonight", "Frühaufsteher"."""
    if said.low.removesuffix("in") in _WHO_ONE_IS:
        return True
    return goes_on(said.after) or _NO_TRADE.match(said.after) is not None or _SEEMS.search(said.before) is not None


def no_employer(said: ClaimWording) -> bool:
    low = said.low
    known = low in ORGANIZATIONS
    return not known and (
        low in _NO_EMPLOYER
        or low in TIMES
        or low.removesuffix("'s") in GIVEN
        or (low in TOOLS and (low in _APPS or "join" in said.before.lower()))
    )


def now_and_then(said: ClaimWording) -> bool:
    return _NOW_AND_THEN.search(said.after) is not None


def no_work(said: ClaimWording) -> bool:
    return said.low in _SYSTEMS or said.low in GIVEN or (said.low in TOOLS and said.low in _SYSTEMS)


def no_field(said: ClaimWording) -> bool:
    return "'s " in said.object or said.low in GIVEN


_Check = Callable[[ClaimWording], bool]
_OF_ALL: tuple[_Check, ...] = (wording.figurative, nobody, wording.laughed_abroad)
_OF: Mapping[str, tuple[_Check, ...]] = {
    "lives_in": (no_place, moved_elsewhere, part_of_the_week, passing),
    "stays_in": (no_place, moved_elsewhere, long_ago),
    "comes_from": (no_place,),
    "born_in": (no_place,),
    "grew_up_in": (no_place,),
    "has_pet": (not_kept,),
    "works_at": (no_employer, now_and_then),
    "also_works_at": (no_employer,),
    "works_as": (no_trade, wording.laughed),
    "works_on": (no_work, wording.a_time),
    "studies": (wording.a_time, no_field),
    "uses": (wording.a_time, wording.no_tool),
    "owns": (wording.a_time, wording.not_owned),
    "created": (wording.not_made,),
    "runs_on": (wording.a_time, wording.somebody),
    "depends_on": (wording.a_time, wording.somebody),
    "part_of": (wording.a_time, wording.no_whole),
    "written_in": (wording.no_language,),
    "likes": (wording.no_liking,),
    "dislikes": (wording.no_liking,),
    "name": (no_name, wording.laughed, wording.famous),
    "called": (no_name, wording.laughed),
    "age": (wording.likened, wording.laughed),
    "allergic_to": (no_allergen, wording.laughed),
    "diet": (for_a_while,),
    "does_not_eat": (no_food,),
    "has_condition": (no_illness, wording.laughed),
    "plays": (compound,),
    "learns": (compound,),
    "speaks": (compound,),
    "nationality": (compound,),
    "marital_status": (no_status, wording.laughed),
    "has_children": (no_children,),
    "plans": (wording.no_deed,),
}


def sound(found: Iterable[FoundClaim], text: str) -> list[FoundClaim]:
    """The claims whose words bear them. What is said to have ended is not judged: it only ends what is held."""
    return [item for item in found if item.claim.negated or not _unsound(item.claim, text)]


def _unsound(claim: Claim, text: str) -> bool:
    said = ClaimWording.of(claim, text)
    checks = _OF.get(plain(claim.predicate), ())
    if claim.predicate.endswith("_of") and claim.predicate != "part_of":
        checks = (no_relative,)
    elif claim.predicate.startswith("favorite_"):
        checks = (wording.no_favorite,)
    elif claim.predicate == "asked_to_remember":
        return not_to_the_point(said)
    return any(check(said) for check in (*_OF_ALL, *checks))
