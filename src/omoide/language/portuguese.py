"""Portuguese."""

from __future__ import annotations

from omoide.language import definition
from omoide.language.definition import CAPITALIZED_NAME, Language

_SAID = "dito|contado|mencionado|sugerido|recomendado|aconselhado|proposto|explicado|escrito|perguntado|prometido"

PORTUGUESE = Language(
    times=definition.portuguese,
    asks=(
        ("why", r"\b(?:por\ ?qu[eê]|por\ qual\ (?:razão|motivo))\b"),
        ("when", r"\b(?:quando|desde\ quando|há\ quanto\ tempo|quanto\ tempo|a\ que\ horas|que\ dia)\b"),
        ("when", r"\bem\ que\ (?:dia|data|ano|mês)\b"),
        ("who", r"\b(?:com\ |de\ |a\ |para\ )?quem\b"),
        ("how", r"\b(?:como|de\ que\ (?:forma|jeito|maneira))\b"),
        ("what", r"\b(?:o\ que|que|qual|quais|onde|aonde|quant[oa]s?|como\ se\ chama)\b"),
    ),
    remembers=r"""
        \b(?:você\ )?(?:se\ |te\ )?lembras?\b | \blembra-me\b | \blembre-me\b | \bcomo\ (?:da|na)\ última\ vez\b
        | \bo\ que\ (?:dissemos|combinamos|decidimos|eu\ disse|você\ disse)\b
    """,
    user_said=rf"\beu\ (?:te\ |lhe\ )?(?:disse|falei|contei|mencionei|sugeri)\b | \btenho\ (?:{_SAID})\b",
    agent_said=r"\b(?:você|tu)\ (?:me\ )?(?:disse|falou|mencionou|sugeriu|recomendou|explicou|disseste|sugeriste)\b",
    named_said=rf"""
        \b{CAPITALIZED_NAME}\ (?:me\ )?(?:disse|falou|recomendou|sugeriu|contou)\b | \b(?:disse|recomendou)\ (?:a|o)\ {CAPITALIZED_NAME}
    """,
    gathers=r"\b(?:tod[oa]s|cada|quant[oa]s|histórico|resum\w+|lista)\b",
    compares=r"\b(?:compar\w+|diferença\w*|melhor\ que|pior\ que|mudou)\b",
    joins=r"\ (?:e\ (?:depois|quando|quem|por\ que|como)|mas|porque|embora)\b",
    function_words=(
        "o a os as um uma de do da dos das é são era foi eu meu minha meus me você tu te nós nosso nossa em "
        "no na nos ao por para com sobre e não que quem quando como onde qual se isso estava estou"
    ),
)
