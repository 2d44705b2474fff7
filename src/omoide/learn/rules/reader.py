"""The rules at work: each turn once, in order, and one proposal at the end."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from itertools import islice
from typing import TypeVar

from omoide.domain.entity import name_key
from omoide.learn.proposal import (
    CausalLink,
    Claim,
    ConversationTurn,
    EntityMention,
    LearningConversation,
    Proposal,
    StatedOpinion,
    StatedPreference,
    TaughtProcedure,
    UserCorrection,
)
from omoide.learn.rules import rule
from omoide.learn.rules.answers import answered, dropped
from omoide.learn.rules.claims import claims_in
from omoide.learn.rules.corrections import corrections_in, people, renamed
from omoide.learn.rules.names_and_dates import entities_of, named_in, preferred, relations_of
from omoide.learn.rules.phrases import person, proper
from omoide.learn.rules.preferences import narrowed, of_another, wishes_in
from omoide.learn.rules.procedures import again, howtos_in, occasions_in
from omoide.learn.rules.repairs import denied, repaired, retracted, type_of
from omoide.learn.rules.rule import NAME, FoundClaim, TurnScene, TurnSpeaker, quoted, speakers
from omoide.learn.rules.rule_clauses import RuleClause, denies, masked, parse_sentences
from omoide.learn.rules.rule_modality import UNKEPT, SentenceReading, own, read_sentence, stances
from omoide.learn.rules.sense.check import sound
from omoide.learn.rules.statements.kin_statements import kin_in, opinions_in
from omoide.learn.rules.statements.possessions import platform
from omoide.learn.rules.subjects import speaks_of_kin

# What an agent's turn is good for: what it reports to have done, and what the user then confirms.


_DONE = re.compile(
    rf"(?:(?i:i|we|i've|we've|i have|done[.!,:]?|ok[.,]?) (?:have |just |successfully "
    rf"|now )*)?(?i:deployed|shipped|released|migrated) (?i:the )?(?P<who>{NAME})(?: [a-z]+)? (?i:to|on"
    rf"|onto) (?P<rest>\S.*)"
)
_ASKED = (
    (
        re.compile(
            r"(?i:(?:so |and |just to (?:confirm|check),? |wait,? )*do you (?:still |also "
            r"|currently )?(?=\w))(?P<rest>.+)"
        ),
        "I {}",
    ),
    (re.compile(r"(?i:(?:so |and |just to (?:confirm|check),? )*are you )(?P<rest>.+)"), "I am {}"),
    (re.compile(r"(?i:(?:so |and |just to (?:confirm|check),? |ok,? |got it,? )*you (?=\w))(?P<rest>.+)"), "I {}"),
    (re.compile(r"(?i:(?:so |and |just to (?:confirm|check),? |ok,? )*you're )(?P<rest>.+)"), "I'm {}"),
    (re.compile(r"(?i:(?:so |and )*is your )(?P<what>name|birthday|timezone|email) (?P<rest>.+)"), "my {what} is {}"),
)
_OBSERVED = 0.6  # Kira-L: seen in what was done, nobody said so


def agent_reports(text: str) -> bool:
    """Whether it is worth reading: agents write long turns, and few of them tell of something done."""
    return any(word in text for word in ("eployed", "hipped", "eleased", "igrated"))


def reported_claims(scene: TurnScene, reads: list[SentenceReading]) -> Iterator[FoundClaim]:
    """ "I deployed Kira to Vercel": done and told by who did it. An agent's guesses about anybody are not learned."""
    for item in reads:
        match = _DONE.match(item.sentence.text) if not item.asks and item.told else None
        who = person(match["who"]) or proper(match["who"]) if match else ()
        for object in platform(match["rest"]) if match and who else ():
            claim = Claim(
                subject=who[0],
                predicate="deployed_on",
                object=object,
                text=rule.told(who[0], "deployed_on", object, ended=False),
                quote=quoted(scene.turn, item.sentence.start, item.sentence.end),
                confidence=_OBSERVED,
                source_type="observed",
            )
            yield FoundClaim(claim, "project", "tool")


def confirmed_claims(scene: TurnScene, before: ConversationTurn) -> Iterator[FoundClaim]:
    """The agent asked "do you live in Lisbon?" and the user said yes. The quote is what was asked."""
    if not agreed(scene.turn.text):
        return
    asked = [sentence for sentence in parse_sentences(masked(before.text, before.speaker)) if "?" in sentence.mark]
    if len(asked) != 1:
        return
    sentence = asked[0]
    text = re.sub(r",? (?:right|correct|yes|isn't it|don't you|aren't you|or not)$", "", sentence.text)
    for pattern, said in _ASKED:
        match = pattern.match(text)
        if match and " or " not in match["rest"]:
            told = said.format(match["rest"], **{k: v for k, v in match.groupdict().items() if k == "what"})
            clause = RuleClause(told, sentence.start, sentence.end)
            stated = replace(
                read_sentence(parse_sentences("x"))[0],
                sentence=sentence,
                told=(clause,),
                asks=False,
                presupposed=(clause,),
            )
            yield from claims_in(replace(scene, turn=replace(before, at=scene.turn.at), ceiling=0.9), [stated])
            return


# A plain yes: "yes, exactly" says yes to what was asked, "yes. Wait, no" and "yeah, I wish" do not.


_YES = re.compile(
    r"\s*(?:oh |ah |haha |lol |well,? |um,? )*"
    r"(?:yes|yep|yeah|yup|correct|right|exactly|that's (?:right|correct|true)|indeed|true|of course|sure|i do|i am"
    r"|ja|genau|stimmt|oui|exact|sí|si|claro|sim|isso|exato|是的|对的|是|对)(?!\w)[,.!\s]*(?P<more>.*)",
    re.IGNORECASE | re.DOTALL,
)
# After the yes: what turns it round, narrows it, or says it of another time or of somebody else.
_BUT = re.compile(
    r"\b(?:no|nope|nah|not|isn't|don't|didn't|never|but|except|wait|actually|i mean|i meant|maybe|perhaps|kind of"
    r"|sort of|kinda"
    r"|until|till|used to|formerly|previously|once|back (?:in|then)|in (?:19|20)\d\d|before|years? ago|was|were|did"
    r"|for now|old|former|last|wish|hope|would|could|might|if|unless|almost|nearly|technically|in a way|partly"
    r"|sometimes|only|right\?"
    r"|kidding|joking|jk|joke|as if|lol|haha+|/s|whatever|you say so|sarcasm"
    r"|my (?:brother|sister|wife|husband|mother|father|mom|mum|dad|friend|son|daughter|partner|boss|ex|parents?)"
    r"|he|she|they|nein|nicht|aber|doch nicht|früher|pero|ya no|antes|mas|não|já não)\b",
    re.IGNORECASE,
)
_LONGEST = 12  # words: a long answer says more than yes


def agreed(text: str) -> bool:
    """Whether a turn says yes to what was asked, and nothing that takes it back."""
    yes = _YES.match(text)
    if yes is None or len(yes["more"].split()) > _LONGEST:
        return False
    more = yes["more"]
    # "Right-wing politics", "true crime", "correct me if": another word begins that way
    leans = re.match(r"\s*(?:right|true|correct|exact|sure|si|claro)\s+[a-z]+\s+[a-z]+", text, re.IGNORECASE)
    return not _BUT.search(more) and not (leans and not re.match(r"(?:i|we|that|it|you)\b", more, re.IGNORECASE))


# Which episode brought about the next one, by the words that say so at the beginning of a turn.


MAX_RULE_CAUSES = 50  # Yodoca's batch of causal links in one run
_SO = re.compile(
    r"\s*(?:(?:and|ok|okay|yeah|yes|right|well|oh)[, ]+)*(?P<cue>that's why|thats why|that is why"
    r"|this is why|which is why|because of (?:that|this)|due to (?:that|this)|as a (?:result"
    r"|consequence)"
    r"|therefore|consequently|hence|for that reason|so (?:we|i) (?:had to|needed to|decided to|rolled"
    r"|switched|restarted|reverted|ended up)|that (?:led to|caused|broke|made)|this (?:led to|caused"
    r"|broke)"
    r"|deshalb|deswegen|darum|por eso|por isso|因此|所以)\b",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\s*(?:(?:yes|yeah|right|ok)[, ]+)*(?P<cue>that's because|thats because|it's because"
    r"|this (?:happened|failed|broke) because|(?:it|that|this) was caused by|caused by"
    r"|it failed because)\b(?!\s+of (?:that|this))",
    re.IGNORECASE,
)


def causes_in(turns: Sequence[ConversationTurn], fresh: int) -> Iterator[CausalLink]:
    """Links between consecutive turns; a turn that only asks why links nothing."""
    for before, turn in zip(turns[max(fresh - 1, 0) :], turns[max(fresh, 1) :], strict=False):
        if turn.role not in {"user", "agent"} or turn.text.rstrip().endswith("?"):
            continue
        offset = _after_name(turn)
        so, because = _SO.match(turn.text, offset), _FOR.match(turn.text, offset)
        found = so or because
        if found:
            end = re.search(r"[.!?\n]|$", turn.text[found.end() :])
            quote = quoted(turn, found.start("cue"), found.end() + (end.start() if end else 0))
            first, second = (before, turn) if so else (turn, before)
            yield CausalLink(cause=first.id, effect=second.id, quote=quote)


def _after_name(turn: ConversationTurn) -> int:
    return len(turn.speaker) + 1 if turn.speaker and turn.text.startswith(f"{turn.speaker}:") else 0


T = TypeVar("T")
_SHE = re.compile(r"\b(?:she|he)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Gathered:
    found: list[FoundClaim] = field(default_factory=list)
    named: list[EntityMention] = field(default_factory=list)
    judgements: list[StatedOpinion] = field(default_factory=list)
    wishes: list[StatedPreference] = field(default_factory=list)
    howtos: list[TaughtProcedure] = field(default_factory=list)
    corrections: list[UserCorrection] = field(default_factory=list)
    left: int = 0
    played: int = 0
    notes: list[str] = field(default_factory=list)


class RuleExtractor:
    """An extractor without a model. What tools, documents and imports say is never learned from (they are data)."""

    name = "rules"

    def __init__(self, most_causes: int = MAX_RULE_CAUSES) -> None:
        self._most_causes = most_causes

    def extract(self, conversation: LearningConversation) -> Proposal:
        gathered = _Gathered()
        who = speakers(conversation)
        turns = conversation.turns
        for index, turn in unstaged(turns):
            if index >= conversation.fresh and turn is not None:
                _turn(gathered, turn, turns[max(0, index - 6) : index], who[turn.speaker])
            gathered.played += index >= conversation.fresh and turn is None
        causes = islice(causes_in(conversation.turns, conversation.fresh), self._most_causes)
        return _proposal(gathered, tuple(causes))


def _turn(
    gathered: _Gathered, turn: ConversationTurn, before: tuple[ConversationTurn, ...], speaker: TurnSpeaker
) -> None:
    if turn.role == "agent" and turn.origin in {"agent", "user"}:
        if agent_reports(turn.text):
            text = masked(turn.text, turn.speaker)
            gathered.found += reported_claims(
                TurnScene(turn, speaker, "observed"), read_sentence(parse_sentences(text))
            )
        return
    if turn.role != "user" or turn.origin != "user" or turn.type not in {"conversation", "event", "action"}:
        gathered.left += 1
        return
    _user_turn(gathered, TurnScene(turn, speaker), before)


def _user_turn(gathered: _Gathered, scene: TurnScene, before: tuple[ConversationTurn, ...]) -> None:
    text = masked(scene.turn.text, scene.turn.speaker)
    stood = stances(parse_sentences(text))
    gathered.notes += _refused(scene.turn, stood)
    reads = own(stood)
    earlier = before if speaks_of_kin(text) else ()
    met = [kin for turn in earlier if turn.role == "user" for kin in kin_in(masked(turn.text))]
    recent = people(scene, before) if _SHE.search(text) and _sets_right(reads) else []
    found = sound(repaired(scene, text, list(claims_in(scene, reads, met, recent))), text)
    found += sound(list(dropped(scene, reads, before)), text)
    if before and before[-1].role == "agent":
        found += confirmed_claims(scene, before[-1])
        found += sound(answered(scene, before[-1], reads), text)
    disliked = next((item.claim.object for item in found if item.claim.predicate == "dislikes"), None)
    gathered.found += [*found, *denied(scene, text)]
    gathered.notes += narrowed(scene, reads)
    _wished(gathered, scene, list(wishes_in(scene, reads, disliked)))
    corrections = [*corrections_in(scene, reads, before, found), *retracted(scene, text, before)]
    gathered.corrections += corrections
    gathered.judgements += opinions_in(scene, reads)
    howtos = list(howtos_in(scene, text, [item.sentence for item in reads]))
    gathered.howtos += howtos or again(scene, [item.sentence for item in reads], partial(_taught, scene, before))
    gathered.howtos += occasions_in(scene, [item.sentence for item in reads])
    gathered.named += entities_of(found, scene.speaker)
    gathered.named += renamed(corrections)
    gathered.named += named_in(scene.turn, text, stood)


def _sets_right(reads: list[SentenceReading]) -> bool:
    return any(denies(read.sentence.text) for read in reads)


def _refused(turn: ConversationTurn, reads: list[SentenceReading]) -> Iterator[str]:
    """Without its words: they were not to be kept."""
    if any(read.why == UNKEPT for read in reads):
        yield f"a turn was not learned from: {UNKEPT} [id:{turn.id}]"


def _taught(scene: TurnScene, before: tuple[ConversationTurn, ...]) -> list[TaughtProcedure]:
    """What the turns before have taught."""
    said = [turn for turn in before if turn.role == "user" and turn.speaker == scene.turn.speaker]
    return [
        howto
        for turn in said
        for text in (masked(turn.text, turn.speaker),)
        for howto in howtos_in(
            TurnScene(turn, scene.speaker), text, [item.sentence for item in read_sentence(parse_sentences(text))]
        )
    ]


def _wished(gathered: _Gathered, scene: TurnScene, wishes: list[StatedPreference]) -> None:
    if scene.speaker.owns_the_memory:
        gathered.wishes += wishes
        return
    for wish in wishes:
        found = of_another(scene, wish)
        if found is not None:
            gathered.found.append(found)
        else:
            words = f"a wish of {scene.speaker.name}, who does not own this memory, was not learned"
            gathered.notes.append(f"{words}: {wish.quote.words!r} [id:{scene.turn.id}]")


def _proposal(gathered: _Gathered, causes: tuple[CausalLink, ...]) -> Proposal:
    found = _once(
        gathered.found,
        lambda f: (
            f.claim.subject,
            f.claim.predicate,
            name_key(f.claim.object),
            f.claim.negated,
            f.claim.quote.episode,
        ),
    )
    wishes = _once(gathered.wishes, lambda w: (w.category, w.name, str(w.value), w.quote.episode))
    relations = [*relations_of(found), *preferred(wishes)]
    return Proposal(
        entities=tuple(_once(gathered.named, lambda m: (name_key(m.name), m.type, m.quote.episode))),
        claims=tuple(item.claim for item in found),
        opinions=tuple(gathered.judgements),
        relations=tuple(_once(relations, lambda r: (r.source, r.type, r.target, r.quote.episode))),
        preferences=tuple(wishes),
        procedures=tuple(gathered.howtos),
        corrections=tuple(gathered.corrections),
        causes=causes,
        notes=tuple(_notes(gathered)),
    )


def _notes(gathered: _Gathered) -> Iterator[str]:
    if gathered.left:
        yield f"{gathered.left} turns are data of tools, documents or the system"
    yield from gathered.notes
    if gathered.played:
        yield f"{gathered.played} turns were said in a role, or by somebody else"


def _once(items: Iterable[T], key: object) -> list[T]:
    seen: dict[Hashable, T] = {}
    for item in items:
        seen.setdefault(key(item), item)  # type: ignore[operator]
    return list(seen.values())


# A role that lasts over turns: whoever plays King Arthur, or has taken the keyboard, does not speak of the user.


_LET = (
    r"(?:^|[.!?,:]\s+|\n)(?:(?:ok(?:ay)?|so|now|please|hey)[, ]+)*"
    r"(?:(?:let's|let us|can we|shall we|we'll|i want to) )?"
)
_LATER = r"(?! ?(?:later|tonight|tomorrow|together|sometime|soon|on|this|next|again|with|at|after)\b)"
_PLAYS = re.compile(
    rf"{_LET}(?:role.?play{_LATER}\b(?!ing)|pretend (?:that )?(?:to be|you|i'm|i am|we|it's|this)\b"
    rf"|(?<=let's )play (?:a game|a scene|make.?believe|a role){_LATER})"
    r"|\bin this (?:game|role.?play|scene),? (?:i'm|i am|you are|you're)\b",
    re.IGNORECASE,
)
# The agent's role alone leaves the user who they are: "act as a reviewer". Both in a role are on a stage.
_YOURS = re.compile(
    r"(?:^|[.!?]\s+|\n)(?:you(?:'re| are) (?:an?|the|now|my)\b|you(?:'ll| will) (?:be|play)\b|act as\b|your role is\b"
    r"|play the role\b|you play\b)",
    re.IGNORECASE,
)
_MINE = re.compile(
    r"\b(?:i'm|i am) (?:an?|the|your) [\w ]{1,25}?(?:named|called) |\b(?:i'll|i will) (?:be|play) (?:an?|the"
    r"|your)\b|\bi play "
    r"|\b(?:i'm|i am) (?:an?|the|your) (?:customer|patient|client|caller|guest|interviewer|interviewee|candidate"
    r"|suspect|king"
    r"|queen|knight|prince|princess|wizard|detective|pirate|adventurer|prisoner|tenant|traveler|shopper)\b",
    re.IGNORECASE,
)
_ANOTHER = re.compile(rf"(?i:(?:^|[.!?]\s+)(?:(?:hi|hey|hello)[,!]? )?this is) (?P<who>{NAME})(?i: (?:here )?now)\b")
_OVER = re.compile(
    r"(?:end of (?:the )?(?:game|role.?play|story|scene|play|act)|back to (?:reality|real life|normal)|game over"
    r"|(?:out of|break(?:ing)?) character|\booc\b|stop (?:pretending|role.?playing|playing|the (?:game|role.?play))"
    r"|(?:done|finished) (?:pretending|role.?playing|playing)|enough (?:pretending|role.?playing|playing)"
    r"|in real life|for real now|seriously now|i'm back(?: now)?|(?:it's|this is) (?:me"
    r"|\w+) again)\b[^.!?\n]*?(?:[.!?,:;\n]|$)",
    re.IGNORECASE,
)
_PAUSE = timedelta(hours=4)  # nobody stays in a role over night


def unstaged(turns: tuple[ConversationTurn, ...]) -> Iterator[tuple[int, ConversationTurn | None]]:
    """Every turn with its index; None where the user plays a role. What stands before a role's end is blanked."""
    acting, last = False, None
    for index, turn in enumerate(turns):
        acting = acting and not (last and turn.at - last > _PAUSE)
        last = turn.at
        if turn.role != "user" or turn.origin != "user":
            yield index, turn
            continue
        over = _OVER.search(masked(turn.text)) if acting else None
        if acting and not over:
            yield index, None
            continue
        said = replace(turn, text=" " * over.end() + turn.text[over.end() :]) if over else turn
        acting = begins(said.text)
        yield index, said


def begins(text: str) -> bool:
    """Whether from here on the user is somebody else."""
    if not _WORTH.search(text):
        return False
    text = masked(text)
    another = _ANOTHER.search(text)
    if another and type_of(another["who"]) == "person":
        return True
    return bool(_PLAYS.search(text) or (_YOURS.search(text) and _MINE.search(text)))


_WORTH = re.compile(r"play|pretend|you|act as|\bnow\b", re.IGNORECASE)
