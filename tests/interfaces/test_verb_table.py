"""One definition of every verb: each interface offers every parameter, or the table of omissions says why not."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from omoide import Memory
from omoide.interfaces import omissions, reference
from omoide.interfaces.cli.app import application, commands
from omoide.interfaces.http import models, other_routes
from omoide.interfaces.signature import Kind, kind_of
from omoide.interfaces.tools import chosen
from omoide.interfaces.verbs import BY_METHOD, VERBS, Verb, class_method
from omoide.transfer.formats import FORMATS

OFFERED = [pytest.param(each, id=each.method) for each in VERBS]
PAGES = Path(__file__).parents[2] / "docs" / "reference"


def public(owner: object) -> Iterator[str]:
    return (name for name, _ in inspect.getmembers(owner, inspect.isroutine) if not name.startswith("_"))


def test_every_method_of_memory_is_in_the_table_or_omitted() -> None:
    with Memory(":memory:", embedder=None) as memory:
        spaces = ("graph", "tasks", "documents", "narrative", "review", "trust", "admin")
        methods = set(public(Memory)) | {f"{name}.{each}" for name in spaces for each in public(getattr(memory, name))}
    missing = {each for each in methods - BY_METHOD.keys() if not omissions.lacks(each, "cli")}
    assert missing == set()
    assert BY_METHOD.keys() <= methods


@pytest.mark.parametrize("verb", OFFERED)
def test_every_parameter_is_documented(verb: Verb) -> None:
    assert verb.signature.summary
    assert [each.name for each in verb.signature.parameters if not each.help] == []


@pytest.fixture(scope="module")
def root() -> typer.core.TyperGroup:
    found = typer.main.get_command(application())
    assert isinstance(found, typer.core.TyperGroup)
    return found


@pytest.mark.parametrize("verb", OFFERED)
def test_the_command_takes_every_parameter(verb: Verb, root: typer.core.TyperGroup) -> None:
    if omissions.lacks(verb.method, "cli"):
        return
    command = root
    for word in verb.words:
        command = command.commands[word]  # type: ignore[assignment]
    taken = {each.name for each in command.params}
    assert _not_offered(verb, "cli", taken) == []


@pytest.mark.parametrize("verb", OFFERED)
def test_the_route_takes_every_parameter(verb: Verb) -> None:
    if omissions.lacks(verb.method, "http"):
        assert not verb.http
        return
    if not verb.http:  # a route of its own, beside the generated ones
        endpoint: Any = {"admin.export": other_routes.export, "admin.import_": other_routes.import_}[verb.method]
        assert _not_offered(verb, "http", set(inspect.signature(endpoint).parameters)) == []
        return
    model = models.request_model(verb)
    assert _not_offered(verb, "http", set(model.model_fields) if model else set()) == []


@pytest.mark.parametrize("verb", OFFERED)
def test_the_tools_cover_every_parameter(verb: Verb) -> None:
    tools = [each for each in chosen("all") if each.verb == verb.method]
    if omissions.lacks(verb.method, "tool"):
        assert tools == []
        return
    assert tools, f"{verb.method} has no tool"
    assert _not_offered(verb, "tool", {name for each in tools for name in each.covers}) == []


def _not_offered(verb: Verb, interface: str, taken: set[str]) -> list[str]:
    names = [each.name for each in verb.signature.parameters]
    return [each for each in names if each not in taken and not omissions.omitted(verb.method, interface, each)]


def test_every_omission_is_about_something_that_exists() -> None:
    names = {*BY_METHOD, *omissions.PYTHON_ONLY}
    for each in omissions.OMISSIONS:
        verbs = [name for name in names if omissions.matches(each.verb, name)]
        assert verbs, each
        if each.parameter != "*":
            own = {
                found.name for name in BY_METHOD.keys() & set(verbs) for found in BY_METHOD[name].signature.parameters
            }
            assert each.parameter in own, each


def test_commands_do_not_share_their_words() -> None:
    words = [each for each, _ in commands()]
    assert len(words) == len(set(words))


def test_every_method_that_is_named_exists() -> None:
    assert all(callable(class_method(each)) for each in BY_METHOD)


@pytest.mark.parametrize("name", list(reference.pages()))
def test_the_reference_pages_are_made_from_the_code(name: str) -> None:
    told = "python -m omoide.interfaces.reference docs/reference"
    assert (PAGES / name).read_text("utf-8") == reference.pages()[name], told


def test_the_description_of_an_import_lists_every_format() -> None:
    (format,) = (each for each in BY_METHOD["admin.import_from"].parameters if each.name == "format")
    assert format.help.split(";")[0].split(", ") == list(FORMATS)


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("str", Kind("text")),
        ("int | None", Kind("integer", optional=True)),
        ("datetime | str | None", Kind("time", optional=True)),
        ("Collection[str]", Kind("text", many=True)),
        ("int | Collection[int] | None", Kind("integer", many=True, optional=True)),
        ("int | str", Kind("id_or_name")),
        ("str | Path", Kind("path")),
        ("Iterable[Mapping[str, Any]]", Kind("object", many=True)),
        ("Iterable[Collection[str]]", Kind("texts", many=True)),
        ("Literal['a', 'b']", Kind("choice", choices=("a", "b"))),
        ("Callable[[int], None] | None", Kind("unknown", optional=True)),
    ],
)
def test_an_annotation_names_a_kind(annotation: str, kind: Kind) -> None:
    assert kind_of(annotation) == kind
