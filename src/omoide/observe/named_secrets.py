"""Secrets that their name gives away: a value that looks drawn by chance, and a word such as "token" that names it.

Values are found first, by how unlike words they are; then the name is looked for before the value (or after it), in
any notation: `NAME=value`, `"name": "value"`, a header, an argument, a cell of a table, or a sentence.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from math import log2

# Values that are not secrets: <your-key>, $KEY, ***, paths, markers, the word itself, schema types, form labels.
PLACEHOLDER = r"""(?ix) [<\[{(%$*•…/].* | arn:.* | https?://.*
    | .*(?:your|example|placeholder|redacted|change.?me|insert|process\.env|environ|getenv|\.{3}|\*{3}|x{4}).*
    | (?:my|the|some|an?|this|our|test|dummy|fake)?[_\-]?
      (?:api|auth|access|secret|private|client|user|db|new|old|super|wrong)?[_\-]?
      (?:password|passwd|pass|pwd|passphrase|secret|token|key|credentials?|value|pw)[_\-]?(?:here|value|string)?
    | none|null|nil|true|false|undefined|str|string|int|integer|bool|boolean|text|bytes|any|object|optional
    | required|hidden|empty|missing|invalid|incorrect|wrong|weak|strong|expired|correct|valid|set|unset
    | unknown|passwort|kennwort|contraseña|senha|wachtwoord|пароль|密码|密碼|パスワード|here|todo|tbd|n/?a
    | (.)\1*
    """

# Bits by which each of a to z, a digit and a sign follows another in words and identifiers, as one digit each: the
# rows are the first symbol. Counted over common English words and the names in Python's standard library.
_SYMBOLS = "abcdefghijklmnopqrstuvwxyz0-"
_BITS = (
    "7544875759634395934365786794366739973693783794573999599439684893494479289474599979944785277739958848955758797992"
    "4744666869845375834476757893387744892994893993654999799348883964499475499456498989922888399639966739957559896993"
    "4645565999745246954476979693298939974969893697692999799438872885398586489657596979923775378939747837996557995993"
    "2577289939975734986759997993474446484967964798436789889266548668696443549355465888943987389549849835935459996993"
    "5898999979969799857909899994376537583966563795545789699348583884496667558842587969924868389439967847945559796892"
    "5555565959734374934498989894399919892998884897898899899327763794398684399457897879935748469749967964987379977991"
    "4655577769855453954468698792377829953986664897785979659255555555555555555555555555554444545557654554843456568899"
)
_DIGIT_BITS = 3.3
_CASE_BITS = 2.5  # of a change between small and capital letters within a word
_PLACES = {each: place for place, each in enumerate(_SYMBOLS)}
_PAIRS = {
    one + two: int(_BITS[28 * row + column]) + (_DIGIT_BITS if two == "0" else 0)
    for row, one in enumerate(_SYMBOLS)
    for column, two in enumerate(_SYMBOLS)
}
_TO_SYMBOL: dict[int, str] = defaultdict(lambda: _SYMBOLS[-1])
_TO_SYMBOL |= {ord(each): each for each in _SYMBOLS[:26]} | {ord(each): each.lower() for each in _SYMBOLS[:26].upper()}
_TO_SYMBOL |= {ord(each): "0" for each in "0123456789"}
_HUMP = re.compile(
    "(?<=[a-z0-9])[A-Z](?=[A-Z0-9]|$)|(?<=[A-Z])[a-z](?=[A-Z0-9])|(?<=[A-Z][A-Z])[a-z]|(?<=[0-9])[a-zA-Z]"
)


def chance_bits(value: str) -> float:
    """How many bits it would save to write a value as drawn by chance rather than as words: more than 0 is unlike
    words."""
    plain = "-" + value.translate(_TO_SYMBOL) + "-"
    as_words = sum(map(_PAIRS.__getitem__, map(str.__add__, plain, plain[1:]))) + _CASE_BITS * len(_HUMP.findall(value))
    letters = 26 * (value.upper() != value) + 26 * (value.lower() != value)
    if _HEXADECIMAL.fullmatch(value):
        letters = 6
    alphabet = 10 * any(map(str.isdigit, value)) + letters + 2 * (not value.isalnum())
    return as_words - len(value) * log2(max(2, alphabet))


_HEXADECIMAL = re.compile("[0-9a-f-]+|[0-9A-F-]+")


_VALUE = re.compile(
    r"(?=[A-Za-z0-9_\-+/]{8})(?<![A-Za-z0-9_\-+/])(?=[A-Za-z_\-+/.]{0,80}[0-9]|[A-Za-z+/]{16})"
    r"[A-Za-z0-9_\-+/]{8,}(?:[.:|~%$!@#^&*]{1,2}[A-Za-z0-9_\-+/]{3,})*={0,2}"
)
_LEAST, _LEAST_IN_ADDRESS = 10, 12  # characters of a value

_SECRET = frozenset(
    """key keys token tokens secret secrets pass passwd password passwords passphrase passcode pw pwd pat psk
    cred creds credential credentials auth authtoken apikey apikeys appkey authkey accesskey secretkey
    privatekey license licence bearer jwt hmac cookie session signature sig sas totp otp mnemonic pin
    authorization authentication webhook pepper oauth authorize basic security ak sk ck auths dockerconfigjson
    schlüssel geheimnis zugangsschlüssel passwort kennwort clave llave secreto contraseña credencial jeton clé
    chave segredo senha chiave segreto gettone credenziale sleutel geheim wachtwoord nyckel hemlighet lösenord
    nøkkel nøgle avain salaisuus klucz sekret hasło klíč heslo anahtar şifre kulcs jelszó ключ токен секрет
    пароль 密钥 令牌 口令 密码 キー トークン 鍵 키 토큰 비밀번호 مفتاح""".split()
)
_WEAK = frozenset(
    "key keys session signature sig pin license licence webhook authorize basic security ak sk ck".split()
)
_QUALIFIERS = frozenset(
    """api access auth secret private client signing encryption master bot bearer refresh account service deploy
    consumer app application subscription storage shared integration admin server write function project
    personal install ingest team host management live prod production user relay routing cookie webhook totp
    hmac license licence root session signature vault product activation""".split()
)
_NOT_SECRET = frozenset(
    """id ids hash hashes name names type url uri path arn file files count number size version index length
    fingerprint digest checksum sha sha1 sha256 sha512 md5 etag uuid guid commit revision rev build integrity
    blob layer image date time expiry ttl limit limits budget usage usd cost policy prefix suffix format label
    title field column table row status state public publishable username user email mail login host hostname
    server port region zone bucket endpoint address domain org owner branch tag ref class method test tests
    generator parser lexer manager handler provider factory""".split()
)
_NOT_KEYS = frozenset(  # what "key" and "token" are of, if it is no secret
    """next page continuation sync csrf primary foreign public cache partition sort row object idempotency
    lookup hash unique composite publishable pub s3 dedup deduplication sticky shard recv gpg pgp ssh""".split()
)
_OF_DATA = frozenset({"key", "keys", "token", "tokens", "session", "signature"})
_NEUTRAL = frozenset(
    """value values default string text data content contents val v is are was be now to the a an my our your
    new this it as equals set use using with body plaintext str here current old und ist lautet es est der die
    das mi la le el mon ma il mein meine here's i'm""".split()
)
_PREPOSITIONS = frozenset({"for", "of", "from", "in", "on", "at", "für", "von", "de", "del", "du", "pour", "para"})
_HINTS = (  # of names, in lower case
    "key token secret pass pwd pw pat psk cred auth licen bearer jwt hmac cookie sess sig sas otp oauth authoriz"
    " basic _ak= _sk= _ck= dockerconfig security mnemonic pin hook pepper lüssel geheim kennwort lave contrase"
    " jeton clé chave segredo senha segreto sleutel wacht nyckel lösen nøkkel nøgle avain klucz has klíč heslo"
    " anahtar ifre kulcs jelsz ключ токен секрет пароль 密 令牌 口令 キー トークン 鍵 키 토큰 비밀 مفتاح"
).split()
_OPENING = re.compile(r"[\s\"'`“«\[({*\\]*\Z")
_OPERATOR = re.compile(r"(?:[:=]{1,3}>?|[-=]>|[→>|,：]|\t)[ \t]*\Z")
_CLOSING = re.compile(r"[\s\"'`”»\])}*\\?]*\Z")
_TYPE_FIELD = re.compile(r"""["']?(?:type|kind|sensitive|secure)["']?\s?[:=]\s?["']?\w{1,20}["']?\s{0,4}[,;]?""")
_NAME_WORD = re.compile(r"[^\W\d_]+(?:['’]\w+)?\d{0,3}")
_LONG_NAME = re.compile(r"[A-Za-z0-9_\-+/]{16,}")  # another value, or a long name
_HUMPS = re.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_AFTER = re.compile(
    r"[\"'`”»)\]*]{0,3},? (?:as|is|for|ist|es|est) ((?:(?!(?:of|for|in|to|from|that|and)\b)[\w&\-]{1,24} ?){1,7})"
)
_MARKER = re.compile(r"\[redacted:[a-z0-9\-]+\]")
_NUMBERED = re.compile(r"[-_.]\d{1,4}\Z")
_LONG_PATH = re.compile(
    "(?:http|v[0-9]|hooks?|collect|ingest)/(?=[^/]{0,60}[a-z][A-Z])(?=[^/]{0,60}[0-9])[A-Za-z0-9_+/-]{60,}"
    "|(?:private|secret|token)[-_][a-z0-9_-]{20,}"
)
_ENCODED = re.compile("(?<!base64,)eyJ[A-Za-z0-9+/_-]{60,}")  # base 64 of JSON
_CELL = re.compile(r"([|,;\t])[ \t\"'`]*\Z")
_TABLE = 600  # characters before a line in which the first line of its table is looked for
_AROUND = 140  # characters before a value in which its name is looked for


def named_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Where the values stand that are named as secrets."""
    for match in _VALUE.finditer(text):
        start, end = match.span()
        if end - start < _LEAST or (bits := chance_bits(_NUMBERED.sub("", match[0]))) <= 5:
            continue
        strength = _strength_around(text, start, end)
        least = 5 if end - start <= 12 else 8
        enough = bits > least if strength == 2 else strength == 1 and bits > 16 and end - start >= 20
        if enough and not re.fullmatch(PLACEHOLDER, match[0][:300]):
            yield start, end


def _strength_around(text: str, start: int, end: int) -> int:
    """2 if the words around a value name a secret, 1 if they may, 0 if not."""
    around = _MARKER.sub("", text[max(0, start - _AROUND) : start]).lower(), text[end : end + _AROUND // 2].lower()
    if text[end : end + 1] in ("(", "[") or (text[end - 1] == "=" and text[end : end + 1].isalnum()):  # code
        return 0
    if (end - start < _LEAST_IN_ADDRESS and re.search(r"[?&]\w+=\Z", text[max(0, start - 30) : start])) or (
        around[0].rstrip().endswith("-----")  # the body of a signature or a public key
    ):
        return 0
    if _ENCODED.match(text, start, end) or ("://" in around[0] and _LONG_PATH.search(text, start, end)):
        return 2
    if text[end : end + 1] == "@" and text[max(0, start - 3) : start] == "://":
        return 2
    found = 0
    if any(map(around[0].__contains__, _HINTS)):
        found = _strength_before(text, start)
    if not found and any(map(around[1].__contains__, _HINTS)):
        found = _strength_after(text, end)
    return found or _strength_of_column(text, start)


def _strength_before(text: str, start: int) -> int:
    """2 if the words before a value name a secret, 1 if they may, 0 if not."""
    before = _TYPE_FIELD.sub("", _MARKER.sub("", text[max(0, start - _AROUND) : start]))
    if re.search(r":\w+:\Z", before):  # an ARN
        return 0
    for _ in range(3):
        before = _OPENING.sub("", before)
        operator = _OPERATOR.search(before)
        if operator:
            before = _CLOSING.sub("", before[: operator.start()])
            name = re.split(r"[,;{}\n|&?()<>\"'=\t]|: ", before)[-1]
        else:
            name = re.split(r"[;{}\n|<>\t]|[.!?,:] ", before)[-1]
        words = [each for each in _words(name)[-8:] if each not in _NEUTRAL]
        if words:
            return _strength(words)
        before = before[: len(before) - len(name)]
        if not before.strip():
            return 0
    return 0


def _strength_after(text: str, end: int) -> int:
    match = _AFTER.match(text, end)
    words = [each for each in _words(match[1]) if each not in _NEUTRAL] if match else []
    for place, word in enumerate(words, 1):
        if word in _SECRET and (place == len(words) or words[place] not in _SECRET):
            return 0 if words[place : place + 1] and words[place] in _NOT_SECRET else _strength(words[:place])
    return 0


def _strength_of_column(text: str, start: int) -> int:
    """What the first line of a table says of the column in which a value stands."""
    line = text.rfind("\n", 0, start) + 1
    sign = _CELL.search(text, line, start)
    if line == 0 or sign is None:
        return 0
    block = re.split(r"\n\s*\n", text[max(0, line - _TABLE) : line])[-1].strip("\n")
    heads, column = block.split("\n")[0].split(sign[1]), text.count(sign[1], line, start)
    return _strength([each for each in _words(heads[column]) if each not in _NEUTRAL]) if column < len(heads) else 0


def _words(name: str) -> list[str]:
    plain = _LONG_NAME.sub(lambda found: " " if chance_bits(found[0]) > 8 else found[0], name)
    return [word.lower() for each in _NAME_WORD.findall(plain) for word in _HUMPS.split(each)]


def _strength(words: list[str]) -> int:
    """2 if the words name a secret, 1 if they may, 0 if not. What stands before a preposition is the head."""
    places = [place for place, each in enumerate(words) if each in _PREPOSITIONS]
    head = words[: places[0]] if places and places[0] else words
    if not head or head[-1] in _NOT_SECRET:
        return 0
    for place in range(len(head) - 1, -1, -1):
        word = head[place]
        if word in _SECRET:
            if word in _OF_DATA and not _NOT_KEYS.isdisjoint(head[:place]):
                return 0
            weak = word in _WEAK and not (place and head[place - 1] in _QUALIFIERS)
            return 1 if weak or place < len(head) - 2 else 2
    return 0
