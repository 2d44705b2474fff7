import type { ComponentType } from "preact";
import { Memories } from "./views/memories";
import { Ask } from "./views/ask";
import { Soon } from "./views/soon";

export const VIEWS: Record<string, ComponentType> = {
  memories: Memories,
  ask: Ask,
};
for (const each of ["inbox", "timeline", "graph", "agenda", "sessions", "work", "upkeep", "administration"]) VIEWS[each] ??= Soon;
