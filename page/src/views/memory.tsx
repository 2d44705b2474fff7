// One memory: the card in lists, and the panel with everything that is known about it.
import { useState } from "preact/hooks";
import { Archive, ArchiveRestore, Check, EyeOff, Eye, Lock, Pencil, Quote, Share2, Trash2 } from "lucide-preact";
import { address, useData, useMayWrite } from "../state";
import { ago, count, date, moment, origin, percent, STATES, sure } from "../format";
import { Dialog, Kind, Shown, Tag, Words } from "../ui";
import { archive, confirm, correct, Forget, markSensitive, restore, share } from "../actions";

export function Since({ card }: { card: any }) {
  const from = card.valid_from ?? card.event_at;
  if (card.valid_until) return <span>{`${date(from)} – ${date(card.valid_until)}`}</span>;
  return <span title={moment(from)}>{card.kind === "episode" ? moment(card.event_at) : `since ${date(from)}`}</span>;
}

export function Marks({ card }: { card: any }) {
  return (
    <>
      {card.state !== "live" && <Tag>{STATES[card.state] ?? card.state}</Tag>}
      {card.kind !== "episode" && card.confidence < 0.95 && <Tag tone={card.confidence < 0.5 ? "warn" : ""}>{sure(card.confidence)}</Tag>}
      {card.sensitive && (
        <Tag tone="warn">
          <EyeOff size={13} aria-hidden="true" /> sensitive
        </Tag>
      )}
      {card.audience === "shared" && <Tag>shared</Tag>}
    </>
  );
}

export function Card({ card, open, picked, pick }: { card: any; open: () => void; picked?: boolean; pick?: () => void }) {
  const quote = card.quotes.find((each: any) => each.words);
  return (
    <article class={`memory ${card.state} ${picked ? "picked" : ""}`}>
      {pick && <input type="checkbox" aria-label={`Choose: ${card.text.slice(0, 80)}`} checked={picked} onChange={pick} />}
      <div class="memory-body">
        <button class="memory-text" onClick={open}>
          <Words>{card.text}</Words>
        </button>
        {quote && (
          <blockquote>
            <Words>{quote.words}</Words>
            <footer>
              {origin(quote.by)}, {date(quote.said_at)}
              {card.quotes.length > 1 && ` · and ${count(card.quotes.length - 1, "more quote")}`}
            </footer>
          </blockquote>
        )}
        {card.replaced.map((old: any) => (
          <p class="replaced" key={old.id}>
            Before: <Words>{old.text}</Words>
          </p>
        ))}
        <div class="meta">
          <Kind kind={card.kind} />
          <Since card={card} />
          {!quote && <span>from {origin(card.speaker ?? card.origin)}</span>}
          <Marks card={card} />
        </div>
      </div>
    </article>
  );
}

export function MemoryPanel({ id, close, show }: { id: number; close: () => void; show: (id: number) => void }) {
  const found = useData(`page/memories/${id}`);
  return (
    <Dialog title="Memory" close={close} side>
      <Shown of={found}>{(card) => <Whole card={card} close={close} show={show} />}</Shown>
    </Dialog>
  );
}

function Whole({ card, close, show }: { card: any; close: () => void; show: (id: number) => void }) {
  const mayWrite = useMayWrite();
  const [editing, edit] = useState(false);
  const [forgetting, forget] = useState(false);
  const [text, setText] = useState(card.text);
  return (
    <div class="whole">
      <div class="meta">
        <Kind kind={card.kind} />
        <Since card={card} />
        <Marks card={card} />
      </div>
      {editing ? (
        <form
          onSubmit={async (event) => {
            event.preventDefault();
            const made = await correct(card.id, text);
            if (made) {
              edit(false);
              show(made);
            }
          }}
        >
          <label class="field">
            <span>What is right</span>
            <textarea rows={4} value={text} onInput={(event) => setText(event.currentTarget.value)} />
          </label>
          <div class="buttons">
            <button class="button primary" disabled={!text.trim() || text === card.text}>
              Save the correction
            </button>
            <button type="button" class="button" onClick={() => edit(false)}>
              Cancel
            </button>
          </div>
        </form>
      ) : (
        <p class="sentence">
          <Words>{card.text}</Words>
        </p>
      )}
      {mayWrite && !editing && (
        <div class="buttons">
          {card.state === "live" && card.kind !== "episode" && (
            <button class="button" onClick={() => { setText(card.text); edit(true); }}>
              <Pencil size={15} /> Correct
            </button>
          )}
          {card.kind !== "episode" && !card.confirmed_at && (
            <button class="button" onClick={() => confirm([card.id])}>
              <Check size={15} /> Confirm
            </button>
          )}
          <button class="button" onClick={() => markSensitive([card.id], !card.sensitive)}>
            {card.sensitive ? <Eye size={15} /> : <EyeOff size={15} />} {card.sensitive ? "Not sensitive" : "Sensitive"}
          </button>
          <button class="button" onClick={() => share([card.id], card.audience !== "shared")}>
            {card.audience === "shared" ? <Lock size={15} /> : <Share2 size={15} />} {card.audience === "shared" ? "Make private" : "Share"}
          </button>
          {card.state === "live" && (
            <button class="button" onClick={() => archive([card.id])}>
              <Archive size={15} /> Archive
            </button>
          )}
          {(card.state === "archived" || card.state === "withdrawn") && (
            <button class="button" onClick={() => restore([card.id])}>
              <ArchiveRestore size={15} /> Bring back
            </button>
          )}
          <button class="button danger-text" onClick={() => forget(true)}>
            <Trash2 size={15} /> Forget
          </button>
        </div>
      )}
      {forgetting && (
        <Forget
          target={{ id: [card.id] }}
          close={(done) => {
            forget(false);
            if (done) close();
          }}
        />
      )}
      {card.quotes.some((each: any) => each.words) && (
        <section>
          <h3>
            <Quote size={15} aria-hidden="true" /> It rests on
          </h3>
          {card.quotes.filter((each: any) => each.words).map((quote: any) => (
            <blockquote key={quote.episode}>
              <Words>{quote.words}</Words>
              <footer>
                {origin(quote.by)}, {moment(quote.said_at)}
                {quote.session && (
                  <>
                    {" · "}
                    <a href={address("sessions", { session: quote.session, line: quote.episode })} onClick={close}>
                      see the conversation
                    </a>
                  </>
                )}
              </footer>
            </blockquote>
          ))}
        </section>
      )}
      {card.contradicts.length > 0 && (
        <section>
          <h3>It contradicts</h3>
          {card.contradicts.map((other: any) => (
            <button class="row-button" key={other.id} onClick={() => show(other.id)}>
              <Words>{other.text}</Words>
            </button>
          ))}
        </section>
      )}
      {card.versions.length > 1 && (
        <section>
          <h3>Versions</h3>
          <ol class="versions">
            {card.versions.map((version: any) => (
              <li key={version.id} class={version.id === card.id ? "current" : ""}>
                <button class="row-button" onClick={() => show(version.id)}>
                  <Words>{version.text}</Words>
                  <small>
                    {STATES[version.state]} · {date(version.at)}
                  </small>
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
      {card.entities.length > 0 && (
        <section>
          <h3>About</h3>
          <div class="buttons">
            {card.entities.map((entity: any) => (
              <a class="chip" key={entity.name} href={address("graph", { name: entity.name })} onClick={close}>
                <Words>{entity.name}</Words>
              </a>
            ))}
          </div>
        </section>
      )}
      <section>
        <h3>Details</h3>
        <dl class="pairs">
          <dt>Known from</dt>
          <dd>{origin(card.origin)}</dd>
          {card.kind !== "episode" && (
            <>
              <dt>How sure</dt>
              <dd>
                {sure(card.confidence)} ({percent(card.confidence)}){card.confirmed_at && `, confirmed ${date(card.confirmed_at)}`}
              </dd>
            </>
          )}
          <dt>Stored</dt>
          <dd>{moment(card.recorded_at)}</dd>
          <dt>Used</dt>
          <dd>{card.access_count ? count(card.access_count, "time") : "not yet"}</dd>
          {card.tags.length > 0 && (
            <>
              <dt>Tags</dt>
              <dd>
                <Words>{card.tags.join(", ")}</Words>
              </dd>
            </>
          )}
          <dt>Number</dt>
          <dd>{card.id}</dd>
        </dl>
        {card.changes.length > 0 && (
          <p class="soft small">Last change {ago(card.changes.at(-1).at)}.</p>
        )}
      </section>
    </div>
  );
}
