"""Measures redaction: the share of secrets found in over 200 formats, false alarms on ordinary text, CPU time a turn.

    python bench/secret_formats.py                                       # a summary
    python bench/secret_formats.py --missed                              # and what was missed
    python bench/secret_formats.py --write docs/explanation/security.md  # the table of that page

Every secret is generated from the description of its format; none is real. A description is text with fields: `{h32}`
is 32 hexadecimal digits, `{A20}` 20 letters and digits, see `_CLASSES`. What stands in « » is the secret; without
these marks, all of it is. `secret_formats.txt` lists what providers document, each with the name of its variable, its
header or address; the lists below are bare: nothing around a token says what it is.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
import string
import sysconfig
import time
import uuid
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from omoide.observe.redaction import redact

ROOT = Path(__file__).parents[1]
_LOWER, _UPPER, _DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
_CLASSES = {
    "h": "0123456789abcdef", "H": "0123456789ABCDEF", "d": _DIGITS, "l": _LOWER, "a": _LOWER + _DIGITS,
    "U": _UPPER + _DIGITS, "L": _UPPER, "A": _LOWER + _UPPER + _DIGITS, "u": _LOWER + _UPPER + _DIGITS + "_-",
    "b": _LOWER + _UPPER + _DIGITS + "+/", "t": _UPPER + "234567", "m": _LOWER + _UPPER, "i": _LOWER + "234567",
    "v": _LOWER + _UPPER + _DIGITS + "_~.-", "j": _LOWER + _DIGITS + "!@#$%^&*(-_=+)",
    "x": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "s": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}  # fmt: skip

# The value shows what it is.
ISSUED = """
AKIA{t16}|ASIA{t16}|ABIA{t16}|gsk_{A52}|sk-or-v1-{h64}|xai-{A80}|pplx-{A48}|r8_{A37}|fw_{A24}|csk-{a48}|tvly-{A32}
fc-{h32}|pcsk_{A6}_{A63}|lsv2_pt_{h32}_{h10}|sk-lf-{h8}-{h4}-{h4}-{h4}-{h12}|nvapi-{u64}|jina_{A60}
sk-proj-{u74}T3BlbkFJ{u74}|sk-{A20}T3BlbkFJ{A20}|sk-svcacct-{u74}T3BlbkFJ{u74}|sk-admin-{u58}T3BlbkFJ{u58}
sk-proj-{A48}|sk-ant-api03-{u93}AA|sk-ant-admin01-{u93}AA|sk-ant-oat01-{u80}|dop_v1_{h64}|doo_v1_{h64}|dor_v1_{h64}
dapi{h32}|dapi{h32}-2|dp.pt.{A43}|dp.st.dev.{A43}|shpat_{h32}|shpca_{h32}|shppa_{h32}|shpss_{h32}|sq0atp-{u22}
sq0csp-{u43}|EAAA{u60}|secret_{A43}|ntn_{d11}{A35}|lin_api_{A40}|lin_oauth_{h64}|pk_{d8}_{U32}|dckr_pat_{u27}
dckr_oat_{u32}|SWMTKN-1-{a50}-{a25}|figd_{u40}|glsa_{A32}_{h8}|glc_{A60}|eyJrIjoi{A80}|sntrys_eyJpYXQiO{A60}_{A43}
sntryu_{h64}|NRAK-{U27}|NRII-{u32}|phx_{A43}|PMAK-{h24}-{h34}|pul-{h40}|rubygems_{h48}|cio{A32}|glpat-{u20}
gldt-{u20}|glrt-{u20}|glptt-{h40}|glft-{u20}|glimt-{u25}|glagent-{u50}|gloas-{h64}|glsoat-{u20}|glffct-{u20}
GR1348941{u20}|ATATT3{u186}|ATCTT3{u186}|ATBB{A32}|HRKU-AA{u58}|nfp_{A36}|vcp_{A24}|sbp_{h40}|sb_secret_{u31}
pscale_tkn_{u43}|pscale_pw_{u43}|pscale_oauth_{u43}|npg_{A12}|rnd_{A32}|fo1_{u43}|fm2_{A100}|tskey-auth-{A17}-{A32}
pat-na1-{h8}-{h4}-{h4}-{h4}-{h12}|xkeysib-{h64}-{a16}|xsmtpsib-{h64}-{a16}|key-{h32}|re_{A8}_{A24}|tfp_{A44}_{A14}
CFPAT-{u43}|sdk-{h8}-{h4}-{h4}-{h4}-{h12}|bkua_{h40}|CCIPAT_{A22}_{h40}|squ_{h40}|sqp_{h40}|oy2{a43}|API-{U26}
hvs.{u95}|hvb.{u140}|{A14}.atlasv1.{u64}|ico-{A32}|pnu_{A36}|shippo_live_{h40}|EZAK{A54}|EZTK{A54}|duffel_live_{u43}
live_{h35}|FLWSECK-{h32}-X|rzp_live_{A14}|rdme_{a70}|tk-us-{u48}|fio-u-{u64}|pat.{u22}.{A24}.{A20}|pat{A14}.{h64}
ops_eyJ{A260}|A3-{U6}-{U11}-{U5}-{U5}-{U5}|AGE-SECRET-KEY-1{x58}|LTAI{A20}|AKID{A32}|AQVN{u36}|y0_{u55}|EAAM{A120}
EAAG{A120}|AAAAAAAAAAAAAAAAAAAAA{A80}|sgp_{h40}|sgp_{h16}_{h40}|waka_{h8}-{h4}-{h4}-{h4}-{h12}|AKCp{A69}|cmVmd{A59}
p8e-{a32}|CLOJARS_{a60}|ghp_{A36}|gho_{A36}|ghu_{A36}|ghs_{A36}|ghr_{A36}|github_pat_{A22}_{A59}|npm_{A36}
pypi-AgEIcHlwaS5vcmc{u120}|hf_{m34}|api_org_{m34}|sk_live_{A24}|sk_test_{A99}|rk_live_{A24}|whsec_{A32}
xoxb-{d12}-{d12}-{A24}|xoxp-{d12}-{d12}-{d12}-{h32}|xapp-1-A{U10}-{d13}-{h64}|xoxe.xoxp-1-{U163}|xoxe-1-{U146}
AIza{u35}|GOCSPX-{u28}|ya29.{u120}|1//0{u60}|SG.{u22}.{u43}|SK{h32}|{d10}:AA{u33}|{jwt}|{h32}-us12|M{u25}.{u6}.{u38}
sl.{u130}|access_token$production${a16}${h32}|access-production-{h8}-{h4}-{h4}-{h4}-{h12}|sm_pat_{A16}
dt0c01.{U24}.{U64}|dt0s16.{U8}.{U64}|{A6}_{A29}_mmk|4b1d{A38}|s-s4t2ud-{h64}|v1.0-{h24}-{h146}|sha256~{u43}
asst_pat_{A40}|acme_live_{A40}|zeta-{A36}|{seed12}|{seed24}|{pem}|{pgp}|{card}|{iban}
""".replace("\n", "|").strip("|").split("|")  # fmt: skip

# The secret stands in a form that tells what it is.
FORMS = """
AccountName=shop;AccountKey=«{b86}==»;EndpointSuffix=core.windows.net
Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{b43}=»
https://shop.blob.core.windows.net/c?sv=2024-01-01&se=2030-01-01&sig=«{A42}%3D»
curl -u otto:«{A12}» https://api.example.org/v1
curl -X POST --user "otto:«{A16}»" https://api.example.org/v1
curl -H "Authorization: Bearer «{A40}»" https://api.example.org
curl -H "Authorization: Basic «{A28}==»" https://api.example.org
curl -H "X-Vault-Token: «{A26}»" https://vault.example.org
curl -H "X-Api-Key: «{A32}»" https://api.example.org
Cookie: session=«{A40}»; theme=dark
Set-Cookie: sid=«{u43}»; HttpOnly; Secure
document.cookie was PHPSESSID=«{a26}»
_gitlab_session=«{h32}»
machine api.example.org login otto password «{A14}»
machine api.example.org\\n  login otto\\n  password «{A14}»
db.example.org:5432:shop:otto:«{A14}»
postgres://otto:«{A14}»@db.example.org:5432/shop
mysql://root:«{A10}»@10.0.0.4/shop
mongodb+srv://otto:«{A16}»@cluster0.example.net/shop
redis://:«{A20}»@cache.example.org:6379/0
amqps://otto:«{A18}»@mq.example.org/vhost
https://otto:«{A20}»@git.example.org/shop.git
cloudinary://123456789012345:«{u27}»@shop
https://{h32}:«{h32}»@o1.ingest.example.io/42
smtp://mailer:«{A16}»@mail.example.org:587
https://hooks.slack.com/services/«T{U8}/B{U8}/{A24}»
https://discord.com/api/webhooks/{d18}/«{u68}»
https://api.telegram.org/bot«{d10}:AA{u33}»/getMe
https://shop.webhook.office.com/webhookb2/«{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/{h32}/{h8}-{h4}-{h4}-{h4}-{h12}»
Server=db;Database=shop;User Id=otto;Password=«{A14}»;
sqlcmd -S db -U otto --password «{A14}»
a senha é «{A8}7»
a senha do wifi é «{A8}7»
la contraseña es «{A8}7»
mein Passwort ist «{A8}7»
le mot de passe est «{A8}7»
la parola è «{A8}7»
lösenordet: lösenord är «{A8}7»
hasło to «{A8}7»
пароль: «{A8}7»
密码是«{A8}7»
パスワードは«{A8}7»
비밀번호는 «{A8}7»
şifre: «{A8}7»
wachtwoord: «{A8}7»
my password is «{A8}7»
the wifi password for the cabin is «{A8}7»
the passcode is «{d6}»
change the password to «{A8}7»
""".strip().split("\n")

BARE = {
    "prose": "Use {} for now, I will rotate it on Friday.",
    ".env": "# local\nSERVICE_VALUE={}\nDEBUG=1",
    "JSON": '{{"region": "eu", "value": "{}", "retries": 3}}',
    "code": 'client = Client("{}", timeout=30)',
    "Markdown": "1. Sign in\n2. Paste `{}` and save.",
}
SHELL = (
    "export {var}='{value}' && npm run deploy", "{var}={value} python manage.py migrate",
    'docker run -e {var}="{value}" shop:latest', "heroku config:set {var}='{value}'", "echo '{var}={value}' >> .env",
    "kubectl create secret generic shop --from-literal={var}='{value}'", "gh secret set {var} --body '{value}'",
)  # fmt: skip
PROSE = (
    "My {provider} {noun} is {value}, can you put it into the config?", "For {provider} use this {noun}: {value}",
    "I created a new {provider} {noun} ({value}) for the staging server.",
    "Here is the {provider} {noun}: {value}. Please don't lose it.",
    "The {noun} for {provider} is `{value}` and it expires in May.",
)  # fmt: skip


@dataclass(frozen=True)
class Documented:
    """A format as its provider documents it."""

    provider: str
    variable: str
    header: str
    value: str

    @property
    def words(self) -> str:
        """What the value is called: the words of the variable that do not name the provider."""
        own = re.findall("[a-z0-9]+", self.provider.lower())
        said = [each for each in self.variable.lower().split("_") if each not in own]
        return " ".join(said or [self.variable.lower()])

    def wrapped(self, generator: Generator, number: int) -> Iterator[tuple[str, str, str]]:
        """Each wrapping, the text, and the secret in it."""
        made = generator.make(self.value)
        marked = re.search("<([^>]*)>", made)
        secret, value = (marked[1] if marked else made), re.sub("<([^>]*)>", r"\1", made)
        quoted = f'"{value}"' if number % 2 or re.search(r"\s", value) else value
        yield ".env", f"# settings of the shop\nPORT=3000\n{self.variable}={quoted}\nLOG_LEVEL=info\n", secret
        snake, camel = self.words.replace(" ", "_"), re.sub(" (.)", lambda each: each[1].upper(), self.words)
        place: tuple[dict[str, object], ...] = (
            {"name": "shop", self.provider.lower(): {"region": "eu", camel: value}},
            {f"{self.provider.lower().replace(' ', '_')}_{snake}": value, "debug": False},
            {"env": {self.variable: value}, "port": 8080},
        )
        yield "JSON", json.dumps(place[number % 3], indent=number % 2 * 2 or None), secret
        names = {"provider": self.provider, "noun": self.words, "var": self.variable, "value": value}
        yield "shell", SHELL[number % len(SHELL)].format(**names), secret
        yield "prose", PROSE[number % len(PROSE)].format(**names), secret
        header = "Authorization: Bearer %" if self.header == "-" else self.header
        line = header.replace("%", value.replace("\n", "\\n"), 1)
        bare = re.match("http|otpauth|WIFI|//|POST", line) or number % 2
        yield "header or address", line if bare else f"curl -H '{line}' https://api.example.com/v1", secret


def documented(seed: int) -> Iterator[tuple[str, str, str, list[str]]]:
    """Every documented format in five wrappings: the format, the wrapping, the text, what must not be left in it."""
    generator = Generator(seed)
    lines = (ROOT / "bench/secret_formats.txt").read_text("utf-8").splitlines()
    for number, line in enumerate(each for each in lines if not each.startswith("#")):
        form = Documented(*map(str.strip, line.split(" | ", 3)))
        for name, text, secret in form.wrapped(generator, number + seed):
            size = min(16, max(6, -(-len(secret) * 3 // 10)))  # a third of it, or 16 characters, must not be left
            parts = {secret[at : at + size] for at in range(max(1, len(secret) - size + 1))}
            yield line, name, text, [each for each in parts if each in text]


class Generator:
    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._words = (ROOT / "src/omoide/observe/seed_words.txt").read_text("ascii").split()

    def make(self, description: str) -> str:
        made = re.sub(r"\{pem ([A-Z ]+)\}", lambda found: self._pem(0, found[1]), description)
        return re.sub(r"\{(\w+?)(\d*)\}", lambda found: self._field(found[1], int(found[2] or 0)), made)

    def _field(self, name: str, length: int) -> str:
        if name in _CLASSES:
            return "".join(self._chance.choices(_CLASSES[name], k=length))
        if name == "seed":
            return " ".join(self._chance.choices(self._words, k=length))
        return str(getattr(self, f"_{name}")(length))

    def _uuid(self, _: int) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128), version=4))

    def _pw(self, _: int) -> str:
        first, second = self._chance.choices(("sunset", "tiger", "Coffee", "maple", "dragon", "Berlin", "silver"), k=2)
        return f"{first}{self._chance.choice('!$*+_-.')}{second.title()}{self._chance.randrange(10, 9_999)}"

    def _jwt(self, _: int) -> str:
        parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": self.make("{d8}"), "name": "Otto"})
        encoded = [base64.urlsafe_b64encode(json.dumps(each).encode()).decode().rstrip("=") for each in parts]
        return ".".join((*encoded, self.make("{u43}")))

    def _pem(self, _: int, name: str = "RSA PRIVATE KEY") -> str:
        body = "\n".join(self.make("{b64}") for _ in range(6))
        return f"-----BEGIN {name}-----\n{body}\n-----END {name}-----"

    def _pgp(self, _: int) -> str:
        body = "\n".join(self.make("{b64}") for _ in range(6))
        return f"-----BEGIN PGP {'PRIVATE'} KEY BLOCK-----\n\n{body}\n=Ab1d\n-----END PGP {'PRIVATE'} KEY BLOCK-----"

    def _card(self, _: int) -> str:
        start = self.make("4{d14}")
        doubled = [int(char) * (2 if place % 2 == 0 else 1) for place, char in enumerate(start)]
        return f"{start}{-sum(each - 9 if each > 9 else each for each in doubled) % 10}"

    def _iban(self, _: int) -> str:
        account = self.make("{d18}")
        return f"DE{98 - int(account + '131400') % 97:02}{account}"


def secrets(seed: int) -> Iterator[tuple[str, str, str, list[str]]]:
    """Every bare format in five wrappings: the format, the wrapping, the text, what must not be left in it."""
    generator = Generator(seed)
    for description in ISSUED:
        for name, around in BARE.items():
            value = generator.make(description)
            yield description, name, around.format(value), [value]
    for description in FORMS:
        for name, around in BARE.items():
            text = generator.make(description.replace("\\n", "\n"))
            value = re.sub("[«»]", "", text)
            shown = value.replace('"', "'") if name in ("JSON", "code") else value
            yield description, name, around.format(shown), re.findall("«([^»]*)»", text)


def disguised(text: str, value: str, number: int) -> str:
    """The same text with the secret in full-width letters, or with invisible characters in it."""
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in value)
    return text.replace(value, (wide, "\u200b".join(value), value[:5] + "\u2060" + value[5:])[number % 3])


def ordinary(seed: int, number: int, packages: bool = False) -> Iterator[tuple[str, str]]:
    """Text without secrets: what kind it is, and the text. `packages`: also pages and code of installed packages."""
    generator, chance = Generator(seed), random.Random(seed)
    pages = [each.read_text("utf-8") for each in sorted(ROOT.glob("docs/**/*.md")) if each.name != "security.md"]
    prose = [each.strip() for page in pages for each in re.split(r"\n\n+|(?<=[.?!]) ", page) if len(each.strip()) > 20]
    code = [
        part for each in sorted(ROOT.glob("src/**/*.py")) if each.parent.name != "observe"
        for part in each.read_text("utf-8").split("\n\n") if len(part) > 40
    ]  # fmt: skip
    hashes = (
        "commit {h40} fixes it", "sha256:{h64}", "md5 {h32} of the file", "sha512-{b86}==", 'etag "{h32}"', "pi_{A24}",
        "image@sha256:{h64}", "main-{U8}.js and chunk-{A8}.css", "toolu_{A24} and msg_{A24}", "blake2 {h128}",
        "build 20261119-{h7}", "pod web-{a10}-{a5}", "https://youtu.be/{u11}",
        "https://docs.example.org/document/d/{A44}/edit",
    )  # fmt: skip
    if packages:
        site = Path(sysconfig.get_path("purelib"))
        for name, pattern in (("pages of packages", "*/METADATA"), ("code of packages", "*/**/*.py")):
            yield from ((name, each) for each in _passages(site, pattern, number, chance))
    for place in range(number):
        yield "lock file or commit", generator.make(LOCKED[place % len(LOCKED)])
        yield "prose", prose[place % len(prose)]
        yield "code", code[place % len(code)]
        yield "hash or id", generator.make(hashes[place % len(hashes)])
        yield "UUID", f"record {uuid.UUID(int=chance.getrandbits(128))} was updated"
        image = base64.b64encode(chance.randbytes(chance.randrange(60, 3_000))).decode()
        yield "base64 image", f"![chart](data:image/png;base64,{image})"


LOCKED = (
    '[[package]]\nname = "serde"\nversion = "1.0.7"\nchecksum = "{h64}"',
    '{{file = "rich-2.0.whl", hash = "sha256:{h64}"}},',
    'left-pad@^1.2:\n  resolved "https://registry.example.com/left-pad-1.2.tgz#{h40}"\n  integrity sha512-{b86}==',
    "click==8.1 --hash=sha256:{h64}\n    --hash=sha256:{h64}", "example.com/x/rich v1.2.0 h1:{b43}=",
    "commit {h40}\nAuthor: Otto <otto@example.com>\n\n    shop: fix the basket", "uses: actions/checkout@{h40} # v4",
    "bisect: {h40} is the first bad commit; the token test passes since then", "cache key {h40}, primary key {uuid}",
)  # fmt: skip


def _passages(folder: Path, pattern: str, number: int, chance: random.Random) -> list[str]:
    """Pieces of about 600 characters, at most twelve of one file."""
    files = sorted(each for each in folder.glob(pattern) if "omoide" not in each.parts)
    chance.shuffle(files)
    found: list[str] = []
    for each in files:
        text = each.read_text("utf-8", "replace")
        found += [text[at : at + 600] for at in range(0, min(len(text), 7_200), 600)]
        if len(found) >= number:
            break
    return found[:number]


def measure(seed: int, number: int, rounds: int = 1, packages: bool = False) -> dict[str, dict[str, tuple[int, int]]]:
    """(found or falsely found, of how many) by kind of text. Each round generates other secrets."""
    counts: dict[str, dict[str, tuple[int, int]]] = {"documented": {}, "found": {}, "disguised": {}, "false": {}}
    missed: list[str] = []

    def note(part: str, name: str, hit: bool) -> None:
        good, total = counts[part].get(name, (0, 0))
        counts[part][name] = good + hit, total + 1

    made = (
        (part, *each) for place in range(rounds) for part, of in (("documented", documented), ("found", secrets))
        for each in of(seed + place)
    )  # fmt: skip
    for place, (part, description, name, text, values) in enumerate(made):
        kept = redact(text).text
        hit = not any(value in kept for value in values)
        note(part, name, hit)
        if not hit:
            missed.append(f"{name}: {description}  {text[:140]!r}")
        if hit and place % 5 == 0 and part == "found":
            cloaked = disguised(text, values[0], place // 5)
            note("disguised", "disguised", redact(cloaked).text != cloaked)
    for name, text in ordinary(seed, number, packages):
        found = redact(text).found
        note("false", name, bool(found))
        if found:
            missed.append(f"false alarm {found}: {text[:140]!r}")
    measure.missed = missed  # type: ignore[attr-defined]
    return counts


def milliseconds(turns: list[str]) -> float:
    """CPU time a turn."""
    for text in turns:
        redact(text)
    start = time.process_time()
    for text in turns:
        redact(text)
    return 1_000 * (time.process_time() - start) / len(turns)


def table(seed: int, number: int, rounds: int) -> str:
    counts = measure(seed, number, rounds, packages=True)
    rows = ["| text | count | share |", "|---|---|---|"]

    def row(name: str, parts: Collection[tuple[int, int]], what: str) -> None:
        good, total = (sum(each) for each in zip(*parts, strict=True))
        rows.append(f"| {name} | {good:,} of {total:,} | {100 * good / total:.2f} % {what} |")

    formats = next(iter(counts["documented"].values()))[1] // rounds
    row(
        f"{formats} documented formats in five wrappings, {rounds} secrets each", counts["documented"].values(), "found"
    )
    for name, part in counts["documented"].items():
        row(f"· {name}", [part], "found")
    bare = len(ISSUED) + len(FORMS)
    row(f"{bare} bare tokens and forms in five wrappings, {rounds} each", counts["found"].values(), "found")
    row("full-width or with invisible characters", counts["disguised"].values(), "found")
    row("ordinary text", counts["false"].values(), "false alarms")
    for name, part in counts["false"].items():
        row(f"· {name}", [part], "false alarms")
    turns = [text for name, text in ordinary(seed, 400, packages=True) if name.endswith("of packages")]
    mean = sum(map(len, turns)) / len(turns)
    rows.append(f"| CPU time a turn of {mean:.0f} characters | | {milliseconds(turns):.3f} ms |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=10, help="secrets of each format and wrapping")
    parser.add_argument("--texts", type=int, default=2_500, help="ordinary texts of each kind")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--write", type=Path, help="page whose table is replaced")
    given = parser.parse_args()
    made = table(given.seed, given.texts, given.rounds)
    print(made)
    if given.missed:
        print("\n".join(measure.missed))  # type: ignore[attr-defined]
    if given.write:
        page = given.write.read_text("utf-8")
        begin, end = "<!-- secrets:begin -->\n", "<!-- secrets:end -->"
        head, rest = page.split(begin)
        given.write.write_text(f"{head}{begin}{made}\n{end}{rest.split(end)[1]}", "utf-8")


if __name__ == "__main__":
    main()
