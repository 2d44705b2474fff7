// Spaces and tokens of a server while it runs; what this memory is, and who did what.
import { useState } from "preact/hooks";
import { Copy, Download, KeyRound, Plus, RefreshCw, Trash2 } from "lucide-preact";
import { api, download } from "../api";
import { act, say, useAbout, useData } from "../state";
import { bytes, count, date, moment } from "../format";
import { Choice, Dialog, Empty, Field, Head, Shown, Tag, Words } from "../ui";

const RIGHTS: Record<string, string> = { read: "may read", write: "may read and write", admin: "manages spaces" };

export function Administration() {
  const about = useAbout();
  return about.right === "admin" ? <Server /> : <Own />;
}

function Own() {
  const about = useAbout();
  const stats = useData("stats");
  return (
    <>
      <Head title="Administration" about="What this memory is, and how to take it with you." />
      <div class="grid">
        <div class="card whole">
          <h2>This memory</h2>
          <dl class="pairs">
            {about.space && <><dt>Space</dt><dd><Words>{about.space}</Words></dd></>}
            <dt>File</dt><dd><Words>{about.path}</Words></dd>
            <dt>You</dt><dd>{RIGHTS[about.right]}</dd>
            {stats.data && <><dt>Size</dt><dd>{bytes(stats.data.bytes)}, {count(stats.data.nodes, "memory", "memories")}</dd></>}
            <dt>Version</dt><dd>{about.version}</dd>
          </dl>
        </div>
        <div class="card whole">
          <h2>Take it with you</h2>
          <p>Everything that is known, with its history, as lines of JSON. <code>omoide admin import</code> reads it back.</p>
          <div class="buttons">
            <button class="button" onClick={() => download("admin/export", "memory.jsonl").catch((error) => say(error.message, { bad: true }))}><Download size={16} aria-hidden="true" /> Export everything</button>
          </div>
        </div>
        <div class="card whole">
          <h2>Several people, one server</h2>
          <p>Spaces give each person a memory of their own. Whoever holds an admin token manages them here: <code>omoide serve --spaces FOLDER</code>, <code>omoide spaces token --admin</code>.</p>
        </div>
      </div>
      <Audit />
    </>
  );
}

function Server() {
  const found = useData("spaces", {}, false);
  const [creating, create] = useState(false);
  const [secret, show] = useState<{ token: string; about: any } | null>(null);
  const [open, setOpen] = useState("");
  const [deleting, remove] = useState<any>(null);
  return (
    <>
      <Head title="Administration" about="Spaces and tokens of this server. Changes count at once; nothing is restarted.">
        <button class="button primary" onClick={() => create(true)}><Plus size={16} aria-hidden="true" /> New space</button>
      </Head>
      <Shown of={found}>
        {({ spaces }) =>
          spaces.length ? (
            <div class="list">
              {spaces.map((space: any) => (
                <article class="card space" key={space.name}>
                  <div class="bar spread">
                    <div>
                      <h2><Words>{space.name}</Words></h2>
                      <div class="meta"><span>{bytes(space.bytes ?? space.size ?? 0)}</span><span>{count(space.tokens, "token")}</span><span>since {date(space.created)}</span></div>
                    </div>
                    <div class="buttons">
                      <button class="button" aria-expanded={open === space.name} onClick={() => setOpen(open === space.name ? "" : space.name)}><KeyRound size={15} aria-hidden="true" /> Tokens</button>
                      <button class="button" onClick={() => download(`spaces/${encodeURIComponent(space.name)}/export`, `${space.name}.jsonl`).catch((error) => say(error.message, { bad: true }))}><Download size={15} aria-hidden="true" /> Export</button>
                      <button class="button danger-text" onClick={() => remove(space)}><Trash2 size={15} aria-hidden="true" /> Delete</button>
                    </div>
                  </div>
                  {open === space.name && <Tokens space={space.name} made={(issued) => { show(issued); found.reload(); }} />}
                </article>
              ))}
            </div>
          ) : (
            <Empty title="No spaces yet" icon={KeyRound}>A space is the memory of one person or team. Create the first one.</Empty>
          )
        }
      </Shown>
      <Usage />
      <Audit />
      {creating && <Create close={(made) => { create(false); if (made) { show(made); found.reload(); } }} />}
      {secret && <Secret secret={secret} close={() => show(null)} />}
      {deleting && <Delete space={deleting} close={() => { remove(null); found.reload(); }} />}
    </>
  );
}

function Create({ close }: { close: (made: any) => void }) {
  const [name, set] = useState("");
  const [error, setError] = useState("");
  return (
    <Dialog title="New space" close={() => close(null)}>
      <form
        class="whole"
        onSubmit={(event) => {
          event.preventDefault();
          api.post("spaces", { name }).then(close, (wrong) => setError(wrong.message));
        }}
      >
        <Field label="Name" value={name} placeholder="otto" onInput={(event) => set(event.currentTarget.value)} required />
        {error && <p class="warning" role="alert">{error}</p>}
        <div class="dialog-foot"><button class="button primary" disabled={!name}>Create</button></div>
      </form>
    </Dialog>
  );
}

function Secret({ secret, close }: { secret: { token: string; about: any }; close: () => void }) {
  return (
    <Dialog title="The new token" close={close}>
      <p>Copy it now: it is shown this once, and only its hash is kept. It {RIGHTS[secret.about.right] ?? ""}{secret.about.space ? ` in ${secret.about.space}` : ""}.</p>
      <pre class="exact secret" tabIndex={0}>{secret.token}</pre>
      <div class="dialog-foot">
        <button class="button" onClick={() => navigator.clipboard.writeText(secret.token).then(() => say("Copied."))}><Copy size={15} aria-hidden="true" /> Copy</button>
        <button class="button primary" onClick={close}>I have it</button>
      </div>
    </Dialog>
  );
}

function Tokens({ space, made }: { space: string; made: (issued: any) => void }) {
  const found = useData(`spaces/${encodeURIComponent(space)}/tokens`, {}, false);
  const [right, setRight] = useState("write");
  const [note, setNote] = useState("");
  const [days, setDays] = useState("");
  return (
    <div class="tokens">
      <Shown of={found} lines={2}>
        {({ tokens }) => (
          <ul class="rows small">
            {tokens.map((each: any) => (
              <li key={each.id}>
                <div class="bar spread">
                  <div class="meta">
                    <code>{each.id}</code>
                    <Tag tone={each.right === "write" ? "good" : ""}>{RIGHTS[each.right]}</Tag>
                    {each.note && <Words>{each.note}</Words>}
                    <span>made {date(each.created)}</span>
                    {each.expires && <span>until {moment(each.expires)}</span>}
                  </div>
                  <div class="buttons">
                    <button class="button" onClick={() => api.post(`tokens/${each.id}/rotate`).then((issued) => { made(issued); found.reload(); }, (error) => say(error.message, { bad: true }))}><RefreshCw size={14} aria-hidden="true" /> Replace</button>
                    <button class="button danger-text" onClick={() => act("The token was deleted and opens nothing any more. Make a new one if it is still needed.", () => api.remove(`tokens/${each.id}`)).then(() => found.reload())}><Trash2 size={14} aria-hidden="true" /> Delete</button>
                  </div>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Shown>
      <form
        class="bar end"
        onSubmit={(event) => {
          event.preventDefault();
          api.post(`spaces/${encodeURIComponent(space)}/tokens`, { right, note, ...(days ? { days: Number(days) } : {}) }).then((issued) => { made(issued); found.reload(); setNote(""); }, (error) => say(error.message, { bad: true }));
        }}
      >
        <Choice label="Right" value={right} change={setRight} options={[["write", "Read and write"], ["read", "Only read"]]} />
        <Field label="What it is for" value={note} onInput={(event) => setNote(event.currentTarget.value)} />
        <Field label="Days (empty: for ever)" type="number" min={1} value={days} onInput={(event) => setDays(event.currentTarget.value)} />
        <button class="button"><Plus size={15} aria-hidden="true" /> New token</button>
      </form>
    </div>
  );
}

function Delete({ space, close }: { space: any; close: () => void }) {
  const [typed, set] = useState("");
  const [receipt, setReceipt] = useState<any>(null);
  const [error, setError] = useState("");
  return (
    <Dialog title={receipt ? "Deleted" : `Delete ${space.name}?`} close={close}>
      {receipt ? (
        <dl class="pairs">
          <dt>Space</dt><dd><Words>{receipt.name}</Words></dd>
          <dt>Deleted</dt><dd>{bytes(receipt.bytes ?? receipt.size ?? 0)} and {count(receipt.tokens, "token")}, {moment(new Date().toISOString())}</dd>
          <dt>Left</dt><dd>Nothing on this server. Backups and exports that were made elsewhere are not changed.</dd>
        </dl>
      ) : (
        <form
          class="whole"
          onSubmit={(event) => {
            event.preventDefault();
            api.remove(`spaces/${encodeURIComponent(space.name)}`).then((found) => setReceipt(found.deleted), (wrong) => setError(wrong.message));
          }}
        >
          <p>All its memories and its {count(space.tokens, "token")} go. This cannot be undone; export it first if it may be needed.</p>
          <Field label={`Type ${space.name} to delete it`} value={typed} onInput={(event) => set(event.currentTarget.value)} autocomplete="off" />
          {error && <p class="warning" role="alert">{error}</p>}
          <div class="dialog-foot">
            <button type="button" class="button" onClick={close}>Keep</button>
            <button class="button danger" disabled={typed !== space.name}>Delete for good</button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

function Usage() {
  const found = useData("usage", {}, false);
  if (!found.data) return null;
  const { routes, since, spaces } = found.data;
  return (
    <section>
      <h2 class="part-head">What is held</h2>
      <div class="table-frame" tabIndex={0}>
        <table>
          <thead><tr><th scope="col">Space</th><th scope="col" class="number">Memories</th><th scope="col" class="number">Conversations</th><th scope="col" class="number">Size</th></tr></thead>
          <tbody>
            {spaces.map((each: any) => (
              <tr key={each.name}><th scope="row"><Words>{each.name}</Words></th><td class="number">{each.memories.toLocaleString()}</td><td class="number">{each.sessions.toLocaleString()}</td><td class="number">{bytes(each.bytes)}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
      <h2 class="part-head">Requests since {moment(since)}</h2>
      {routes.length ? (
        <div class="table-frame" tabIndex={0}>
          <table>
            <thead><tr><th scope="col">Request</th><th scope="col" class="number">Times</th><th scope="col" class="number">On average</th></tr></thead>
            <tbody>
              {routes.map((each: any) => (
                <tr key={each.route}><td><code>{each.route}</code></td><td class="number">{each.calls.toLocaleString()}</td><td class="number">{each.milliseconds.toFixed(1)} ms</td></tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : <p class="soft">No request yet.</p>}
    </section>
  );
}

/** "added 1–3, removed 7": the ids that a transaction touched. */
function changed(changes: Record<string, [number, number][]>): string {
  const ranges = (ids: [number, number][]) => ids.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
  return Object.entries(changes ?? {}).map(([verb, ids]) => `${verb} ${ranges(ids)}`).join("; ");
}

/** Rows of one minute by the same hand are one line. */
function together(rows: any[]): any[] {
  const lines: any[] = [];
  for (const each of rows) {
    const last = lines.at(-1);
    const key = [moment(each.at), each.operation, each.actor, each.door, Object.keys(each.changes ?? {}).join()].join();
    if (last?.key === key) {
      last.times++;
      for (const [verb, ids] of Object.entries<[number, number][]>(each.changes)) last.changes[verb] = joined([...ids, ...last.changes[verb]]);
    } else lines.push({ ...each, changes: { ...each.changes }, key, times: 1 });
  }
  return lines.map((each) => ({ ...each, words: changed(each.changes) }));
}

/** Ranges that touch become one. */
function joined(ranges: [number, number][]): [number, number][] {
  const found: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((one, other) => one[0] - other[0])) {
    const last = found.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

function Audit() {
  const found = useData("trust/audit", { limit: 100 }, false);
  const rows = together(found.data?.audit ?? []);
  if (!rows.length) return null;
  return (
    <section>
      <h2 class="part-head">Who did what</h2>
      <ul class="rows small">
        {rows.map((each, i) => (
          <li key={i}><div class="meta"><span>{moment(each.at)}</span><strong>{each.operation || "change"}</strong><span>{each.actor || each.door}</span>{each.times > 1 && <span>{count(each.times, "time")}</span>}<Words>{each.words}</Words></div></li>
        ))}
      </ul>
    </section>
  );
}
