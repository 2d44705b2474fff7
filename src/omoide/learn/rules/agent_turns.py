"""What an agent's turn is good for: what it reports to have done, and what the user then confirms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from omoide.learn.proposal import CausalLink, Claim, ConversationTurn
from omoide.learn.rules import rule
from omoide.learn.rules.claims import claims_in
from omoide.learn.rules.clauses import Clause, masked, parse_sentences
from omoide.learn.rules.modality import SentenceReading, read_sentence
from omoide.learn.rules.phrases import person, proper
from omoide.learn.rules.rule import NAME, FoundClaim, TurnScene, quoted
from omoide.learn.rules.statements.possessions import platform

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
            clause = Clause(told, sentence.start, sentence.end)
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
