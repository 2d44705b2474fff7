"""Graphiti on Kuzu: each turn is a fact between two entities, found by its hybrid search.

Facts are passed in, not extracted, since there is no language model here.
"""

from __future__ import annotations

import asyncio
import os
import warnings
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peers import Turn, turn_text
from peers.given_vectors import Given

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TITLE = "Graphiti on Kuzu, hybrid"
FINDS_BY = "words + vectors"
REQUIRES = ("graphiti-core[kuzu]>=0.28", "httpx>=0.27", "numpy>=2.0")
LARGEST = 10_000
_GROUP = "bench"
_PEOPLE = ("user", "agent")


class Peer:
    def __init__(self, folder: Path) -> None:
        os.environ.setdefault("OPENAI_API_KEY", "none")  # it creates a client that is never used
        warnings.simplefilter("ignore", DeprecationWarning)
        from importlib.metadata import version

        from graphiti_core import Graphiti
        from graphiti_core.driver.kuzu_driver import KuzuDriver
        from graphiti_core.embedder.client import EmbedderClient
        from graphiti_core.search.search_config_recipes import EDGE_HYBRID_SEARCH_RRF

        given = self.given = Given()

        class Embedder(EmbedderClient):  # type: ignore[misc]
            async def create(self, input_data: Any) -> list[float]:
                return given.vector(input_data[0]).tolist()  # type: ignore[no-any-return]

        self.version = f"{version('graphiti-core')}, Kuzu {version('kuzu')}"
        self._loop = asyncio.new_event_loop()
        self._driver = KuzuDriver(str(folder / "graph.kuzu"))
        self._graphiti = Graphiti(graph_driver=self._driver, embedder=Embedder())
        self._config = EDGE_HYBRID_SEARCH_RRF.model_copy(deep=True)
        self._config.edge_config.sim_min_score = -1.0  # its default .6 fits another embedder
        self._run("LOAD fts")
        self._count = 0

    def _run(self, cypher: str) -> Any:
        return self._loop.run_until_complete(self._driver.execute_query(cypher))

    def build(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        if not self._count:
            self._begin()
        self._loop.run_until_complete(self._save(turns, vectors))

    def _begin(self) -> None:
        from graphiti_core.driver.driver import GraphProvider
        from graphiti_core.graph_queries import get_fulltext_indices
        from graphiti_core.nodes import EntityNode

        for name in _PEOPLE:
            self.given.know([name], self.given.embed([name]))
            node = EntityNode(uuid=name, name=name, group_id=_GROUP, name_embedding=self.given.vector(name).tolist())
            self._loop.run_until_complete(node.save(self._driver))
        for index in get_fulltext_indices(GraphProvider.KUZU):
            self._run(index)

    async def _save(self, turns: Sequence[Turn], vectors: NDArray[np.float32]) -> None:
        from graphiti_core.edges import EntityEdge

        now = datetime.now(UTC)
        for turn, vector in zip(turns, vectors, strict=True):
            edge = EntityEdge(
                uuid=str(self._count),
                group_id=_GROUP,
                source_node_uuid=_PEOPLE[0],
                target_node_uuid=_PEOPLE[1],
                name="SAID",
                fact=turn_text(turn),
                fact_embedding=vector.tolist(),
                created_at=now,
            )
            await edge.save(self._driver)
            self._count += 1

    def search(self, question: Turn, vector: NDArray[np.float32], k: int) -> list[int]:
        self.given.know([question["text"]], vector[None])
        self._config.limit = k
        found = self._loop.run_until_complete(
            self._graphiti.search_(question["text"], config=self._config, group_ids=[_GROUP])
        )
        return [int(edge.uuid) for edge in found.edges]

    def close(self) -> None:
        self._loop.run_until_complete(self._driver.close())
