"""LangChain's standard tests of retrievers, over ours; `bench/upstream.py` runs them."""

from __future__ import annotations

from typing import Any

from langchain_tests.integration_tests import RetrieversIntegrationTests

from omoide import Memory
from omoide.interfaces.adapters.langchain import LangChainRetriever


class TestRetriever(RetrieversIntegrationTests):
    @property
    def retriever_constructor(self) -> Any:
        return LangChainRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        memory = Memory(":memory:", embedder=None)
        for name in ("Otto", "Ada", "Kim", "Noor"):
            memory.remember(f"{name} deploys the app of {name} to Vercel")
        return {"memory": memory}

    @property
    def retriever_query_example(self) -> str:
        return "who deploys apps to Vercel?"

    @property
    def num_results_arg_name(self) -> str:
        return "limit"
