// A bar for each memory from its start to its end; the "then" line shows what was believed at that time.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ChartNoAxesGantt, Maximize2, ZoomIn, ZoomOut } from "lucide-preact";
import { DataSet } from "vis-data/esnext";
import { Timeline as Chart } from "vis-timeline/esnext";
import "vis-timeline/styles/vis-timeline-graph2d.min.css";
import { go, useData, useDebounced, useValues } from "../state";
import { count, fullDate, plain } from "../format";
import { Empty, Field, Head, Shown, Words } from "../ui";
import { Card, MemoryPanel } from "./memory";

const DAY = 86_400_000;
const GROUPS = [
  { id: "fact", content: "Facts" },
  { id: "preference", content: "Preferences" },
  { id: "opinion", content: "Opinions" },
  { id: "procedure", content: "How-to" },
  { id: "note", content: "Notes" },
  { id: "session", content: "Conversations" },
];
const clamp = (at: number) => Math.min(Math.max(at, -6e12), 2.5e13); // the years 1780 to 2762

export function Timeline() {
  const [values, change] = useValues();
  const [window_, setWindow] = useState(() => ({ since: Date.now() - 120 * DAY, until: Date.now() + 45 * DAY }));
  const [then, setThen] = useState(() => (values.then ? new Date(values.then).getTime() : 0));
  const late = useDebounced(window_, 350);
  const wide = Math.max(late.until - late.since, 60_000) / 2;
  const asked = { since: new Date(clamp(late.since - wide)).toISOString(), until: new Date(clamp(late.until + wide)).toISOString(), subject: values.subject, limit: 400 };
  const found = useData("page/timeline", asked);
  const any = found.data && (found.data.spans.length || found.data.sessions.length);
  return (
    <>
      <Head title="Timeline" about="What held from when to when. Drag to move, use the wheel with Ctrl or the buttons to zoom.">
        <label class="field">
          <span class="sr">Only about</span>
          <SubjectField value={values.subject ?? ""} change={(subject) => change({ subject })} />
        </label>
      </Head>
      {found.error && <p class="soft">{found.error}</p>}
      {found.data && !any && !values.subject && late.until - late.since > 100 * DAY && found.data.spans.length === 0 ? (
        <Empty title="Nothing in this time" icon={ChartNoAxesGantt}>What agents learn appears here from the day on which it began to hold.</Empty>
      ) : (
        <Bars data={found.data} then={then} window_={window_} moved={setWindow} chosen={(id) => change({ id })} setThen={(at) => { setThen(at); change({ then: at ? new Date(at).toISOString() : "" }); }} />
      )}
      <section class="then">
        <div class="bar spread">
          <h2>{then ? `What was believed on ${fullDate(new Date(then).toISOString())}` : "What was believed then?"}</h2>
          <Field label="Day" type="date" value={then ? new Date(then).toISOString().slice(0, 10) : ""} onChange={(event) => { const at = event.currentTarget.value ? new Date(`${event.currentTarget.value}T12:00:00`).getTime() : 0; setThen(at); change({ then: at ? new Date(at).toISOString() : "" }); }} />
        </div>
        {then ? <Believed at={then} subject={values.subject} open={(id) => change({ id })} /> : <p class="soft">Move the line in the picture, or choose a day.</p>}
      </section>
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}

function SubjectField({ value, change }: { value: string; change: (name: string) => void }) {
  const [text, set] = useState(value);
  const found = useData("page/subjects", { words: useDebounced(text), limit: 12 }, false);
  const names: string[] = (found.data?.subjects ?? []).map((each: any) => each.name);
  return (
    <>
      <input
        list="subjects"
        placeholder="Everybody and everything"
        value={text}
        onInput={(event) => {
          const given = event.currentTarget.value;
          set(given);
          if (!given || names.includes(given)) change(given);
        }}
      />
      <datalist id="subjects">{names.map((name) => <option value={name} key={name} />)}</datalist>
    </>
  );
}

type Moved = (window_: { since: number; until: number }) => void;

function Bars({ data, then, setThen, window_, moved, chosen }: { data: any; then: number; setThen: (at: number) => void; window_: { since: number; until: number }; moved: Moved; chosen: (id: number) => void }) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<any>(null);
  const fitted = useRef(false);
  const items = useMemo(() => new DataSet<any>([]), []);
  useEffect(() => {
    const made = new Chart(place.current!, items as any, new DataSet(GROUPS) as any, {
      start: window_.since,
      end: window_.until,
      stack: true,
      maxHeight: "58vh",
      verticalScroll: true,
      zoomKey: "ctrlKey",
      zoomMin: 60_000,
      zoomMax: 200 * 365 * DAY,
      orientation: { axis: "top", item: "top" },
      margin: { item: { horizontal: 4, vertical: 5 }, axis: 8 },
      showCurrentTime: true,
      selectable: true,
      groupOrder: (one: any, other: any) => GROUPS.findIndex((g) => g.id === one.id) - GROUPS.findIndex((g) => g.id === other.id),
      tooltip: { followMouse: false, delay: 250 },
      // Text of somebody else is set as text; the library would otherwise read it as HTML.
      template: (item: any) => {
        const words = document.createElement("bdi");
        words.textContent = item.words;
        return words as any;
      },
    } as any);
    made.addCustomTime(then || Date.now() - 7 * DAY, "then");
    made.setCustomTimeTitle("Drag: what was believed then", "then");
    made.on("timechanged", (event: any) => setThen(event.time.getTime()));
    made.on("rangechanged", (event: any) => moved({ since: event.start.getTime(), until: event.end.getTime() }));
    made.on("select", (event: any) => {
      const id = event.items[0];
      if (typeof id === "number") chosen(id);
      else if (typeof id === "string") go("sessions", { session: id.slice(2) });
    });
    chart.current = made;
    return () => made.destroy();
  }, []);
  useEffect(() => void (then && chart.current?.setCustomTime(then, "then")), [then]);
  useEffect(() => {
    if (!data) return;
    const now = Date.now();
    const wanted = [
      ...data.spans.map((each: any) => {
        const begins = new Date(each.begins).getTime();
        const ends = each.ends ? new Date(each.ends).getTime() : Math.max(now, begins) + DAY;
        return {
          id: each.id,
          group: each.kind,
          words: plain(each.text),
          content: "",
          start: begins,
          end: Math.max(ends, begins + 1000),
          type: "range",
          className: `bar-${each.kind} ${each.ends || each.state === "superseded" ? "over" : "holds"}`,
        };
      }),
      ...data.sessions.map((each: any) => ({ id: `s:${each.name}`, group: "session", words: plain(each.name), content: "", start: new Date(each.begins).getTime(), type: "point", className: "bar-session" })),
    ];
    const ids = new Set(wanted.map((each) => each.id));
    items.remove(items.getIds().filter((id: any) => !ids.has(id)));
    items.update(wanted);
    if (!fitted.current && data.spans.length) {
      fitted.current = true;
      const first = Math.min(...data.spans.map((each: any) => new Date(each.begins).getTime()));
      const span = Math.max(now - first, 7 * DAY);
      chart.current.setOptions({ start: first - span * 0.06, end: now + span * 0.3 }); // not setWindow: the first drawing goes to these
    }
    // Heights are measured when the bars are there, and only then can they be stacked.
    const frame = requestAnimationFrame(() => chart.current?.redraw());
    return () => cancelAnimationFrame(frame);
  }, [data]);
  return (
    <figure class="chart-frame">
      <div class="chart-tools">
        <button class="icon-button" aria-label="Zoom in" onClick={() => chart.current.zoomIn(0.5)}><ZoomIn size={18} /></button>
        <button class="icon-button" aria-label="Zoom out" onClick={() => chart.current.zoomOut(0.5)}><ZoomOut size={18} /></button>
        <button class="icon-button" aria-label="Show all" onClick={() => chart.current.fit()}><Maximize2 size={17} /></button>
        {data && <span class="soft">{count(data.spans.length, "memory", "memories")}, {count(data.sessions.length, "conversation")}</span>}
      </div>
      <div ref={place} class="timeline" />
    </figure>
  );
}

function Believed({ at, subject, open }: { at: number; subject?: string; open: (id: number) => void }) {
  const found = useData("page/believed", { at: new Date(at).toISOString(), subject, limit: 60 });
  return (
    <Shown of={found}>
      {({ cards }) =>
        cards.length ? (
          <div class="list">{cards.map((card: any) => <Card key={card.id} card={{ ...card, state: "live" }} open={() => open(card.id)} />)}</div>
        ) : (
          <p class="soft">Nothing was known yet.</p>
        )
      }
    </Shown>
  );
}
