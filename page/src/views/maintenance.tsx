// What last night did, how the file grows, its health, backups and settings.
import { useEffect, useRef, useState } from "preact/hooks";
import { HeartPulse, Moon, Play, Square, Undo2 } from "lucide-preact";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { api, longWork } from "../api";
import { act, announce, say, useData, useMayWrite, useValues } from "../state";
import { bytes, count, date, KINDS, moment, STATES } from "../format";
import { Empty, Field, Head, Kind, Shown, Tabs, Tag, useToggle, Words } from "../ui";
import { Receipt } from "../actions";
import { MemoryPanel } from "./memory";

export function Maintenance() {
  const [values, change] = useValues();
  const tab = values.tab || "nights";
  const found = useData("page/maintenance");
  return (
    <>
      <Head title="Maintenance" about="What is done at night, how the file grows, and whether it is well." />
      <Tabs value={tab} change={(tab) => change({ tab })} tabs={[["nights", "Nights"], ["size", "Size and speed"], ["health", "Health"], ["copies", "Backups and receipts"], ["settings", "Settings"]]} />
      <Shown of={found}>
        {(data) => (
          <>
            {tab === "nights" && <Nights nights={data.nights} open={(id) => change({ id })} />}
            {tab === "size" && <Size data={data} />}
            {tab === "health" && <Health />}
            {tab === "copies" && <Copies copies={data.copies} />}
            {tab === "settings" && <Settings settings={data.settings} />}
          </>
        )}
      </Shown>
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}

/** Runs long work: shows each step, and stops it on request. What was done until then is complete. */
function Run({ name, path, body, done }: { name: string; path: string; body: unknown; done: (report: any) => void }) {
  const [step, setStep] = useState<string | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const start = async () => {
    stop.current = new AbortController();
    setStep("Starting …");
    try {
      const report = await longWork(path, body, (at) => setStep(`${String(at.job ?? at.session).replaceAll("_", " ")}: ${at.steps ?? at.turns}`), stop.current.signal);
      done(report);
    } catch (error) {
      if ((error as Error).name === "AbortError") say("Stopped. What was done so far is complete; the next run does the rest.");
      else say((error as Error).message, { bad: true });
    }
    setStep(null);
    announce();
  };
  return step === null ? (
    <button class="button primary" onClick={start}><Play size={15} aria-hidden="true" /> {name}</button>
  ) : (
    <span class="running" role="status">
      <span class="spinner" aria-hidden="true" /> <Words>{step}</Words>
      <button class="button" onClick={() => stop.current?.abort()}><Square size={14} aria-hidden="true" /> Stop</button>
    </span>
  );
}

const DID: Record<string, string> = { narrated: "added to a story", summarised: "given a short form", stays: "left as they are" };
const wordsOf = (counts: Record<string, number>) => Object.entries(counts).map(([verb, n]) => `${n} ${DID[verb] ?? verb.replaceAll("_", " ")}`).join(" · ");

function Nights({ nights, open }: { nights: any[]; open: (id: number) => void }) {
  const mayWrite = useMayWrite();
  const last = nights.find((each) => each.can_undo);
  return (
    <>
      {mayWrite && (
        <div class="bar">
          <Run name="Do tonight's work now" path="admin/maintain" body={{}} done={(report) => say(`Done: ${wordsOf(report.counts) || "there was nothing to do"}.`)} />
          <Run name="Learn now" path="learn" body={{}} done={(report) => say(`Done: ${wordsOf(report.counts) || "nothing new"}.`)} />
        </div>
      )}
      {nights.length ? (
        <div class="list">
          {nights.map((night) => (
            <NightCard key={night.id} night={night} open={open} canUndo={mayWrite && night === last} />
          ))}
        </div>
      ) : (
        <Empty title="No night yet" icon={Moon}>At night, old talk is compressed and doubles are merged. It has not run yet.</Empty>
      )}
    </>
  );
}

const OUTCOMES: Record<string, [string, string]> = { done: ["done", "good"], failed: ["failed", "bad"], stopped: ["stopped", "warn"], running: ["running", ""] };

function NightCard({ night, open, canUndo }: { night: any; open: (id: number) => void; canUndo: boolean }) {
  const [shown, toggle] = useToggle(false);
  const [name, tone] = OUTCOMES[night.outcome] ?? [night.outcome, ""];
  return (
    <article class="card night">
      <div class="bar spread">
        <h2>{moment(night.started_at)}</h2>
        <div class="buttons">
          {night.undone_at ? <Tag tone="warn">put back</Tag> : <Tag tone={tone}>{name}</Tag>}
          {night.can_undo && <button class="button" aria-expanded={shown} onClick={toggle}>Memory by memory</button>}
          {canUndo && (
            <button class="button" onClick={() => act("The night was put back whole. This itself cannot be undone, but the next night may do the same again.", () => api.post("admin/undo", { night: night.id }))}>
              <Undo2 size={15} aria-hidden="true" /> Put back
            </button>
          )}
        </div>
      </div>
      <p class="soft">{wordsOf(night.counts) || "Nothing had to be done."}</p>
      {shown && <NightDetails id={night.id} open={open} />}
    </article>
  );
}

const WHAT: Record<string, string> = { text: "text", state: "state", summary: "short form", confidence: "certainty", valid_until: "end", importance: "importance", tags: "tags", attributes: "details", decay_rate: "ageing" };

function NightDetails({ id, open }: { id: number; open: (id: number) => void }) {
  const found = useData(`page/night/${id}`);
  return (
    <Shown of={found} lines={2}>
      {({ changes }) =>
        changes.length ? (
          <ul class="rows small">
            {changes.slice(0, 300).map((each: any) => (
              <li key={each.id}>
                <button class="row-button" onClick={() => open(each.id)}><Words>{each.text}</Words></button>
                <div class="meta">
                  {each.kind && <Kind kind={each.kind} />}
                  <span>{each.did === "changed" ? `changed: ${each.columns.map((name: string) => WHAT[name] ?? name.replaceAll("_", " ")).join(", ")}` : each.did}</span>
                  {each.state && each.state !== "live" && <Tag>{STATES[each.state]}</Tag>}
                </div>
              </li>
            ))}
          </ul>
        ) : (
          <p class="soft">No memory was changed, only indexes.</p>
        )
      }
    </Shown>
  );
}

function Size({ data }: { data: any }) {
  const { stats, growth, speed } = data;
  const kinds: [string, number][] = Object.entries(stats.kinds ?? stats.by_kind ?? {});
  return (
    <>
      <div class="figures">
        <Figure name="Memories" value={stats.nodes.toLocaleString()} />
        <Figure name="Names" value={stats.entities.toLocaleString()} />
        <Figure name="Conversations" value={stats.sessions.toLocaleString()} />
        <Figure name="Size of the file" value={bytes(stats.bytes)} />
        {data.recall_ms != null && <Figure name="A search takes" value={`${data.recall_ms.toFixed(0)} ms`} />}
      </div>
      {growth.length > 1 ? (
        <Curve
          title="Memories over time"
          days={growth.map((each: any) => each.day)}
          lines={[["Said", growth.map((each: any) => each.turns), "--episode"], ["Learned", growth.map((each: any) => each.learned), "--accent"]]}
        />
      ) : (
        <p class="soft">The curve of the growth begins on the second day.</p>
      )}
      {speed?.length > 1 && <Curve title="Time of a search, in milliseconds" days={speed.map((each: any) => each.day)} lines={[["Milliseconds", speed.map((each: any) => each.recall_ms), "--preference"]]} />}
      {speed?.length > 1 && <Curve title="Size of the file, in MB" days={speed.map((each: any) => each.day)} lines={[["MB", speed.map((each: any) => each.bytes / 1e6), "--procedure"]]} />}
      {kinds.length > 0 && (
        <div class="table-frame narrow">
          <table>
            <tbody>
              {kinds.map(([kind, n]) => (
                <tr key={kind}><th scope="row">{KINDS[kind] ?? kind}</th><td class="number">{Number(n).toLocaleString()}</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

const Figure = ({ name, value }: { name: string; value: string }) => (
  <div class="card figure"><strong>{value}</strong><span>{name}</span></div>
);

function Curve({ title, days, lines }: { title: string; days: string[]; lines: [string, number[], string][] }) {
  const place = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(document.documentElement.dataset.theme);
  useEffect(() => {
    const seen = new MutationObserver(() => setTheme(document.documentElement.dataset.theme));
    seen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => seen.disconnect();
  }, []);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(name).trim();
    const axis = { stroke: colour("--ink-3"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "12px 'Inter Variable', sans-serif" };
    const days_ = (_: unknown, at: number[]) => at.map((each) => date(new Date(each * 1000).toISOString()));
    const chart = new uPlot(
      {
        width: place.current!.clientWidth,
        height: 240,
        legend: { live: true },
        cursor: { y: false },
        axes: [{ ...axis, values: days_, space: 90 }, { ...axis, size: 62 }],
        scales: { y: { range: (_, low, high) => [Math.min(0, low), high * 1.08 || 1] } },
        series: [{ value: (_, at) => (at == null ? "" : date(new Date(at * 1000).toISOString())) }, ...lines.map(([label, , name]) => ({ label, stroke: colour(name), width: 2, points: { show: days.length < 20 } }))],
      },
      [days.map((day) => new Date(`${day}T12:00:00Z`).getTime() / 1000), ...lines.map(([, values]) => values)] as any,
      place.current!,
    );
    const resize = new ResizeObserver(() => place.current && chart.setSize({ width: place.current.clientWidth, height: 240 }));
    resize.observe(place.current!);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [days.join(), JSON.stringify(lines), theme]);
  return (
    <figure class="card curve">
      <figcaption>{title}</figcaption>
      <div ref={place} />
    </figure>
  );
}

function Health() {
  const mayWrite = useMayWrite();
  const [found, set] = useState<any>(null);
  const [busy, setBusy] = useState(false);
  const examine = (repair: boolean) => {
    setBusy(true);
    api.post("admin/doctor", { repair }).then(set, (error) => say(error.message, { bad: true })).finally(() => setBusy(false));
  };
  if (!mayWrite) return <p class="soft">Examining the file needs a token that may write.</p>;
  return (
    <>
      <div class="bar">
        <button class="button primary" disabled={busy} onClick={() => examine(false)}><HeartPulse size={16} aria-hidden="true" /> {busy ? "Examining …" : "Examine the file"}</button>
        {found && !found.healthy && <button class="button" disabled={busy} onClick={() => examine(true)}>Repair</button>}
      </div>
      {!found && !busy && <p class="soft">Compares every index with what is stored. It takes a moment for a large file and changes nothing.</p>}
      {found && (
        <>
          <p>{found.healthy ? "The file is well." : "Something is wrong; repairing rebuilds it from what is stored."}</p>
          <ul class="rows">
            {found.findings.map((each: any) => (
              <li key={each.check}>
                <div class="bar spread"><strong>{each.check.replaceAll("_", " ")}</strong> <Tag tone={each.ok || each.repaired ? "good" : "bad"}>{each.repaired ? "repaired" : each.ok ? "well" : "wrong"}</Tag></div>
                {each.detail && <Words class="soft">{each.detail}</Words>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Copies({ copies }: { copies: any[] }) {
  const mayWrite = useMayWrite();
  const receipts = useData("admin/receipts", { limit: 50 });
  return (
    <>
      <h2 class="part-head">Copies of this memory</h2>
      {mayWrite && <div class="bar"><Run name="Back up now" path="admin/maintain" body={{ jobs: ["backup"] }} done={(report) => say(report.entries?.[0]?.why || report.notes?.[0] || "Done.")} /></div>}
      {copies.length ? (
        <ul class="rows small">
          {copies.map((copy) => (
            <li key={copy.path}><Words>{copy.path}</Words><span class="soft">{copy.kind}, {moment(copy.made_at)}</span></li>
          ))}
        </ul>
      ) : (
        <p class="soft">There is no backup yet. Set the folder with OMOIDE_BACKUP_FOLDER, or run <code>omoide admin backup</code>.</p>
      )}
      <h2 class="part-head">What was forgotten</h2>
      <Shown of={receipts} lines={2}>
        {({ receipts }) => (receipts.length ? <div class="grid">{receipts.map((each: any) => <div class="card" key={each.id}><Receipt receipt={each} /></div>)}</div> : <p class="soft">Nothing was forgotten yet. Each time, a receipt without any of the words is kept here.</p>)}
      </Shown>
    </>
  );
}

function Settings({ settings }: { settings: any[] }) {
  const [words, set] = useState("");
  const shown = settings.filter((each) => `${each.name} ${each.reason}`.toLowerCase().includes(words.toLowerCase()));
  return (
    <>
      <p class="soft">They are read when the memory is opened, from <code>omoide.toml</code> and the environment. The page shows them and changes none.</p>
      <div class="bar below"><Field label="Find a setting" hidden placeholder="Find a setting" value={words} onInput={(event) => set(event.currentTarget.value)} /></div>
      <div class="table-frame settings" tabIndex={0}>
        <table>
          <thead><tr><th scope="col">Setting</th><th scope="col">Value</th><th scope="col">Why</th></tr></thead>
          <tbody>
            {shown.map((each) => (
              <tr key={each.name}>
                <td><code>{each.name}</code></td>
                <td><strong><Words>{each.value === "" ? "empty" : String(each.value)}</Words></strong> <span class="soft">{each.unit}</span>{each.value !== each.default && <div class="soft">usually {String(each.default) || "empty"}</div>}</td>
                <td>{each.reason.split("`").map((part: string, i: number) => (i % 2 ? <code key={i}>{part}</code> : part))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
