"""The kinds of values that questions ask for in English, and the words that tell."""

ENGLISH_VALUES = (
    ("phone", r"\b(?:phone|cell|mobile|telephone)(?:'s)? (?:number|no\.?)|\bphone\?$"),
    ("part_of_name", r"\b(?:first|last|middle|maiden|family|full) name\b|\bsurname\b"),
    (
        "attribute",
        r"\b((?<!\dth )birthday(?! (?:cake|party|present|gift|card|dinner|lunch))"
        r"|(?:licen[cs]e|number) plate|blood (?:type|group)|shoe size|star sign|e-?mail address|password"
        r"|postcode|zip code|pin code)\b",
    ),
    ("name", r"\bnames?(?: of| for)?\b(?! and)|\bcalled\?$"),
    ("number", r"\bhow (?:much|many|old|tall)\b|\b(?:number|price|cost)\b"),
    (
        "thing",
        r"\b(?:which|what) (?!of|one|day|time|kind|sort|way|date|month|year|week|were|does|did)"
        r"(\w{4,})(?= (?:is|are|was|were|do|does|did|has|have|had|can|will|would|in|at)\b)",
    ),
)
