"""Portuguese as data."""

from __future__ import annotations

from omoide.language.registry import CAPITALIZED_NAME, Language, PhraseForm
from omoide.language.statement_words import PrivacyWords, StatementWords

_SAID = "dito|contado|mencionado|sugerido|recomendado|aconselhado|proposto|explicado|escrito|perguntado|prometido"

LANGUAGE = Language(
    name="Portuguese",
    causal_words="porque|por isso|então|devido",
    order=4,
    question_cues=(
        ("why", r"\b(?:por ?qu[eê]|por qual (?:razão|motivo))\b"),
        ("when", r"\b(?:quando|desde quando|há quanto tempo|quanto tempo|a que horas|que dia)\b"),
        ("when", r"\bem que (?:dia|data|ano|mês)\b"),
        ("who", r"\b(?:com |de |a |para )?quem\b"),
        ("how", r"\b(?:como|de que (?:forma|jeito|maneira))\b"),
        ("what", r"\b(?:o que|que|qual|quais|onde|aonde|quant[oa]s?|como se chama)\b"),
    ),
    recall_cues=r"""
        \b(?:você )?(?:se |te )?lembras?\b|\blembra-me\b|\blembre-me\b|\bcomo (?:da|na) última vez\b
        |\bo que (?:dissemos|combinamos|decidimos|eu disse|você disse)\b
    """,
    user_said=rf"\beu (?:te |lhe )?(?:disse|falei|contei|mencionei|sugeri)\b|\btenho (?:{_SAID})\b",
    agent_said=r"\b(?:você|tu) (?:me )?(?:disse|falou|mencionou|sugeriu|recomendou|explicou|disseste|sugeriste)\b",
    named_said=rf"""
        \b{CAPITALIZED_NAME} (?:me )?(?:disse|falou|recomendou|sugeriu|contou)\b|\b(?:disse|recomendou) (?:a
        |o) {CAPITALIZED_NAME}
    """,
    collection_cues=r"\b(?:tod[oa]s|cada|quant[oa]s|histórico|resum\w+|lista)\b",
    comparison_cues=r"\b(?:compar\w+|diferença\w*|melhor que|pior que|mudou)\b",
    clause_cues=r" (?:e (?:depois|quando|quem|por que|como)|mas|porque|embora)\b",
    function_words=(
        "o a os as um uma de do da dos das é são era foi eu meu minha meus me você tu te nós nosso nossa em "
        "no na nos ao por para com sobre e não que quem quando como onde qual se isso estava estou"
    ),
    weekdays="""
        segunda/segunda-feira terça/terça-feira quarta/quarta-feira quinta/quinta-feira sexta/sexta-feira sábado domingo
    """,
    months="janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
    numbers="um/uma dois/duas três quatro cinco seis sete oito nove dez",
    units="hora/horas dia/dias semana/semanas mês/meses ano/anos",
    seasons="primavera verão outono inverno",
    time_phrases=(
        (r"anteontem", "the day before yesterday"),
        (r"ontem à noite", "last night"),
        (r"ontem", "yesterday"),
        (r"hoje", "today"),
        (r"(?:no )?fim de semana passado", "last weekend"),
        (r"(?:na |no )?(semana|mês|ano) passad[oa]", "last {0}"),
        (r"(?:nest[ea]|est[ea]) (semana|mês|ano)", "this {0}"),
        (r"(?:na |no )?DAY passad[oa]", "last {0}"),
        (r"(?:no |na )?SEASON passad[oa]", "last {0}"),
        (r"há COUNT UNIT|COUNT UNIT atrás", "{0}{2} {1}{3} ago"),
        (r"em (\d{1,2}) de MONTH(?: de (\d{4}))?", "on {1} {0} {2}"),
        (r"em MONTH(?: de (\d{4}))?", "in {0} {1}"),
    ),
    conversation_words="falamos fizemos dissemos conversamos discutimos aconteceu falei disse fiz assunto assuntos",
    keep_requests=r"lembr[ae]-se|lembre|anot[ae]|não (?:se )?esqueças?|guard[ae] (?:isso|isto)|tome nota",
    fillers="ol[áa]|obrigad[oa]|sim",
    yes_no="sim|não",
    first_person="eu|meu",
    duties="sempre",
    commitments=r"vou\s+(?=\w+r\b)",
    time_words="ontem|hoje",
    minor_words="o a da do dos e em",
    negations="não nem sem",
    preference_forms=(
        PhraseForm(r"\b", "prefiro,odeio,adoro,não gosto,gosto de"),
        PhraseForm(r"\bsou\s+(?:\w+\s+)?", "alérgico,alérgica,vegetariano,vegetariana,vegano,vegana,intolerante"),
        PhraseForm(r"^\W*(?:por\s+favor,?\s+)?", "nunca,sempre"),
    ),
    statements=StatementWords(
        macros={"TOOL": r"[\w@.+#-]+"},
        replacements=(
            r"\b(?:usa|use|usamos|utilize) (?:sempre )?"
            r"(?P<right>{TOOL}),? (?:e )?(?:não|em vez de|no lugar de) (?P<wrong>{TOOL})",
            r"\b(?:em vez de|no lugar de) (?P<wrong>{TOOL}),? (?:usa|use|usamos|utilize) (?P<right>{TOOL})",
            r"\b(?:não use|nunca use|pare de usar) (?P<wrong>{TOOL})[,;] (?:usa|use|utilize) (?P<right>{TOOL})",
        ),
        corrections=(
            r"(?:não,? |desculpa,? )*(?:eu )?(?:quis|queria) dizer (?P<right>\w[\w .+#/@'-]{0,40}?)"
            r"(?:, não (?P<wrong>\w[\w .+#/@'-]{0,40}?))?$",
        ),
        effects=r"\s*(?P<cue>por isso)\b",
        questions=r"(?:(?:e|mas) )*(?:o que|como|onde|quando|qual|quais|quem|por que|será que)\b",
        requests=r"""
            (?:você pode|pode|podes|poderia)\b|(?:por favor,? )?(?:escreve|escreva|faz|faça|me dá|explica|traduz
            |ajuda)\w*\b
        """,
        standing_starts=r"(?:por favor,? )?(?:nunca|sempre|a partir de agora|não uses?|sem \w+|responda sempre)\b",
        supposed=r"(?:se eu (?:fosse|tivesse|morasse|pudesse)|imagina|suponha\w*|digamos)\b",
        supposing=r"\b(?:seria|teria|moraria)\b",
        wishes=r"\b(?:oxalá|tomara|eu gostaria)\b",
        reported=r"\b(?:diz|disse|dizem|segundo|supostamente)\b",
        trusted=r"\b(?:médic[oa]|doutora?) (?:diz|disse)\b",
        jokes=r"\b(?:brincadeira|kkk)\w*",
        fiction=r"\b(?:conto|romance|história|poema|sonho)\b",
        role_play=r"\b(?:finge|faz de conta)\b",
        small_talk=r"\W*(?:(?:obrigad[oa]|oi|olá|ok|sim|não|bom|perfeito|ótimo|tchau|valeu|claro)\W*)+",
        openings=r"(?:(?:aliás|então|e|mas|bom|ah|oi|olá),? )+(?=\S)",
        preferences=r"\b(?:gosto|adoro|odeio|prefiro|favorit[oa])\b",
        changes=(
            ("ends", r"\b(?:já não|não .{1,20} mais|deixei de|cancelad[oa])\b"),
            ("replaces", r"\b(?:agora|em vez de|mudei|nov[oa])\b"),
        ),
        slots=r"""
            lives_in: USER: (?:eu )?(?:agora )?(?:moro|vivo|mudei-me|me mudei|mudei)(?: agora)? (?:em|no|na
            |para) (?P<value>[\w ]{2,25})
            works_at: USER: (?:eu )?trabalho (?:na|no|em|para) (?P<value>[\w& ]{2,25})
            name: USER: (?:meu nome é|eu me chamo|me chamo|chamo-me) (?P<value>\w+)
            allergy: USER: (?:eu )?sou alérgic[oa] (?:a|ao|à) (?P<value>[\w ]+)
            diet: USER: (?:eu )?sou (?P<value>vegan[oa]|vegetarian[oa])
            likes: USER: (?:eu )?(?:gosto de|adoro) (?P<value>[\w ]+)
            dislikes: USER: (?:eu )?(?:odeio|não gosto de) (?P<value>[\w ]+)
        """,
    ),
    privacy=PrivacyWords(
        requests=r"""
            (?:isto |isso )?(?:fica|fique) (?:s[óo] )?entre n[óo]s|não (?:o |lhe )?(?:conte|contes|conta|diga|digas
            |fale|fales|fala|comente|comentes)(?: isto| isso| nada| sobre isso)? ?(?:a|para|pra|com|pro
            |ao?s?) (?:ningu[ée]m|meu|minha|meus|o meu|a minha|os outros|chefe)|não comentes? com
            |ningu[ée]m (?:no (?:trabalho|escrit[óo]rio) |em casa |aqui )(?:sabe|pode saber)
            |ningu[ée]m (?:sabe (?:disso|disto|ainda)|pode saber)|(?:ainda não|não) sabem?(?: disto
            | disso)?(?= *[.!?,]|$)|não pode(?:m)? saber (?:disto|disso)|(?:isto|isso) não (?:pode|deve) sair daqui
            |em confiança:|te isto em confiança|guard[ae] (?:isso|isto|segredo)(?: para (?:ti|você|si))?
            |é (?:segredo|confidencial|privado|particular)|fique (?:em )?(?:privado|segredo)
            |não quero que ningu[ée]m (?:saiba|descubra)|(?:um )?segredo entre|guarda isso para|não (?:pode|podem
            |deve|devem) saber|não (?:digas|diga) nada (?:à|ao|a)|informação confidencial
        """,
        pointing=r"isso|isto|disto|disso|ningu[ée]m|entre n[óo]s|é|segredo",
        health=r"""
            diagnosticad\w+|câncer|cancro|quimio(?:terapia)?|hiv|s[eo]ropositiv[oa]|aborto|grávida|depressão
            |suic[ií]d\w+|anorexi\w+|bulimi\w+|alco[óo]latra|alco[óo]lic[oa]|epilepsia|demência|psiqui[áa]tric\w+
            |antidepressivos|alzheimer|parkinson|bipolar|esquizofr\w+|autolesiona|se corta|corta-se
        """,
        money=r"""
            meu sal[áa]rio|ganho (?:r\$ ?)?\d[\d.,]*|endividad\w+|declar\w+ fal[êe]ncia|d[ií]vidas de jogo|meu saldo
            |(?:devo|devemos|deve) (?:r\$ ?)?\d[\d.,]*(?: euros| reais|€)?|(?:recebo|ganho
            |ganha) \d[\d.,]* (?:€ |euros |reais )?(?:líquidos|brutos)
        """,
        intimacy=r"""
            um caso com (?:o chefe|a chefe|um colega|uma colega|outr[oa]|o meu|a minha)|me traiu|traiu-me
            |vida sexual|orientação sexual|(?:sou|é) (?:gay|lésbica|bissexual|trans)|estuprad\w+|violad[oa]
            |violência doméstica|me bate(?= *[.,!?]|$)|bate-me|não temos sexo|relações sexuais
        """,
        identity=r"""
            (?:passaporte|cpf|rg|cart[ãa]o de cidad[ãa]o|nif|carteira de motorista|iban|conta)(?: n[úu]mero
            | n\.?º)?(?: é|:)? *[a-z]{0,3}[- ]?\d[\d\w .-]{4,}|(?:passaporte
            |cart[ãa]o de cidad[ãa]o) tem o n[úu]mero *[a-z]{0,3}[- ]?\d[\d\w -]{4,}
        """,
        minors=r"""
            guarda (?:d[ao]s? (?:filh\w+|crian\w+|menin\w+)|compartilhada|partilhada)|(?:meu filho
            |minha filha)(?: \w+){0,3} (?:sofre bullying|(?:anda|estuda|vai) n[ao] escola)|conselho tutelar
            |(?:meu filho|minha filha) (?:corta-se|se corta|se automutila)
        """,
    ),
)
