// Everything that is known, by person or topic.
import { useEffect, useState } from "preact/hooks";
import { Archive, Check, EyeOff, Search, SlidersHorizontal, Trash2, X } from "lucide-preact";
import { useData, useDebounced, useMayWrite, useValues } from "../state";
import { count, KINDS, LEARNED } from "../format";
import { Choice, Empty, Field, Head, Shown, useToggle, Words } from "../ui";
import { archive, confirm, Forget, markSensitive } from "../actions";
import { Card, MemoryPanel } from "./memory";

const STEP = 30;
const MOST = 500;

export function Memories() {
  const [values, change] = useValues();
  const [words, setWords] = useState(values.text ?? "");
  const late = useDebounced(words);
  const [limit, setLimit] = useState(STEP);
  const [picked, setPicked] = useState<number[]>([]);
  const [filters, toggleFilters] = useToggle(Boolean(values.state || values.origin || values.sure || values.since || values.until || values.sensitive));
  useEffect(() => change({ text: late }), [late]);
  useEffect(() => {
    if ((values.text ?? "") !== late) setWords(values.text ?? "");
  }, [values.text]);
  const kinds = values.kind === "all" ? [] : values.kind ? [values.kind] : LEARNED;
  const asked = {
    kinds,
    text: late,
    subject: values.subject,
    state: values.state,
    origin: values.origin,
    below: values.sure,
    sensitive: values.sensitive,
    since: values.since && `${values.since}T00:00:00Z`,
    until: values.until && `${values.until}T00:00:00Z`,
    order: values.order,
    limit,
  };
  const found = useData("page/memories", asked);
  const narrowed = Boolean(late || values.kind || values.state || values.origin || values.sure || values.since || values.until || values.sensitive || values.subject);
  const pick = (id: number) => setPicked((now) => (now.includes(id) ? now.filter((each) => each !== id) : [...now, id]));
  return (
    <div class="columns">
      <Subjects chosen={values.subject ?? ""} choose={(subject) => { setLimit(STEP); change({ subject }); }} />
      <div class="column">
        {!values.subject && <Head title="Memories" about="Everything that is known, with the words it rests on." />}
        {values.subject && (
          <div class="about-subject">
            <h1 tabIndex={-1}><Words>{values.subject}</Words></h1>
            <button class="chip" onClick={() => change({ subject: "" })}>
              <X size={14} aria-hidden="true" /> everything
            </button>
          </div>
        )}
        <div class="bar">
          <div class="search">
            <Search size={17} aria-hidden="true" />
            <Field label="Search" hidden placeholder="Search by words" value={words} onInput={(event) => setWords(event.currentTarget.value)} />
          </div>
          <Choice
            label="Kind"
            hidden
            value={values.kind ?? ""}
            change={(kind) => change({ kind })}
            options={[["", "All that was learned"], ...LEARNED.map((kind): [string, string] => [kind, KINDS[kind]]), ["episode", "What was said"], ["all", "Everything"]]}
          />
          <button class="button" aria-expanded={filters} onClick={toggleFilters}>
            <SlidersHorizontal size={16} /> Filters
          </button>
        </div>
        {filters && (
          <div class="filters">
            <Choice label="State" value={values.state ?? ""} change={(state) => change({ state })} options={[["", "Current"], ["superseded", "Replaced"], ["archived", "Archived"], ["all", "All"]]} />
            <Choice label="Known from" value={values.origin ?? ""} change={(origin) => change({ origin })} options={[["", "Anybody"], ["user", "You"], ["agent", "The agent"], ["import", "An import"], ["document", "A document"]]} />
            <Choice label="How sure" value={values.sure ?? ""} change={(sure) => change({ sure })} options={[["", "Any"], ["0.95", "Not certain"], ["0.75", "Unsure"], ["0.5", "Doubtful"]]} />
            <Choice label="Sensitive" value={values.sensitive ?? ""} change={(sensitive) => change({ sensitive })} options={[["", "Any"], ["true", "Only sensitive"], ["false", "Not sensitive"]]} />
            <Field label="From" type="date" value={values.since ?? ""} onChange={(event) => change({ since: event.currentTarget.value })} />
            <Field label="Until" type="date" value={values.until ?? ""} onChange={(event) => change({ until: event.currentTarget.value })} />
            <Choice label="Order" value={values.order ?? ""} change={(order) => change({ order })} options={[["", "Newest first"], ["oldest", "Oldest first"], ["updated", "Last changed"], ["important", "Most important"]]} />
          </div>
        )}
        {picked.length > 0 && <Several picked={picked} clear={() => setPicked([])} />}
        <Shown of={found}>
          {({ cards, next_cursor }) =>
            cards.length ? (
              <>
                <div class={`list ${found.loading ? "stale" : ""}`}>
                  {cards.map((card: any) => (
                    <Card key={card.id} card={card} picked={picked.includes(card.id)} pick={() => pick(card.id)} open={() => change({ id: card.id })} />
                  ))}
                </div>
                {next_cursor && limit < MOST && (
                  <button class="button more" onClick={() => setLimit(Math.min(MOST, limit + 2 * STEP))}>
                    Show more
                  </button>
                )}
                {next_cursor && limit >= MOST && <p class="soft">These are the first {MOST}. Search or filter to see others.</p>}
              </>
            ) : narrowed ? (
              <Empty title="Nothing matches">Try fewer words, or another filter.</Empty>
            ) : (
              <Empty title="Nothing is known yet">
                As soon as an agent observes a conversation, what it learns appears here by itself.
              </Empty>
            )
          }
        </Shown>
      </div>
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </div>
  );
}

function Subjects({ chosen, choose }: { chosen: string; choose: (name: string) => void }) {
  const [words, set] = useState("");
  const found = useData("page/subjects", { words: useDebounced(words), limit: 40 });
  return (
    <section class="subjects" aria-label="People and topics">
      <h2>People and topics</h2>
      <Field label="Find a name" hidden placeholder="Find a name" value={words} onInput={(event) => set(event.currentTarget.value)} />
      <Shown of={found}>
        {({ subjects }) => (
          <ul>
            <li>
              <button aria-pressed={!chosen} onClick={() => choose("")}>
                <span>Everything</span>
              </button>
            </li>
            {subjects.map((each: any) => (
              <li key={each.name}>
                <button aria-pressed={chosen === each.name} onClick={() => choose(each.name)} title={count(each.mentions, "mention")}>
                  <i class={`dot type-${each.type}`} aria-hidden="true" />
                  <Words>{each.name}</Words>
                  <small>{each.learned || ""}</small>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Shown>
    </section>
  );
}

function Several({ picked, clear }: { picked: number[]; clear: () => void }) {
  const mayWrite = useMayWrite();
  const [forgetting, forget] = useState(false);
  const run = (work: (ids: number[]) => Promise<unknown>) => async () => {
    await work(picked);
    clear();
  };
  return (
    <div class="several" role="toolbar" aria-label="Chosen memories">
      <strong>{picked.length} chosen</strong>
      {mayWrite && (
        <>
          <button class="button" onClick={run(confirm)}><Check size={15} /> Confirm</button>
          <button class="button" onClick={run((ids) => markSensitive(ids, true))}><EyeOff size={15} /> Sensitive</button>
          <button class="button" onClick={run(archive)}><Archive size={15} /> Archive</button>
          <button class="button danger-text" onClick={() => forget(true)}><Trash2 size={15} /> Forget</button>
        </>
      )}
      <button class="link" onClick={clear}>Clear</button>
      {forgetting && (
        <Forget
          target={{ id: picked }}
          close={(done) => {
            forget(false);
            if (done) clear();
          }}
        />
      )}
    </div>
  );
}
