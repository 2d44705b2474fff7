"""What the user asks not to keep: "don't remember this", "off the record", "this stays between us"."""

from __future__ import annotations

import re

# Said to the agent, not told of oneself: "I don't remember this song".
_BEGINS = r"(?:^|[.,;:!?–—-]\s*|\b(?:please|pls|but|so|and|just|ok|you|bitte|por favor)\s+)"
_DONT = (
    r"(?:don't|do not|dont|never|no need to|(?:don't|do not|dont) (?:need|have) to|needn't|shouldn't|should not"
    r"|must not|mustn't|rather not)"
)
_THIS = r"(?:(?:any of |all of )?(?:this|that|it|these|those|what (?:i|follows)\b[^.!?]{0,40}))"
# "Don't save this file" is about a file.
_ALONE = (
    r"(?=\s*(?:$|[.,;:!?)–—-]|(?:but|please|pls|though|ok|anywhere|at all|for later|in (?:your |my |the )?memory"
    r"|to (?:your )?memory|i|i'm|my|we)\b))"
)
_UNKEPT = re.compile(
    rf"{_BEGINS}{_DONT} (?:(?:remember|memori[sz]e|retain)(?: {_THIS}\b|{_ALONE})"
    rf"|(?:store|save|keep|record|log|note|archive|learn|take note of|make a note of) {_THIS}{_ALONE}"
    rf"|(?:write|note|jot|put) {_THIS} down\b|(?:tell|repeat {_THIS} to) (?:anyone|anybody|a soul)\b)"
    r"|\b(?:off|not (?:for|on)) the record\b"
    r"|(?:^|[.!?,;]\s*)(?:just |strictly |purely |this is |that's |it's )*(?:between (?:us|you and me|ourselves"
    r"|the two of"
    r" us)|(?:strictly |highly )?confidential(?:ly)?)\s*(?=[,:;.–—-]|$|but\b|i\b|my\b)"
    r"|\b(?:this|that|it) (?:stays|remains|should stay|has to stay|must stay) between (?:us|you and me)\b"
    r"|\bkeep (?:this|that|it) (?:between (?:us|you and me)|to yourself|secret|confidential|private)\b"
    r"|\b(?:delete|erase|discard) (?:this|that) (?:afterwards?|later|again|once|when|message|right after)\b"
    r"|\bmerk(?:e)? (?:dir |es dir )?(?:das|dies|es)?(?: bitte)? ?nicht\b|\bnicht (?:speichern|merken|notieren"
    r"|aufschreiben)\b"
    r"|\bspeicher(?:e|n sie)? (?:das|dies|es)(?: bitte)? nicht\b|^unter uns(?: gesagt)?\s*[,:]|\bbleibt unter uns\b"
    r"|\bno (?:lo )?(?:guardes|recuerdes|anotes|memorices)\b|\bentre (?:nosotros|tú y yo|nous|nós)\s*[,:]"
    r"|\b(?:não|nao) (?:guarde|salve|anote|registre|memorize)s?\b|\bne (?:le |la )?(?:retiens|note|garde"
    r"|enregistre)s? pas\b"
    r"|(?:不要|别)(?:记住|记下|保存|记录)",
    re.IGNORECASE,
)


# One of these stands in all of them; few sentences have one.
_WORTH = re.compile(
    r"(?:n't|not|never|need|dont|needn't|record|between|confidential|keep|delete|erase|discard|nicht|unter|no |entre"
    r"|ne |不要|别"
    r"|não|nao)",
    re.IGNORECASE,
)


def unkept(text: str) -> bool:
    """Whether a sentence of a turn asks that it not be kept: then nothing of the turn is."""
    return _WORTH.search(text) is not None and _UNKEPT.search(text) is not None
