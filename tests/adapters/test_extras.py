"""Every adapter says which extra it wants, and none is loaded before it is used."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import omoide.interfaces.adapters
from tests.conftest import run

WANTS = {
    "openai_agents": ("agents", "openai-agents"),
    "langgraph": ("langgraph", "langgraph"),
    "langchain": ("langchain_core", "langchain"),
    "llamaindex": ("llama_index", "llamaindex"),
    "pydanticai": ("pydantic_ai", "pydantic-ai"),
    "anthropic": ("anthropic", "anthropic"),
    "claude_sessions": ("claude_agent_sdk", "claude-agent-sdk"),
    "adk": ("google.adk", "google-adk"),
    "agent_framework": ("agent_framework", "agent-framework"),
    "crewai": ("crewai", "crewai"),
}
WITHOUT_PACKAGE = {"__init__", "conversation", "anthropic_files", "openai"}


def test_every_adapter_has_its_extra_and_its_tests() -> None:
    here, adapters = Path(__file__).parent, Path(omoide.interfaces.adapters.__file__).parent
    assert {each.stem for each in adapters.glob("*.py")} == WANTS.keys() | WITHOUT_PACKAGE
    assert {f"test_{name}.py" for name in WANTS} <= {each.name for each in here.glob("test_*.py")}
    extras = tomllib.loads((here.parent.parent / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {extra for _, extra in WANTS.values()} <= extras.keys()


@pytest.mark.parametrize("adapter", WANTS)
def test_a_missing_framework_is_named_with_the_extra_that_brings_it(adapter: str) -> None:
    package, extra = WANTS[adapter]
    told = run(
        f"""
        import sys
        sys.modules["{package}"] = None  # as if it were not installed
        from omoide.errors import MissingExtra
        try:
            import omoide.interfaces.adapters.{adapter}
        except MissingExtra as error:
            print(error)
        """
    )
    assert f'pip install "omoide[{extra}]"' in told


def test_a_memory_loads_no_adapter_and_no_framework() -> None:
    told = run(
        f"""
        import sys
        from omoide import Memory
        Memory(":memory:", embedder=None).recall("docker")
        import omoide.interfaces.adapters
        wanted = {{{", ".join(repr(package) for package, _ in WANTS.values())}}}
        print(sorted(wanted & sys.modules.keys()))
        """
    )
    assert told == "[]"
