// Conversations, with what each line led to beside it.
import { useEffect, useRef, useState } from "preact/hooks";
import { ArrowLeft, MessagesSquare, Search } from "lucide-preact";
import { address, useData, useDebounced, useMayWrite, useValues } from "../state";
import { ago, count, date, fullDate, origin, time } from "../format";
import { Empty, Field, Head, Shown, Tag, Words } from "../ui";
import { Forget } from "../actions";
import { MemoryPanel } from "./memory";

export function Sessions() {
  const [values, change] = useValues();
  const [words, set] = useState("");
  const [limit, setLimit] = useState(40);
  const found = useData("page/sessions", { words: useDebounced(words), limit });
  if (values.session) return <Talk name={values.session} line={Number(values.line) || 0} values={values} change={change} />;
  return (
    <>
      <Head title="Sessions" about="Every conversation, word for word, with what was learned from each line." />
      <div class="bar">
        <div class="search">
          <Search size={17} aria-hidden="true" />
          <Field label="Search" hidden placeholder="Search names and summaries" value={words} onInput={(event) => set(event.currentTarget.value)} />
        </div>
      </div>
      <Shown of={found}>
        {({ sessions }) =>
          sessions.length ? (
            <>
              <ul class="grid">
                {sessions.map((each: any) => (
                  <li key={each.id}>
                    <a class="card tile" href={address("sessions", { session: each.name })}>
                      <h2><Words>{each.name}</Words></h2>
                      {each.summary ? <p class="clamp"><Words>{each.summary}</Words></p> : <p class="soft">No summary yet.</p>}
                      <div class="meta">
                        <span>{date(each.last_at)}</span>
                        <span>{count(each.episode_count, "line")}</span>
                        {each.learning === "pending" && <Tag>waiting to be learned from</Tag>}
                        {!each.ended_at && <Tag tone="good">open</Tag>}
                        {each.learn_error && <Tag tone="bad">learning failed</Tag>}
                      </div>
                    </a>
                  </li>
                ))}
              </ul>
              {sessions.length === limit && limit < 2000 && (
                <button class="button more" onClick={() => setLimit(limit * 2)}>Show more</button>
              )}
            </>
          ) : (
            <Empty title={words ? "Nothing matches" : "No conversations yet"} icon={MessagesSquare}>
              {words ? "Try other words." : "Each conversation that an agent observes appears here."}
            </Empty>
          )
        }
      </Shown>
    </>
  );
}

function Talk({ name, line, values, change }: { name: string; line: number; values: any; change: (more: any) => void }) {
  const mayWrite = useMayWrite();
  const [limit, setLimit] = useState(line ? 2000 : 200);
  const [forgetting, forget] = useState(false);
  const found = useData("page/session", { name, limit });
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: "center" }), [Boolean(found.data)]);
  return (
    <>
      <a class="back" href="#/sessions"><ArrowLeft size={16} aria-hidden="true" /> All sessions</a>
      <Shown of={found}>
        {({ session, lines, next }) => (
          <>
            <Head title={<Words>{session.name}</Words>} about={`${fullDate(session.started_at)} · ${count(session.episode_count, "line")} · last line ${ago(session.last_at)}`}>
              {mayWrite && <button class="button danger-text" onClick={() => forget(true)}>Forget this session</button>}
            </Head>
            {session.summary && <p class="summary card"><Words>{session.summary}</Words></p>}
            <ol class="talk">
              {lines.map((each: any) => (
                <li key={each.id} class={each.id === line ? "aim" : ""} ref={each.id === line ? place : undefined}>
                  <div class={`line by-${each.role}`}>
                    <div class="meta">
                      <strong>{each.speaker ?? origin(each.role)}</strong>
                      <time dateTime={each.at}>{time(each.at)}</time>
                    </div>
                    <p><Words>{each.text}</Words></p>
                    {each.shortened && <button class="link" onClick={() => change({ id: each.id })}>Show all of it</button>}
                  </div>
                  <div class="led">
                    {each.learned.map((card: any) => (
                      <button key={card.id} class={`led-to kind-${card.kind} ${card.state}`} onClick={() => change({ id: card.id })}>
                        <i aria-hidden="true" />
                        <Words>{card.text}</Words>
                      </button>
                    ))}
                  </div>
                </li>
              ))}
            </ol>
            {next && <button class="button more" onClick={() => setLimit(Math.min(5000, limit * 2))}>Show more lines</button>}
          </>
        )}
      </Shown>
      {forgetting && <Forget target={{ session: name }} close={(done) => { forget(false); if (done) location.hash = "#/sessions"; }} />}
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}
