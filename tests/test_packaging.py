"""What the two packages and the image say of themselves; `make dist` builds and checks them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import omoide

ROOT = Path(__file__).parents[1]
PACKAGES = {"omoide": ROOT, "omoide-minilm": ROOT / "models" / "minilm"}


def project(name: str) -> dict[str, Any]:
    return dict(tomllib.loads((PACKAGES[name] / "pyproject.toml").read_text("utf-8")))


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_names_its_licence_its_readme_and_every_python_that_it_runs_on(name: str) -> None:
    found, folder = project(name)["project"], PACKAGES[name]
    pythons = [each.rpartition(" ")[2] for each in found["classifiers"] if re.search(r":: 3\.\d+$", each)]
    assert found["name"] == name
    assert found["requires-python"] == ">=3.11"
    assert pythons == ["3.11", "3.12", "3.13", "3.14"]
    assert found["authors"]
    assert found["license"] in ("MIT", "Apache-2.0")
    assert all((folder / each).is_file() for each in (*found["license-files"], found["readme"]))


def test_the_version_is_the_same_everywhere() -> None:
    assert project("omoide")["project"]["version"] == omoide.__version__


def test_the_source_package_has_no_weights_and_no_module_hides_the_builder() -> None:
    included = project("omoide")["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert not [each for each in included if each.strip("/").startswith("models")]
    assert not [each for folder in PACKAGES.values() for each in folder.glob("*.py") if each.stem in ("build", "twine")]


def test_the_embedder_is_an_extra_and_nothing_else_needs_it() -> None:
    found = project("omoide")["project"]
    assert not [each for each in found["dependencies"] if re.match("omoide-minilm|onnxruntime|tokenizers", each)]
    assert any(each.startswith("omoide-minilm") for each in found["optional-dependencies"]["minilm"])


def test_the_image_runs_without_rights_and_checks_its_health() -> None:
    lines = (ROOT / "Dockerfile").read_text("utf-8").splitlines()
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith(("#", " "))]
    last = dict(steps[[step for step, _ in steps].index("COPY") :])
    extras = re.search(r"/source\[(.+)\]", "\n".join(lines))
    assert last["USER"] == "10001"
    assert last["VOLUME"] == "/data"
    assert "HEALTHCHECK" in last
    assert last["CMD"] == '["serve", "--host", "0.0.0.0"]'
    assert extras is not None
    assert set(extras[1].split(",")) <= project("omoide")["project"]["optional-dependencies"].keys()
