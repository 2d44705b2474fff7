"""Italian as data."""

from __future__ import annotations

from omoide.language.registry import CAPITALIZED_NAME, Language, PhraseForm
from omoide.language.statement_words import PrivacyWords, StatementWords

_SAID = "detto|raccontato|menzionato|suggerito|consigliato|proposto|spiegato|scritto|chiesto|promesso"

LANGUAGE = Language(
    name="Italian",
    order=5,
    question_cues=(
        ("why", r"\b(?:perch[eéè]|come mai|per quale motivo)"),
        ("when", r"\b(?:quando|da quando|da quanto|quanto tempo|che giorno|a che ora|in che (?:anno|mese|data))\b"),
        ("who", r"\b(?:con |di |a |da )?chi\b"),
        ("how", r"\b(?:come|in che modo)\b"),
        ("what", r"\b(?:cosa|che cosa|che|quale|quali|qual|dove|quant[oaie]|come si chiama)\b|\bcos'"),
    ),
    recall_cues=r"""
        \bti ricordi\b|\bricordami\b|\bcome l'(?:ultima|altra) volta\b
        |\b(?:cosa|che) (?:abbiamo detto|avevamo deciso|ho detto|hai detto)\b
    """,
    user_said=rf"\b(?:ho|avevo) (?:{_SAID})\b",
    agent_said=rf"\b(?:hai|avevi) (?:{_SAID})\b",
    named_said=rf"\bha (?:{_SAID}) {CAPITALIZED_NAME}|\b{CAPITALIZED_NAME} (?:mi )?ha (?:{_SAID})\b",
    collection_cues=r"\b(?:tutt[ie]|ogni|quant[ie]|riassum\w+|cronologia|elenco)\b",
    comparison_cues=r"\b(?:confront\w+|differenz\w*|meglio di|peggio di|cambiato)\b",
    clause_cues=r" (?:e (?:poi|quando|chi|perché|come)|ma|perché|anche se)\b",
    function_words=(
        "il lo la i gli le un uno una di del della dei è sono era ho hai ha abbiamo io mio mia miei mi tu ti "
        "noi nostro nostra da dal dalla alla alle sempre mai abito vivo lavoro anni in nel nella al a per con "
        "su e non che chi quando come dove quale si perché cosa "
        "stato oggi"
    ),
    weekdays="lunedì martedì mercoledì giovedì venerdì sabato domenica",
    months="gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    numbers="un/uno/una due tre quattro cinque sei sette otto nove dieci",
    units="ora/ore giorno/giorni settimana/settimane mese/mesi anno/anni",
    seasons="primavera estate autunno inverno",
    time_phrases=(
        (r"l'altro ieri|avantieri", "the day before yesterday"),
        (r"ieri sera", "last night"),
        (r"ieri", "yesterday"),
        (r"oggi", "today"),
        (r"(?:lo )?scorso (?:fine settimana|weekend)", "last weekend"),
        (r"(?:la |il |l')?(settimana|mese|anno) scors[oa]", "last {0}"),
        (r"quest[oa'] ?(settimana|mese|anno)", "this {0}"),
        (r"DAY scors[oa]", "last {0}"),
        (r"(?:la |l')?SEASON scors[oa]", "last {0}"),
        (r"(?:circa )?COUNT UNIT fa", "{0} {1} ago"),
        (r"il (\d{1,2}) MONTH(?: (\d{4}))?", "on {1} {0} {2}"),
        (r"(?:a|in) MONTH(?: (\d{4}))?", "in {0} {1}"),
    ),
    conversation_words="parlato fatto detto discusso successo argomento argomenti",
    keep_requests=r"ricorda(?:ti)?(?: che)?|annota(?:lo|la)?|segna(?:lo|telo)|non dimenticare|tieni a mente"
    r"|conserva(?:lo|la)|scrivi(?:lo|telo)|prendi nota",
    fillers="ciao|grazie",
    preference_forms=(
        PhraseForm(r"\b", "preferisco,non sopporto,odio,detesto,adoro,evito"),
        PhraseForm(r"\b(?:me|mi)\s+", "piace,piacciono"),
        PhraseForm(r"\bsono\s+(?:\w+\s+)?", "allergico,allergica,vegetariano,vegetariana,vegano,vegana,intollerante"),
        PhraseForm(r"^\W*(?:per\s+favore,?\s+)?", "sempre,mai"),
    ),
    statements=StatementWords(
        macros={"NAME": r"(?-i:[A-ZÀ-Ü][\w'’-]+)", "ADJ": ""},
        names="{NAME}",
        kin="""
            spouse: marito/m moglie/f partner: compagno/m compagna/f fidanzato/m fidanzata/f child: figlio/m figlia/f
            parent: madre/f padre/m mamma/f papà/m sibling: fratello/m sorella/f relative: zio/m zia/f cugino/m
            cugina/f nonno/m nonna/f cognato/m cognata/f suocera/f suocero/m friend: amico/m amica/f
            colleague: collega manager: capo doctor: medico dentista pet: cane gatto gatta
        """,
        kin_named=(
            r"\b(?P<whose>mio|mia|nostro|nostra) (?P<kin>{KIN}) (?:si chiama )?(?P<name>{NAME})",
            r"\b(?:il|la) (?P<whose>mio|mia|nostro|nostra) (?P<kin>{KIN})(?: si chiama| è|,)? (?P<name>{NAME})",
        ),
        kin_alone=r"\b(?P<whose>mio|mia|nostro|nostra) (?P<kin>{KIN})\b",
        not_names="Il La Lo Un Una Mio Mia Abito Lavoro Non Sono Ho Mi Ma E Oggi Ieri Domani Lunedì Ciao Grazie Se",
        quoted_subjects=r"(?=.)",
        has_subject=r"(?=\S+ \S)",
        possessive="{}",
        relation_template="{0} è {2} di {1}",
        user="Utente",
        plans=r"\b(?:volo|parto|appuntamento|esame|matrimonio|scadenza|prenotat\w+|viaggio|riunione|visita|concerto)\b",
        events=r"\b(?:ho (?:comprato|venduto|firmato|perso|vinto|iniziato|finito|trovato)|è (?:nat[oa]|mort[oa]))\b",
        opinions=r"\b(?:secondo me|penso che|credo che|trovo (?:che)?)\b",
        future=r"\b(?:domani|prossim[oa]|andrò|partirò|parte|scade|volo|tra \w+ giorni)\b",
        past=r"\b(?:ieri|scors[oa]|ho \w+[tso]o|sono \w+t[oa]|dal|nel)\b",
        lasting=r"\b(?:sempre|mai|ogni|di solito|tutti i|da \w+ anni)\b",
        standing=r"\b(?:sempre|mai|d'ora in poi|ogni volta|da adesso)\b",
        avoids=r"(?:per favore,? )?(?:non|mai|niente|smetti)\b",
        addressed=r"\b(?:tu|ti|tuo|tua|te)\b",
        replacements=(
            r"\b(?:usa|uso|usiamo|prendi) (?P<right>[\w@.+#-]+)(?: e)?,? "
            r"(?:non|al posto di|invece di) (?P<wrong>[\w@.+#-]+)",
            r"\b(?:invece di|al posto di) (?P<wrong>[\w@.+#-]+),? (?:usa|usiamo|prendi) (?P<right>[\w@.+#-]+)",
        ),
        questions=r"(?:(?:e|ma) )*(?:che|cosa|come|dove|quando|quale|quali|chi|perché|quanto)\b",
        requests=r"""
            (?:puoi|potresti|mi puoi)\b|(?:per favore,? )?(?:scrivi|fammi|dammi|dimmi|spiega|traduci|aiutami
            |cerca)\w*\b
        """,
        standing_starts=r"""
            (?:per favore,? )?(?:mai\b|non (?:usare|scrivere|dire) mai|sempre|d'ora in poi|niente \w+
            |rispondi(?:mi)? sempre|usa sempre|scrivimi sempre|chiamami)
        """,
        supposed=r"(?:se (?:io )?(?:fossi|avessi|vivessi|potessi)|immagina|supponiamo|mettiamo)\b",
        supposing=r"\b(?:sarei|avrei|vivrei|sarebbe)\b",
        wishes=r"\b(?:magari|vorrei)\b",
        reported=r"\b(?:dice|ha detto|dicono|secondo|pare che|a quanto pare)\b",
        trusted=r"\b(?:medico|dottore|dottoressa) (?:dice|ha detto)\b",
        jokes=r"\b(?:scherzo|sto scherzando|ahah)\w*",
        fiction=r"\b(?:storia|romanzo|fiaba|poesia|sogno)\b",
        role_play=r"\b(?:fai finta|gioco di ruolo)\b",
        small_talk=r"\W*(?:(?:grazie|ciao|ok|sì|no|bene|perfetto|va bene|arrivederci|certo|fantastico)\W*)+",
        openings=r"(?:(?:comunque|allora|e|ma|beh|ah|ciao|grazie|a proposito),? )+(?=\S)",
        preferences=r"\b(?:mi piace|mi piacciono|adoro|odio|preferisco|preferit[oa])\b",
        changes=(
            ("ends", r"\b(?:non .{1,20} più|ho smesso|annullat[oa])\b"),
            ("replaces", r"\b(?:adesso|ora|invece|mi sono trasferit[oa]|nuov[oa])\b"),
        ),
        slots=r"""
            lives_in: USER: (?:adesso |ora )?(?:abito|vivo|mi sono trasferit[oa])(?: ora| adesso)? (?:a
            |in) (?P<value>[\w ]{2,25})
            works_at: USER: lavoro (?:da|per|alla|in) (?P<value>[\w& ]{2,25})
            name: USER: (?:mi chiamo|il mio nome è) (?P<value>\w+)
            allergy: USER: (?:mio|mia) (?P<who>\w+(?: [A-Z]\w+)?) è allergic[oa]
                [ ](?:al|alla|alle|agli|ai|all') ?(?P<value>[\w ]+)
            manager: USER: il mio capo (?:si chiama|è) (?P<value>[\w. ]{2,30})
            diet: USER: non (?P<value>(?:mangio|bevo) [\w ]{3,30})
            allergy: USER: sono allergic[oa] (?:al|alla|alle|agli|ai|all') ?(?P<value>[\w ]+)
            diet: USER: sono (?P<value>vegan[oa]|vegetarian[oa])
            likes: USER: (?:mi piace|mi piacciono|adoro) (?P<value>[\w ]+)
            dislikes: USER: (?:odio|non mi piac\w+|non sopporto) (?P<value>[\w ]+)
        """,
    ),
    privacy=PrivacyWords(
        requests=r"""
            (?:che )?(?:resti|rimanga|resta|rimane) (?:tra|fra) (?:di )?noi|detto (?:tra|fra) noi
            |non (?:lo )?(?:dire|dirlo|dite|raccontar\w*|parlarne)(?: niente| nulla)? (?:a nessuno|a mi[oa]|al mio
            |alla mia|ai miei|con nessuno)|nessuno (?:al lavoro |in ufficio |qui |a casa )?lo (?:sa|deve sapere)
            |non lo s(?:a|anno) ancora|non (?:deve|devono) saperlo|(?:questo|ciò) non deve uscire da qui|tien(?:i
            |ilo|telo) (?:per te|segreto)|in confidenza|acqua in bocca|è (?:un segreto
            |(?:strettamente |ancora )?(?:riservato|confidenziale|privato))|resti (?:privato|segreto|riservato)
            |non voglio che (?:si|nessuno|lo) (?:sappia|scopra)|un segreto tra|tieni(?:te)?lo per te
            |tienitelo per te|non dire n(?:iente|ulla) a|(?:un')?informazione riservata
        """,
        pointing=r"lo|questo|saperlo|nessuno|(?:tra|fra) (?:di )?noi|è|tienitelo",
        health=r"""
            diagnosticat\w+|cancro|tumore|chemio(?:terapia)?|hiv|sieropositiv[oa]|aborto|incinta|depressione
            |suicid\w+|anoressi\w+|bulimi\w+|alcolist\w+|epilessia|demenza|psichiatri\w+|antidepressivi
            |sclerosi multipla|(?:l')?alzheimer|parkinson|bipolare|schizofren\w+|si autolesiona
        """,
        money=r"""
            il mio stipendio|guadagno \d[\d.,]*|indebitat\w+|bancarotta|debiti di gioco|il mio saldo|euro di debiti
            |(?:prendo|guadagno|guadagna) \d[\d.,]* (?:€ |euro )?(?:netti|lordi)
        """,
        intimacy=r"""
            una relazione (?:extraconiugale|con (?:il|la) su[oa] (?:capo|collega|capa|segretari\w))|mi (?:tradisce
            |ha tradit[oa])|vita sessuale|orientamento sessuale|(?:sono|è) (?:gay|lesbica|bisessuale|trans)
            |violentat\w+|violenza domestica|mi picchia|non facciamo (?:sesso|l'amore)|rapporti sessuali
        """,
        identity=r"""
            (?:passaporto|carta d'identità|tessera sanitaria|codice fiscale|patente|iban|conto)(?: ha il)?(?: numero
            | n\.)?(?: è|:)?(?: la| il)? *[a-z]{0,6}[- ]?\d[\d\w -]{4,}
        """,
        minors=r"""
            (?:affidamento|l'affidamento) (?:di|del|dei|congiunto)|(?:mio figlio
            |mia figlia)(?: \w+){0,3} (?:è vittima di bullismo|va (?:a scuola|all'asilo))
            |assistenti sociali(?: \w+){0,4} figli\w|(?:mio figlio|mia figlia) si (?:autolesiona|taglia)
        """,
    ),
)
