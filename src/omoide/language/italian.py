"""Italian."""

from __future__ import annotations

from omoide.language import definition
from omoide.language.definition import CAPITALIZED_NAME, Language

_SAID = "detto|raccontato|menzionato|suggerito|consigliato|proposto|spiegato|scritto|chiesto|promesso"

ITALIAN = Language(
    times=definition.italian,
    asks=(
        ("why", r"\b(?:perch[eéè]|come\ mai|per\ quale\ motivo)"),
        (
            "when",
            r"\b(?:quando|da\ quando|da\ quanto|quanto\ tempo|che\ giorno|a\ che\ ora|in\ che\ (?:anno|mese|data))\b",
        ),
        ("who", r"\b(?:con\ |di\ |a\ |da\ )?chi\b"),
        ("how", r"\b(?:come|in\ che\ modo)\b"),
        ("what", r"\b(?:cosa|che\ cosa|che|quale|quali|qual|dove|quant[oaie]|come\ si\ chiama)\b|\bcos'"),
    ),
    remembers=r"""
        \bti\ ricordi\b | \bricordami\b | \bcome\ l'(?:ultima|altra)\ volta\b
        | \b(?:cosa|che)\ (?:abbiamo\ detto|avevamo\ deciso|ho\ detto|hai\ detto)\b
    """,
    user_said=rf"\b(?:ho|avevo)\ (?:{_SAID})\b",
    agent_said=rf"\b(?:hai|avevi)\ (?:{_SAID})\b",
    named_said=rf"\bha\ (?:{_SAID})\ {CAPITALIZED_NAME} | \b{CAPITALIZED_NAME}\ (?:mi\ )?ha\ (?:{_SAID})\b",
    gathers=r"\b(?:tutt[ie]|ogni|quant[ie]|riassum\w+|cronologia|elenco)\b",
    compares=r"\b(?:confront\w+|differenz\w*|meglio\ di|peggio\ di|cambiato)\b",
    joins=r"\ (?:e\ (?:poi|quando|chi|perché|come)|ma|perché|anche\ se)\b",
    function_words=(
        "il lo la i gli le un uno una di del della dei è sono era ho hai ha abbiamo io mio mia miei mi tu ti "
        "noi nostro nostra in nel nella al a per con su e non che chi quando come dove quale si perché cosa "
        "stato oggi"
    ),
)
