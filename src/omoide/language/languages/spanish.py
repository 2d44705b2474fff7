"""Spanish as data."""

from __future__ import annotations

from omoide.language.registry import CAPITALIZED_NAME, Language, PhraseForm
from omoide.language.statement_words import PrivacyWords, StatementWords

_SAID = "dicho|contado|mencionado|sugerido|recomendado|aconsejado|propuesto|explicado|escrito|preguntado|prometido"

LANGUAGE = Language(
    name="Spanish",
    causal_words="porque|por eso|así que|debido",
    order=3,
    characters="[¿¡]",
    question_cues=(
        ("why", r"\b(?:por qu[eé]|por cuál (?:razón|motivo)|a qué se debe)\b"),
        ("when", r"\b(?:cu[aá]ndo|desde cu[aá]ndo|hace cuánto|cuánto tiempo|qué (?:día|fecha|año|mes)|a qué hora)\b"),
        ("who", r"\b(?:a |con |de )?qui[eé]n(?:es)?\b"),
        ("how", r"\b(?:c[oó]mo|de qué (?:forma|manera))\b"),
        ("what", r"\b(?:qu[eé]|cu[aá]l(?:es)?|d[oó]nde|adónde|cu[aá]nt[oa]s?|c[oó]mo se llama)\b"),
    ),
    recall_cues=r"""
        \bacuerdas\b|\brecuerdas\b|\brecu[eé]rdame\b|\bcomo la (?:última vez|vez pasada)\b
        |\bqué (?:dijimos|hablamos|decidimos|dije|dijiste)\b
    """,
    user_said=rf"\b(?:dije|mencioné|conté|comenté)\b|\bhe (?:{_SAID})\b",
    agent_said=rf"""
        \b(?:dijiste|mencionaste|sugeriste|recomendaste|aconsejaste|propusiste|explicaste)\b|\bhas (?:{_SAID})\b
    """,
    named_said=rf"""
        \b(?:dijo|recomendó|sugirió|mencionó|contó) {CAPITALIZED_NAME}|\b{CAPITALIZED_NAME} (?:me )?(?:dijo|recomendó
        |sugirió|contó)\b
    """,
    collection_cues=r"\b(?:tod[oa]s|cada|cu[aá]nt[oa]s|historial|resum\w+|lista)\b",
    comparison_cues=r"\b(?:compar\w+|diferencia\w*|mejor que|peor que|cambi[oó]|cambiado)\b",
    clause_cues=r" (?:y (?:luego|cuándo|quién|por qué|cómo)|pero|porque|aunque)\b",
    function_words=(
        "el la los las un una unos de del es son era fue ha he has hemos yo mi mis me tu te nos nuestro "
        "nuestra en al a por para con sobre y no que qué quién cuándo cómo dónde cuál se lo le fui estaba "
        "estoy"
    ),
    weekdays="lunes martes miércoles jueves viernes sábado domingo",
    months="enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    numbers="un/una dos tres cuatro cinco seis siete ocho nueve diez",
    units="hora/horas día/días semana/semanas mes/meses año/años",
    seasons="primavera verano otoño invierno",
    time_phrases=(
        (r"anteayer|antes de ayer", "the day before yesterday"),
        (r"anoche", "last night"),
        (r"ayer", "yesterday"),
        (r"hoy", "today"),
        (r"el fin de semana pasado", "last weekend"),
        (r"(?:la|el) (semana|mes|año) pasad[oa]", "last {0}"),
        (r"est[ea] (semana|mes|año)", "this {0}"),
        (r"el (?:DAY pasado)", "last {0}"),
        (r"(?:el|la) SEASON pasad[oa]", "last {0}"),
        (r"hace (?:unos |unas )?COUNT UNIT", "{0} {1} ago"),
        (r"el (\d{1,2}) de MONTH(?: de (\d{4}))?", "on {1} {0} {2}"),
        (r"en MONTH(?: de (\d{4}))?", "in {0} {1}"),
    ),
    conversation_words="hablamos hicimos dijimos hablé dije hice pasó discutimos tema temas conversamos",
    abbreviations="Sra",
    keep_requests=r"recuerda(?: que)?|acu[ée]rdate|apunta|an[óo]ta(?:lo|la)?|no (?:te |lo )?olvides|gu[áa]rda(?:lo|la)"
    r"|guarda (?:esto|eso)|ten en cuenta|toma nota",
    change_words="ahora|ya no|en vez de|cambi\\w+|mov\\w+|mud\\w+|nuev[oa]s?|cancel\\w+|en realidad|al final",
    left_behind="de|del|en vez de|en lugar de",
    present_words="ahora|actualmente|hoy en día|en este momento|todavía|aún|últimamente|normalmente",
    past_questions="antes|solía|era|eran|anterior\\w*|estaba",
    constraints=r"""
        al[ée]rgi\w*|intoleran\w*|vegan\w*|vegetarian\w*|diab[ée]t\w*|asma|embarazada|miedo a|nunca|jamás|nada
        |prohibid\w*|debe|siempre|s[óo]lo|solamente|como máximo|reglas?|en vez de|odia|sin
    """,
    polar_questions="¿?(?:es|está|tiene|hay|fue|puede|hice)",
    fillers=r"hola|buenos\s+d[ií]as|gracias|vale|s[ií]",
    yes_no="s[ií]",
    first_person="yo|mi",
    cause_words="porque",
    decisions="decidi",
    outcomes="terminado|funciona",
    events="accidente|hospitalizad|murió",
    feelings="feliz",
    duties="siempre|nunca",
    commitments=r"voy a\s+",
    completions="listo|hecho",
    plan_details="mañana",
    topic_announcements="por cierto|cambiando de tema",
    time_words="ayer|hoy|mañana",
    minor_words="el los las y en con por para",
    negations="nunca ni sin sólo solo quizás casi",
    preference_forms=(
        PhraseForm(r"\b", "prefiero,odio,detesto,evito"),
        PhraseForm(r"\b(?:me|mi)\s+", "gusta,gustan,encanta,encantan"),
        PhraseForm(r"\bsoy\s+(?:\w+\s+)?", "alérgico,alérgica,vegetariano,vegetariana,vegano,vegana,intolerante"),
        PhraseForm(r"^\W*(?:por\s+favor,?\s+)?", "nunca,siempre"),
    ),
    statements=StatementWords(
        macros={"TOOL": r"[\w@.+#-]+"},
        replacements=(
            r"\b(?:usa|usamos|utiliza|prefiero) (?:siempre )?"
            r"(?P<right>{TOOL}),? (?:y )?(?:no|en (?:vez|lugar) de) (?P<wrong>{TOOL})",
            r"\ben (?:vez|lugar) de (?P<wrong>{TOOL}),? (?:usa|usamos|utiliza) (?P<right>{TOOL})",
            r"\b(?:no uses|nunca uses|deja de usar) (?P<wrong>{TOOL})[,;] (?:usa|utiliza) (?P<right>{TOOL})",
        ),
        corrections=(
            r"(?:no,? |perdón,? )*(?:quise decir|quería decir) (?P<right>\w[\w .+#/@'-]{0,40}?)"
            r"(?:, no (?P<wrong>\w[\w .+#/@'-]{0,40}?))?$",
        ),
        effects=r"\s*(?P<cue>por eso|por lo tanto)\b",
        questions=r"¿|(?:(?:y|pero) )*(?:qué|cómo|dónde|cuándo|cuál|quién|por qué)\b",
        requests=r"""
            (?:puedes|podrías|me puedes)\b|(?:por favor )?(?:escribe|haz|dame|dime|explica|traduce|busca|ayúdame)\b
        """,
        standing_starts=r"""
            (?:por favor,? )?(?:nunca|siempre|de ahora en adelante|no uses|sin \w+|respóndeme|responde siempre)\b
        """,
        supposed=r"(?:si (?:yo )?(?:fuera|tuviera|viviera|pudiera)|imagina|supongamos|digamos|ojalá)\b",
        supposing=r"\b(?:sería|tendría|viviría|habría)\b",
        wishes=r"\b(?:ojalá|me gustaría)\b",
        reported=r"\b(?:dice|dijo|dicen|según|supuestamente)\b",
        trusted=r"\b(?:médic[oa]|doctora?) (?:dice|dijo)\b",
        jokes=r"\b(?:es broma|jaja)\w*",
        fiction=r"\b(?:cuento|novela|historia|poema|sueño)\b",
        role_play=r"\b(?:finge|haz como si|juego de rol)\b",
        small_talk=r"\W*(?:(?:gracias|hola|vale|ok|sí|no|bien|perfecto|genial|adiós|claro)\W*)+",
        openings=r"(?:(?:por cierto|bueno|y|pero|pues|ah|hola|gracias),? )+(?=\S)",
        preferences=r"\b(?:me gusta|me encanta|odio|prefiero|favorit[oa])\b",
        changes=(
            ("ends", r"\b(?:ya no|dejé de|cancelad[oa])\b"),
            ("replaces", r"\b(?:ahora|en vez de|me mudé|nuev[oa])\b"),
        ),
        slots=r"""
            lives_in: USER: (?:ahora )?(?:vivo|me mudé)(?: ahora)? (?:en|a) (?P<value>[\w ]{2,25})
            works_at: USER: (?:ahora )?trabajo (?:en|para) (?P<value>[\w& ]{2,25})
            name: USER: (?:me llamo|mi nombre es) (?P<value>\w+)
            allergy: USER: soy alérgic[oa] al? (?P<value>[\w ]+)
            diet: USER: soy (?P<value>vegan[oa]|vegetarian[oa])
            likes: USER: me (?:gusta|gustan|encanta|encantan) (?P<value>[\w ]+)
            dislikes: USER: (?:odio|no me gustan?) (?P<value>[\w ]+)
        """,
    ),
    privacy=PrivacyWords(
        requests=r"""
            que (?:esto |eso )?quede entre nosotros|(?:esto|eso|queda) (?:es |queda )?entre nosotros
            |entre t[úu] y yo|no (?:se )?l[oe] (?:digas|cuentes|comentes)(?: esto| nada| eso)? (?:a (?:nadie|mi|tu
            |su|la|los)|con nadie|con l[oa]s dem[áa]s)|nadie (?:en (?:el trabajo|la oficina
            |casa) |aqu[íi] )?lo (?:sabe|debe saber)|en (?:la oficina|el trabajo|casa) nadie lo sabe|(?:todav[íi]a
            |a[úu]n) no lo saben?|que no (?:se entere|lo sepa)n?|(?:esto|eso) no (?:puede|debe) salir de aqu[íi]
            |en confianza:|te lo digo en confianza|gu[áa]rda(?:lo|me) (?:el secreto|para ti)|es (?:un secreto
            |confidencial|privado)|quede en privado|no quiero que (?:nadie|se) (?:se )?(?:entere|sepa)
            |un secreto entre|no lo (?:comentes|cuentes|digas) por ah[íi]|no (?:debe|deben|puede|pueden) saberlo
            |gu[áa]rdatelo|informaci[óo]n confidencial
        """,
        pointing=r"lo|esto|eso|nadie|entre nosotros|es|saberlo|guárdatelo",
        health=r"""
            diagnostica\w+|c[áa]ncer|quimio(?:terapia)?|vih|seropositiv[oa]|aborto|embarazada|depresi[óo]n|suicid\w+
            |anorexi\w|bulimi\w|alcoh[óo]lic[oa]|epilepsia|demencia|psiqui[áa]tric\w+|antidepresivos|alzh[ée]imer
            |parkinson|bipolar|esquizofr\w+|se autolesiona
        """,
        money=r"""
            mi (?:sueldo|salario|n[óo]mina) (?:es|neto|bruto|anual|de)|gano \d[\d.,]*|endeudad\w+|en bancarrota
            |deudas de juego|mi saldo|(?:debo|debemos|deben?) \d[\d.,]* (?:euros|€|d[óo]lares|pesos)|tengo deudas
            |(?:cobro|ingreso|gana|cobra) \d[\d.,]* (?:€ |euros )?(?:netos|brutos)
        """,
        intimacy=r"""
            una aventura con|me engaña|(?:me|le) fue infiel|me pone los cuernos|vida sexual|orientaci[óo]n sexual
            |(?:soy|es) (?:gay|lesbiana|bisexual|trans)|violad[oa]|violencia dom[ée]stica|(?:me|le) pega(?= *[.,!?]
            | y|$)|no tenemos (?:sexo|relaciones)|relaciones sexuales
        """,
        identity=r"""
            (?:pasaporte|dni|nie|curp|rfc|seguridad social|carn[ée]t de conducir|iban|cuenta)(?: n[úu]mero
            | n\.?º)?(?: es|:)? *[a-z]{0,4}[- ]?\d[\d\w -]{4,}|(?:pasaporte|dni
            |carn[ée]t) tiene el n[úu]mero *[a-z]{0,3}[- ]?\d[\d\w -]{4,}
        """,
        minors=r"""
            custodia (?:de|compartida)|mi hij[oa](?: \w+){0,3} (?:sufre acoso|va al colegio|estudia en el colegio)
            |a mi hij[oa] (?:le|la|lo) (?:hacen (?:bullying|acoso)|acosan)|servicios sociales(?: \w+){0,4} hij[oa]s?
            |mi hij[oa] se (?:autolesiona|corta)
        """,
    ),
)
