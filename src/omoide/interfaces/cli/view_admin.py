"""How people see erasures, maintenance, checks, imports and exports, and the state of a live session."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from omoide.interfaces.cli.output import (
    GROUP_LINES,
    SEPARATOR,
    Document,
    can_print,
    counted,
    day,
    flat,
    group,
    line,
    lines_of,
    more,
    node_line,
    pairs,
    table,
    time,
    title,
)
from omoide.interfaces.cli.view_memories import saved

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_JOB_LINES = 5  # of one verb of one job: the first few show what it was like; a dry run shows all
_EXAMPLES = 10
_IMPORTED = ("added", "updated", "same", "skipped")
_TAKEN = ("added", "updated", "proposed", "same", "forgotten")


# ── forget ────────────────────────────────────────────────────────────────────────────────────────────────────────


def preview(found: Document) -> list[RenderableType]:
    """What would be erased, what stays and why, what else says the same."""
    lines: list[RenderableType] = [line((f"{counted(len(found['nodes']), 'memory')} would be erased", "bold"))]
    lines += [node_line(each) for each in found["nodes"][:GROUP_LINES]]
    lines += more(len(found["nodes"]))
    empty = [*found["entities"], *found["relations"], *(f"session {name}" for name in found["sessions"])]
    lines += [line(("left empty: ", "dim"), (", ".join(empty), ""), clip=False)] if empty else []
    for name, heading in (
        ("rederived", "Stays, because it has other evidence"),
        ("reinstated", "Becomes valid again"),
        ("still_stated", "Still says the same (--sources erases what it was learned from too)"),
        ("still_containing", "Stays, though it contains a rare word of the query"),
    ):
        lines += group(heading, [node_line(each) for each in found[name]])
    lines += _mention_texts("Erased too, because it repeats it", found["cleared_texts"])
    lines += _mention_texts("Contains a word of it, and stays", found["mentions"])
    return [*lines, *_copies(found["copies"])]


def receipt(found: Document) -> list[RenderableType]:
    erased = f"{counted(len(found['ids']), 'memory')} erased"
    lines: list[RenderableType] = [line((erased, "bold"), (f"{SEPARATOR}receipt {found['id']}", "dim"))]
    lines.append(line((", ".join(f"{name} {count:,}" for name, count in found["counts"].items()), "dim"), clip=False))
    for name, about in (
        ("rederived", "kept on other evidence"),
        ("reinstated", "valid again"),
        ("still_stated", "still says the same"),
        ("still_containing", "still contains a rare word of the query"),
    ):
        if found[name]:
            lines.append(line((f"{_ids(found[name])} {about}", "")))
    lines += _copies(found["copies"])
    lines.append(_scan(found))
    lines += _mention_places("emptied, because it repeated it", found["cleared_texts"], "dim")
    lines += _mention_places("a word of it stays in", found["mentions"], "yellow")
    lines += [line((f"not finished: {each}", "red"), clip=False) for each in found["pending"]]
    return lines


def receipts(found: Document) -> list[RenderableType]:
    states = found["id_states"]
    names = ("live", "superseded", "archived", "withdrawn", "erased")
    total = line((", ".join(f"{states[name]:,} {name}" for name in names if states[name]) or "no ids yet", "dim"))
    if not found["receipts"]:
        return ["nothing was forgotten yet", total]
    rows = (
        (str(each["id"]), time(each["at"]), each["way"], _ids(each["ids"]), _scan(each).plain)
        for each in found["receipts"]
    )
    return [table(("receipt", "when", "by", "erased", "bytes"), rows), total]


def _scan(found: Document) -> Text:
    """What the search for remaining bytes found."""
    scan = found["scan"]
    if found["pending"]:
        return line(("pending", "red"))
    if not scan["done"]:
        return line(("finished, not scanned again: after an interruption the erased words are not known", ""))
    if scan["found_in"]:
        where = f" ({', '.join(scan['tables'])})" if scan["tables"] else ""
        return line((f"still found in {', '.join(scan['found_in'])}{where}", "red"), clip=False)
    words, files = counted(scan["searched"], "word"), counted(len(scan["files"]), "file")
    return line((f"clean: {words} looked for in {files}", "green"))


def _mention_texts(name: str, mentions: list[Document]) -> Iterable[RenderableType]:
    texts = [
        line(
            (f"{_place(each)}  ", "cyan"),
            (flat(each["text"] or ""), ""),
            (f"  (the word {each['word']})" if each["word"] else "", "dim"),
        )
        for each in mentions
    ]
    return group(name, texts)


def _mention_places(name: str, mentions: list[Document], style: str) -> list[RenderableType]:
    if not mentions:
        return []
    rest = f" … and {len(mentions) - GROUP_LINES:,} more" if len(mentions) > GROUP_LINES else ""
    return [line((f"{name}: {', '.join(map(_place, mentions[:GROUP_LINES]))}{rest}", style), clip=False)]


def _place(mention: Document) -> str:
    if mention["column"].startswith("node.") and mention["row"] is not None:
        return f"[id:{mention['row']}]"
    if mention["column"] == "refusal.text":
        return "a statement that was found and not learned"
    return mention["column"] if mention["row"] is None else f"{mention['column']} {mention['row']}"


def _copies(copies: list[Document]) -> list[RenderableType]:
    state = {True: "contains it", False: "does not contain it", None: "not searched"}
    return [line((f"{each['kind']} {each['path']}: {state[each['holds']]}", "yellow"), clip=False) for each in copies]


def _ids(ids: list[int]) -> str:
    shown = ", ".join(map(str, ids[:GROUP_LINES]))
    return f"{shown} …" if len(ids) > GROUP_LINES else shown


# ── maintenance and checks ────────────────────────────────────────────────────────────────────────────────────────


def maintenance(found: Document) -> list[RenderableType]:
    head = "dry run, nothing was changed" if found["dry_run"] else "maintained"
    counts = ", ".join(f"{count:,} {verb}" for verb, count in found["counts"].items())
    lines: list[RenderableType] = [line((head, "bold"), (f": {counts or 'nothing to do'}", ""))]
    for ran in found["jobs"]:
        lines += _job(ran, sys.maxsize if found["dry_run"] else _JOB_LINES)
    if found["stopped"]:
        lines.append(line(("\nstopped; run it again to do the rest", "yellow"), clip=False))
    return lines


def _job(ran: Document, most: int) -> Iterator[RenderableType]:
    if not ran["steps"] and ran["outcome"] == "done":
        return
    yield title(ran["job"])
    if ran["outcome"] != "done":
        style = "red" if ran["outcome"] == "failed" else "yellow"
        yield line((f"{ran['outcome']}: {ran['why']}", style), clip=False)
    for verb, count in ran["counts"].items():
        steps = [each for each in ran["steps"] if each["verb"] == verb]
        yield from (_job_step(each) for each in steps[:most])
        yield from more(count, most, f" {verb}")


def _job_step(step: Document) -> Text:
    number = f"[id:{step['id']}] " if step["id"] is not None else ""
    why = f" — {flat(step['why'])}" if step["why"] else ""
    about = f"{step['kind']}  {flat(step['text'])}"
    return line((f"{step['verb']} ", "cyan"), (number, "bold"), (about, ""), (why, "dim"))


def jobs(found: Document) -> RenderableType:
    return table(("job", "does"), ((each["job"], each["does"]) for each in found["jobs"]))


def last_maintenance(found: Document) -> RenderableType:
    return pairs(found["maintenance"].items())


def nights(found: Document) -> RenderableType:
    def row(each: Document) -> tuple[str, ...]:
        did = ", ".join(f"{count:,} {verb}" for verb, count in each["counts"].items()) or "nothing"
        undo = "put back" if each["undone_at"] else "yes" if each["can_undo"] else "no"
        return str(each["id"]), day(each["started_at"]), each["outcome"], did, undo

    return table(("night", "began", "outcome", "did", "undo"), map(row, found["nights"]))


def undone(found: Document) -> RenderableType:
    text = f"night {found['night']} is put back: {found['rows']:,} rows, {found['removed']:,} memories removed"
    left = f"; left as they are, since they were changed meanwhile: {_ids(found['kept'])}" if found["kept"] else ""
    return line((text + left, ""), clip=False)


def findings(found: Document) -> list[RenderableType]:
    good, bad = ("✓", "✗") if can_print("✓✗") else ("ok ", "BAD")
    lines: list[RenderableType] = []
    for each in found["findings"]:
        mark = (good, "green") if each["ok"] or each["repaired"] else (bad, "red")
        repaired = " (repaired)" if each["repaired"] else ""
        lines.append(line(mark, (f" {each['check']}: ", "bold"), (f"{each['detail']}{repaired}", ""), clip=False))
    return lines


def redacted(found: Document) -> RenderableType:
    if not found["found"]:
        return "nothing that is stored looks like a secret"
    kinds = Counter(kind for each in found["found"] for kind in each["kinds"])
    said = "redacted" if found["redacted"] else "would be redacted"
    text = (
        f"{counted(len(found['found']), 'stored text')} {said}: {', '.join(f'{name} {n}' for name, n in kinds.items())}"
    )
    lines = [text, f"memories: {_ids(found['memories'])}" if found["memories"] else ""]
    lines += [f"may still hold them: {each['path']}" for each in found["copies"]] + list(found["pending"])
    return "\n".join(filter(None, lines))


# ── copies, exports, imports ──────────────────────────────────────────────────────────────────────────────────────


def backup(found: Document) -> str:
    return f"{found['path']} · {counted(found['nodes'], 'node')} · {found['bytes'] / 1e6:,.1f} MB · verified"


def restored(found: Document) -> str:
    aside = f"\nthe old file is now {found['aside']}" if found["aside"] else ""
    return f"{found['path']} · {counted(found['nodes'], 'node')} · verified{aside}"


def exported(found: Document) -> str:
    counts = ", ".join(f"{name} {count:,}" for name, count in found["counts"].items() if count)
    return f"{found['path']} · {found['bytes'] / 1e6:,.1f} MB · {counts or 'nothing'}"


def pages(found: Document) -> str:
    return (
        f"{found['path']} · {found['entities']:,} entities, {found['days']:,} days · "
        f"{found['changed']:,} changed, {found['removed']:,} removed"
    )


def imported(found: Document) -> list[RenderableType]:
    lines: list[RenderableType] = [_counts(found["counts"], _IMPORTED)]
    if found["moved"]:
        moved = ", ".join(f"{table} {there} → {here}" for table, there, here in found["moved"])
        lines.append(line((f"ids that were taken became others: {moved} …", ""), clip=False))
    if found["forgotten"]:
        lines.append(line((f"{found['forgotten']:,} memories left out: erased on request", ""), clip=False))
    return lines


def taken(found: Document) -> list[RenderableType]:
    """What the memories of another system became, and what was left out, with an example of each."""
    dry_run = ", nothing was written" if found["dry_run"] else ""
    rows: list[RenderableType] = [line((f"{found['format']}: {found['path']}{dry_run}", "bold"))]
    rows.append(_counts(found["counts"], _TAKEN))
    for kind, where, text in found["examples"][:_EXAMPLES]:
        rows.append(line((f"  {kind}: {text}", ""), (f"  {where}", "dim")))
    for reason, count in found["skipped"].items():
        where = next(place for why, place in found["left_out"] if why == reason)
        rows.append(line((f"left out {count:,}: {reason}", "yellow"), (f"  first: {where}", "dim")))
    return rows


def _counts(counts: Document, names: tuple[str, ...]) -> RenderableType:
    rows = ((kind, *(f"{row[each]:,}" if each in row else "" for each in names)) for kind, row in counts.items())
    return table(("", *names), rows)


def loki(report: Document) -> str:
    lines = [
        f"{what}: {', '.join(f'{count} {outcome}' for outcome, count in counts.items())}"
        for what, counts in report["outcomes"].items()
    ]
    lines += [f"skipped {path}: {why}" for path, why in report["skipped"]]
    lines += [f"kept what was replaced: {path}" for path in report["backups"]]
    if report["dangling"]:
        lines.append(f"{len(report['dangling'])} links lead to something that does not exist")
    return "\n".join([f"{report['files']} files, {report['folder']}", *lines])


def continuity(found: Document) -> str:
    if found["file"] is None:
        return str(found["page"])
    state = "updated" if found["changed"] else "unchanged"
    return f"{found['file']} {state}" + "".join(f"\nadded: {saved(each)}" for each in found["memories"])


# ── live sessions ─────────────────────────────────────────────────────────────────────────────────────────────────


def live_state(found: Document) -> list[RenderableType]:
    window = f"{counted(len(found['turns']), 'turn')} of {found['turn_count']:,}"
    state = "a reply is pending" if found["waits"] else "the user speaks next"
    about = [("session", found["session"]), ("in the window", window), ("now", state), ("plan", found["plan"])]
    parts: list[RenderableType] = [pairs(about)]
    parts += group("Goals", _turns(found["goals"]))
    parts += group("Earlier", _turns([found["summary"]] if found["summary"] else []))
    parts += group("Conversation", _turns(found["turns"]))
    parts += group("Retrieved", _turns(found["retrieved"]))
    return parts


def _turns(nodes: list[Document]) -> list[Text]:
    return [
        line(
            (f"[id:{each['id']}] ", "bold"),
            (f"{each['speaker'] or each['role'] or each['kind']}: ", "cyan"),
            (flat(each["text"]), ""),
        )
        for each in nodes
    ]


# ── trust ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def consent(each: Document) -> str:
    end = f"revoked {time(each['revoked_at'])}" if each["revoked_at"] else f"until {time(each['expires_at'])}"
    return f"{each['session']}  {time(each['granted_at'])}, {end}: {each['reason']}"


def _audit_line(each: Document) -> str:
    ids = "; ".join(
        f"{verb} {', '.join(str(a) if a == b else f'{a}-{b}' for a, b in ranges)}"
        for verb, ranges in each["changes"].items()
    )
    return f"{time(each['at'])}  {each['door']} {each['operation'] or '-'}: {ids}  {each['digest'][:12]}"


consents = lines_of("consents", consent)
audit = lines_of("audit", _audit_line)
