"""skill and loki: how-tos as files, and whole folders of another program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from omoide.errors import InvalidInput
from omoide.interfaces.cli import output
from omoide.interfaces.cli.output import Answer
from omoide.interfaces.cli.parts import Document, flat
from omoide.interfaces.cli.recall import catch_up, told_hit
from omoide.interfaces.cli.verb import Call, verb
from omoide.interfaces.document import document

Paths = Annotated[list[Path], typer.Argument(metavar="PATH…", help="Skill files, or a folder of them.")]
Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="A .loki/memory folder.", show_default=False)]
Into = Annotated[Path | None, typer.Argument(metavar="FOLDER", help="Where to; without it, it is printed.")]
Ids = Annotated[list[int] | None, typer.Option("--id", metavar="ID", help="Only these; may be repeated.")]
All = Annotated[bool, typer.Option("--all", help="Every skill and procedure.")]
Goal = Annotated[str, typer.Argument(metavar="GOAL", help="What is to be done.", show_default=False)]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, metavar="N", help="How many at most.")]

skill = typer.Typer(help="Skill files: import, export, list, match.", no_args_is_help=True, rich_markup_mode="rich")
loki = typer.Typer(help="Loki's .loki/memory folders: import, export.", no_args_is_help=True, rich_markup_mode="rich")


@verb
def import_skill(call: Call, paths: Paths) -> Answer:
    """Read skill files. The same file changes nothing, a changed one is a new version.

    Example: omoide skill import skills/
    """
    with call.open(create=True) as memory:
        return Answer({"skills": document(memory.tasks.import_skills(paths))}, _imported)


@verb
def export_skill(call: Call, folder: Into = None, id: Ids = None, all: All = False) -> Answer:
    """Write skills, and learned procedures, as skill files.

    Example: omoide skill export --all skills/

    Example: omoide skill export --id 7
    """
    if not id and not all:
        raise InvalidInput("say which: --id ID, or --all")
    with call.open() as memory:
        if folder is None:
            if not id:
                raise InvalidInput("name a folder to write all of them to")
            pages = [memory.tasks.skill_markdown(each) for each in id]
            return Answer({"markdown": "\n".join(pages).rstrip("\n")}, lambda found: found["markdown"])
        written = memory.tasks.export_skills(folder, id or ())
        return Answer({"files": [str(each) for each in written]}, lambda found: "\n".join(found["files"]))


@verb
def list_skills(call: Call, limit: Limit = 20) -> Answer:
    """The latest skills and procedures, and how they went.

    Example: omoide skill list
    """
    with call.open() as memory:
        found = memory.tasks.skills(None, limit)
    if not found:
        call.note("no skill is known yet; `omoide skill import` reads some")
    return Answer({"skills": [told_hit(hit) for hit in found]}, _several)


@verb
def match(call: Call, goal: Goal, limit: Limit = 5) -> Answer:
    """Skills and procedures that fit a goal.

    Example: omoide skill match "add an endpoint to the API"
    """
    with call.open(embedder=True) as memory:
        catch_up(call, memory)
        found = memory.tasks.skills(goal, limit)
    if not found:
        call.note("no skill fits")
    return Answer({"skills": [told_hit(hit) for hit in found]}, _several)


@verb
def import_folder(call: Call, folder: Folder) -> Answer:
    """Read a .loki/memory folder. Reading it again changes only what changed there.

    Example: omoide loki import .loki/memory
    """
    with call.open(create=True) as memory, output.progress("reading", _count(folder), call.json) as done:
        report = memory.admin.import_loki(folder, progress=lambda number, total: done(number))
    return Answer(document(report), _report)


@verb
def export_folder(call: Call, folder: Folder) -> Answer:
    """Write a .loki/memory folder: what came from one as it was, and what was learned since.

    Example: omoide loki export .loki/memory
    """
    with call.open() as memory:
        return Answer(document(memory.admin.export_loki(folder)), _report)


for _name, _verb in {"import": import_skill, "export": export_skill, "list": list_skills, "match": match}.items():
    skill.command(_name)(_verb)
for _name, _verb in {"import": import_folder, "export": export_folder}.items():
    loki.command(_name)(_verb)


def _count(folder: Path) -> int:
    return sum(1 for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0


def _imported(found: Document) -> str:
    return "\n".join(
        f"[id:{each['node']['id']}] {each['became']}  {each['node']['name']}"
        if each["node"]
        else f"{each['became']}  {each['path']}"
        for each in found["skills"]
    )


def _several(found: Document) -> str:
    return "\n".join(map(_skill, found["skills"]))


def _skill(hit: Any) -> str:
    node = hit["node"]
    went = f"{node['success_count']} worked, {node['failure_count']} failed"
    return f"[id:{hit['id']}] {hit['kind']}  {flat(node['name'] or node['text'])}  {went}"


def _report(report: Document) -> str:
    lines = [
        f"{what}: {', '.join(f'{count} {became}' for became, count in counts.items())}"
        for what, counts in report["became"].items()
    ]
    lines += [f"skipped {path}: {why}" for path, why in report["skipped"]]
    if report["dangling"]:
        lines.append(f"{len(report['dangling'])} links lead to something that is not there")
    return "\n".join([f"{report['files']} files, {report['folder']}", *lines])
