"""The rules by which secrets are recognised that do not name their issuer: keywords, checksums, whole forms.

Rules prefer precision: each needs a unique prefix, a checksum or a keyword before the value, so that commit hashes,
ids and long words are never touched. Every pattern runs in linear time: its repetitions are bounded or end where the
next match must begin, and a token cannot begin inside another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from omoide.observe.named_secrets import PLACEHOLDER, chance_bits

SecretCheck = Callable[[str, re.Match[str]], bool]


@dataclass(frozen=True, slots=True)
class SecretRule:
    """A kind of secret: the group `secret` of `pattern`, if `check` accepts it as a real one."""

    kind: str
    anchors: tuple[str, ...]  # a text that matches the pattern contains one of them
    pattern: str  # compiled on first use: compiling all takes longer than opening a file
    check: SecretCheck

    def secret(self, match: re.Match[str]) -> str:
        value = match["secret"]
        if "quote" in match.re.groupindex and not match["quote"]:
            value = value.rstrip(".,;:!?)]}»”’")  # punctuation of the sentence or the code, not of the value
        return value if self.check(value, match) else ""


_CALL = r"[A-Za-z_][\w.]*[(\[{].*"
_VARIABLE = r"[a-z]+(?:_(?:[a-z]+|\d{1,2}))+|[A-Za-z_]\w{0,23}(?:(?:\.|->|::)[A-Za-z_]\w{0,23})+|[&@!][\w.\-]+"
# Descriptions of a password that contain a digit: "is base64-encoded", "is SHA256", "is 12-character".
_DESCRIPTION = (
    r"(?i)(?:base|sha|md|utf|aes|rsa|hmac|bcrypt|oauth|step|option)-?\d.*|\d{1,2}-?(?-i:[a-z]{4,})|2fa.*|.*ed"
)
_CODE = r",[\w$.]+[:=(]|[\])}]{2}|\)\(|=>|\|\|"
_COLOUR = "#[0-9a-fA-F]{3,8};?"
_PASSPHRASE = "(?:[a-z]{4,}-){2,}[a-z]{4,}"  # three words or more: "end-to-end" and "up-to-date" are prose
_KEY_QUALIFIER = (
    r"(?i)(?:api|access|auth|secret|private|client|signing|encryption|master|bot|bearer|refresh|session|account|license"
    r"|licence|service|deploy|webhook|consumer|app|application|subscription|storage|shared|integration|admin|server"
    r"|write|function|project|personal|install|ingest|team|host|management|security|live|prod|production)[ _\-]?\Z"
)
_NOT_SECRET_QUALIFIER = (  # "…:secret:name" is an ARN
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:next|page|change|request|lock|continuation|sync|csrf|primary|foreign"
    r"|public|cache|partition|sort|row|object|idempotency|group|index|lookup|hash|routing|shard|mon|don|tur|max|min|num"
    r"|count|unique|composite|order|item|message|event|node|map|dict|json|column|config|state|publishable|pub|i18n"
    r"|translation|host|ssh|s3|bucket|verification|dedup|deduplication|sticky|gpg|signing-public)[ _\-]?\Z|:\Z"
)
_NOT_IN_KEYS = r"[\s,;{}\[\]|\\<>\"']|\(\)"  # but in code
_UUID = "(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_HEX_OR_UUID = rf"{_UUID}|[0-9a-f]{{20,}}"
_CARD_ISSUERS = (  # Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay
    r"4\d{15}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35\d{14}|62\d{14,17}"
)
_REFERENCE_NUMBER = r"(?i)\b(?:order|tracking|invoice|ticket|ref(?:erence)?|shipment|serial|id)\b[^\n.;]{0,40}\Z"


def _always(value: str, match: re.Match[str]) -> bool:
    return True


def _is_literal(value: str, match: re.Match[str]) -> bool:
    return len(value) > 3 and not re.fullmatch(PLACEHOLDER, value[:300]) and not re.fullmatch(_CALL, value[:300])


def _is_issued_token(value: str, match: re.Match[str]) -> bool:
    """The prefix names the issuer; a digit distinguishes a token from a hyphenated name."""
    return any(map(str.isdigit, value)) and not re.fullmatch(PLACEHOLDER, value[:300])


def _changes_often(value: str, least: int = 16) -> bool:
    """It changes between small letters, capitals and digits more often than hyphenated words do."""
    kinds = [(c.isdigit(), c.isupper()) for c in value if c.isalnum()]
    changes = sum(first != second for first, second in pairwise(kinds))
    digits = sum(digit for digit, _ in kinds)
    mixed = len(value) >= 20 and changes * 5 >= 2 * len(value)  # by chance there may be hardly any digit
    return len(value) >= least and (mixed or (digits > 1 and changes * 6 >= len(value)))


def _is_random(value: str, match: re.Match[str]) -> bool:
    return _changes_often(value) and _is_literal(value, match)


def _is_drawn(value: str, match: re.Match[str]) -> bool:
    """It looks drawn by chance: hexadecimal digits, an UUID, or several changes between kinds of characters."""
    base64 = len(value) > 39 and re.fullmatch("[A-Za-z0-9+/]+={0,2}", value)
    if not (base64 or _is_literal(value, match)) or _is_variable(value) or re.search(_NOT_IN_KEYS, value):
        return False
    return any(_is_drawn_part(part) for part in (value, *re.split("[/:._]", value)) if len(part) > 9)


def _is_variable(value: str) -> bool:
    drawn = any(len(part) > 15 and _is_drawn_part(part) for part in value.split("."))
    return bool(re.fullmatch(_VARIABLE, value)) and not drawn


def _is_drawn_part(value: str) -> bool:
    kinds = [0 if c.islower() else 1 if c.isupper() else 2 if c.isdigit() else 3 for c in value]
    changes = sum(first != second for first, second in pairwise(kinds))
    signs = 3 in kinds and len(value) > 24 and changes * 3 >= len(value)
    three = len({0, 1, 2} & set(kinds)) == 3 and len(value) > 11 and changes * 3 >= len(value)
    return bool(re.fullmatch(_HEX_OR_UUID, value)) or signs or three or _changes_often(value, least=10)


def _is_credential(value: str, match: re.Match[str]) -> bool:
    prose = re.fullmatch("[A-Za-z][a-z]*", value) or re.fullmatch(_VARIABLE, value)
    return _is_literal(value, match) and not prose


def _is_password(value: str, match: re.Match[str]) -> bool:
    if not _is_literal(value, match) or any(map(str.isspace, value)):
        return False
    if match["quote"]:
        return True
    if re.fullmatch(_COLOUR, value):
        return False
    variable = re.fullmatch(_VARIABLE, value) and not re.search(r"\d\d\Z", value)
    if variable or re.fullmatch(_DESCRIPTION, value) or re.search(_CODE, value):
        return False
    if re.fullmatch(_PASSPHRASE, value) or (value.isalpha() and value.isascii() and _changes_often(value, least=12)):
        return True
    if any(map(str.isalpha, value)):
        # A word may be prose ("my password is weak"), so a password needs a digit or a sign inside.
        return any(map(str.isdigit, value)) or bool(re.search(r"[!@#$%^&*+~]", value[:-1]))
    return value.isdigit() and len(value) > 4


_USER_FLAG = (
    r"\s-{1,2}(?:u|U|D|l|user(?:name)?)[ =]|\s/u:|\b(?:zip|7z|rar|redis-cli|mysql\w*|ldap\w+|snmp\w+|sshpass)\b"
)


def _is_password_argument(value: str, match: re.Match[str]) -> bool:
    """After a flag: a short flag is one of a password if a user stands before it, or a program that wants one."""
    line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()][-300:]
    flag = match["flag"] or "pass"
    if len(flag) < 3 and not re.search(_USER_FLAG if flag in "pwP" else r"\b(?:redis-cli|snmp\w+)\b", line):
        return False
    return _is_mixed_password(value, match) and not re.match(r"\d+:|[./~]|[a-z_]+=", value)


def _is_mixed_password(value: str, match: re.Match[str]) -> bool:
    """Letters, and a digit, a sign or another case inside."""
    if len(value) < 5 or not _is_literal(value, match) or re.fullmatch(_DESCRIPTION, value) or "://" in value:
        return False
    signs = re.search(r"[!@#$%^&*?+~]", value)
    mixed = re.search("[0-9]", value) or signs or re.search("[a-z][A-Z]", value)
    return bool(re.search("[A-Za-z]", value) and (mixed or chance_bits(value) > 5))


def _is_short_named(value: str, match: re.Match[str]) -> bool:
    """A value after a name such as "pw", which may also be a word of prose."""
    before, said = (
        match.string[max(0, match.start() - 1) : match.start()],
        match[0][: match.start("secret") - match.start()],
    )
    if re.search(r"\s", value):
        return bool(match["quote"]) and before == "_" and said[-2:-1] == "="
    if (before in (":", "<") and value[0] in "@:") or before == ":" or re.fullmatch(_COLOUR, value):
        return False
    if (
        re.fullmatch(_VARIABLE, value)
        or re.search(_CODE, value)
        or (not match["quote"] and re.search(r"[()\[\];]|\A[/.]", value))
    ):
        return False
    strong = re.search("[0-9]", value) and re.search(r"[A-Z!@#$%^&*?+~]", value)
    loose = re.fullmatch("(?is)(?:secret|community).*", said) or said[-1] == " "
    return (_is_mixed_password(value, match) and (not loose or bool(strong))) or bool(re.fullmatch(_PASSPHRASE, value))


def _cannot_be_said(value: str, match: re.Match[str]) -> bool:
    """A part is a long word with five consonants in a row or a digit inside."""
    words = re.findall(r"[A-Za-z0-9]{14,}", value) if _is_literal(value, match) else []
    return any(re.search("(?i)[bcdfghjklmnpqrstvwxz]{5}|[a-z][0-9]+[a-z]", word) for word in words)


def _has_drawn_part(value: str, match: re.Match[str]) -> bool:
    """One part of a path is a number or looks drawn by chance."""
    return any(
        (part.isdigit() and len(part) > 5) or (len(part) > 15 and _is_drawn(part, match)) for part in value.split("/")
    )


def _is_key(value: str, match: re.Match[str]) -> bool:
    """`token` and `secret` need no qualifier before a long value; `key` needs one, as in `api key`, or a long value."""
    before = match.string[max(0, match.start() - 15) : match.start()]
    said = match[0][: match.start("secret") - match.start()]
    if re.search(_NOT_SECRET_QUALIFIER, before) or (said[-1] == "/" and before[-1:] not in ("/", "-", "_")):
        return False
    if said[-1] == "/" and re.match(_UUID, value):
        return False  # a path to a thing with this id
    if said.startswith("pat") and before[-1:].isalpha():
        return False  # compat
    named = bool(re.search(_KEY_QUALIFIER, before) or re.search("(?i).(?:secret|token|private|base)", said))
    if not named and said[0] in "kK" and (len(value) < (20 if re.search(r"\w[ _\-/]\Z", before) else 40)):
        return False
    if len(value) < (10 if named else 16) or re.search(_NOT_IN_KEYS, value) or _is_variable(value):
        return False
    return _is_drawn(value, match) or ((named or len(value) > 19) and _cannot_be_said(value, match))


def _is_card_number(value: str, match: re.Match[str]) -> bool:
    digits = re.sub("[ -]", "", value)
    before = match.string[max(0, match.start() - 50) : match.start()]
    if not re.fullmatch(_CARD_ISSUERS, digits) or re.search(_REFERENCE_NUMBER, before):
        return False
    doubled = [2 * int(digit) for digit in digits[-2::-2]]
    return (sum(map(int, digits[-1::-2])) + sum(n - 9 if n > 9 else n for n in doubled)) % 10 == 0


def _is_iban(value: str, match: re.Match[str]) -> bool:
    letters = value.replace(" ", "")
    return int("".join(str(int(letter, 36)) for letter in letters[4:] + letters[:4])) % 97 == 1


def _token_pattern(token: str) -> str:
    """Matches a token that is not part of a longer word. `~` stands for a token character."""
    return rf"(?<![A-Za-z0-9_\-])(?P<secret>{token.replace('~', '[A-Za-z0-9_-]')})(?![A-Za-z0-9_\-])"


# The value after a keyword. Connection strings and queries continue after the password: `&user=`, `;Server=`.
_VALUE = (
    r"""(?P<quote>\\?["'`“「])?(?P<secret>"""
    r"""(?(quote)(?:(?!(?P=quote))[^\n”」]){1,4000}|(?:(?![&;,][\w \-]{1,30}=)[^\s"'`<>，。]){1,4000}))"""
)
_KEY_WORDS = ("key", "token", "secret", "cookie", "credential", "pat", "private")
_NAME_ENDS = (
    r"(?!_?(?i:id|ids|hash|name|type|url|uri|path|arn|file|count|number|size|version|index|length|fingerprint)\b)"
)
_NAME_GOES_ON = (
    rf"(?:{_NAME_ENDS}(?:_\w{{1,24}}|[A-Z][A-Za-z]{{1,12}}|[ \-]base))?"  # AWS_BEARER_TOKEN_BEDROCK, secretKeyBase
)


def _keyword_pattern(names: str, more: str = "") -> str:
    """Matches `name: value`, `"name" => "value"`, `<name>value`, "the name of the door is value", "name (value)"."""
    # `re` skips to the set of first letters; a plain (?i:…) would prevent that.
    firsts = "".join(sorted({name[0] for name in names.split("|")}))
    rests = "|".join(f"(?<={name[0]}){name[1:]}" for name in names.split("|"))
    assigned = r"""\d?(?:\\?["'`])?\]?(?:[ \t]{0,4}(?::=|=>|[=:：])[ \t]{0,4}|>)"""
    flag = "--?(?:body|value|data|plaintext|string|secret-string|v|b)[ =]"  # secret set NAME --body value
    recorded = r"""\\?["'`]?(?:,\s{0,12}|\s{1,12})\\?["'`]?[vV]alue\\?["'`]?[ \t]?[:=][ \t]?"""  # name: …, value: …
    given = rf"""{recorded}|["'`]? (?:{flag}|\w{{1,15}}(?: \w{{1,15}})?: |\((?=[^\s()]{{6,4000}}\)))"""
    verbs = "is|was|ist|es|est|é|è|to|är|er|jest|je|adalah|là|είναι|هي|הוא|है"
    stated = rf"(?: [\w&.\-]{{1,20}}){{0,5}}? (?i:{verbs})(?: now)?:? | ?(?:是|は|는|은) ?"
    if more:
        rests = f"(?:{rests})s?"
        assigned, given, stated = (
            f"{_NAME_GOES_ON}{assigned}",
            f"{_NAME_GOES_ON}{given}|{more}",
            f"(?: base)?(?:{stated})",
        )
    return f"[{firsts}{firsts.upper()}](?i:{rests})(?:{assigned}|{given}|{stated}){_VALUE}"


PASSWORD_WORDS = (
    "password|passwd|passphrase|passcode|passwort|pwd|kennwort|wachtwoord|contraseña|contrasena|mot de passe|clave"
    "|senha|palavra-passe|parola|lösenord|passord|adgangskode|kodeord|salasana|hasło|haslo|heslo|jelszó|şifre|sifre"
    "|kata sandi|mật khẩu|lozinka|parolă|κωδικός|пароль|كلمة المرور|كلمة السر|סיסמה|पासवर्ड|รหัสผ่าน|密码|密碼|口令"
    "|パスワード|비밀번호|암호"
)
# in a shell or .env file, where the value is a literal
_ENV_PASSWORD = r"(?:PASSW(?:OR)?D|(?<=_)PASS)=[\"']?(?P<secret>[^\s\"'`;,&]{4,200})"
_URL_PASSWORD = r"(?<=://)[^\s:/@\"'<>\[]{0,100}:(?P<secret>[^\s/\"'<>]{1,200})@(?=[\w\[])"
_AUTHORIZATION_HEADER = (
    r"(?i:authorization)[\"']? ?[:=] ?[\"']?(?i:bearer|basic|token|bot) {1,4}(?P<secret>[\w.~+/=:%!$\-]{8,})"
)
_OTHER_AUTHORIZATION = (  # GenieKey …, SSWS …, key=…, or no scheme at all
    r"(?i:authorization)[\"']? ?[:=] ?[\"']?(?:[A-Za-z][\w\-]{1,24} {1,4})?(?:[a-z]{1,12}=)?"
    r"(?P<secret>[\w.~+/=:%!$\-]{16,})"
)
_QUERY_VALUE = r"[?&](?i:key|code|appid|auth|signature|sid|hash_?key)=(?P<secret>[^\s&#\"'<>)]{16,})"
_WEBHOOK = (  # the host or the path says it: hooks.example.com/…, /webhookb2/…
    r"://(?:[^\s/\"'<>]{0,80}hook[^\s/\"'<>]{0,60}|[^\s\"'<>]{1,120}/(?:web)?hooks?(?:b2)?)/(?P<secret>[^\s\"'<>)\]]{12,})"
)
_PROJECT_ADDRESS = (  # the key of a project is the last part of the address of its node
    r"://[^\s/\"'<>]{0,60}(?:infura\.io|alchemy\.com|quiknode\.pro|ankr\.com)[^\s\"'<>]{0,40}?/"
    r"(?P<secret>[A-Za-z0-9_\-]{20,})"
)
_QUERY_PASSWORD = r"://[^\s\"'<>]{1,200}[?&;](?i:password|passwd|pwd|pass|pw)=(?P<secret>[^\s&;#\"'<>]{4,200})"
_WIFI_CODE = r"(?i:wifi):[^\s]{0,80}?;?P:(?P<secret>[^;\s]{4,63});"
_AWS_SECRET = r"(?i:secret.?access.?key)(?: is|[ :=>\"'`]){1,6}(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])"
_PASSWORD_HASH = r"(?P<secret>\$(?:1|2[abxy]|[5-9]|y|argon2(?:id|i|d)|scrypt|pbkdf2-sha\d{3})\$[\w./+=,$\-]{28,400})"
_LOGIN_ARGUMENT = r"\blogin (?:[^\n]{0,200}? (?:-p|-k) )?(?P<secret>[^\s\"'<>]{16,400})"
_SHORT_NAME = (  # of a password, in a notation that leaves no doubt
    r"(?:(?<![A-Za-z])|(?<=[a-z])(?=P))(?i:pass(?:word|wd|phrase|code)?|pwd?|psk|eap|secret(?:[_-]?key)?|community)"
    r"(?:[\"'`\])]{0,3}\s{0,4}(?:=>|:=|[:=])\s{0,4}|[\"'`]\s{0,3},\s{0,3}(?=[\"'])|(?: [a-z]+=\"\w+\")?>"
    r"| [057] | (?=\S))"
    r"(?:[brfu]?(?=[\"'])|[\"']{2}(?=[\"'])|\{(?=[^{}\s]{4,100}\}))?"
    r"(?P<quote>[\"'])?(?P<secret>"
    r"(?(quote)(?:(?!(?P=quote))[^\n]){4,200}|(?:(?![&;,][\w \-]{1,30}=)[^\s\"'`<>,}]){5,200}))"
)
_PASSWORD_FLAG = (
    r"(?<=\s)(?:-{1,2}(?P<flag>pass(?:wd|phrase|in|out|word)?|(?:src|dest)?(?:store|key|user)pass|pw|[pPwaAX])"
    r"(?:[ =]|(?<=\s-p))(?:pass:)?|/p(?:ass(?:word)?)?:)(?P<quote>[\"'])?(?P<secret>[^\s\"'`<>]{4,200})"
)
_PASSWORD_COMMANDS = (  # of commands and files that name no password
    (("chpasswd",), r"echo [\"']?[^\s:]{1,60}:(?P<secret>[^\"'\n|]{4,100}?)[\"']? ?\| ?(?:sudo )?chpasswd"),
    (("sudo -s",), r"echo [\"']?(?P<secret>[^\"'\n|]{4,100}?)[\"']? ?\| ?sudo -S"),
    (("net use",), r"\bnet user? (?:\S{1,80} ){1,3}(?P<secret>[^\s/]{4,100})(?= /|\s*$)"),
    (("securestring",), r"SecureString (?:-String )?[\"'](?P<secret>[^\"'\n]{4,100})"),
    (
        ("lftp", "http -", "https -", "xh -"),
        r"\b(?:lftp|https?|xh) (?:[^\n]{0,80} )?-[au] [^\s:,/]{1,60}[:,](?P<secret>[^\s@]{4,100})",
    ),
    (("@tcp(", "@unix("), r"[\w.\-]{1,60}:(?P<secret>[^\s/@\"':]{4,100})@(?:tcp|unix)\("),
    ((":thin:",), r":thin:[\w.]{1,60}/(?P<secret>[^\s/@\"']{4,100})@"),
    (
        ("*:", ":5432:", "]:"),
        r"(?<![\w.*\-])[\w.*\-\]]{1,80}:(?:\d{2,5}|\*)(?::[\w*\-]{1,60}:[\w*\-.]{1,60}| \S{1,60}@[\w.\-]{1,60})"
        r":(?P<secret>[^\s:\"'`]{4,100})(?![^\s\"'`])",
    ),
)
_URL_USER = (
    r"(?<=[tT][tT][pP]://|[tT][pP][sS]://)(?P<secret>[^\s:/@\"'<>]{16,200}):?@(?=[\w\[])"  # a key without a password
)
_CURL_USER = r"(?i:curl)\b[^\n]{0,400}? (?:-u|--user)[ =]?[\"']?(?P<secret>[^\s:\"']{16,200}):(?=[\s\"']|\Z)"
_AZURE_KEY = r"(?i:accountkey|sharedaccesskey|sharedaccesssignature) ?= ?[\"']?(?P<secret>[A-Za-z0-9+/%_\-]{20,}=*)"
_CURL_PASSWORD = (
    r"(?i:curl)\b[^\n]{0,400}? (?:-u|--user|--proxy-user)[ =]?[\"']?[^\s:\"'\[]{0,100}:(?P<secret>[^\s\"']{3,200})"
)
_COOKIE = r"(?i:cookie)[\"']? ?[:=] ?[\"']?(?P<secret>[^\s=;:,\"'{}()]{1,80}=[^\n\"']{8,2000})"
_SESSION_COOKIE = r"(?i:sess(?:ion)?_?(?:id)?)=(?P<secret>[\w%.\-]{16,400})"
_NETRC_PASSWORD = (
    r"(?i:machine|default)\s{1,4}(?:\S{1,100}\s{1,4})?login\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?P<secret>\S{3,200})"
)
_SLACK_WEBHOOK = r"hooks\.slack\.com/services/(?P<secret>[A-Za-z0-9/]{20,80})"
_PRIVATE_KEY_HEADER = r"(?P<secret>-----BEGIN (?:[A-Za-z0-9]{1,12} ){0,4}(?:PRIVATE KEY|Static key)(?: BLOCK| V1)?-----"
_PRIVATE_KEY = _PRIVATE_KEY_HEADER + r"(?:[^-]|-(?!----))*+-----END [A-Za-z0-9 ]{1,60}-----)"
_TRUNCATED_PRIVATE_KEY = (
    _PRIVATE_KEY_HEADER + r"(?:\s|\\[nr])*+[A-Za-z0-9+/]{16,}+=*(?:(?:\s|\\[nr])++[A-Za-z0-9+/]{16,}+=*)*+)"
)
_CARD_NUMBER = (
    r"(?<![\w+.\-])(?P<secret>[2-6][0-9]{3}(?:([ -])[0-9]{4}\2[0-9]{4}\2[0-9]{4}|([ -])[0-9]{6}\3[0-9]{4,5}"
    r"|[0-9]{10,15}))(?![\w\-*])"
)
_IBAN = (
    r"(?<!\w)(?P<secret>[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){1,2}(?: ?(?=[A-Z]{0,3}[0-9])[A-Z0-9]{4}){1,5}"
    r"(?: ?(?=[A-Z]{0,2}[0-9])[A-Z0-9]{1,3})?)(?!\w)"
)

PREFIX_RULES = (
    SecretRule("aws-key", ("AKIA", "ASIA"), _token_pattern("(?:AKIA|ASIA)[A-Z2-7]{16}"), _is_literal),
    SecretRule("github-token", ("gh",), _token_pattern("gh[pousr]_[A-Za-z0-9]{36,255}"), _is_literal),
    SecretRule("github-token", ("github_pat_",), _token_pattern("github_pat_[A-Za-z0-9_]{22,255}"), _is_literal),
    SecretRule("stripe-key", ("sk_", "rk_"), _token_pattern("[sr]k_(?:live|test)_[A-Za-z0-9]{16,}"), _is_issued_token),
    SecretRule("anthropic-key", ("sk-ant-",), _token_pattern("sk-ant-~{20,}"), _is_literal),
    SecretRule("openai-key", ("sk-",), _token_pattern("sk-(?:proj|svcacct|admin)-~{20,}"), _is_literal),
    SecretRule("openai-key", ("sk-",), _token_pattern("sk-~{20,}"), _is_random),
    SecretRule("google-key", ("AIza",), _token_pattern("AIza~{35}"), _is_issued_token),
    SecretRule("google-key", ("GOCSPX-", "ya29."), _token_pattern(r"GOCSPX-~{28}|ya29\.~{20,}"), _is_issued_token),
    SecretRule("twilio-key", ("SK",), _token_pattern("SK[0-9a-f]{32}"), _always),
    SecretRule("sendgrid-key", ("SG.",), _token_pattern(r"SG\.~{16,32}\.~{32,64}"), _always),
    SecretRule("telegram-token", (":AA",), _token_pattern("[0-9]{8,10}:AA~{33}"), _always),
    SecretRule("telegram-token", ("/bot",), r"(?<=/bot)(?P<secret>[0-9]{8,10}:[A-Za-z0-9_-]{30,40})", _always),
    SecretRule("mailchimp-key", ("-us",), _token_pattern("[0-9a-f]{32}-us[0-9]{1,2}"), _always),
    SecretRule("google-key", ("1//",), r"(?<![\w/:])(?P<secret>1//0[A-Za-z0-9_\-]{20,})", _is_issued_token),
    SecretRule("dropbox-token", ("sl.",), _token_pattern(r"sl\.(?:u\.)?~{60,}"), _is_issued_token),
    SecretRule(
        "paypal-token", ("access_token$",), r"(?P<secret>access_token\$\w{4,12}\$\w{10,20}\$\w{30,40})", _always
    ),
    SecretRule("jwt", ("eyJ",), _token_pattern(r"eyJ~{13,}\.eyJ~{8,}\.~*"), _always),
)
KEYWORD_RULES = (  # anchors in lower case
    SecretRule("private-key", ("private key", "static key"), _PRIVATE_KEY, _always),
    SecretRule("private-key", ("private key",), _TRUNCATED_PRIVATE_KEY, _always),
    SecretRule("aws-secret", ("secret",), _AWS_SECRET, _always),
    SecretRule("azure-key", ("accountkey", "sharedaccess"), _AZURE_KEY, _always),
    SecretRule("azure-signature", ("sig=",), r"[?&]sig=(?P<secret>[A-Za-z0-9%+/=_\-]{20,})", _is_issued_token),
    SecretRule("curl-password", ("curl",), _CURL_PASSWORD, _is_literal),
    SecretRule("curl-user", ("curl",), _CURL_USER, _is_drawn),
    SecretRule("url-user", ("@",), _URL_USER, _is_drawn),
    SecretRule("password", (" -", " /p"), _PASSWORD_FLAG, _is_password_argument),
    SecretRule("password", ("pass", "pw", "psk", "eap", "secret", "community"), _SHORT_NAME, _is_short_named),
    *(SecretRule("password", anchors, pattern, _is_mixed_password) for anchors, pattern in _PASSWORD_COMMANDS),
    SecretRule("password-hash", ("$",), _PASSWORD_HASH, _always),
    SecretRule("key", ("login ",), _LOGIN_ARGUMENT, _is_drawn),
    SecretRule("key", (" -k ",), r"\b(?:push|publish) [^\n]{0,200}? -k (?P<secret>[^\s\"'<>]{16,400})", _is_drawn),
    SecretRule("cookie", ("cookie",), _COOKIE, _is_issued_token),
    SecretRule("session-cookie", ("sess",), _SESSION_COOKIE, _is_issued_token),
    SecretRule("password", ("password",), _NETRC_PASSWORD, _is_literal),
    SecretRule("discord-webhook", ("webhook",), r"/webhooks/\d{16,20}/(?P<secret>[\w\-]{40,})", _always),
    SecretRule("slack-webhook", ("://hooks.slack",), _SLACK_WEBHOOK, _always),
    SecretRule("authorization", ("authorization",), _AUTHORIZATION_HEADER, _is_credential),
    SecretRule("authorization", ("authorization",), _OTHER_AUTHORIZATION, _is_drawn),
    SecretRule("authorization", ("bearer",), r"(?i:bearer) {1,4}(?P<secret>[\w.~+/=:%!$\-]{16,})", _is_random),
    SecretRule("webhook", ("hook",), _WEBHOOK, _has_drawn_part),
    SecretRule("key", ("infura.io/", "alchemy.com/", "quiknode.pro/", "ankr.com/"), _PROJECT_ADDRESS, _is_drawn),
    SecretRule("password", ("wifi:",), _WIFI_CODE, _is_literal),
    SecretRule("key", ("key=", "code=", "appid=", "auth=", "signature=", "sid="), _QUERY_VALUE, _is_drawn),
    SecretRule("url-password", ("://",), _URL_PASSWORD, _is_literal),
    SecretRule("password", ("pass", "pwd=", "pw="), _QUERY_PASSWORD, _is_literal),
    SecretRule("password", ("password=", "passwd=", "_pass="), _ENV_PASSWORD, _is_literal),
    SecretRule("password", tuple(PASSWORD_WORDS.split("|")), _keyword_pattern(PASSWORD_WORDS), _is_password),
    SecretRule("key", _KEY_WORDS, _keyword_pattern("|".join(_KEY_WORDS), more="/| (?=[^\\s]{24})"), _is_key),
)
CHECKSUM_RULES = (
    SecretRule("card-number", (), _CARD_NUMBER, _is_card_number),
    SecretRule("iban", (), _IBAN, _is_iban),
)
