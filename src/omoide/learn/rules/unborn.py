"""Names that are only talked of: nobody new is born of "I might move to Austin" or "none of us lives in Boston"."""

from __future__ import annotations

import re

_TENTATIVE = re.compile(
    r"\b(?:might|(?-i:may)|maybe|perhaps|probably|would|could|should|'d (?:love|like|rather|never|prefer|live|move|go"
    r"|work|be)"
    r"|wants? to|wanted to|wanna|wish|hop(?:e|es|ing) (?:to|for|that)|consider(?:s|ing)?|think(?:s|ing)? (?:of|about)"
    r"|plan(?:s|ning)? (?:to|on)|dream(?:s|ing)? (?:of|about)|someday|one day|going to (?:move|live|work|study|apply"
    r"|join)"
    r"|appl(?:y|ied|ying) (?:to|for|at)|interview(?:ed|ing)? (?:at|with|for)|almost|nearly|supposed to|looking (?:for"
    r"|at|into)"
    r"|never|none of|nobody|no one|neither|(?:do|does|did|is|are|was|were|have|has|can|could|would|wo)n't|not"
    r"|forget|pretend|imagine|doubt)\b",
    re.IGNORECASE,
)


def tentative(clause: str) -> bool:
    """Whether what the clause speaks of is not said to be so."""
    return _TENTATIVE.search(clause) is not None
