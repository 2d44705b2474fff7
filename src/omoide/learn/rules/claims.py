"""From clauses that tell something to claims: every table of rules is tried at the clause's first word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import ModuleType

from omoide.learn.proposal import USER, Claim
from omoide.learn.rules import rule as rule_module
from omoide.learn.rules.known_words import TOOLS
from omoide.learn.rules.names_and_dates import TIMED, PastPeriod, began, ended, lasted, leading
from omoide.learn.rules.phrases import person
from omoide.learn.rules.predicates import is_single_valued
from omoide.learn.rules.rule import NAME, ClaimRule, FoundClaim, TurnScene, quoted
from omoide.learn.rules.rule_clauses import OpenedClause, RuleClause, denies, open_clause
from omoide.learn.rules.rule_modality import SentenceReading
from omoide.learn.rules.statements import chinese, french, german, life, portuguese, possessions, spanish, work
from omoide.learn.rules.statements import kin_statements as people_module
from omoide.learn.rules.statements.kin_statements import NamedRelative, couple, gone, kin_found, kin_in, lost
from omoide.learn.rules.subjects import beside as beside_in
from omoide.learn.rules.subjects import carried, coordinated, of_relative, relative, respoken, stood_in

_MINE = re.compile(
    r"(?i:i|we|my|our|im|ive|the name|please|just|you can|everyone|people|friends|call|home)\b|(?i:i'|we')"
)
_RULES = (
    *life.HOME_RULES,
    *work.WORK_RULES,
    *life.LIFE_RULES,
    *possessions.THING_RULES,
    *people_module.TASTE_RULES,
    *possessions.PROJECT_RULES,
)
_FIRST = tuple(rule for rule in _RULES if "who" not in rule.pattern.groupindex)
_NAMED = tuple(rule for rule in _RULES if "who" in rule.pattern.groupindex)
_FOREIGN = (german, spanish, portuguese, french)
_LASTS = frozenset(
    "lives_in stays_in works_at also_works_at works_as owns uses studies studies_at marital_status has_pet learns"
    " works_on"
    " deployed_on hosted_on runs_on diet".split()
)
_CREATED_BY = "created_by"
_FEMALE = frozenset("sister mother wife girlfriend fiancee daughter grandmother granddaughter aunt niece".split())
_MALE = frozenset("brother father husband boyfriend fiance son grandfather grandson uncle nephew".split())
_I_AM = re.compile(r"(?i:i'm|im|i am) (?P<rest>\S.*)")
_GREETS = re.compile(r"\b(?:hi|hey|hello|about me|introduce|meet|good (?:morning|evening|afternoon))\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*(?:,|and\b|\(|from\b)")
_TELLS_ON = re.compile(r"[.!]\s+(?i:i|i'm|im|i've|my)\b")  # "I'm Otto. I live in Rome."
_FELT = re.compile(r"i(?: really| absolutely| just)? (hate|can't stand|dislike|love|like) it\b", re.IGNORECASE)
_KEPT = re.compile(
    r"(?:(?:hey|hi|ok|okay|also|and|oh|so|btw|please|pls|can you|could you)[, ]+)*"
    r"(?:(?:remember|don't forget|do not forget|dont forget|keep in mind|bear in mind|note|make a note"
    r"|take note)(?: that|:)"
    r"|note to self:|for future reference[:,]|for your memory:|remember this:|save this:"
    r"|memorize this:)\s+(?P<what>\S.*)",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"(?:i|i'm|i've|we|we're|my|our|the|he|she|it|it's|they|you|your|there|this|these|a|an|all|every"
    r"|no|not|\d)\b|[A-Z0-9À-Þ]|.*\b(?:is|are|was|were|has|have|leaves|starts|ends)\b",
)


_NOT_THAT = re.compile(r"\w, (?:and )?not [A-Z]\w*\s*$|\bname (?:isn't|isnt|is not)\b")  # "my name is Tim, not Tom"


def claims_in(
    scene: TurnScene,
    reads: list[SentenceReading],
    met: Iterable[NamedRelative] = (),
    recent: Iterable[NamedRelative] = (),
) -> Iterator[FoundClaim]:
    """What a turn tells, in its order. `met` are those whom the turns before it have named, `recent` those whom it
    sets something right about."""
    known: list[NamedRelative] = list(recent)
    met = tuple(met)
    for read in reads:
        told = read.told
        if told:
            kept = list(_kept(scene, read))
            if kept:
                yield from kept
                continue
        for clause in read.presupposed:
            for kin in kin_in(clause.text, told=clause in told):
                known.append(kin)
                yield lost(kin_found(scene, clause, kin), clause, kin, scene)
        for clause, kin in beside_in(read):
            known.append(kin)
            yield kin_found(scene, clause, kin)
        sets_right = denies(read.sentence.text) or _NOT_THAT.search(read.sentence.text)
        here = replace(scene, source="corrected") if sets_right else scene
        yield from couple(here, read)
        for clause in respoken(read):
            yield from _clause(here, clause, known)
        for number, clause in enumerate(told):
            before = told[number - 1].text if number else ""
            for part in coordinated(carried(before, clause)):
                yield from _clause(here, relative(part, (*met, *known)), known, before)
            yield from _of_it(here, clause, told[number - 1] if number else None)


def _clause(scene: TurnScene, clause: RuleClause, known: list[NamedRelative], before: str = "") -> Iterator[FoundClaim]:
    open_ = _timed(open_clause(untailed(clause.text)), before, scene)
    if not open_.doubt:
        return
    text = open_.text
    if _MINE.match(text):
        yield from _matched(scene, clause, open_, _FIRST, scene.speaker.subject)
        yield from _favorite(scene, clause, open_)
        yield from _introduced(scene, clause, open_)
        planned = work.plan(text, scene.turn.at)
        if planned:
            claim = _claim(scene, clause, open_, "plans", planned[0], scene.speaker.subject)
            yield FoundClaim(replace(claim, valid_from=planned[1]))
        if off := work.cancelled(text):
            claim = _claim(scene, clause, open_, "plans", off, scene.speaker.subject)
            said = rule_module.told(scene.speaker.name, "plans", off, ended=True)
            yield FoundClaim(replace(claim, negated=True, text=said))
    yield from gone(scene, clause, open_)
    named = _named(text, known, scene.turn.text[: clause.start])
    stood = stood_in(text)
    if named and not stood:
        yield from _matched(scene, clause, replace(open_, text=named), _NAMED, None)
    elif stood:
        there = _matched(scene, clause, replace(open_, text=stood[0]), _NAMED, None)
        yield from of_relative(scene, there, stood[1])
    yield from _foreign(scene, clause, open_)


def _timed(open_: OpenedClause, before: str, scene: TurnScene) -> OpenedClause:
    """ "In 2019 I moved to Rome", with a comma or without: the time is set aside, and dates what follows."""
    when = leading(open_.text, scene.turn.at)
    if when and len(when) < len(open_.text):
        return replace(open_, text=open_.text[len(when) :].lstrip(" ,"), when=when)
    alone = open_clause(before).text if before and TIMED.search(before) else ""
    return replace(open_, when=alone) if alone and leading(alone, scene.turn.at) == alone else open_


def _matched(
    scene: TurnScene, clause: RuleClause, open_: OpenedClause, rules: Iterable[ClaimRule], subject: str | None
) -> Iterator[FoundClaim]:
    seen: set[tuple[str, bool]] = set()
    for rule in rules:
        match = rule.pattern.match(open_.text)
        if match is None or (rule.predicate, rule.ended) in seen:
            continue
        who = subject or _subject(match)
        objects = rule.read(match["rest"]) if who else ()
        objects = tuple(each for each in objects if is_about_object(rule.predicate, each, match["rest"]))
        if not who or not objects:
            continue
        over = lasted(open_.timed, scene.turn.at) if rule.past else None
        if rule.past and over is None:
            continue
        seen.add((rule.predicate, rule.ended))
        kind = None if subject else "person" if rule not in possessions.PROJECT_RULES else "project"
        for object in objects:
            found = _one(scene, clause, open_, rule, who, object, kind)
            yield replace(found, claim=_past(found.claim, over, scene)) if over else found


def _one(
    scene: TurnScene, clause: RuleClause, open_: OpenedClause, rule: ClaimRule, who: str, object: str, kind: str | None
) -> FoundClaim:
    if rule.predicate == _CREATED_BY:  # told from the work's side, kept from the maker's
        claim = _claim(scene, clause, open_, "created", who, object, rule)
        return FoundClaim(claim, "person", kind)
    claim = _claim(scene, clause, open_, rule.predicate, object, who, rule)
    return FoundClaim(claim, kind, rule.type)


def _past(claim: Claim, over: PastPeriod, scene: TurnScene) -> Claim:
    who = scene.speaker.name if claim.subject == scene.speaker.subject else claim.subject
    text = rule_module.was(who, claim.predicate, claim.object, over.words)
    return replace(claim, text=text, valid_from=over.since, valid_until=over.until)


def _subject(match: re.Match[str]) -> str | None:
    groups = match.groupdict()
    if groups.get("part"):
        return str(groups["part"])
    return next(iter(person(groups["who"])), None) if groups.get("who") else None


def _claim(
    scene: TurnScene,
    clause: RuleClause,
    open_: OpenedClause,
    predicate: str,
    object: str,
    subject: str,
    rule: ClaimRule | None = None,
) -> Claim:
    over = rule.ended if rule else False
    predicate = predicate if over else coexisting_predicate(predicate, open_.timed)
    believed = min((rule.confidence if rule else 1.0) * open_.doubt, scene.ceiling)
    dated = ended if over else began
    since = dated(open_.timed, scene.turn.at) if predicate in _LASTS else None
    return Claim(
        subject=subject,
        predicate=predicate,
        object=object,
        text=rule_module.told(
            scene.speaker.name if subject == scene.speaker.subject else subject, predicate, object, over
        ),
        quote=quoted(scene.turn, clause.start, clause.end),
        confidence=round(believed, 2),
        source_type=scene.source if open_.doubt == 1.0 or scene.source != "stated" else "inferred",
        negated=over,
        valid_from=None if over else since,
        valid_until=since if over else None,
    )


def _of_it(scene: TurnScene, clause: RuleClause, before: RuleClause | None) -> Iterator[FoundClaim]:
    """ "never suggest Docker, I hate it": it is the tool that ends the clause before."""
    felt = _FELT.match(open_clause(clause.text).text) if before else None
    last = re.findall(r"[\w.+#]+", before.text)[-2:] if before else []
    tool = next((t for words in (last, last[-1:]) if (t := TOOLS.get(" ".join(words).lower()))), None)
    if felt and tool:
        predicate = "likes" if felt[1].lower() in {"love", "like"} else "dislikes"
        yield FoundClaim(
            _claim(scene, clause, OpenedClause(clause.text, 1.0, False), predicate, tool, scene.speaker.subject)
        )


def _favorite(scene: TurnScene, clause: RuleClause, open_: OpenedClause) -> Iterator[FoundClaim]:
    match = life.FAVORITE.match(open_.text)
    for object in life.favorite(match["rest"]) if match else ():
        what = re.sub(r"\W+", "_", _spelled(match["what"].lower())) if match else ""
        yield FoundClaim(_claim(scene, clause, open_, f"favorite_{what}", object, scene.speaker.subject))


def _spelled(word: str) -> str:
    """ "Colour" and "color" are one matter."""
    return re.sub(r"(?<=col|lav|hav|vap|lab|mou|hum|rum|arm)our", "or", word).replace("theatre", "theater")


def _introduced(scene: TurnScene, clause: RuleClause, open_: OpenedClause) -> Iterator[FoundClaim]:
    """ "Hi, I'm Maya": in a greeting or with more to come. "I'm Batman" by itself is a joke or a mood."""
    match = _I_AM.match(open_.text)
    if not match:
        return
    said = scene.turn.text
    greets = _GREETS.search(said[: clause.start] + clause.text[: -len(open_.text)])
    first = not said[: clause.start].strip() and _TELLS_ON.match(said[clause.end :])
    more = first or _GOES_ON.match(said[clause.end :]) or life.aged(match["rest"].partition(", ")[2])
    names = life.introduced(match["rest"]) if greets or more else ()
    for name in names or (life.greeted(match["rest"]) if greets else ()):
        claim = _claim(scene, clause, open_, "name", name, scene.speaker.subject)
        yield FoundClaim(replace(claim, confidence=min(claim.confidence, 0.9)))


def _named(text: str, known: list[NamedRelative], before: str) -> str | None:
    """The clause with its subject by name: "she" is the one person this turn has named, if there is just one."""
    introduced = re.match(rf"(?:[Mm]y|[Oo]ur)\b[^A-Z]*?(?P<who>{NAME})(?P<rest>.*)", text)
    if introduced and any(kin.who in introduced["who"] for kin in known):
        return introduced["who"] + introduced["rest"]
    if text[:1].isupper() or re.match(r"(?:the|our|my) ", text):
        pronoun = re.match(r"(She|He)\b(?:'s\b)?", text)
        if not pronoun:
            return text
    pronoun = re.match(r"(?i:(she|he)\b)", text)
    people = {kin.who: kin for kin in known if kin.predicate != "has_pet"}
    if not pronoun or len(people) != 1:
        return None
    kin = next(iter(people.values()))
    fits = kin.kind not in (_MALE if pronoun[1].lower() == "she" else _FEMALE)
    others = {name for name in re.findall(rf"(?<=[a-z,] ){NAME}", before) if kin.who not in name and person(name)}
    after = re.sub(r"^'s (?=an? |from |allergic |based |\w+ing )", " is ", text[pronoun.end() :])
    return kin.who + after if fits and not others else None


def _foreign(scene: TurnScene, clause: RuleClause, open_: OpenedClause) -> Iterator[FoundClaim]:
    for language in _FOREIGN:
        if not language.GATE.match(open_.text):
            continue
        match = language.KIN.match(open_.text)
        if match and person(match["who"]):
            kind = language.KINDS[match["kin"].lower()]
            predicate = "has_pet" if kind in {"dog", "cat"} else f"{kind}_of"
            yield kin_found(scene, clause, NamedRelative(match["who"], predicate, kind, 0, 0))
            yield from _trade(scene, clause, open_, language, match)
        yield from _matched(scene, clause, open_, language.RULES, scene.speaker.subject)
    if chinese.GATE.match(open_.text):
        yield from _matched(scene, clause, open_, chinese.RULES, scene.speaker.subject)


def _trade(
    scene: TurnScene, clause: RuleClause, open_: OpenedClause, language: ModuleType, kin: re.Match[str]
) -> Iterator[FoundClaim]:
    """ "Mon frère Hugo est pompier": what is said of who was just named."""
    found = language.IS.match(open_.text[kin.end("who") :]) if hasattr(language, "IS") else None
    for object in language.trade(found["rest"]) if found else ():
        yield FoundClaim(_claim(scene, clause, open_, "works_as", object, kin["who"]), "person")


def _kept(scene: TurnScene, read: SentenceReading) -> Iterator[FoundClaim]:
    """ "Remember that …": what the rules can read of it, else the words themselves."""
    match = _KEPT.match(read.sentence.text)
    if not match or read.asks or not _STATED.match(match["what"]):
        return
    start = read.sentence.start + match.start("what")
    clause = RuleClause(match["what"], start, read.sentence.end)
    found = [item for kin in kin_in(clause.text) for item in (kin_found(scene, clause, kin),)]
    found += list(_clause(scene, clause, []))
    if not found and scene.speaker.subject == USER:
        what = _as_said(scene.turn.text, start, read.sentence.end)
        claim = Claim(
            subject=USER,
            predicate="asked_to_remember",
            object=what,
            text=rule_module.in_third(what, scene.speaker.name),
            quote=quoted(scene.turn, start, read.sentence.end),
            confidence=1.0,
        )
        found.append(FoundClaim(claim))
    yield from found


def _as_said(text: str, start: int, end: int) -> str:
    """With its quotations and code, and the tick that closes it."""
    words = text[start:end].strip()
    return f"{words}`" if words.count("`") % 2 and text[end : end + 1] == "`" else words


# What stands beside the rest and not in its place: a second job, a summer elsewhere; and what is no claim at all.


_SECOND = re.compile(
    r"\b(?:i|we) also work\b|\bi'm also working\b|\bon the side\b|\bside (?:job|gig|hustle)\b|\bsecond job\b"
    r"|\bas well\s*[.!]?$|\bpart-time too\b",
    re.IGNORECASE,
)
_FOR_A_WHILE = re.compile(
    r"\bfor (?:the|this|a|one|two|three|four|six|a few|a couple of|\d+) (?:\w+ )?(?:summer|winter|spring|autumn"
    r"|semester"
    r"|term|season|week|weekend|month|while|bit)s?\b(?! now)|\bfor now\b|\btemporarily\b|\bjust until\b",
    re.IGNORECASE,
)
_SO_FAR = re.compile(r"\b(?:i've|i have|we've|we have|been)\b", re.IGNORECASE)  # "I've lived here for a month"
_OR = re.compile(r"\s*,?\s+or\s+(?!so\b|something\b|whatever\b)", re.IGNORECASE)
_WHOSE = re.compile(r"'s?\s+[a-z]")


def coexisting_predicate(name: str, clause: str) -> str:
    """The predicate of its own under which it does not end what is."""
    if name == "works_at" and _SECOND.search(clause):
        return "also_works_at"
    if name == "lives_in" and _FOR_A_WHILE.search(clause) and not _SO_FAR.search(clause):
        return "stays_in"
    return name


def is_about_object(name: str, object: str, rest: str) -> bool:
    """Whether the words are about the object itself: not "Acme's competitor", not "Boston or Cambridge"."""
    after = rest.partition(object)[2]
    return not _WHOSE.match(after) and not (is_single_valued(name) and _OR.match(after))


# What may follow a statement and takes nothing from it: "… btw", "… so keep that in mind", "… if that helps".


_ASIDE = (
    r"(?:btw|by the way|fyi|just so you know|just so (?:you|u) know|if that (?:helps|matters|is relevant)"
    r"|for what it's worth|fwiw|in case (?:it|that) (?:helps|matters)|for the record|for context|as you know"
    r"|if (?:you|u) (?:need|want) (?:it|to know)|just saying|tbh|ngl|lol|haha+|:\)|:-\)|xd)"
)
# After "so" comes what to do about it. What goes back on the statement stays where it is.
_SO = (
    r"so,? (?:please |pls |just |maybe )?(?:keep|no|nothing|none|don't|dont|do not|avoid|skip|be|take|plan|bear|make"
    r"|remember|leave|use|never|that's|thats|anything|everything|any|all|the|nuts|watch|mind|[\w-]+ (?:tips|advice"
    r"|recipes|answers|is out|are out|won't|doesn't|isn't|aren't))\b"
)
_TAIL = re.compile(rf"\s*,?\s+(?:{_ASIDE}(?=\s*(?:$|[,.!;)]|(?:so|and|but)\b))|{_SO}).*$", re.IGNORECASE)
_BACK = re.compile(
    r"\b(?:so to speak|they say|to say|told|heard|thought|supposedly|allegedly|jk|kidding|joking)\b|/s\b|\?",
    re.IGNORECASE,
)
_LEAST = 3  # words that make a statement


def untailed(text: str) -> str:
    """The statement without its tail; whole where the tail says something about it."""
    tail = _TAIL.search(text)
    if tail is None or _BACK.search(tail[0]) or len(text[: tail.start()].split()) < _LEAST:
        return text
    return text[: tail.start()]
