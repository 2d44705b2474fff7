"""Where a turn stops being the speaker's own: stories, roles, games, dreams, text to be translated or rewritten."""

from __future__ import annotations

import re

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
