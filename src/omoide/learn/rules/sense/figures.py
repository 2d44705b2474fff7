"""Figures of speech, and what only seems to be so: "I live in Denial, population one", "a pilot in my dreams"."""

from __future__ import annotations

import re

from .said import Said

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


def figurative(said: Said) -> bool:
    return _FIGURE.search(said.words + said.tail) is not None or _ALMOST.search(said.words) is not None


def likened(said: Said) -> bool:
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


def no_deed(said: Said) -> bool:
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
