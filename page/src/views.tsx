// The views by name. Those with a large library are loaded when they are first shown.
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading, Problem } from "./ui";
import { Administration } from "./views/administration";
import { Agenda } from "./views/agenda";
import { Ask } from "./views/ask";
import { Inbox } from "./views/inbox";
import { Memories } from "./views/memories";
import { Sessions } from "./views/sessions";
import { Work } from "./views/work";

function later(load: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | null = null;
  return () => {
    const [, shown] = useState(0);
    const [failed, fail] = useState(false);
    useEffect(() => {
      if (!known)
        load().then(
          (found) => {
            known = found;
            shown(1);
          },
          () => fail(true),
        );
    }, []);
    const View = known;
    return View ? <View /> : failed ? <Problem text="This view could not be loaded." /> : <Loading />;
  };
}

export const VIEWS: Record<string, ComponentType> = {
  memories: Memories,
  ask: Ask,
  inbox: Inbox,
  timeline: later(() => import("./views/timeline").then((part) => part.Timeline)),
  graph: later(() => import("./views/graph").then((part) => part.Graph)),
  agenda: Agenda,
  sessions: Sessions,
  work: Work,
  maintenance: later(() => import("./views/maintenance").then((part) => part.Maintenance)),
  administration: Administration,
};
