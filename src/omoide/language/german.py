"""German."""

from __future__ import annotations

from omoide.language import definition
from omoide.language.definition import CAPITALIZED_NAME, Language

_SAID = "gesagt|erzählt|erwähnt|vorgeschlagen|empfohlen|geraten|erklärt|geschrieben|gefragt|versprochen|genannt|gegeben"

GERMAN = Language(
    times=definition.german,
    asks=(
        ("why", r"\b(?:warum|weshalb|wieso|weswegen|wozu|aus\ welchem\ grund)\b|\bwas\ (?:ist|war)\ der\ grund\b"),
        ("when", r"\b(?:wann|seit\ wann|wie\ lange|um\ wie\ viel\ uhr|an\ welchem\ tag)\b"),
        ("when", r"\bwelche[rsnm]?\ (?:tag|datum|jahr|monat|woche)\b"),
        ("who", r"\b(?:wer|wem|wen|wessen|mit\ wem|welche\ person)\b"),
        ("how", r"\b(?:wie|auf\ welche\ weise|welche\ schritte)\b"),
        ("what", r"\b(?:was|welche[rsnm]?|wo|wohin|woher|worüber|worum|wofür|womit)\b"),
        ("what", r"\bwie\ (?:viele?|oft|alt|heißt|heisst|teuer|groß|hoch)\b"),
    ),
    remembers=r"""
        \berinner(?:st|n|e)?\ (?:du|dich|sie|mich|uns)\b | \bwei(?:ß|ss)t\ du\ noch\b
        | \bwie\ (?:beim\ )?letzte[sn]?\ mal\b
        | \bwas\ (?:haben\ wir|habe\ ich|hast\ du)\b.*\b(?:gesagt|besprochen|erwähnt|beschlossen|ausgemacht)\b
        | \b(?:haben\ wir|hatten\ wir)\ (?:schon|bereits)\b
    """,
    user_said=rf"""
        \b(?:habe|hab|hatte)\ ich\b.*\b(?:{_SAID})\b | \bich\b.*\b(?:{_SAID})\ (?:habe|hatte)\b | \bsagte\ ich\b
    """,
    agent_said=rf"""
        \b(?:hast|hattest)\ du\b.*\b(?:{_SAID})\b | \bdu\b.*\b(?:{_SAID})\ (?:hast|hattest)\b
        | \bhaben\ sie\b.*\b(?:{_SAID})\b | \b(?:sagtest|meintest)\ du\b
    """,
    named_said=rf"\b(?:hat|hatte)\ {CAPITALIZED_NAME}\b.*\b(?:{_SAID})\b | \b{CAPITALIZED_NAME}\ (?:sagte|meinte|erwähnte)\b",
    gathers=r"\b(?:alle[sn]?|jede[rsnm]?|wie\ viele|wie\ oft|insgesamt|verlauf|zusammenfass\w+|überblick|liste)\b",
    compares=r"\b(?:vergleich\w*|unterschied\w*|besser\ als|schlechter\ als|beide[ns]?|geändert)\b",
    joins=r"\ (?:und\ (?:dann|auch|was|wann|wer|warum|wie|wo)|aber|weil|obwohl|während)\b",
    function_words=(
        "was der die das den dem des ein eine einen ist sind war waren hat habe haben hast ich mein meine mir "
        "mich du dein wir uns unser es zu von im am für mit über und nicht wer wie wo wann warum wieso bei "
        "auf welche welcher welches noch weißt"
    ),
)
