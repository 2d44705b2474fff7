"""A text in sentences, in any script, and what is no more than the oil of a talk."""

from __future__ import annotations

import re
from functools import cache

from omoide.language.text import search_terms, shorten

_LONGEST = 600  # characters of a sentence: beyond that it is a list or a paste, and its beginning tells what
_READ = 50_000  # characters of a text: beyond that it is a document, and its beginning tells what it is
_MANY = 1_000  # sentences

_END = re.compile(r"[.!?…]+[\"'”’»)\]*]*(?=\s|\Z)|[。！？｡؟।]+[」』”）]*")
_ABBREVIATED = re.compile(
    r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Sr|Jr|vs|etc|e\.g|i\.e|approx|No|Inc|Ltd|Co|a\.m|p\.m|z\.B|bzw|Sra"
    r"|usw)|\b[A-Z]|\b\d{1,2})\.\Z"
)
_MARKDOWN = re.compile(r"^\s*(?:[-*•·>]\s+|#{1,6}\s+|\d{1,2}[.)]\s+)+|^\s*\|.*\|\s*$")
_FENCE = re.compile(r"(```|~~~)[ \t]*(\w*)[^\n]*\n?(.*?)(?:\1|\Z)", re.DOTALL)
_QUESTION = re.compile(r"[?？؟]\W*\Z|(?:吗|嗎|呢|ですか|ますか|でしょうか)[。.]?\W*\Z")
_FILLER = re.compile(
    r"(?:\W|\b(?:hi|hey|hello|hiya|yo|good\s+(?:morning|evening|afternoon|night)|bye|goodbye|see\s+you"
    r"|later|there|all|ok|okay"
    r"|k|kk|yes|yeah|yep|yup|no|nope|sure|sure\s+thing|of\s+course|absolutely|certainly|definitely"
    r"|exactly|right|got\s+it|i\s+see"
    r"|thanks|thank\s+you|thx|ty|cheers|please|welcome|you'?re\s+welcome|no\s+problem|no\s+worries"
    r"|so\s+much|a\s+lot|very\s+much"
    r"|great|good|nice|cool|congratulations|congrats|awesome|perfect|wow|haha+|lol|hmm+|um+|uh+|oh|ah|well|alright"
    r"|sounds\s+(?:good|great)|makes\s+sense"
    r"|one\s+moment|let\s+me\s+(?:check|see|know|think)|happy\s+to\s+help|glad\s+to\s+hear(?:\s+(?:it"
    r"|that))?|understood|i\s+(?:understand|agree)"
    r"|how\s+are\s+you(?:\s+(?:doing|today))?|what'?s\s+up|good\s+(?:question|point|idea)"
    r"|great\s+(?:question|point|idea)"
    r"|have\s+a\s+(?:good|great|nice)\s+(?:day|one|evening|weekend)|take\s+care|again|then|and|you|too|to"
    r"|it|that'?s|that|is|i'?m|for"
    r"|hallo|guten\s+(?:tag|morgen|abend)|danke|bitte|tschüss|genau|klar|super|ja|nein"
    r"|bonjour|salut|merci|oui|non|d'accord|hola|buenos\s+d[ií]as|gracias|vale|s[ií]|ol[áa]|obrigad[oa]"
    r"|sim|ciao|grazie"
    r"|привет|спасибо|да|нет|хорошо)\b"
    r"|你好|您好|谢谢|謝謝|好的|好吧|嗯|是的|再见|こんにちは|おはよう|ありがとう(?:ございます)?|はい|いいえ|了解(?:です)?|안녕하세요|감사합니다|네)+",
    re.IGNORECASE,
)
_UNMARKED = re.compile(
    r"\W*(?:(?:ok|okay|so|and|but|well|then|hey|hi|oh|ah|also|hmm+|um+|uh+|yeah|yes|no|sorry|please|wait)\W+)*(?:"
    r"(?:what|why|how|where|when|who|which)(?:\s+\w+){0,2}?\s+(?:do|does|did|is|are|was|were|should|can|could|would|will)\s"
    r"|(?:can|could|should|shall|do|does|did|would|will|is|are|have|has)\s+(?:i|you|we|he|she|it|they|there|that|this)\s"
    r")[^.!?,]*",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\W*(?:(?i:good\s+)?(?i:morning|afternoon|evening|night)(?:\W|\b(?i:all|everyone|everybody|there|team|folks|again|guys)\b)*"
    r"|(?i:hi|hello|hey|dear|(?:good\s+)?(?:morning|afternoon|evening))[\s,]+[A-ZÀ-Þ][\w'’-]*(?:\s[A-ZÀ-Þ][\w'’-]*)?\W*)"
)
_YES_OR_NO = re.compile(
    r"\W*(?:yes|yeah|yep|yup|no|nope|ja|nein|oui|non|s[ií]|sim|não|да|нет|是的|不是|はい|いいえ|네|아니요)\b(?:\W"
    r"|please|thanks|thank you)*",
    re.IGNORECASE,
)


def split_sentences(text: str) -> list[str]:
    """Every sentence of a text in any script, without code; a line that ends is a sentence that ends."""
    found: list[str] = []
    for line in _without_code(text[:_READ]).splitlines():
        begin = 0
        for end in _END.finditer(line):
            if end[0] == "." and _ABBREVIATED.search(line, max(0, end.start() - 6), end.end()):
                continue
            if end[0].endswith("?)") and line[begin : begin + 9].lstrip().startswith(
                "("
            ):  # a question, put before its answer
                continue
            found.append(line[begin : end.end()])
            begin = end.end()
        found.append(line[begin:])
    plain = (_MARKDOWN.sub("", sentence).strip().replace("**", "") for sentence in found)
    return [shorten(sentence, _LONGEST) for sentence in plain if any(map(str.isalnum, sentence))][:_MANY]


def is_question(sentence: str) -> bool:
    """Whether a sentence is a question, also one whose mark nobody typed."""
    return _QUESTION.search(sentence) is not None or _UNMARKED.fullmatch(sentence) is not None


def with_end_mark(sentence: str) -> str:
    """With a mark where somebody typed none, so that the next one does not run into it."""
    last = sentence.rstrip()[-1:]
    if not last.isalnum():
        return sentence
    return sentence + ("?" if _UNMARKED.fullmatch(sentence.rpartition(": ")[2]) else ".")


def is_greeting(sentence: str) -> bool:
    """What is filler at the beginning of a talk, and an answer where somebody asked when."""
    return _GREETING.fullmatch(sentence.strip()) is not None


def is_filler(sentence: str) -> bool:
    """Greetings, thanks, and what is said to keep a talk going."""
    return _FILLER.fullmatch(sentence.strip()) is not None


def is_yes_or_no(sentence: str) -> bool:
    """An answer that means nothing without its question, and a good deal with it."""
    return _YES_OR_NO.fullmatch(sentence) is not None


def _without_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    return _FENCE.sub(_code_line, text)


def _code_line(fence: re.Match[str]) -> str:
    lines = len(fence[3].strip().splitlines())
    return f"\n[{fence[2] or 'code'}, {lines} line{'' if lines == 1 else 's'}]\n"


# What a sentence tells, by words that say so (a decision, an event, an outcome, a feeling), and what that is worth.


DECISION, EVENT, OUTCOME, DATED, FEELING = "decision", "event", "outcome", "dated", "feeling"
_PLAN, _DUTY, _DATE = "plan", "duty", "date"
# What the first sentence of a class is worth beside its own weight: a short form tells one of each before two of any.
CLASS_BONUS = {DECISION: 6.0, EVENT: 3.5, OUTCOME: 3.0, DATED: 2.0, FEELING: 1.5}

# English first, then the commonest of others.
_CUES = {
    DECISION: (
        2.4,
        r"\b(?:decid|decision|agreed?\b|chose|chosen|settled on|go(?:ing)? with|went with|opted|let'?s"
        r" (?!see\b|say\b|talk|chat|hear|look|hope)\w|we(?:'ll| will)"
        r"|(?:we|i) (?:take|are taking|keep|cancel|drop|accept)\b"
        r"|accepted|cancell?ed|instead of|switch(?:ed|ing)? to|entschieden|beschlossen|décidé|decidi|решил)"
        r"|决定|決定|決め|选择|選択|选了",
    ),
    _PLAN: (1.4, r"\b(?:i(?:'ll| will)|plan(?:s|ned|ning)? to|going to|intend to)\b|打算|する予定"),
    OUTCOME: (
        2.0,
        r"\b(?:done|works?\b|worked|working now|fixed|failed|fail(?:s|ure)|broke|broken|deployed|shipped"
        r"|merged|finished|completed?|succe|resolved|solved|pass(?:ed|es)?\b|won\b|lost|got (?:the|a|an|it)\b|started"
        r"|quit|moved|bought|sold|booked|signed|arrived|released|error|added|removed|turned out|because"
        r"|result(?:ed|s)?\b|cost|fertig|funktioniert|fehlgeschlagen|terminé|réussi"
        r"|terminado|funciona|готово)"
        r"|完成|成功|失败|失敗|解决|解決|できた|完了|終わ|买了|搬",
    ),
    EVENT: (
        2.2,
        r"\b(?:hospital|surgery|operat(?:ion|ed on)|accident|crash(?:ed)?|diagnos|cancer|diabet|stroke|heart attack"
        r"|pregnan|gave birth|born|died|death|passed away|funeral|wedding|married|engaged|divorc|broke up|split up"
        r"|fired|laid off|promoted|hired|resigned|retired?\b|graduat|exam|interview|burgl|stolen|robbed|evict"
        r"|(?:broke|fractured|sprained|tore|injured) (?:my|his|her|their|a|an)\b|fell (?:off|down|ill)"
        r"|(?:is|am|are|was|got|been) (?:very |really |so )?(?:ill|sick)\b|fever|infection"
        r"|allergic reaction|test results?"
        r"|flight (?:was|is|got)|missed (?:the|my|our)|moved (?:to|in|out)|moving to|outage|is down\b|went down"
        r"|krankenhaus|unfall|geheiratet|gestorben|geboren|hôpital|marié|décédé|accidente|hospitalizad|murió|умер)"
        r"|住院|手术|车祸|去世|结婚|入院|手術|亡くな|結婚",
    ),
    FEELING: (
        1.8,
        r"\b(?:love|hate|afraid|scared|happy|sad|angry|upset|excited|worried|anxious|proud|miss(?:ed)?\b"
        r"|feel(?:s|ing)?\b|felt|grateful|tired|fed up|relieved|terrified|nervous|heartbroken|devastated|thrilled"
        r"|stressed|frustrat|lonely|enjoy|can'?t stand|can'?t wait|glücklich|traurig|angst|heureux|triste"
        r"|feliz|рад|грустно)"
        r"|喜欢|喜歡|讨厌|爱|高兴|难过|害怕|担心|好き|嫌い|嬉し|悲し|怖",
    ),
    _DUTY: (  # a promise, a wish to be remembered
        1.2,
        r"\b(?:remember|remind|important|never|always|must|need(?:s|ed)? to|have to|deadline|due|promise|prefer"
        r"|my name|allergic|don'?t|do not"
        r"|wichtig|immer|nie\b|toujours|jamais|siempre|nunca|sempre|всегда|никогда)|必须|必須|记住|重要|总是|从不|絶対",
    ),
    _DATE: (
        0.8,
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:tomorrow|tonight|next (?:week|month|year))\b"
        r"|\b\d{1,2}(?::\d\d)?\s?[ap]m\b|\b\d{1,2}:\d\d\b"
        r"|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
    ),
}
# What has happened or will, told by its date: "Surgery is on Thursday at 8am", "we sign on Friday".
_TAKES_PLACE = re.compile(
    r"\b(?:is|are|was|will be|starts?|ends?|leaves?|lands?|signs?|arrives?|closes?|stays?)\b", re.IGNORECASE
)
_SELF = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|our|ich|mein|wir|je|mon|yo|mi|eu|meu|я|мой)\b|我|私|僕|나는", re.IGNORECASE
)
_WHY = re.compile(
    r"\b(?:because|since|about (?!it\b|that\b|this\b)|that|when|with|weil|parce que|porque)\b", re.IGNORECASE
)
_SHORT_FEELING = 7  # words: "I'm really scared though" does not say of what
_HEDGE = re.compile(
    r"\b(?:let me know|feel free|happy to help|here(?:'s| is) (?:a|an|the|some|how)|you (?:can|could"
    r"|might|would|get|may)|would you like|i hope"
    r"|if you(?:'d| would)? (?:like|want|need)|for example|in general|it'?s worth|as an ai|keep in mind)\b",
    re.IGNORECASE,
)
# What an agent reports of its own work is worth as much as a user's word; what it says in passing is not.
_REPORT = re.compile(
    r"^(?:done|fixed|finished|deployed|merged|added|removed|updated|created|all \d+|tests? pass|it works|sent|booked)\b"
    r"|\bI(?:'ve| have)? (?:just |now |also )?(?:moved|added|fixed|removed|updated|created|changed|booked|sent|ran"
    r"|found|deployed|merged|told|wrote|cancell?ed|renamed|restarted|rolled)\b|\b\d+ tests? pass",
    re.IGNORECASE,
)
_ECHO = re.compile(
    r"^\W*(?:noted|got it|understood|will do|on it|okay|ok|sure|good|great|perfect|nice|alright|thanks|sorry"
    r"|i(?:'ll| will) (?:remember|remind|keep|note)|i(?:'ve| have)? (?:noted|wrote (?:it |that )?down|made a note))\b",
    re.IGNORECASE,
)
_REPEATS = re.compile(r"\W*(?:i(?:'ve| have) )?noted\b", re.IGNORECASE)
_POLITE = re.compile(
    r"\W*(?:noted|will do|on it|anything else|lovely|wonderful|excellent|let me (?:check|look|see|think)[^.]*"
    r"|i(?:'?m| am) (?:so |very |really )?sorry(?: to hear (?:that|it|this))?|sorry to hear (?:that|it)"
    r"|(?:what )?(?:a )?(?:great|good|nice|excellent|wonderful|lovely|solid) (?:choice|news|plan|call|idea|thinking)"
    r"|that(?:'s| is| sounds| must be)(?: so| very| really)? (?:great|good|nice|wonderful|terrible|awful|tough|hard"
    r"|lovely|understandable|stressful|exciting)"
    r"|i (?:wish you|hope) [^.]*|(?:enjoy|good luck|take care|safe travels)[^.]*)\W*",
    re.IGNORECASE,
)


@cache
def _cues() -> tuple[tuple[str, float, re.Pattern[str]], ...]:
    return tuple((name, weight, re.compile(pattern, re.IGNORECASE)) for name, (weight, pattern) in _CUES.items())


def statement_weights(line: str) -> dict[str, float]:
    """The classes that a sentence belongs to, with what each is worth."""
    found = {name: weight for name, weight, pattern in _cues() if pattern.search(line)}
    if _DATE in found and _TAKES_PLACE.search(line):
        found[DATED] = 0.0
    return found


def is_about_self(line: str) -> bool:
    return _SELF.search(line) is not None


def is_unexplained_feeling(line: str) -> bool:
    """A feeling that does not say what it is about: it means little without what was said before."""
    return (
        FEELING in statement_weights(line) and len(search_terms(line)) <= _SHORT_FEELING and _WHY.search(line) is None
    )


def is_hedge(line: str) -> bool:
    return _HEDGE.search(line) is not None


def is_work_report(line: str) -> bool:
    return _REPORT.search(line) is not None


def is_acknowledgement(line: str) -> bool:
    """An agent that says that it has heard."""
    return _ECHO.search(line) is not None


def is_courtesy(line: str) -> bool:
    """An agent that says no more than that: kind words, or the user's own once more ("Noted: Friday at nine")."""
    return _POLITE.fullmatch(line) is not None or (_REPEATS.match(line) is not None and not is_work_report(line))
