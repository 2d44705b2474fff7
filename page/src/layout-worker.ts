// Places the nodes of the graph beside the page, so that the page stays quick meanwhile.
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

export type LayoutTask = { nodes: [string, number, number, number][]; edges: [string, string, number][]; rounds: number };

addEventListener("message", (event: MessageEvent<LayoutTask>) => {
  const { nodes, edges, rounds } = event.data;
  const graph = new (Graph as any)({ type: "undirected", multi: false });
  for (const [id, x, y, size] of nodes) graph.addNode(id, { x, y, size });
  for (const [from, to, weight] of edges) graph.mergeEdge(from, to, { weight });
  const settings = { ...forceAtlas2.inferSettings(graph), barnesHutOptimize: nodes.length > 300, adjustSizes: nodes.length < 400 };
  const step = Math.max(1, Math.round(rounds / 10));
  for (let done = 0; done < rounds; done += step) {
    forceAtlas2.assign(graph, { iterations: step, settings, getEdgeWeight: "weight" });
    postMessage({ done: done + step >= rounds, places: graph.mapNodes((id: string, at: any) => [id, at.x, at.y]) });
  }
});
