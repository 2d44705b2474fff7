"""A claim as it was said: the words before its object, the object as written, the words after it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from omoide.learn.proposal import Claim
from omoide.learn.rules.known_words import GIVEN, LANGUAGES, NATIONALITIES, ORGANIZATIONS, PLACES, TOOLS, words

_REST = re.compile(r"[.!?\n]")


@dataclass(frozen=True, slots=True)
class ClaimWording:
    """`before` and `after` are empty where the object is told in other words than it was said."""

    words: str
    tail: str  # of the sentence, after the words
    object: str
    before: str
    written: str
    after: str
    subject: str
    predicate: str
    asked: bool = False  # the sentence ends with a question mark

    @classmethod
    def of(cls, claim: Claim, turn: str) -> ClaimWording:
        text, low = claim.quote.words, claim.quote.words.casefold()
        begins = turn.find(text)
        rest = turn[begins + len(text) :] if begins >= 0 else ""
        tail = _REST.split(rest, maxsplit=1)[0]
        asked = rest[len(tail) : len(tail) + 1] == "?"
        at = _place(low, claim.object.casefold())
        parts = ("", "", "")
        if at >= 0 and len(low) == len(text):
            end = at + len(claim.object)
            parts = (text[:at], text[at:end], text[end:])
        return cls(text, tail, claim.object, *parts, claim.subject, claim.predicate, asked)

    @property
    def low(self) -> str:
        return self.object.casefold()


def _place(text: str, object: str) -> int:
    found = re.search(rf"(?<!\w){re.escape(object)}(?!\w)", text)
    return found.start() if found else -1


# What may follow a thing that stands by itself. Another noun there makes it something else: "a cat scan".
_CLOSED = words("""
    and or but so because since as if when while where which who whose that than then though although unless until
    till before after of in on at to for from with without by about over under near during despite like plus except
    via per not also too again already still now today tonight tomorrow yesterday lately recently currently always
    often sometimes daily regularly everywhere anywhere here there right well fluently pretty very quite really
    badly a an the my our his her their its your this these those every each all both most more less only just even
    mostly mainly instead rather anyway anymore please thanks thank lol haha tbh ngl btw imo i i'm i've i'd we we're
    we've he he's she she's they it it's you is are was were has have had will would can could do does did last next
    once twice myself professionally sadly unfortunately luckily fortunately actually apparently etc yes no nope
    yeah and/or alone together any anyways off up out back down never ever two three four five six seven six eight
    one some since ok okay eh huh right haha hahaha xd ago und oder aber seit bei mit für in als weil von an auf im
    am aus jetzt gern gerne auch nicht zur zum sehr total über em na no do da los las el la y e o con en de para com
    mas pero à au aux dans chez et depuis pour avec sur qui que mais où des du le les un une ou
""")
_NEXT = re.compile(r"\s*([.,;:!?()\[\]\"'…–—/&+-])|\s+([^\W_][\w'’-]*)")


def goes_on(after: str) -> bool:
    """Whether another word of substance follows, so that the thing named is only a part of what is meant."""
    found = _NEXT.match(after)
    if found is None or found[1]:
        return bool(found and found[1] == "-" and re.match(r"-\w", after))
    word = found[2].casefold()
    return word not in _CLOSED and not word.endswith("ly") and not word[0].isdigit()


# Tools, possessions, works and likings that are none.


TIMES = words("""
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
    sundays january february march april june july august september october november december christmas easter
    halloween thanksgiving weekends weekend weekdays mornings evenings nights today tomorrow tonight yesterday
    navidad natal montag dienstag mittwoch donnerstag freitag samstag sonntag lunes martes miércoles jueves viernes
    sábado domingo
""")
# Tools that are everyday words: written small they are the tool only where nothing else follows.
EVERYDAY = words("""
    go r c word teams signal linear render railway cursor solid fish black brave express spring phoenix lambda neon
    notion unity kitty helix arch roam nano zoom stripe drizzle parcel premiere sketch excel swift julia spark node
    cargo conda gemini claude target sass yarn poetry travis ruby rust java apache caddy astro remix nuxt babel
    mocha uber alexa android windows safari chrome confluence basecamp ruff zed bun brew apt biome bash vagrant
    illustrator make just slack discord box drive meet photos maps docs sheets keep notes
""")
_MEANING = re.compile(r"\s*(?:of|as (?:an?|in|the)|in the sense|with (?:double|single))\b", re.IGNORECASE)
_GADGET = re.compile(
    r"\s*(?:app|tool|cli|library|plugin|editor|browser|sdk|api|framework|platform|stack|desktop|ide|shell)s?\b"
)
# "The CacheFirst strategy" is a way of doing something, not a tool.
_OF_A_KIND = re.compile(
    r"\s*(?:strateg(?:y|ies)|patterns?|methods?|approach(?:es)?|hooks?|functions?|class(?:es)?|components?"
    r"|decorators?|flags?"
    r"|algorithms?|options?|settings?|commands?|attributes?|propert(?:y|ies)|events?|rules?|theorems?|formulas?"
    r"|techniques?"
    r"|principles?|diets?|keywords?|syntax|tests?|matrix|words?|phrases?|jokes?|references?|accents?|recipes?|puns?)\b"
)
_HEADS = words("plan option version force sense common method approach trick card power voice god")
_STATES = words("""
    broken closed dead back over gone late lost full empty open new old ready here there out off on up down sold
    done missing fixed ruined cancelled canceled retired retiring touring losing winning playing coming leaving
    great good bad awful terrible amazing fine ok okay busy sick free cheap expensive slow fast still not never
    always also mine yours extinct discontinued available unavailable
""")
_SOON_GONE = words(
    "snickers coke pepsi mars twix pizza big burger starbucks coffee beer latte margarita snack ticket uber lyft"
)
_IN_MIND = re.compile(
    r"\s*(?:in mind|on the line|on hold|on (?:weekends|fridays)|sometimes|in front of|ahead|behind|waiting)\b"
)
_KINDS_OF_CARE = re.compile(r"\b(?:with|and) (?:my|our|the) (?:son|daughter|kids?|children|nephew|niece)\b")


def a_time(said: ClaimWording) -> bool:
    return said.low in TIMES or said.low.split()[0] in TIMES


def somebody(said: ClaimWording) -> bool:
    """ "Tom depends on Anna", "Tom runs on Dunkin": people are not deployed."""
    return said.low in GIVEN or said.subject.casefold() in GIVEN


def no_tool(said: ClaimWording) -> bool:
    low = said.low
    if low in GIVEN and low not in TOOLS:
        return True
    small = said.written == low and low in EVERYDAY
    if small and (goes_on(said.after) or _MEANING.match(said.after) or re.search(r"\bthe $", said.before)):
        return True
    if low in TOOLS:
        return False
    unknown = (
        re.search(r"\bthe $", said.before, re.IGNORECASE)
        and not _GADGET.match(f"{said.after} ")
        and not _GADGET.match(said.object.split()[-1].lower())
    )
    if _OF_A_KIND.match(said.after):
        return True
    states = low in _STATES or low.split()[0] in _HEADS or len(low) < 2
    return bool(unknown) or states or _foreign_noun(said)


_GERMAN = re.compile(r"^(?:ich|wir|und ich)\b", re.IGNORECASE)


def _foreign_noun(said: ClaimWording) -> bool:
    """German writes every noun with a capital: there only what we know, or what no noun looks like, is a tool."""
    return (
        bool(_GERMAN.match(said.words))
        and said.low not in ORGANIZATIONS
        and re.fullmatch(r"[A-ZÄÖÜ][a-zäöüß]+", said.object) is not None
    )


def not_owned(said: ClaimWording) -> bool:
    low = said.low
    passing = low.split()[0] in _SOON_GONE or low in GIVEN or low.split()[0] in _HEADS or low in NATIONALITIES
    return (
        passing
        or _IN_MIND.match(said.after) is not None
        or re.search(r"\bfor (?:him|her|them|us all)\b", said.after) is not None
    )


# What is made and has a name of its own; a branch, a channel and a cake have one for a day.
_WORK = re.compile(
    r"\b(?:tool|app|application|librar(?:y|ies)|project|company|startup|start-up|firm|agency|site|website|blog"
    r"|podcast|band"
    r"|game|bot|service|framework|plugin|extension|language|platform|product|package|newsletter|book|novel|film|movie"
    r"|course"
    r"|communit(?:y|ies)|festival|nonprofit|non-profit|ngo|studio|label|brand|club|program|system|model|dataset"
    r"|magazine"
    r"|journal|engine|editor|cli|api|dashboard|compiler|database|assistant|agent|album|comic|conference|meetup|school"
    r"|shop"
    r"|store|restaurant|bakery|café|cafe|bar|song|series|initiative|foundation|charity|server|daemon|crate|gem|module)"
    r"(?: [a-z]+)?,? (?:called|named) $",
    re.IGNORECASE,
)


def not_made(said: ClaimWording) -> bool:
    """A work has a name, and it is not the name of somebody else's."""
    low = said.low
    if said.subject != "user":
        return not said.object[:1].isupper()
    if re.search(r"\b(?:called|named) $", said.before):
        return _WORK.search(said.before) is None or "report" in said.before
    return low in ORGANIZATIONS or low in PLACES or low in {"lego", "ikea"} or low in GIVEN or low in TIMES


def no_whole(said: ClaimWording) -> bool:
    return said.low in {"history", "life", "nature", "god", "steam sale"} or said.low.split()[0] == "phase"


def no_language(said: ClaimWording) -> bool:
    return said.low not in TOOLS and (said.low in LANGUAGES or re.fullmatch(r"[A-Z][a-z]+", said.object) is not None)


_DOING_TO = re.compile(r"\b\w+ing \w+[^,;]*, ", re.IGNORECASE)  # "I like buying books, pens": the pens are bought


def no_liking(said: ClaimWording) -> bool:
    """A person is loved otherwise; "neither" and "still" are nothing that can be liked."""
    low = said.low
    if _DOING_TO.search(said.before) and not re.match(r"\w+ing\b", low):
        return True
    return (
        low in GIVEN
        or low in {"neither", "still", "up", "out", "you", "dich", "ti", "te", "的人"}
        or low.startswith("week ")
    )


def no_favorite(said: ClaimWording) -> bool:
    """ "My favorite mug is broken": how it is, not which one."""
    low, what = said.low, said.predicate.removeprefix("favorite_")
    doing = re.fullmatch(r"\w+ing", low) is not None and what not in {
        "hobby",
        "activity",
        "sport",
        "pastime",
        "thing",
        "exercise",
        "way",
    }
    place = re.match(r"(?:in|on|at|under|behind|from|with) ", low) is not None
    return low.split()[0] in _STATES or place or doing or (re.fullmatch(r"\w+ed", low) is not None and what != "color")


# Figures of speech, and what only seems to be so: "I live in Denial, population one", "a pilot in my dreams".


_FIGURE = re.compile(
    r"\b(?:in (?:my|your|his|her|their) (?:wildest )?(?:dreams?|head|imagination|fantas(?:y|ies)|mind|heart|world)"
    r"|in (?:the|a|that|this|my|an?) (?:\w+ )?(?:dream|game|show|movie|film|sims|photo|picture|video|series|simulation)"
    r"|in (?:gta|minecraft|gran turismo|the sims|skyrim|fortnite|roblox|wii sports|second life)"
    r"|when(?:ever)? it comes to|in a way|figuratively|metaphorically|metaphor|proverbial(?:ly)?|in spirit"
    r"|at heart|population (?:one|1|me)|rent[- ]free|vicariously|for the purposes? of|on paper|out of ten|as (?:the"
    r"|they) say(?:ing)?"
    r"|as (?:my|our) \w+ (?:puts|calls|says)"
    r"|send help|didn't know it|for we are many|as the next (?:guy|person|man|one)"
    r"|/s|(?-i:NOT)\s*$|pun intended|jk)\b",
    re.IGNORECASE,
)
# Only where it stands in the words themselves: "I'm 44 and I feel like I should know this".
_ALMOST = re.compile(
    r"\b(?:feels? like i|like i'm \d|basically|practically|virtually|literally|at this point)\b", re.IGNORECASE
)
_LIKE = re.compile(r"\b(?:feel(?:s|ing)? like|as if|like|look|act|sound)\b[^,;]*$", re.IGNORECASE)


def figurative(said: ClaimWording) -> bool:
    return _FIGURE.search(said.words + said.tail) is not None or _ALMOST.search(said.words) is not None


def likened(said: ClaimWording) -> bool:
    """ "I feel like I'm 90"."""
    return _LIKE.search(said.before) is not None


# A plan is something that is done: not "a dad", not "getting old", not "going crazy".
_DEED = re.compile(
    r"(?:getting (?!(?:an?|the|my|our|your|married|divorced|engaged|tested|vaccinated|promoted|new|two|three|rid|back"
    r"|together|surgery|started|braces|[A-Z]|\d)\b)"
    r"|going (?!(?:to|on|for|back|home|away|with|out|over|abroad|into|through|under|up|down|live|vegan|camping|skiing"
    r"|hiking|fishing|shopping|sailing|surfing|diving|running|swimming|climbing|dancing|cycling|snowboarding)\b)"
    r"|having (?!(?:an?|the|my|our|surgery|guests|dinner|lunch|brunch|people|friends|family|two|three|[A-Z])\b)"
    r"|having an? (?:bad|hard|rough|good|great|tough|blast|ball|laugh|think)\b"
    r"|(?:seeing|meeting) (?!(?:an?|the|my|our|his|her|their|with|up|some|two|three|friends|family|clients|[A-Z])\b)"
    r"|seeing (?:an? )?(?:double|red|ghosts)\b|running (?!(?:an?|the|my|our|for|in|[A-Z])\b)"
    r"|starting to\b|(?:giving|turning) (?:up|in|into|it|around|down|blue|red)\b|taking (?:it|over|off|part|care)\b"
    r"|(?:lose|losing) (?:my|our) (?:mind|temper|way|shit)\b|(?:scream|cry|die|explode|throw up|freak|go (?:crazy"
    r"|mad))\b"
    r"|moving on\b|leaving (?:it|that|this|things)\b|heading (?:nowhere|south)\b)"
)
_NO_DEED = re.compile(
    r"(?:an?|the|my|our|his|her|very|so|too|rich|famous|sick|fine|ok|okay|late|there|back|\d+)\b(?! \w+ing\b)"
)
_APPOINTED = re.compile(r"\bhave\b", re.IGNORECASE)


def no_deed(said: ClaimWording) -> bool:
    """ "I have an exam on Friday" is an appointment; "I'm going to be a dad" says who one is."""
    what = said.object
    if re.search(r"\bsince\b|\b(?:of|in|at|on|to|for|from|by|with|the|a|an|and|or|until|before|after)$", what):
        return True
    if _APPOINTED.search(said.before):
        return (
            re.match(r"an? (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b", what, re.IGNORECASE)
            is not None
        )
    return _DEED.match(what) is not None or _NO_DEED.match(what) is not None


# What is said with a laugh, and names that everybody knows from a film or a song.


_LAUGHS = re.compile(
    r"\b(?:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}|jk)\b|😂|🤣|(?-i:XD)\b",
    re.IGNORECASE,
)
# In English a laugh ends plain statements too ("im from portugal lol"), so it counts only where people jest most.
_ABROAD = re.compile(r"\b(?:(?:ja){2,}j?|(?:je){2,}|kkk+|(?:rs){2,}|mdr|ptdr|xd+)\b", re.IGNORECASE)
_FAMOUS = words("""
    batman superman spiderman gandalf frodo shrek morpheus neo voldemort dumbledore hagrid yoda chewbacca skywalker
    godzilla rumpelstiltskin cinderella pikachu zorro dracula frankenstein heisenberg
""")
_KNOWN = frozenset(
    {
        "inigo montoya", "slim shady", "james bond", "bond", "maximus decimus", "maximus decimus meridius",
        "forrest gump", "tyler durden", "darth vader", "luke skywalker", "harry potter", "sherlock holmes",
        "jack sparrow", "tony stark", "bruce wayne", "clark kent", "peter parker", "walter white", "homer simpson",
        "indiana jones", "john rambo", "han solo", "optimus prime", "ron burgundy", "rick sanchez", "keyser soze",
        "don quixote", "santa claus", "captain jack", "captain jack sparrow", "jon snow", "barry allen",
    }
)  # fmt: skip


def laughed(said: ClaimWording) -> bool:
    """ "I'm allergic to work lol"."""
    return _LAUGHS.search(said.words + said.tail) is not None


def laughed_abroad(said: ClaimWording) -> bool:
    return _ABROAD.search(said.words + said.tail) is not None


def famous(said: ClaimWording) -> bool:
    """ "My name is Inigo Montoya"."""
    return said.low in _KNOWN or said.low.split()[-1] in _FAMOUS
