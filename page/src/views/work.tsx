// Tasks, lessons with what they were worth, skills and mistakes; and what a task would be told.
import { useState } from "preact/hooks";
import { Hammer } from "lucide-preact";
import { api } from "../api";
import { useData, useValues } from "../state";
import { count, date, moment } from "../format";
import { Empty, Field, Head, Problem, Shown, Tabs, Tag, Words } from "../ui";
import { Card, MemoryPanel } from "./memory";

const OUTCOMES: Record<string, [string, string]> = { success: ["Done", "good"], failure: ["Failed", "bad"], partial: ["Partly done", "warn"], open: ["Open", ""] };

export function Work() {
  const [values, change] = useValues();
  const tab = values.tab || "tasks";
  return (
    <>
      <Head title="Work" about="What agents did, what they learned from it, and what they would be told next time." />
      <Tabs value={tab} change={(tab) => change({ tab })} tabs={[["tasks", "Tasks"], ["lessons", "Lessons"], ["mistakes", "Mistakes"], ["howto", "How-to and skills"], ["before", "Before a task"]]} />
      {tab === "tasks" && <Tasks open={(id) => change({ id })} />}
      {tab === "lessons" && <Lessons kinds={["pattern"]} open={(id) => change({ id })} empty="No lessons yet" />}
      {tab === "mistakes" && <Lessons kinds={["antipattern"]} open={(id) => change({ id })} empty="No mistakes on record" />}
      {tab === "howto" && <Lessons kinds={["procedure", "skill"]} open={(id) => change({ id })} empty="No how-to yet" />}
      {tab === "before" && <Before />}
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}

function Tasks({ open }: { open: (id: number) => void }) {
  const found = useData("tasks", { limit: 100 });
  return (
    <Shown of={found}>
      {({ tasks }) =>
        tasks.length ? (
          <div class="list">
            {tasks.map((task: any) => {
              const [name, tone] = OUTCOMES[task.outcome ?? "open"] ?? [task.outcome, ""];
              return (
                <article class="memory" key={task.id}>
                  <div class="memory-body">
                    <button class="memory-text" onClick={() => open(task.id)}><Words>{(task.goal ?? task.text).slice(0, 600)}</Words></button>
                    <div class="meta">
                      <Tag tone={tone}>{name}</Tag>
                      <span>{moment(task.event_at)}</span>
                      {task.agent && <span>by <Words>{task.agent}</Words></span>}
                      {task.actions?.length > 0 && <span>{count(task.actions.length, "step")}</span>}
                      {task.errors?.length > 0 && <span>{count(task.errors.length, "error")}</span>}
                    </div>
                  </div>
                </article>
              );
            })}
          </div>
        ) : (
          <Empty title="No tasks yet" icon={Hammer}>When an agent works on a task and reports how it went, it appears here.</Empty>
        )
      }
    </Shown>
  );
}

function Lessons({ kinds, open, empty }: { kinds: string[]; open: (id: number) => void; empty: string }) {
  const found = useData("page/memories", { kinds, limit: 100 });
  const credit = useData("tasks/credit", { limit: 1000 });
  const worth = new Map<number, any>((credit.data?.credit ?? []).map((each: any) => [each.id ?? each.node?.id, each]));
  return (
    <Shown of={found}>
      {({ cards }) =>
        cards.length ? (
          <div class="list">
            {cards.map((card: any) => {
              const known = worth.get(card.id);
              return (
                <div key={card.id}>
                  <Card card={card} open={() => open(card.id)} />
                  {known && <p class="worth">{worthOf(known)}</p>}
                </div>
              );
            })}
          </div>
        ) : (
          <Empty title={empty} icon={Hammer}>They are learned from finished tasks, and from what you teach in a conversation.</Empty>
        )
      }
    </Shown>
  );
}

const VERDICTS: Record<string, string> = { helps: "It helps", harms: "It does harm", neutral: "It makes no difference", unclear: "Too early to say" };

function worthOf(credit: any): string {
  const share = `${Math.round(credit.rate * 100)} % went well with it, ${Math.round(credit.usual * 100)} % usually`;
  return `${VERDICTS[credit.verdict] ?? credit.verdict}: used in ${count(credit.tasks, "task")}; ${share}.`;
}

function Before() {
  const [goal, set] = useState("");
  const [told, setTold] = useState<any>(null);
  const [error, setError] = useState("");
  return (
    <>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          api.post("tasks/before", { goal, budget: 1000 }).then((found) => (setTold(found), setError("")), (wrong) => setError(wrong.message));
        }}
      >
        <Field label="What is the task?" placeholder="Release the Kira app" value={goal} onInput={(event) => set(event.currentTarget.value)} />
        <div class="buttons"><button class="button primary" disabled={!goal.trim()}>Show what it would be told</button></div>
      </form>
      {error && <Problem text={error} />}
      {told &&
        (told.markdown ? (
          <>
            <p class="soft">{told.tokens} of {told.budget} tokens, {date(new Date().toISOString())}</p>
            <pre class="exact" tabIndex={0}><Words>{told.markdown}</Words></pre>
          </>
        ) : (
          <Empty title="It would be told nothing" icon={Hammer}>No lesson, skill or preference fits this task.</Empty>
        ))}
    </>
  );
}
