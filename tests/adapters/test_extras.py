"""Every adapter says which extra it wants, and none is loaded before it is used."""

from __future__ import annotations

import pytest

from tests.conftest import run

WANTS = {
    "openai_agents": ("agents", "openai-agents"),
    "langgraph": ("langgraph", "langgraph"),
    "langchain": ("langchain_core", "langchain"),
    "llamaindex": ("llama_index", "llamaindex"),
    "pydanticai": ("pydantic_ai", "pydantic-ai"),
    "anthropic": ("anthropic", "anthropic"),
}


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
        """
        import sys
        from omoide import Memory
        Memory(":memory:", embedder=None).recall("docker")
        import omoide.interfaces.adapters
        wanted = ("agents", "langgraph", "langchain_core", "llama_index", "pydantic_ai", "anthropic", "openai")
        print([name for name in wanted if name in sys.modules])
        """
    )
    assert told == "[]"
