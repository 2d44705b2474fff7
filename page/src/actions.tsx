// What can be done with memories, each with its undo where there is one.
import { useEffect, useState } from "preact/hooks";
import { TriangleAlert } from "lucide-preact";
import { api } from "./api";
import { act, announce } from "./state";
import { Dialog, Kind, Loading, Problem, Words } from "./ui";
import { count, moment } from "./format";

const each = (ids: number[], work: (id: number) => Promise<unknown>) => async () => {
  for (const id of ids) await work(id);
};
const named = (ids: number[]) => (ids.length === 1 ? "Memory" : count(ids.length, "memory", "memories"));

export const confirm = (ids: number[]) =>
  act(`${named(ids)} confirmed. It counts as certain from now on; correct it if that changes.`, each(ids, (id) => api.post(`memories/${id}/confirm`)));

export const archive = (ids: number[]) =>
  act(`${named(ids)} archived. It is still found.`, each(ids, (id) => api.post(`memories/${id}/archive`)), each(ids, (id) => api.remove(`memories/${id}/archive`)));

export const withdraw = (ids: number[]) =>
  act(`${named(ids)} set aside. The agent no longer sees it.`, each(ids, (id) => api.post(`memories/${id}/archive`, { withdraw: true })), each(ids, (id) => api.remove(`memories/${id}/archive`)));

export const restore = (ids: number[]) =>
  act(`${named(ids)} brought back.`, each(ids, (id) => api.remove(`memories/${id}/archive`)), each(ids, (id) => api.post(`memories/${id}/archive`)));

export const markSensitive = (ids: number[], sensitive: boolean) =>
  act(
    sensitive ? `${named(ids)} marked as sensitive. Agents see it only with your consent.` : `${named(ids)} no longer sensitive.`,
    each(ids, (id) => api.patch(`memories/${id}`, { sensitive })),
    each(ids, (id) => api.patch(`memories/${id}`, { sensitive: !sensitive })),
  );

export const share = (ids: number[], shared: boolean) =>
  act(
    shared ? `${named(ids)} may be shown to others.` : `${named(ids)} private again.`,
    each(ids, (id) => api.patch(`memories/${id}`, { audience: shared ? "shared" : "private" })),
    each(ids, (id) => api.patch(`memories/${id}`, { audience: shared ? "private" : "shared" })),
  );

/** Replaces a memory by a corrected one. Taking it back makes the old one current again and sets the new one aside. */
export async function correct(id: number, text: string): Promise<number | null> {
  let made = 0;
  const done = await act(
    "Corrected. The old version is kept in the history.",
    async () => {
      made = (await api.post(`memories/${id}/correct`, { text })).id;
    },
    async () => {
      await api.remove("links", { source: made, target: id, type: "supersedes" });
      await api.post(`memories/${made}/archive`, { withdraw: true });
    },
  );
  return done ? made : null;
}

/** Shows what goes along, and erases it after a second click. There is no way back, and the dialog says so. */
export function Forget({ target, close }: { target: Record<string, unknown>; close: (done: boolean) => void }) {
  const [preview, setPreview] = useState<any>(null);
  const [receipt, setReceipt] = useState<any>(null);
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const [sources, setSources] = useState(false);
  const ask = (preview: boolean) => api.post("forget", { ...target, sources, preview });
  useEffect(() => void ask(true).then(setPreview).catch((wrong) => setError(wrong.message)), [sources]);
  const erase = () => {
    setBusy(true);
    ask(false)
      .then((found) => {
        setReceipt(found);
        announce();
      })
      .catch((wrong) => setError(wrong.message))
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={receipt ? "Forgotten" : "Forget for good?"} close={() => close(Boolean(receipt))}>
      {error && <Problem text={error} />}
      {!preview && !error && <Loading lines={3} />}
      {preview && !receipt && (
        <>
          <p>
            {count(preview.nodes.length, "memory", "memories")} and every trace of {preview.nodes.length === 1 ? "it" : "them"} in indexes and
            archives will be erased:
          </p>
          <ul class="rows small scroll">
            {preview.nodes.slice(0, 100).map((node: any) => (
              <li key={node.id}>
                <Kind kind={node.kind} />
                <Words>{node.text.slice(0, 300)}</Words>
              </li>
            ))}
          </ul>
          {preview.entities.length > 0 && <p class="soft">Names that nothing else mentions go too: <Words>{preview.entities.join(", ")}</Words></p>}
          {preview.rederived.length > 0 && (
            <p class="soft">{count(preview.rederived.length, "other memory rests", "other memories rest")} partly on this and will be kept on what is left.</p>
          )}
          {preview.reinstated.length > 0 && (
            <p class="soft">{count(preview.reinstated.length, "older version", "older versions")} will be current again.</p>
          )}
          {(preview.still_stated.length > 0 || sources) && (
            <label class="check">
              <input type="checkbox" checked={sources} onChange={() => setSources(!sources)} />
              <span>Also forget the lines of conversation that say the same{!sources && ` (${preview.still_stated.length})`}</span>
            </label>
          )}
          {preview.copies.length > 0 && (
            <p class="soft">Backups and exports that you made are not changed: {count(preview.copies.length, "file")}.</p>
          )}
          <p class="warning">
            <TriangleAlert size={17} aria-hidden="true" /> This cannot be undone.
          </p>
          <div class="dialog-foot">
            <button class="button" onClick={() => close(false)}>
              Keep
            </button>
            <button class="button danger" disabled={busy} onClick={erase}>
              {busy ? "Erasing …" : "Forget for good"}
            </button>
          </div>
        </>
      )}
      {receipt && <Receipt receipt={receipt} />}
      {receipt && (
        <div class="dialog-foot">
          <button class="button primary" onClick={() => close(true)}>
            Done
          </button>
        </div>
      )}
    </Dialog>
  );
}

export function Receipt({ receipt }: { receipt: any }) {
  return (
    <dl class="pairs">
      <dt>Erased</dt>
      <dd>{count(receipt.ids.length, "memory", "memories")}</dd>
      <dt>When</dt>
      <dd>{moment(receipt.at)}</dd>
      <dt>Checked</dt>
      <dd>
        {receipt.clean
          ? `${count(receipt.scan?.searched ?? 0, "word", "words")} searched for in the bytes of the file: none is left.`
          : "Not every byte is gone yet; the next maintenance finishes it."}
      </dd>
      {receipt.copies?.length > 0 && (
        <>
          <dt>Copies</dt>
          <dd>
            {receipt.copies.map((copy: any) => (
              <div key={copy.path}>
                <Words>{copy.path}</Words> {copy.holds ? "still holds it" : ""}
              </div>
            ))}
          </dd>
        </>
      )}
    </dl>
  );
}
