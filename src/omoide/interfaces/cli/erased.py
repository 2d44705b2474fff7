"""How people see what would go, and what went."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from omoide.interfaces.cli.parts import APART, Document, columns, counted, flat, line, time, title

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

_MOST = 20  # lines of one group: what a screen holds


def preview(found: Document) -> RenderableType:
    """What goes, what stays and why, who else says it."""
    from rich.console import Group

    lines: list[RenderableType] = [line((f"{counted(len(found['nodes']), 'memory')} would be erased", "bold"))]
    lines += [_node(each) for each in found["nodes"][:_MOST]]
    lines += _more(found["nodes"])
    lines += _list("with nothing left", [*found["entities"], *found["relations"], *_sessions(found["sessions"])])
    lines += _nodes("Stays, resting on other evidence", found["rederived"])
    lines += _nodes("Holds again", found["reinstated"])
    lines += _nodes("Still says it (--sources takes along what was learned from)", found["still_stated"])
    lines += _told("Goes too, since it repeats it", found["cleared_texts"])
    lines += _told("Has a word of it, and stays", found["mentions"])
    lines += _copies(found["copies"])
    return Group(*lines)


def receipt(found: Document) -> RenderableType:
    from rich.console import Group

    lines: list[RenderableType] = [
        line((f"{counted(len(found['ids']), 'memory')} erased", "bold"), (f"{APART}receipt {found['id']}", "dim"))
    ]
    lines.append(line((", ".join(f"{name} {count:,}" for name, count in found["counts"].items()), "dim"), clip=False))
    for name, words in (
        ("rederived", "kept on other evidence"),
        ("reinstated", "hold again"),
        ("still_stated", "still say it"),
    ):
        if found[name]:
            lines.append(line((f"{_ids(found[name])} {words}", "")))
    lines += _copies(found["copies"])
    lines.append(_seen(found))
    lines += _places("emptied, since it repeated it", found["cleared_texts"], "dim")
    lines += _places("a word of it stays in", found["mentions"], "yellow")
    lines += [line((f"not finished: {each}", "red"), clip=False) for each in found["pending"]]
    return Group(*lines)


def receipts(found: Document) -> RenderableType:
    from rich.console import Group

    account = found["account"]
    states = ("live", "superseded", "archived", "expired", "erased")
    total = line((", ".join(f"{account[name]:,} {name}" for name in states if account[name]) or "no ids yet", "dim"))
    if not found["receipts"]:
        return total
    table = columns("receipt", "when", "by", "erased", "bytes")
    for each in found["receipts"]:
        went = _ids(each["ids"])
        table.add_row(str(each["id"]), time(each["at"]), each["way"], went, _seen(each).plain)
    return Group(table, total)


def _seen(found: Document) -> Text:
    """The result of the look at the bytes, in a sentence."""
    scan = found["scan"]
    if found["pending"]:
        return line(("waiting", "red"))
    if not scan["done"]:
        return line(("finished, not rescanned: after an interruption nothing knows what to look for", ""))
    if scan["found_in"]:
        where = f" ({', '.join(scan['tables'])})" if scan["tables"] else ""
        return line((f"still seen in {', '.join(scan['found_in'])}{where}", "red"), clip=False)
    return line(
        (f"clean: {counted(scan['searched'], 'word')} looked for in {counted(len(scan['files']), 'file')}", "green")
    )


def _node(node: Document) -> Text:
    return line((f"[id:{node['id']}] ", "bold"), (f"{node['kind']}  ", "cyan"), (flat(node["text"]), ""))


def _nodes(name: str, nodes: list[Document]) -> Iterable[RenderableType]:
    if nodes:
        yield title(name)
        yield from (_node(each) for each in nodes[:_MOST])
        yield from _more(nodes)


def _told(name: str, mentions: list[Document]) -> Iterable[RenderableType]:
    """Before: what stands there."""
    if mentions:
        yield title(name)
        for each in mentions[:_MOST]:
            yield line((f"{_place(each)}  ", "cyan"), (flat(each["text"] or ""), ""))
        yield from _more(mentions)


def _places(name: str, mentions: list[Document], style: str) -> list[RenderableType]:
    """Afterwards: where it stands, without a word."""
    if not mentions:
        return []
    more = f" … and {len(mentions) - _MOST:,} more" if len(mentions) > _MOST else ""
    return [line((f"{name}: {', '.join(map(_place, mentions[:_MOST]))}{more}", style), clip=False)]


def _place(mention: Document) -> str:
    return mention["column"] if mention["row"] is None else f"{mention['column']} {mention['row']}"


def _more(nodes: list[Document]) -> list[RenderableType]:
    return [line((f"… and {len(nodes) - _MOST:,} more", "dim"))] if len(nodes) > _MOST else []


def _list(name: str, items: list[str]) -> list[RenderableType]:
    return [line((f"{name}: ", "dim"), (", ".join(items), ""), clip=False)] if items else []


def _sessions(names: list[str]) -> list[str]:
    return [f"session {name}" for name in names]


def _copies(copies: list[Document]) -> list[RenderableType]:
    kept = {True: "holds it", False: "no byte of it was seen", None: "not looked into"}
    return [line((f"{each['kind']} {each['path']}: {kept[each['holds']]}", "yellow"), clip=False) for each in copies]


def _ids(ids: list[int]) -> str:
    shown = ", ".join(map(str, ids[:_MOST]))
    return f"{shown} …" if len(ids) > _MOST else shown
