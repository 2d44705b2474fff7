"""A plain yes: "yes, exactly" says yes to what was asked, "yes. Wait, no" and "yeah, I wish" do not."""

from __future__ import annotations

import re

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
