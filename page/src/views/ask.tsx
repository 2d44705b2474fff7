// What the agent would be told for a message: the exact words, why each is there, and what was left out.
import { useEffect, useRef, useState } from "preact/hooks";
import { Columns2, MessageCircleQuestion, SendHorizontal } from "lucide-preact";
import { api } from "../api";
import { useData, useValues } from "../state";
import { count, date, fullDate, origin, percent, RECIPES } from "../format";
import { Choice, Empty, Field, Head, Kind, Loading, Problem, Tabs, Words } from "../ui";
import { MemoryPanel } from "./memory";

const DAY = 86_400_000;
type Plan = { budget: number; recipe: string; back: number };

export function Ask() {
  const [values, change] = useValues();
  const [text, setText] = useState(values.q ?? "");
  const [asked, setAsked] = useState(values.q ?? "");
  const [two, setTwo] = useState(Boolean(values.compare));
  const options = useData("page/ask", {}, false);
  const shown = useRef(values.q);
  useEffect(() => {
    if (shown.current !== values.q) {
      shown.current = values.q; // another address, not the first: what was typed meanwhile stays
      setText(values.q ?? "");
      setAsked(values.q ?? "");
    }
    setTwo(Boolean(values.compare));
  }, [values.q, values.compare]);
  const ask = () => {
    setAsked(text.trim());
    change({ q: text.trim() });
  };
  return (
    <>
      <Head title="Ask" about="Type a message as the agent would receive it, and see exactly what it is told." />
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          ask();
        }}
      >
        <label class="field grow">
          <span class="sr">Message</span>
          <textarea
            rows={2}
            placeholder="Where do I live, and what should I cook tonight?"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && !event.shiftKey) {
                event.preventDefault();
                ask();
              }
            }}
          />
        </label>
        <div class="buttons">
          <button class="button primary" disabled={!text.trim()}>
            <SendHorizontal size={16} /> Ask
          </button>
          <button
            type="button"
            class="button"
            aria-pressed={two}
            onClick={() => {
              setTwo(!two);
              change({ compare: two ? "" : "1" });
            }}
          >
            <Columns2 size={16} /> Compare two
          </button>
        </div>
      </form>
      {options.error && <Problem text={options.error} retry={options.reload} />}
      {asked && options.data ? (
        <div class={two ? "side-by-side" : ""}>
          <Side asked={asked} options={options.data} name={two ? "First" : ""} first={{ budget: 800, recipe: "everyday", back: 0 }} open={(id) => change({ id })} />
          {two && <Side asked={asked} options={options.data} name="Second" first={{ budget: 300, recipe: "everyday", back: 0 }} open={(id) => change({ id })} />}
        </div>
      ) : (
        <Empty title="Ask something" icon={MessageCircleQuestion}>
          You see each memory with the reason why it was chosen, and what was left out and why.
        </Empty>
      )}
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}

function Side({ asked, options, name, first, open }: { asked: string; options: any; name: string; first: Plan; open: (id: number) => void }) {
  const [plan, setPlan] = useState(first);
  const [found, setFound] = useState<any>(null);
  const [error, setError] = useState("");
  const [tab, setTab] = useState("told");
  const days = options.first ? Math.max(1, Math.ceil((Date.now() - new Date(options.first).getTime()) / DAY)) : 1;
  const then = plan.back ? new Date(Date.now() - plan.back * DAY) : null;
  useEffect(() => {
    let current = true;
    const timer = setTimeout(() => {
      api
        .post("page/ask", { query: asked, budget: plan.budget, recipe: plan.recipe, as_of: then?.toISOString() })
        .then((answer) => current && (setFound(answer), setError("")))
        .catch((wrong) => current && setError(wrong.message));
    }, 200);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asked, plan]);
  return (
    <section class="answer" aria-label={name || "What the agent is told"}>
      <div class="plan">
        {name && <h2>{name}</h2>}
        <Choice label="Search" value={plan.recipe} change={(recipe) => setPlan({ ...plan, recipe })} options={options.recipes.map((each: string) => [each, RECIPES[each] ?? each])} />
        <Field label={`At most ${plan.budget} tokens`} type="range" min={100} max={4000} step={100} value={plan.budget} onInput={(event) => setPlan({ ...plan, budget: Number(event.currentTarget.value) })} />
        <Field label={then ? `As of ${date(then.toISOString())}` : "As of now"} type="range" min={-days} max={0} step={1} value={-plan.back} onInput={(event) => setPlan({ ...plan, back: -Number(event.currentTarget.value) })} />
      </div>
      {error && <Problem text={error} />}
      {!found && !error && <Loading />}
      {found && (
        <>
          <div class="meter">
            <div class="meter-words">
              <strong>{found.tokens}</strong> of {found.budget} tokens · {Math.round(found.milliseconds)} ms
              {then && <span> · as it was known on {fullDate(then.toISOString())}</span>}
            </div>
            <progress max={found.budget} value={found.tokens} aria-label="Tokens used" />
          </div>
          <Tabs
            value={tab}
            change={setTab}
            tabs={[["told", "What it is told"], ["out", `Left out (${found.left_out.length})`], ["words", "Exact words"], ["steps", "How it was found"]]}
          />
          {tab === "told" && <Told found={found} open={open} />}
          {tab === "out" && <LeftOut found={found} open={open} />}
          {tab === "words" && (found.markdown ? <pre class="exact" tabIndex={0}><Words>{found.markdown}</Words></pre> : <p class="soft">Nothing: the agent is told no memory at all.</p>)}
          {tab === "steps" && <Steps steps={found.steps} />}
        </>
      )}
    </section>
  );
}

function Told({ found, open }: { found: any; open: (id: number) => void }) {
  if (!found.sections.length)
    return <Empty title="It is told nothing">{found.reason ? `The reason: ${found.reason}.` : "No memory matters for this message."}</Empty>;
  return (
    <>
      {found.reason && <p class="soft">{found.reason}</p>}
      {found.sections.map((part: any) => (
        <div class="part" key={part.title}>
          <h3>
            {part.title} <small>{count(part.tokens, "token")}</small>
          </h3>
          <ul class="rows">
            {part.lines.map((line: any) => (
              <li key={line.id ?? line.text}>
                {line.id ? (
                  <button class="row-button" onClick={() => open(line.id)}>
                    <Words>{line.text.replace(/^- /, "").replace(/ \[id:\d+\]/, "")}</Words>
                  </button>
                ) : (
                  <Words>{line.text.replace(/^- /, "").replaceAll("**", "")}</Words>
                )}
                <div class="meta">
                  <Kind kind={line.kind} />
                  {line.at && <span>{date(line.at)}</span>}
                  {line.origin && <span>from {origin(line.origin)}</span>}
                  {line.probability != null && <span title="How likely it matters for this message">{percent(line.probability)} relevant</span>}
                  <span class="why">{line.why}</span>
                </div>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}

function LeftOut({ found, open }: { found: any; open: (id: number) => void }) {
  if (!found.left_out.length) return <p class="soft">Everything that was found is in.</p>;
  return (
    <ul class="rows">
      {found.left_out.map((each: any) => (
        <li key={each.id}>
          <button class="row-button" onClick={() => open(each.id)}>
            <Words>{each.text}</Words>
          </button>
          <div class="meta">
            <Kind kind={each.kind} />
            <span class="why">{each.reason || "too far down the list to be read"}</span>
            <span>
              last seen in “{each.stage.replaceAll("_", " ")}”, place {each.rank}
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Steps({ steps }: { steps: any[] }) {
  return (
    <div class="table-frame" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">What it did</th>
            <th scope="col" class="number">Handed on</th>
            <th scope="col" class="number">Time</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step, i) => (
            <tr key={i} class={step.note.startsWith("skipped") ? "soft" : ""}>
              <td>{step.stage.replaceAll("_", " ")}</td>
              <td><Words>{step.note}</Words></td>
              <td class="number">{step.handed_on ?? ""}</td>
              <td class="number">{step.milliseconds.toFixed(1)} ms</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
