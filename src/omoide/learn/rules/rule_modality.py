"""Whether a sentence says how things are: questions, conditions, jokes, fiction, other people's words do not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from omoide.learn.rules.rule_clauses import ASKED_ABROAD, ParsedSentence, RuleClause

_ASKS = re.compile(
    r"(?:and |so |but |or |ok(?:ay)?,? |hey,? |hi,? |also,? |btw,? |wait,? )*"
    r"(?:(?:do|does|did|can|could|would|should|is|are|was|were|will|have|has|had|am|may|isn't|aren't"
    r"|don't|doesn't|didn't|won't|can't)"
    r" (?:i|you|we|he|she|it|they|this|that|there|the|my|your|our|his|her|any|anyone|someone)\b"
    r"|(?:what|what's|whats|where|where's|who|who's|how|how's|why|which|whose|when)\b)",
    re.IGNORECASE,
)
# "Lara works at Bayer, doesn't she": asked, with or without the mark.
_TAG = re.compile(
    r", (?:(?:is|are|was|were|do|does|did|has|have|had|wo|ca|ai)n't (?:i|you|we|he|she|it|they)|am i|innit|eh|no"
    r"|nicht wahr"
    r"|oder|verdad|né)$",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"(?:and |so |but |or |then |well,? |ok,? |yeah,? )*(?:(?:even |only |not even )?if|unless|suppose|supposing"
    r"|imagine"
    r"|imagining|pretend|assume|assuming|say (?:i|i'm|my|we|that i)|let'?s (?:say|assume|imagine|suppose)"
    r"|let us (?:say|assume|imagine|suppose)|what if|in case|as if|as though|i wish|if only|would that|wish i"
    r"|(?:as|so) long as|provided(?: that)?|providing|were (?:i|we|my|he|she)|had (?:i|we) \w+(?:ed|en|ne|me|ught|nt)"
    r"|once (?:i|we|my|he|she)|as soon as|by the time|the day i|when i \w+ (?:[\w ]{0,30} )?(?:someday|one day)"
    r"|wenn|falls|sobald|solange|angenommen|stell dir vor|nehmen wir an|sagen wir|mal angenommen|wäre|hätte|würde"
    r"|si|ojalá|imagina(?:te)?|supongamos|supón|digamos|pongamos|cuando (?:viva|trabaje|tenga)"
    r"|supposons|imaginons|admettons|au cas où|à supposer|se|caso|oxalá|vamos supor|suponha(?:mos)?|supondo|quando"
    r" eu (?:morar|trabalhar|tiver))\b"
    r"|(?:如果|要是|假如|假设|想象|假定)",
    re.IGNORECASE,
)
# Somebody else's words or thoughts, told. What "I said" is the speaker's own.
_REPORTS = re.compile(
    r"\b(?:said|says|saying|told me|tells me|telling me|claims|claimed|thinks|believes|replied|wrote"
    r"|writes|texted|asked me|asks|yelled|shouted|assumes|assumed|thought i|guesses|denies|denied|pretends|joked|jokes"
    r"|according to|insists|swears|goes|sang|sings|lyrics|quote|rumou?r has it|i lied|(?:never|didn't|not) (?:said|say)"
    r"|keeps? (?:asking|saying|telling)|shows? that|it's not true|(?:not|isn't) true that"
    r"|(?:they|people|you|everyone|everybody|some) (?:think|assume|say|believe|claim|guess)(?: that)? (?:i|i'm|my"
    r"|we|our)"
    r"|dijo|dice|dicen|disse|diz|dizem|sagte|sagt|sagen|meinte|meint|behauptet|glaubt|m'a dit|a dit|ont dit|disent"
    r"|dit que|selon|prétend|croit que)\b"
    r"|\b(?:his|her|their|the|this|that|an?|your|its|\w+'s) (?:\w+ )?(?:text|tweet|message|post|email|e-mail|mail"
    r"|caption"
    r"|sign|note|bio|headline|status|comment|review|title|letter|profile|form|label|poster|shirt|mug|ad|banner|article"
    r"|page|log|output|answer|reply|line|song|quote)s?(?: (?:\w+ )?(?:reads?|said|was|is|goes|says))?:|\breads?:"
    r"|♪|♫|[说问]我|据说",
    re.IGNORECASE,
)
_MY_REPORT = re.compile(
    r"\b(?:i|i've|like i|as i|i already|i just|have i)\s+(?:already |just )?(?:said|told|mentioned|wrote)\b"
    r"|\bich mein(?:e|te)\b",
    re.IGNORECASE,
)
_JOKES = re.compile(
    r"(?:^|\s)/s\b|\b(?:just kidding|only kidding|j/?k|yeah,? right|as if|oh sure|sure,? because"
    r"|not really|(?:just|only) joking|i'm joking|im joking"
    r"|said no one ever|sarcasm|april fools|psych)\b|\b(?:not!|(?-i:NOT))\s*$|^not$|[,;–—-] ?not$"
    r"|, (?:obviously|apparently|allegedly)$"
    r"|\bbecause obviously\b|^(?:sure|yay)[,!]* (?:i|we)(?:'m|'re)? (?:totally|obviously|definitely"
    r"|clearly|so totally|just (?-i:LOVE))\b|^(?:yay|woo-?hoo|hooray|lucky me|how lovely|fantastic)[,!]* (?:another"
    r"|i (?:just )?love)"
    r"|\bi (?:just |really |so )*(?:love|enjoy|adore)\b.*,? thanks a (?:lot|bunch|million)$"
    r"|\bi (?:just |really |so )*(?:love|enjoy|adore) (?:waiting (?:\w+ )?(?:hours?|minutes?|days?|on hold|in line|for)"
    r"|being (?:ignored|put on hold|overcharged|ghosted|stuck)|getting (?:ignored|spammed|overcharged|stuck))\b"
    r"|\bjust (?-i:LOVE)\b|\bnothing i (?:love|like|enjoy) more than\b"
    r"|🙄|🤡|😏|😒|😑|🙃"
    r"|\b(?:oh|wow),? (?:(?:great|joy|wonderful|perfect|fantastic|how nice)[,.!]* (?:i|we|another|more"
    r"|just|yet)\b|i just love)",
    re.IGNORECASE,
)
_LAST_ASK = re.compile(
    r"(?:and |so |but |or |then |also |please |just )*(?:what|what's|whats|how|how's|which|where"
    r"|where's|who|who's|why|when|can|could|would|will|do|does|did|is|are|any|should"
    r"|anything|got|have|has|may|might|shall|am|was|were|isn't|aren't|don't|right now)\b"
    rf"|(?!¿?(?:verdad|no|cierto|eh|sí|né|não|oder|nicht|hein|non)\b){ASKED_ABROAD}",
    re.IGNORECASE,
)


STAGED = "it is part of a story, a role or a text to work on"
SUPPOSED = "it is supposed, not told"
ASKED = "it is asked, not told"
REPORTED = "these are somebody else's words"
JEST = "it is said in jest"
UNKEPT = "it was asked not to be kept"


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """A sentence with what in it is told as true: `told`. Instructions are read from all of it."""

    sentence: ParsedSentence
    told: tuple[RuleClause, ...]
    asks: bool
    presupposed: tuple[RuleClause, ...]  # where "my sister Anna" names her even in a question or in reported speech
    why: str = ""  # why nothing is told, where nothing is


def read_sentence(found: list[ParsedSentence]) -> list[SentenceReading]:
    """The sentences up to where the turn stops being the speaker's own, each with the clauses that tell something."""
    return own(stances(found))


def own(reads: list[SentenceReading]) -> list[SentenceReading]:
    return list(takewhile(lambda each: each.why not in (STAGED, UNKEPT), reads))


def stances(found: list[ParsedSentence]) -> list[SentenceReading]:
    """Every sentence, and of those that tell nothing the reason: also what others read in a turn is judged by it."""
    if any(unkept(sentence.text) for sentence in found):
        return [SentenceReading(sentence, (), "?" in sentence.mark, (), UNKEPT) for sentence in found]
    begins = next((n for n, sentence in enumerate(found) if staged(sentence.text)), len(found))
    jests = {n for n, sentence in enumerate(found[:begins]) if _JOKES.search(sentence.text)}
    if jests:
        jests.add(min(jests) - 1)  # "just kidding" takes back what was said right before it
    jests |= set(is_sarcastic(found[:begins]))
    return [
        SentenceReading(sentence, (), "?" in sentence.mark, (), STAGED)
        if number >= begins
        else _read(sentence, number in jests)
        for number, sentence in enumerate(found)
    ]


def _read(sentence: ParsedSentence, jest: bool) -> SentenceReading:
    asks = (
        "?" in sentence.mark or "？" in sentence.mark or bool(_ASKS.match(sentence.text) or _TAG.search(sentence.text))
    )
    why = JEST if jest else SUPPOSED if _SUPPOSES.match(sentence.text) else REPORTED if _reported(sentence.text) else ""
    told = () if why else _told(sentence, asks)
    why = why or ("" if told else ASKED if asks else SUPPOSED)
    unsure = why in (JEST, SUPPOSED) or ":" in sentence.text
    return SentenceReading(sentence, told, asks, told if unsure else sentence.clauses, why)


def _reported(text: str) -> bool:
    return bool(_REPORTS.search(text)) and not _MY_REPORT.search(text)


def _told(sentence: ParsedSentence, asks: bool) -> tuple[RuleClause, ...]:
    clauses = sentence.clauses
    if asks:
        # "I'm vegan, what can I eat?" tells before it asks; a tag ("…, right?") makes all of it the question.
        if _ASKS.match(sentence.text) or len(clauses) < 2 or not _LAST_ASK.match(clauses[-1].text):
            return ()
        clauses = tuple(takewhile(lambda clause: not _LAST_ASK.match(clause.text), clauses))
    cut = next((n for n, clause in enumerate(clauses) if _SUPPOSES.match(clause.text)), len(clauses))
    # What follows a condition inside the sentence depends on it; what stands before it does not.
    return clauses[:cut]


# Praise that means its opposite: "Great, another meeting. I absolutely adore meetings."


_PRAISES = re.compile(
    r"(?:and |oh,? |don't you )?i (?P<how>(?:just|absolutely|totally|so|really|simply|do|truly|always|fucking) )*"
    r"(?:love|adore|enjoy|like) (?P<what>[\w' -]{3,40})$",
    re.IGNORECASE,
)
_COMPLAINTS = re.compile(
    r"(?:oh,? |just |well,? )*(?:great|fantastic|perfect|wonderful|awesome|brilliant|lovely|super|amazing|nice|fun"
    r"|joy|yay"
    r"|of course|marvell?ous|sweet|cool)\b.*\b(?:another|again|more|yet|jammed|broken|crashed|down|late|stuck"
    r"|cancell?ed"
    r"|failed|lost)\b|(?:ugh+|sigh|argh+|oh joy|oh no|not again|another|yet another|more)\b",
    re.IGNORECASE,
)
# What nobody loves; with an adverb that overdoes it the praise is none.
_NUISANCE = re.compile(
    r"\b(?:meetings?|tax(?:es)?|traffic(?: jams?)?|outages?|paperwork|bureaucracy|reorgs?|forms|dentists?|mondays?|bugs"
    r"|merge conflicts?|deadlines?|spam|ads|chores|dishes|laundry|delays?|queues?|waiting|on[- ]call|flaky tests?"
    r"|legacy code|timesheets?|stand-?ups?|rush hour|hangovers?|pop-?ups?|captchas?|passwords?|updates?|bills?)\b",
    re.IGNORECASE,
)
_STEM = 4  # letters by which "meeting" and "meetings" are one


def is_sarcastic(found: Sequence[ParsedSentence]) -> Iterator[int]:
    """The numbers of the sentences that praise what was just groaned at, or what nobody could mean to praise."""
    for number, sentence in enumerate(found):
        praise = _PRAISES.match(sentence.text)
        if praise is None:
            continue
        overdone = praise["how"] and _NUISANCE.search(praise["what"])
        before = found[number - 1].text if number else ""
        if overdone or (before and _COMPLAINTS.match(before) and _shares(before, praise["what"])):
            yield number


def _shares(before: str, what: str) -> bool:
    heads = {word[:_STEM].lower() for word in re.findall(r"\w{4,}", what)}
    return bool(heads & {word[:_STEM].lower() for word in re.findall(r"\w{4,}", before)})


# Where a turn stops being the speaker's own: stories, roles, games, dreams, text to be translated or rewritten.


_WORKS = (
    r"(?:novel|story|storyline|tale|book|comic|manga|anime|game|video game|dream|nightmare|movie|film|play|musical"
    r"|opera|sequel|prequel|chapter|series|sitcom|tv show|episode|script|screenplay|scene|scenario|simulation|role"
    r"|fanfic|poem|song|lyrics"
    r"|sketch|skit|dnd|d&d|rpg|campaign|exercise|example|thought experiment|metaverse|roleplay|role-play)"
)
_PRACTICE = r"(?:sketch|skit|scene|scenario|exercise|example|role|roleplay|role-play|thought experiment|simulation)"
_THEN = (
    r"(?=\s*(?:[,:;]|$|(?:i|i'm|i've|my|we|we're|our|he|she|they|the|dr|mr|there"
    r"|it)\b))"  # not "in the game industry"
)
# Worlds that are played in; "in Minecraft I live in a cave".
_PLAYED = r"(?:minecraft|skyrim|the sims|fortnite|zelda|stardew valley|animal crossing|world of warcraft|roblox|gta)"
_STAGED = re.compile(
    r"\b(?:role.?play|pretend|imagine (?:that )?(?:you|i|we|my)|act(?:ing)? (?:as|like)|play the role"
    r"|in character|^you are (?:an?|the|now)|^you(?:'re| are) my [\w ]{1,20} now|^your (?:task|role|job) is"
    r"|you will be"
    r"|^(?:i'll|i will|let me|you) (?:be|play) (?:the|an?)\b|^let's play\b|hypothetically|once upon a time"
    r"|(?:^|please |you |let's )(?:write|tell|compose|draft|create|generate|continue|finish|make up"
    r"|give)\b.{0,40}\b(?:story|stories|poem|song|novel|haiku|limerick|lyrics|dialogue|script"
    r"|scene|screenplay|joke|essay|monologue|fanfic|rap|sonnet|fable|tale|chapter|prompt|character"
    r"|persona|letter|bio|biography|speech|tweet|caption|blurb"
    r"|email|e-mail|message|post|paragraph|sentence|statement|summary|description|review|testimonial|cover|copy)s?"
    r"|(?:^|please |you |let's )(?:translate|proofread|paraphrase|rephrase|reword|rewrite|summari[sz]e"
    r"|transcribe|edit|fix the grammar|correct the grammar|correct my grammar|improve|grammar.?check"
    r"|analy[sz]e|classify|spell.?check)\b.{0,60}(?:[:\ufffc]|\bthis\b|\bthe following\b|\bbelow\b|$)"
    r"|how (?:do|would|can) (?:you|i|we) say"
    rf"|(?:in|inside) (?:the|this|that|a|an|my|our|your|his|her) (?:[\w-]+ ){{0,2}}{_WORKS}\b{_THEN}"
    rf"|for (?:the|this|our|an?) {_PRACTICE}\b{_THEN}"
    rf"|in my (?:[\w-]+ )?(?:novel|story|book|game|dream|screenplay|dnd|d&d|campaign)|(?:in|playing) {_PLAYED}\b"
    r"|(?:in|during) (?:my|the|this|a) (?:weird |strange |bad |last )?(?:dream|nightmare)\b|i dream(?:t|ed|ed of)\b"
    r"|had (?:a|this|another) (?:\w+ )?(?:dream|nightmare)\b|for the sake of (?:the )?(?:argument|discussion|example)"
    r"|my character|my persona|(?:the|this|our) (?:protagonist|narrator|hero|heroine|villain)|(?:the|a) song goes"
    r"|as an example|for example[:,]|example sentence|here(?:'s| is) (?:an? |the |my |our )?(?:cover |user |bug "
    r"|error )?(?:email"
    r"|text|message|draft|letter|essay|story|poem|article|excerpt|transcript|quote|resume|cv|bio|report)"
    r"|übersetze|im (?:roman|spiel|traum|film|buch|märchen|theaterstück)|in (?:der geschichte|meinem traum"
    r"|meinem roman)"
    r"|spiel(?:e|en wir)? (?:die rolle|eine rolle)|tu so|traduce"
    r"|en (?:la|el|mi|una?) (?:novela|juego|sueño|película|libro|historia|cuento|obra)"
    r"|traduis|traduisez|reformule|dans (?:le|la|mon|ma|un|une|ce|cette) (?:roman|film|jeu|rêve|livre|histoire|pièce)"
    r"|fais comme si|j'ai rêvé|traduza|traduz|n[oa] (?:meu |minha )?(?:jogo|livro|filme|novela|sonho|história"
    r"|romance|peça))\b"
    r"|翻译|(?:小说|游戏|梦|电影|故事|剧)(?:里|中)|角色扮演|假装",
    re.IGNORECASE,
)


# "The customer says: I can't log in. I use Firefox": nothing tells where the quotation ends, so it runs on.
_QUOTES = re.compile(
    r"[\w'’)]+ (?:says?|said|wrote|writes|reads?|states?|claims?|complains?|replied|answered|reports?|asks?"
    r"|asked)\s*:"
    r"|(?:user stor(?:y|ies)|bug report|cover letter|support ticket|ticket|feedback|testimonial|review|persona"
    r"|template"
    r"|job (?:ad|posting)|transcript|excerpt|sample|dialogue|letter|resume|cv)\s*(?:#?\d+)?:",
    re.IGNORECASE,
)
# A prompt for another agent is handed over too, all of it.
_PROMPTS = re.compile(r"(?:system|(?:[\w' ]{0,40}\b)?(?:system )?prompt\b(?! for you)[\w' ]{0,40}):", re.IGNORECASE)
_I_SAY = re.compile(
    r"\bi(?:'ve| have)?(?: \w+)? (?:say|said|wrote|write|claim|ask|asked|replied|answered)\s*:", re.IGNORECASE
)


def staged(text: str) -> bool:
    """Whether a sentence begins something that is played, told as a story, quoted or only handed over."""
    return _STAGED.search(text) is not None or _PROMPTS.match(text) is not None or (":" in text and _runs_on(text))


def _runs_on(text: str) -> bool:
    return _QUOTES.search(text) is not None and _I_SAY.search(text) is None


# What the user asks not to keep: "don't remember this", "off the record", "this stays between us".


# Said to the agent, not told of oneself: "I don't remember this song".
_BEGINS = r"(?:^|[.,;:!?–—-]\s*|\b(?:please|pls|but|so|and|just|ok|you|bitte|por favor)\s+)"
_DONT = (
    r"(?:don't|do not|dont|never|no need to|(?:don't|do not|dont) (?:need|have) to|needn't|shouldn't|should not"
    r"|must not|mustn't|rather not)"
)
_THIS = r"(?:(?:any of |all of )?(?:this|that|it|these|those|what (?:i|follows)\b[^.!?]{0,40}))"
# "Don't save this file" is about a file.
_ALONE = (
    r"(?=\s*(?:$|[.,;:!?)–—-]|(?:but|please|pls|though|ok|anywhere|at all|for later|in (?:your |my |the )?memory"
    r"|to (?:your )?memory|i|i'm|my|we)\b))"
)
_UNKEPT = re.compile(
    rf"{_BEGINS}{_DONT} (?:(?:remember|memori[sz]e|retain)(?: {_THIS}\b|{_ALONE})"
    rf"|(?:store|save|keep|record|log|note|archive|learn|take note of|make a note of) {_THIS}{_ALONE}"
    rf"|(?:write|note|jot|put) {_THIS} down\b|(?:tell|repeat {_THIS} to) (?:anyone|anybody|a soul)\b)"
    r"|\b(?:off|not (?:for|on)) the record\b"
    r"|(?:^|[.!?,;]\s*)(?:just |strictly |purely |this is |that's |it's )*(?:between (?:us|you and me|ourselves"
    r"|the two of"
    r" us)|(?:strictly |highly )?confidential(?:ly)?)\s*(?=[,:;.–—-]|$|but\b|i\b|my\b)"
    r"|\b(?:this|that|it) (?:stays|remains|should stay|has to stay|must stay) between (?:us|you and me)\b"
    r"|\bkeep (?:this|that|it) (?:between (?:us|you and me)|to yourself|secret|confidential|private)\b"
    r"|\b(?:delete|erase|discard) (?:this|that) (?:afterwards?|later|again|once|when|message|right after)\b"
    r"|\bmerk(?:e)? (?:dir |es dir )?(?:das|dies|es)?(?: bitte)? ?nicht\b|\bnicht (?:speichern|merken|notieren"
    r"|aufschreiben)\b"
    r"|\bspeicher(?:e|n sie)? (?:das|dies|es)(?: bitte)? nicht\b|^unter uns(?: gesagt)?\s*[,:]|\bbleibt unter uns\b"
    r"|\bno (?:lo )?(?:guardes|recuerdes|anotes|memorices)\b|\bentre (?:nosotros|tú y yo|nous|nós)\s*[,:]"
    r"|\b(?:não|nao) (?:guarde|salve|anote|registre|memorize)s?\b|\bne (?:le |la )?(?:retiens|note|garde"
    r"|enregistre)s? pas\b"
    r"|(?:不要|别)(?:记住|记下|保存|记录)",
    re.IGNORECASE,
)


# One of these stands in all of them; few sentences have one.
_WORTH = re.compile(
    r"(?:n't|not|never|need|dont|needn't|record|between|confidential|keep|delete|erase|discard|nicht|unter|no |entre"
    r"|ne |不要|别"
    r"|não|nao)",
    re.IGNORECASE,
)


def unkept(text: str) -> bool:
    """Whether a sentence of a turn asks that it not be kept: then nothing of the turn is."""
    return _WORTH.search(text) is not None and _UNKEPT.search(text) is not None
