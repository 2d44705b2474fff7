// Dates that were mentioned: coming, moved, cancelled, past.
import { CalendarDays, Download } from "lucide-preact";
import { download, query } from "../api";
import { say, useData, useValues } from "../state";
import { date, fullDate, moment } from "../format";
import { Empty, Field, Head, Shown, Tag, Tabs, Words } from "../ui";
import { MemoryPanel } from "./memory";

const STATES: Record<string, [string, string]> = {
  coming: ["Coming", "good"],
  moved: ["Moved", "warn"],
  cancelled: ["Cancelled", "bad"],
  past: ["Past", ""],
};
const iso = (at: Date) => at.toISOString().slice(0, 10);
const shifted = (days: number) => iso(new Date(Date.now() + days * 86_400_000));

export function Agenda() {
  const [values, change] = useValues();
  const since = values.since || shifted(-30);
  const until = values.until || shifted(180);
  const wanted = values.state || "all";
  const span = { since: `${since}T00:00:00Z`, until: `${until}T23:59:59Z` };
  const found = useData("agenda", span);
  return (
    <>
      <Head title="Agenda" about="Dates that were mentioned, and what became of them.">
        <button class="button" onClick={() => download(`agenda.ics${query(span)}`, "agenda.ics").catch((error) => say(error.message, { bad: true }))}>
          <Download size={16} /> Save for a calendar
        </button>
      </Head>
      <div class="bar spread">
        <Tabs value={wanted} change={(state) => change({ state: state === "all" ? "" : state })} tabs={[["all", "All"], ["coming", "Coming"], ["moved", "Moved"], ["cancelled", "Cancelled"], ["past", "Past"]]} />
        <div class="buttons">
          <Field label="From" type="date" value={since} onChange={(event) => change({ since: event.currentTarget.value })} />
          <Field label="Until" type="date" value={until} onChange={(event) => change({ until: event.currentTarget.value })} />
        </div>
      </div>
      <Shown of={found}>
        {({ entries }) => {
          const shown = entries.filter((each: any) => wanted === "all" || each.state === wanted);
          if (!shown.length)
            return <Empty title="No dates here" icon={CalendarDays}>When somebody mentions a date (“the dentist is on the 26th”), it appears here.</Empty>;
          const days = new Map<string, any[]>();
          for (const each of shown) days.set(each.begins.slice(0, 10), [...(days.get(each.begins.slice(0, 10)) ?? []), each]);
          return (
            <ol class="days">
              {[...days].map(([day, list]) => (
                <li key={day} class={day < iso(new Date()) ? "gone" : ""}>
                  <h2>{fullDate(`${day}T12:00:00`)}</h2>
                  <ul class="card rows">
                    {list.map((each) => (
                      <li key={`${each.id}-${each.begins}`} class={`entry ${each.state}`}>
                        <button class="row-button" onClick={() => change({ id: each.id })}><Words>{each.text}</Words></button>
                        <div class="meta">
                          <span>{each.when}</span>
                          <Tag tone={STATES[each.state]?.[1]}>{STATES[each.state]?.[0] ?? each.state}</Tag>
                          {each.moved_to && <span>now {moment(each.moved_to)}</span>}
                          <span>said {date(each.said_at)}</span>
                        </div>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
          );
        }}
      </Shown>
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}
