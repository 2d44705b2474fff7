"""Makes remembered text harmless for prompts and screens, visibly and reversibly.

`escape_text` replaces single characters by their code point in white brackets: `⟦202E⟧`. What it replaces: control
characters, bidirectional marks, tags and other invisible characters; the first character of what a model might take for
a token of its chat template, for an id of a memory, or for the fence around memories, in any spelling. All else stays
as it is. `unescape_text` returns the original exactly.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_LATIN = "\\x00-\\u02ff"
_HIDDEN = (
    "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f"
    "\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff"
    "\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff]"
    # Joiners belong to emoji and to several scripts, variation selectors to emoji: elsewhere they hide something.
    f"|(?<![^{_LATIN}\\u200c\\u200d])[\\u200c\\u200d]|[\\u200c\\u200d](?![^{_LATIN}\\u200c\\u200d])"
    "|(?<![^\\x00-\\x22\\x24-\\x29\\x2b-\\x2f\\x3a-\\xa8\\ufe00-\\ufe0f])[\\ufe0e\\ufe0f]"
)
_HIDDEN_CHARACTER = re.compile(_HIDDEN)
_UNSAFE_CHARACTER = re.compile(f"⟦|{_HIDDEN}")
_ESCAPED = re.compile("⟦([0-9A-F]{1,5}|10[0-9A-F]{4})⟧")

# Letters that look like those of the fence and of ids; others are found by their decomposition or their name.
_LOOK_ALIKES = {
    "o": "οσоօ۵०੦૦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿⲟ𐐬𐓪𑣈𑣗ѳөӧ",
    "m": "μмʍⲙᎷᗰᛖꓟ𐊰𐌑ꮇϻ",
    "i": "ийıɩɪιіӏⲓꙇꭵᎥ⍳",
    "d": "δдԁɗɖᏧᑯꓒᎠᗞᗪꓓ",
    "e": "ηеҽєεɛɘəэ℮ꬲⲉᎬⴹꓰ𐊆",
    "r": "ρргᵲɾʀⲅᴦꭇꭈꮁᎡᏒᖇꓣ𐒴",
    "y": "υуүұγყʏⲩꓬᎩᎽɣ𐊲",
}
_BRACKETS = {
    "<": "‹〈《⟨⟪❮❰˂ᐸᚲ≺⧼⦑",
    ">": "›〉》⟩⟫❯❱˃ᐳ≻⧽⦒",
    "[": "【〔⟦❲⁅〚⦋「『",
    "]": "】〕⟧❳⁆〛⦌」』",
    "|": "∣ǀ│┃❘⏐¦ӀⅠ",
    "/": "⁄∕╱⟋⧸",
}
_KNOWN = {each: plain for table in (_LOOK_ALIKES, _BRACKETS) for plain, alike in table.items() for each in alike}
_NAMED_LETTER = re.compile(r"\bLETTER (?:SMALL |CAPITAL )*([A-Z])\b")


class _PlainCharacters(dict[int, str]):
    """For each character the one that it looks like: a Latin letter, a digit or a bracket.

    A blank stands for what is not seen or not written, `-` for other signs, `~` for other letters.
    """

    def __missing__(self, code: int) -> str:
        found = self[code] = _plain_character(chr(code))
        return found


def _plain_character(char: str) -> str:
    if (decimal := unicodedata.decimal(char, None)) is not None:
        return str(decimal)
    plain = _KNOWN.get(char) or unicodedata.normalize("NFKD", char)[0].lower()[0]
    plain = _KNOWN.get(plain, plain)
    if plain.isascii() and (plain.isalnum() or plain in "<>[]|/"):
        return plain
    if named := _NAMED_LETTER.search(unicodedata.name(char, "")):
        return named[1].lower()
    return "~" if plain.isalpha() else " " if unicodedata.category(char)[0] in "CMZ" else "-"


_PLAIN = _PlainCharacters()
_GAP = "[ -]{0,4}"


def _spelled(word: str) -> str:
    same = {"o": "[o0]", "i": "[i1l]", "e": "[e3]", "m": f"(?:m|[rn]{_GAP}n)"}
    return _GAP.join(same.get(letter, letter) for letter in word)


_CHAT_NAMES = (
    "s", "bos", "eos", "unk", "pad", "mask", "sep", "cls", "think", "system", "user", "assistant", "human", "developer",
    "model", "tools?", "tool calls?", "tool responses?", "tool results?", "functions?", "function calls?",
    "functions? results?", "invoke", "parameter", "instructions?", "system reminder", "system prompt", "start of turn",
    "end of turn", "start of image", "end of text", "hook context",
)  # fmt: skip
_SQUARE_NAMES = (
    "inst", "sys", "system prompt", "available tools", "tool calls?", "tool results?", "tool content", "assistant",
    "user", "system",
)  # fmt: skip


def _any_of(names: tuple[str, ...]) -> str:
    return "|".join(_GAP.join(name.split()) for name in names)


# Read in the plain form of a text; the first character of each is escaped.
_CHAT_TOKEN = re.compile(
    rf"<[ -]*(?:\||<[ -]*/?[ -]*sys|[/|]?{_GAP}(?:{_any_of(_CHAT_NAMES)})(?:{_GAP}[>|/]| +[a-z]+ *-[^<>]{{0,40}}>))"
)
_SQUARE_TOKEN = re.compile(rf"\[{_GAP}/?{_GAP}(?:(?:{_any_of(_SQUARE_NAMES)}){_GAP}\]|[i1l]{_GAP}d{_GAP}\d)")
_FENCE_NAME = re.compile(f"{_spelled('omoide')}(?P<between>[^a-z0-9~]{{0,4}}){_spelled('memory')}")


def escape_text(text: str) -> str:
    """The text with everything escaped that could act on a model or on a screen. Line breaks and tabs stay."""
    harmless = text.isascii() and text.isprintable()
    places = set() if harmless else {each.start() for each in _UNSAFE_CHARACTER.finditer(text)}
    plain = text.translate(_PLAIN)
    places.update(_claims(plain))
    return _escaped_at(text, places)


def _claims(plain: str) -> Iterator[int]:
    """The places where a text claims to be more than a text."""
    if "<" in plain:
        yield from (each.start() for each in _CHAT_TOKEN.finditer(plain))
    if "[" in plain:
        yield from (each.start() for each in _SQUARE_TOKEN.finditer(plain))
    for each in _FENCE_NAME.finditer(plain):
        before = plain[max(0, each.start() - 5) : each.start()]
        if each["between"].strip(" ") or before.strip(" ")[-1:] in tuple("<>[]|/-"):  # in prose it is a name and a noun
            yield each.start()


def escape_hidden(text: str) -> str:
    """The text with only control, bidirectional and invisible characters escaped: what a screen needs."""
    return _escaped_at(text, {each.start() for each in _HIDDEN_CHARACTER.finditer(text)})


def unescape_text(text: str) -> str:
    """The text as it was before `escape_text`."""
    return _ESCAPED.sub(lambda each: chr(int(each[1], 16)), text)


def _escaped_at(text: str, places: set[int]) -> str:
    if not places:
        return text
    return "".join(f"⟦{ord(char):X}⟧" if place in places else char for place, char in enumerate(text))
