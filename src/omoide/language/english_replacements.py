"""English: how people say to use one thing instead of another, and that they did something otherwise."""

REPLACEMENTS = (
    r"(?:\b(?:use|run|take|pick|choose|go with|stick to|it's|want) )(?P<right>{TOOL})(?: \w+)?,? (?:and )?"
    r"(?:not|never|instead of|rather than|over) (?P<wrong>{TOOL})",
    r"\b(?:stop|quit|avoid|no more|don't|do not|dont|never)(?: ever)? (?:using|use|running|run|with) (?P<w"
    r"rong>{TOOL})(?: \w+)?[,;.:–—-]*(?: (?:and|but|please|instead|just|always))* (?:use|using|run|go with"
    r"|switch to|take|it's) (?P<right>{TOOL})",
    r"\b(?:we're|we are|i'm|i am|\w+ is) (?:all )?(?:on|using|with) (?P<right>{TOOL})(?: now| these days)?"
    r",? (?:and )?(?:not|no longer|instead of|rather than) (?P<wrong>{TOOL})",
    r"\b(?:switch|switched|switching|move|moved|moving|change|changed|migrate|migrated)(?: \w+)? (?:over )"
    r"?to (?P<right>{TOOL})(?: now)?,? (?:instead of|from|rather than|away from) (?P<wrong>{TOOL})",
    r"\b(?:switch|switched|switching|move|moved|moving|change|changed|migrate|migrated)(?: \w+)? (?:over )"
    r"?from (?P<wrong>{TOOL}) to (?P<right>{TOOL})",
    r"\b(?:replace|swap|swap out|exchange) (?P<wrong>{TOOL}) (?:with|for|by) (?P<right>{TOOL})",
    r"\binstead of (?P<wrong>{TOOL}),? (?:please )?(?:use|run|take|go with) (?P<right>{TOOL})",
    r"(?:^|\buse |\brun )(?P<right>{TOOL}) (?:instead of|rather than|not) (?P<wrong>{TOOL})",
    r"^(?P<right>{TOOL}), (?:please,? )?not (?P<wrong>{TOOL})(?:,? please)?$",
    r"\b(?P<wrong>{TOOL}) is (?:out|gone|deprecated|banned|dead|history)[,;:–—-]+ (?:(?:we|i|please|just) "
    r")*(?:use|it's|run) (?P<right>{TOOL})",
    r"\b(?:we|i) (?:don't|no longer|do not|dont) use (?P<wrong>{TOOL})(?: any ?more| here)*[,;:–—-]+ (?:bu"
    r"t )?(?:(?:we|i) )?(?:use|it's|only) (?P<right>{TOOL})",
    r"\b(?:don't|do not|dont|never) (?P<wrong>{TOOL}(?: {TOOL})+),? (?:but )?(?P<right>{TOOL}(?: {TOOL})+)",
)

DAY_REPAIRS = r"""
    \bnot (?:on )?(?:the )?(?P<wrong>\d{1,2})(?:st|nd|rd|th)?,?
    [ ](?:but |it's )?(?:on )?(?:the )?(?P<right>\d{1,2}(?:st|nd|rd|th))
"""

DID_OTHERWISE = r"""
\b(?:i|we) (?:just |actually |ended up |went and )*(?:ran|did|used|running|went with|typed|executed) [`"']?
(?P<command>[\w.-]+(?: [\w./-]+){0,3})[`"']?(?: instead| myself| now)*
"""
