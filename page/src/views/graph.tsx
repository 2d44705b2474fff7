// People, projects and places, and what ties them.
import Graphology from "graphology";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { GitMerge, Network, Search, Split } from "lucide-preact";
import Sigma from "sigma";
import { api } from "../api";
import { act, address, useData, useMayWrite, useValues } from "../state";
import { count, date } from "../format";
import { Choice, Dialog, Empty, Field, Head, Shown, useToggle, Words } from "../ui";
import { Card, MemoryPanel } from "./memory";

const COLOURS: Record<string, string> = {
  person: "#3d8f86",
  organization: "#5b7fc2",
  project: "#a06ab0",
  place: "#c08a2e",
  tool: "#7a8896",
  event: "#c2607a",
  concept: "#7c9a4e",
  other: "#8b919b",
};
const TYPES: Record<string, string> = { person: "People", organization: "Organizations", project: "Projects", place: "Places", tool: "Tools", event: "Events", concept: "Topics", other: "Others" };
const trivial: Record<string, string> = { "1": "Everything", "2": "Mentioned twice or more", "5": "Five times or more", "20": "Twenty times or more" };

export function Graph() {
  const [values, change] = useValues();
  const [asList, toggleList] = useToggle(false);
  const found = useData("page/graph", { least: values.least, limit: 5000 });
  return (
    <>
      <Head title="Graph" about="Who and what is known, and what ties them. A click opens the profile.">
        <Choice label="Show" hidden value={values.least ?? "1"} change={(least) => change({ least: least === "1" ? "" : least })} options={Object.entries(trivial)} />
        <button class="button" aria-pressed={asList} onClick={toggleList}>As a list</button>
      </Head>
      <Shown of={found}>
        {(data) =>
          data.nodes.length ? (
            <Drawing data={data} asList={asList} chosen={values.name ?? ""} choose={(name) => change({ name })} />
          ) : (
            <Empty title="Nobody is known yet" icon={Network}>People, projects and places that are mentioned appear here.</Empty>
          )
        }
      </Shown>
      {values.name && <Profile key={values.name} name={values.name} nodes={found.data?.nodes ?? []} close={() => change({ name: "" })} show={(name) => change({ name })} open={(id) => change({ id })} />}
      {values.id && <MemoryPanel key={`m${values.id}`} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}

function Drawing({ data, asList, chosen, choose }: { data: any; asList: boolean; chosen: string; choose: (name: string) => void }) {
  const [words, set] = useState("");
  const [error, setError] = useState("");
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<{ graph: any; sigma: Sigma } | null>(null);
  const matches = useMemo(() => (words ? data.nodes.filter(([, name]: any) => name.toLowerCase().includes(words.toLowerCase())).slice(0, 30) : []), [words, data]);
  const drawn = useRef({ nodes: "" });
  const key = data.nodes.map((each: any) => each[0]).join() + "|" + data.lines.length;
  useEffect(() => {
    if (asList || !place.current) return;
    drawn.current.nodes = key;
    const dark = document.documentElement.dataset.theme === "dark";
    const graph = new (Graphology as any)({ type: "undirected", multi: false });
    const most = Math.max(...data.nodes.map((each: any) => each[3]), 1);
    for (const [id, name, type, mentions] of data.nodes) {
      const turn = id * 2.399963;
      const far = 10 * Math.sqrt(id);
      graph.addNode(String(id), { label: name.length > 40 ? `${name.slice(0, 39)}…` : name, name, kind: type, x: far * Math.cos(turn), y: far * Math.sin(turn), size: 3.5 + 13 * Math.sqrt(mentions / most), color: COLOURS[type] ?? COLOURS.other });
    }
    for (const [from, to, , weight] of data.lines) graph.mergeEdge(String(from), String(to), { weight, size: 0.6 + Math.min(2.4, weight * 0.4), color: dark ? "#3c444e" : "#d5d0c6" });
    let sigma: Sigma;
    try {
      sigma = new Sigma(graph, place.current, {
        allowInvalidContainer: true, // the layout may not have given it a width yet: see `resized`
        labelFont: "Inter Variable, system-ui, sans-serif",
        labelSize: 13,
        labelColor: { color: dark ? "#d9dce1" : "#2a3038" },
        labelDensity: 0.6,
        labelGridCellSize: 90,
        labelRenderedSizeThreshold: data.nodes.length > 400 ? 8 : 3,
        defaultEdgeColor: dark ? "#3c444e" : "#d5d0c6",
        stagePadding: 60,
        defaultDrawNodeHover: (context: any, node: any, settings: any) => {
          context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
          const wide = context.measureText(node.label).width;
          context.fillStyle = dark ? "#262c34" : "#ffffff";
          context.beginPath();
          context.roundRect(node.x + node.size + 2, node.y - 12, wide + 14, 24, 7);
          context.fill();
          context.fillStyle = dark ? "#ffffff" : "#1d2228";
          context.fillText(node.label, node.x + node.size + 9, node.y + 4.5);
        },
      });
    } catch {
      setError("This browser cannot draw the graph (no WebGL). The list shows the same.");
      return;
    }
    const resized = new ResizeObserver(() => sigma.refresh());
    resized.observe(place.current);
    let near: Set<string> | null = null;
    sigma.on("clickNode", ({ node }) => choose(graph.getNodeAttribute(node, "name")));
    sigma.on("enterNode", ({ node }) => {
      near = new Set([node, ...graph.neighbors(node)]);
      sigma.refresh({ skipIndexation: true });
    });
    sigma.on("leaveNode", () => {
      near = null;
      sigma.refresh({ skipIndexation: true });
    });
    sigma.setSetting("nodeReducer", (id: string, at: any) => (near && !near.has(id) ? { ...at, color: dark ? "#30363f" : "#dcd8cf", label: "" } : at));
    sigma.setSetting("edgeReducer", (id: string, at: any) => (near && !graph.extremities(id).every((each: string) => near!.has(each)) ? { ...at, hidden: true } : at));
    const worker = new Worker("/assets/layout.js", { type: "module" });
    worker.onmessage = ({ data: { places, done } }) => {
      for (const [id, x, y] of places) graph.mergeNodeAttributes(id, { x, y });
      if (done) worker.terminate();
    };
    worker.postMessage({
      nodes: graph.mapNodes((id: string, at: any) => [id, at.x, at.y, at.size]),
      edges: graph.mapEdges((_: string, at: any, from: string, to: string) => [from, to, at.weight]),
      rounds: data.nodes.length > 2000 ? 120 : data.nodes.length > 300 ? 300 : 500,
    });
    view.current = { graph, sigma };
    return () => {
      worker.terminate();
      resized.disconnect();
      sigma.kill();
      view.current = null;
    };
  }, [asList, key]);
  const find = (name: string) => {
    choose(name);
    const found = view.current;
    const node = found?.graph.findNode((_: string, at: any) => at.name === name);
    const at = node && found!.sigma.getNodeDisplayData(node);
    if (at) void found!.sigma.getCamera().animate({ x: at.x, y: at.y, ratio: 0.4 }, { duration: 400 });
  };
  const present = new Set<string>(data.nodes.map((each: any) => each[2]));
  return (
    <>
      <div class="bar">
        <div class="search">
          <Search size={17} aria-hidden="true" />
          <Field label="Find" hidden placeholder="Find somebody or something" value={words} onInput={(event) => set(event.currentTarget.value)} />
        </div>
        {!asList && (
          <div class="legend">
            {Object.entries(TYPES).filter(([type]) => present.has(type)).map(([type, name]) => (
              <span key={type}><i class={`dot type-${type}`} aria-hidden="true" /> {name}</span>
            ))}
          </div>
        )}
      </div>
      {matches.length > 0 && (
        <div class="buttons found">
          {matches.map(([id, name, type]: any) => (
            <button class="chip" key={id} onClick={() => find(name)}><i class={`dot type-${type}`} aria-hidden="true" /><Words>{name}</Words></button>
          ))}
        </div>
      )}
      {error && <p class="soft">{error}</p>}
      {asList || error ? (
        <ul class="entity-list">
          {data.nodes.slice(0, 1000).map(([id, name, type, mentions]: any) => (
            <li key={id}>
              <button class="row-button" aria-current={chosen === name ? "true" : undefined} onClick={() => choose(name)}>
                <i class={`dot type-${type}`} aria-hidden="true" /> <Words>{name}</Words> <small>{count(mentions, "mention")}</small>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div class="graph" ref={place} role="img" aria-label={`A drawing of ${data.nodes.length} names and ${data.lines.length} ties. “As a list” shows the names.`} />
      )}
    </>
  );
}

function Profile({ name, nodes, close, show, open }: { name: string; nodes: any[]; close: () => void; show: (name: string) => void; open: (id: number) => void }) {
  const found = useData(`entities/${encodeURIComponent(name)}`, { limit: 30 });
  const known = useData("page/memories", { subject: name, kinds: ["fact", "preference", "opinion", "procedure", "note"], limit: 60 });
  const mayWrite = useMayWrite();
  const [merging, merge] = useState(false);
  return (
    <Dialog title="Profile" close={close} side>
      <Shown of={found}>
        {(profile) => (
          <div class="whole">
            <div>
              <p class="sentence"><Words>{profile.entity.name}</Words></p>
              <div class="meta">
                <span><i class={`dot type-${profile.entity.type}`} aria-hidden="true" /> {profile.entity.type}</span>
                <span>{count(profile.entity.mention_count, "mention")}</span>
                <span>known since {date(profile.entity.first_seen_at)}</span>
              </div>
            </div>
            {(profile.entity.description || profile.entity.summary) && <p><Words>{profile.entity.summary ?? profile.entity.description}</Words></p>}
            {profile.entity.aliases.length > 0 && (
              <section>
                <h3>Also called</h3>
                <ul class="rows small">
                  {profile.entity.aliases.map((alias: string) => (
                    <li key={alias} class="alias">
                      <Words>{alias}</Words>
                      {mayWrite && (
                        <button
                          class="link"
                          onClick={() => act(`“${alias}” is a name of its own again.`, () => api.post("graph/split", { name: profile.entity.name, alias }), () => api.post("graph/merge", { name: alias, into: profile.entity.name }))}
                        >
                          <Split size={14} aria-hidden="true" /> Split off
                        </button>
                      )}
                    </li>
                  ))}
                </ul>
              </section>
            )}
            {mayWrite && (
              <div class="buttons">
                <button class="button" onClick={() => merge(true)}><GitMerge size={15} aria-hidden="true" /> The same as …</button>
                <a class="button" href={address("memories", { subject: name })} onClick={close}>All memories</a>
                <a class="button" href={address("timeline", { subject: name })} onClick={close}>Timeline</a>
              </div>
            )}
            {profile.relations.length > 0 && (
              <section>
                <h3>Ties</h3>
                <ul class="rows small">
                  {profile.relations.map((each: any) => {
                    const other = each.source === profile.entity.name ? each.target : each.source;
                    return (
                      <li key={each.id}>
                        <button class="row-button" onClick={() => show(other)}>
                          <Words>{`${each.source} ${each.type.replaceAll("_", " ")} ${each.target}`}</Words>
                          {each.valid_until && <small> until {date(each.valid_until)}</small>}
                        </button>
                      </li>
                    );
                  })}
                </ul>
              </section>
            )}
            <section>
              <h3>What is known</h3>
              <Shown of={known} lines={2}>
                {({ cards }) => (cards.length ? <div class="list">{cards.map((card: any) => <Card key={card.id} card={card} open={() => open(card.id)} />)}</div> : <p class="soft">Nothing was learned yet; the name was only mentioned.</p>)}
              </Shown>
            </section>
            <section>
              <h3>Mentioned</h3>
              <ul class="rows small">
                {profile.timeline.filter((each: any) => each.kind === "episode").reverse().slice(0, 20).map((each: any) => (
                  <li key={each.id}>
                    <button class="row-button" onClick={() => open(each.id)}><Words>{each.text.slice(0, 400)}</Words></button>
                    <small class="soft">{date(each.event_at)}</small>
                  </li>
                ))}
              </ul>
            </section>
            {merging && <Merge name={name} nodes={nodes} close={(into) => { merge(false); if (into) show(into); }} />}
          </div>
        )}
      </Shown>
    </Dialog>
  );
}

function Merge({ name, nodes, close }: { name: string; nodes: any[]; close: (into: string) => void }) {
  const [words, set] = useState("");
  const offered = nodes.filter(([, other]) => other !== name && other.toLowerCase().includes(words.toLowerCase())).slice(0, 12);
  return (
    <Dialog title="The same as …" close={() => close("")}>
      <p><Words>{name}</Words> becomes another name of the one that you choose. Splitting it off again puts everything back.</p>
      <Field label="Find" hidden placeholder="Find a name" value={words} onInput={(event) => set(event.currentTarget.value)} />
      <ul class="rows small">
        {offered.map(([id, other, type, mentions]) => (
          <li key={id}>
            <button
              class="row-button"
              onClick={async () => {
                const done = await act("Merged.", () => api.post("graph/merge", { name, into: other }), () => api.post("graph/split", { name: other, alias: name }));
                close(done ? other : "");
              }}
            >
              <i class={`dot type-${type}`} aria-hidden="true" /> <Words>{other}</Words> <small class="soft">{count(mentions, "mention")}</small>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
