"""Detects turns that state a lasting preference or instruction of the speaker.

Precision matters more than recall: marked turns are considered for every later question, so a passing "I love it!" must
not match. Covers English and common forms of other languages. Each form has cue words; a sentence without any cue is
rejected without running a pattern.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_READ_CHARACTERS = 2_000  # preferences are stated in short turns, not deep inside a pasted text
_SENTENCE = re.compile(r"[^.!?;\n。！？；]+[.!?;\n。！？；]*")
_WORD = re.compile(r"[^\W\d_]+")
# Questions, hypotheticals and statements about the past.
_DOUBT = re.compile(
    r"[?？]|吗|呢\W*$|\b(?:if i (?:were|was|had|could)|what if|imagine|suppose|pretend|hypothetically|let's say"
    r"|would you|do you|should i|used to|back then|as a (?:kid|child)|when i was)\b"
)


@dataclass(frozen=True, slots=True)
class _PhraseForm:
    """A pattern made of a start, one of several phrases, and an end."""

    start: str
    phrases: str  # separated by commas
    end: str = r"\b"

    @property
    def cues(self) -> frozenset[str]:
        """The longest word of each phrase."""
        return frozenset(max(_WORD.findall(phrase), key=len) for phrase in self.phrases.split(","))

    @property
    def speaker(self) -> str | None:
        """The first-person word that the form starts with, if any."""
        found = re.match(r"\\b(i|my|ich|je|j|я|please|bitte|never)\b", self.start)
        return found and found[1]

    @property
    def pattern(self) -> re.Pattern[str]:
        phrases = "|".join(r"\s+".join(map(re.escape, phrase.split())) for phrase in self.phrases.split(","))
        return re.compile(f"{self.start}(?:{phrases}){self.end}")


_I = r"\bi(?:'d|\s+would)?\s+(?:\w+ly\s+|(?:do|just|also|still|much|always|both|kind\s+of)\s+){0,3}"
_I_DO_NOT = r"\bi\s+(?:\w+ly\s+|just\s+)?(?:don't|do\s+not|no\s+longer|never)\s+(?:\w+ly\s+)?"
_I_AM = r"\bi(?:'m|\s+am)\s+(?:(?:\w+ly|not|very|quite|so|an?|big|huge|strict|lifelong|rather|also|more|much)\s+){0,4}"
_I_HAVE = r"\bi(?:'ve|\s+have|\s+suffer\s+from)\s+(?:\w+\s+){0,4}?"
_MY = r"\bmy\s+(?:\w+\s+){0,2}?"
_BEGIN = r"^\W*(?:(?:and|but|so|also|oh|okay|ok|please|just|remember|note)\W+)*"
_NOT_JUST_NOW = r"\b(?!\s+(?:it|that|this|when|how)\b)"
_NOT_IN_PASSING = (
    r"\s+(?!(?:it|that|this|these|those|the|yours?|you|how|what|when|him|her|them|everything"
    r"|to\s+(?:see|hear|know|think|go|get|say|do))\b)\w"
)
_NOT_OVER = (
    r"\s+(?!(?:been|had|got|knew|known|thought|said|heard|saw|seen|met|did|done|was|were|wanted|tried|made|felt|gotten"
    r"|reali[sz]ed|mind|just|ever|a|the|nice|good|fun|here|great|so|happy|have)\b)[a-z]"
)

_FORMS = (
    # I prefer, I love hiking, I can't stand
    _PhraseForm(
        _I,
        "prefer,hate,dislike,despise,detest,loathe,abhor,favor,favour,avoid,refuse to,insist on,steer clear of,"
        "stay away from,stick to,swear by,opt for,rather,gravitate toward,gravitate towards,tend to,follow a,gave up,"
        "make it a point,make a point,try to avoid,try not to,believe in,value,prioritize,prioritise,care about,"
        "keep kosher,keep halal",
        _NOT_JUST_NOW,
    ),
    _PhraseForm(_I, "like,love,enjoy,adore", _NOT_IN_PASSING),
    _PhraseForm(
        r"\bi\s+(?:can't|cannot|can\s+not)\s+(?:\w+ly\s+)?",
        "stand,bear,tolerate,abide,eat,drink,digest,handle,deal with,live without,do without",
        _NOT_JUST_NOW,
    ),
    # I don't eat, I never fly, I only buy
    _PhraseForm(
        _I_DO_NOT,
        "like,enjoy,eat,drink,use,wear,watch,smoke,drive,fly,believe in,care for,appreciate,trust,tolerate,celebrate,"
        "do well with",
        _NOT_JUST_NOW,
    ),
    _PhraseForm(
        r"\bi(?:'ll|\s+will|'d|\s+would)?\s+", "never,always,only,exclusively,strictly,rarely,seldom", _NOT_OVER
    ),
    # I'm vegetarian, I'm not a fan of, I have an aversion to, my favourite
    _PhraseForm(
        _I_AM,
        "vegan,vegetarian,pescatarian,allergic,intolerant,lactose,gluten,coeliac,celiac,diabetic,averse,opposed to,"
        "against,afraid of,scared of,terrified of,claustrophobic,uncomfortable,comfortable with,sensitive to,fond of,"
        "keen on,partial to,into,passionate about,fan of,person who,someone who,morning person,night owl,picky,"
        "particular about,skeptical of,sceptical of,wary of,teetotal,introvert,minimalist",
    ),
    _PhraseForm(
        _I_HAVE,
        "allergy,allergies,aversion,preference,phobia,fear of,intolerance,dislike,dietary,sensitivity,rule,policy,"
        "soft spot,passion for,distaste",
    ),
    _PhraseForm(_MY, "favorite,favourite,preference,preferred,go-to,pet peeve,dealbreaker,deal breaker"),
    # not my thing, bothers me, makes me anxious
    _PhraseForm(
        r"(?:\bis|\bare|'s|n't|'re)\s+(?:\w+\s+){0,2}?",
        "my thing,my cup of tea,my style,my favorite,my favourite,important to me,essential to me",
    ),
    _PhraseForm(r"\b(?:bother|annoy|irritate|stresse|overwhelm|drain|disgust|bore|scare)s?\s+", "me"),
    _PhraseForm(
        r"\b(?:makes?|gives?|drives?)\s+me\s+(?:\w+\s+)?",
        "uncomfortable,anxious,crazy,sick,nauseous,headaches,migraines,the creeps",
    ),
    # from now on: never suggest, always answer, please don't, call me
    _PhraseForm(_BEGIN, "never,always", _NOT_OVER),
    _PhraseForm(_BEGIN, "from now on,in future,in the future,going forward,whenever you,every time you"),
    _PhraseForm(_BEGIN, "call me", r"\s+(?!(?:back|when|if|later|at|on|tomorrow|crazy)\b)\w"),
    _PhraseForm(
        _BEGIN + r"(?:don't|do\s+not|stop|avoid)\s+(?:ever\s+)?",
        "suggest,suggesting,recommend,recommending,use,using,call,calling,mention,mentioning,ask,asking,give,giving,"
        "send,sending,add,adding,include,including,offer,offering,show,showing,write,writing",
    ),
    _PhraseForm(
        _BEGIN + r"keep\s+(?:your|the|all|my)\s+",
        "answer,answers,replies,reply,response,responses,messages,message,code",
    ),
    _PhraseForm(
        r"\b(?:please|make\s+sure\s+(?:to|you)|be\s+sure\s+to|remember\s+to|you\s+(?:should|must)|you\s+to)\s+",
        "never,always",
    ),
    _PhraseForm(r"\bplease\s+", "don't,do not,only,refer to me,address me,call me,answer in,reply in,respond in,speak"),
    _PhraseForm(r"\bnever\s+", "suggest,recommend,use,send,call,give,show"),
    # German
    _PhraseForm(r"\bich\s+(?:\w+\s+)?", "bevorzuge,hasse,mag,liebe,esse,trinke,vermeide,meide"),
    _PhraseForm(r"\bich\s+bin\s+(?:\w+\s+)?", "vegetarier,vegetarierin,veganer,veganerin,vegan,allergisch,kein fan"),
    _PhraseForm(r"^\W*(?:bitte\s+)?", "nie,niemals,immer,ab jetzt,künftig"),
    _PhraseForm(r"\bbitte\s+", "nie,niemals,immer,kein,keine,nicht"),
    # French
    _PhraseForm(r"\bje\s+(?:ne\s+|n')?", "préfère,déteste,hais,aime,adore,mange,bois,supporte,évite"),
    _PhraseForm(r"\bj'", "aime,adore,évite"),
    _PhraseForm(r"\bje\s+suis\s+(?:\w+\s+)?", "allergique,végétarien,végétarienne,végane,intolérant,intolérante"),
    # Spanish, Portuguese, Italian
    _PhraseForm(r"\b", "prefiero,odio,detesto,evito,prefiro,odeio,adoro,preferisco,non sopporto,não gosto,gosto de"),
    _PhraseForm(r"\b(?:me|mi)\s+", "gusta,gustan,encanta,encantan,piace,piacciono"),
    _PhraseForm(
        r"\b(?:soy|sou|sono)\s+(?:\w+\s+)?",
        "alérgico,alérgica,allergico,allergica,vegetariano,vegetariana,vegano,vegana,intolerante,intollerante",
    ),
    _PhraseForm(r"^\W*(?:por\s+favor,?\s+|per\s+favore,?\s+)?", "nunca,siempre,sempre,mai"),
    # Russian
    _PhraseForm(r"\b", "предпочитаю,ненавижу,обожаю,терпеть не могу,не переношу,не ем,не пью,аллергия на"),
    _PhraseForm(r"\bя\s+(?:\w+\s+){0,2}", "люблю"),
    _PhraseForm(r"^\W*(?:пожалуйста,?\s+)?", "никогда,всегда"),
)
# Languages written without spaces have no cue words.
_UNSPACED = (
    r"我(?:一直|真的|非常|特别|很|更|最|也|还是|比较|不太|不|从来|总是|只)*(?:喜欢|讨厌|偏好|热爱|爱吃|爱喝|受不了)"
    r"|我对.{1,12}过敏|我(?:不|从不|从来不|只)(?:吃|喝|用|抽|看)|我是素食|我(?:总是|从不|从来不)"
    r"|请(?:不要|别|始终|总是|务必)|以后(?:请|都|别|不要)"
    r"|が(?:大?好き|大?嫌い|苦手)|アレルギー(?:が|です|持ち)|食べられません|飲めません|今後は|これからは|絶対に.{1,20}ないで"
)


@cache
def _forms() -> tuple[tuple[str | None, frozenset[str], re.Pattern[str]], ...]:
    """Compiled on first use, so processes that only recall do not pay for it."""
    return tuple((form.speaker, form.cues, form.pattern) for form in _FORMS)


@cache
def _cues() -> frozenset[str]:
    return frozenset().union(*(form.cues for form in _FORMS))


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(_UNSPACED)


def states_preference(text: str) -> bool:
    """Whether a sentence of the text states a lasting preference or instruction."""
    lowered = text[:_READ_CHARACTERS].lower().replace("’", "'")
    return any(_matches_form(sentence) and not _DOUBT.search(sentence) for sentence in _SENTENCE.findall(lowered))


def _matches_form(sentence: str) -> bool:
    words = frozenset(_WORD.findall(sentence))
    if not _cues().isdisjoint(words):
        for speaker, cues, pattern in _forms():
            if (speaker is None or speaker in words) and not cues.isdisjoint(words) and pattern.search(sentence):
                return True
    return not sentence.isascii() and _unspaced().search(sentence) is not None
