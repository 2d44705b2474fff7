// What wants a look: one key for each answer.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Check, Inbox as Tray } from "lucide-preact";
import { api } from "../api";
import { act, useData, useMayWrite, useValues } from "../state";
import { count, date, origin, plain } from "../format";
import { Choice, Empty, Head, Kind, Shown, Words } from "../ui";
import { confirm, Forget, withdraw } from "../actions";
import { Since, Marks, MemoryPanel } from "./memory";

type Answer = { key: string; name: string; run: () => unknown };
type Item = { id: string; about: string; cards: any[]; note?: string; said?: any; answers: Answer[] };

export function Inbox() {
  const [values, change] = useValues();
  const mayWrite = useMayWrite();
  const days = Number(values.days) || 7;
  const found = useData("page/inbox", { days });
  const asked = useData("review/proposals");
  const [seen, setSeen] = useState<string[]>(() => JSON.parse(sessionStorage.getItem("omoide-seen") ?? "[]"));
  const [at, setAt] = useState(0);
  const [forgetting, forget] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const done = (id: string) => {
    const next = [...seen, id];
    sessionStorage.setItem("omoide-seen", JSON.stringify(next));
    setSeen(next);
  };
  const items = found.data ? itemsOf(found.data, asked.data?.proposals ?? [], mayWrite, done, forget).filter((each) => !seen.includes(each.id)) : [];
  const place = Math.min(at, Math.max(0, items.length - 1));
  // At once and not after painting: a key must meet the item that is shown.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
      if (["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName)) return;
      if (event.key === "ArrowDown" || event.key === "j") setAt(Math.min(place + 1, items.length - 1));
      else if (event.key === "ArrowUp" || event.key === "k") setAt(Math.max(place - 1, 0));
      else {
        const answer = items[place]?.answers.find((each) => each.key === event.key);
        if (!answer) return;
        answer.run();
      }
      event.preventDefault();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
  useEffect(() => list.current?.children[place]?.scrollIntoView({ block: "nearest" }), [place]);
  return (
    <>
      <Head title="Inbox" about="What was learned and what needs your word. Arrow keys move, one key answers.">
        <Choice label="Since" hidden value={String(days)} change={(days) => change({ days })} options={[["1", "Last day"], ["7", "Last week"], ["30", "Last month"], ["365", "Last year"]]} />
      </Head>
      <Shown of={found}>
        {() =>
          items.length ? (
            <ol class="inbox" ref={list}>
              {items.map((item, i) => (
                <li key={item.id} class={i === place ? "current" : ""} aria-current={i === place ? "true" : undefined} onClick={() => setAt(i)}>
                  <p class="about">{item.about}</p>
                  {item.cards.map((card) => (
                    <div class="inbox-card" key={card.id ?? card.text}>
                      {card.id ? (
                        <button class="memory-text" onClick={() => change({ id: card.id })}><Words>{card.text}</Words></button>
                      ) : (
                        <p class="memory-text"><Words>{card.text}</Words></p>
                      )}
                      {card.quotes?.[0]?.words && <blockquote><Words>{card.quotes[0].words}</Words></blockquote>}
                      {card.kind && (
                        <div class="meta">
                          <Kind kind={card.kind} />
                          {card.event_at && <Since card={card} />}
                          {card.event_at && <Marks card={card} />}
                        </div>
                      )}
                    </div>
                  ))}
                  {item.said && (
                    <blockquote>
                      <Words>{item.said.text.slice(0, 600)}</Words>
                      <footer>{origin(item.said.speaker ?? item.said.role)}, {date(item.said.event_at)}</footer>
                    </blockquote>
                  )}
                  {item.note && <p class="soft">{item.note}</p>}
                  <div class="buttons">
                    {item.answers.map((each) => (
                      <button class="button" key={each.key} onClick={(event) => { event.stopPropagation(); each.run(); }}>
                        {each.name} <kbd>{each.key}</kbd>
                      </button>
                    ))}
                  </div>
                </li>
              ))}
            </ol>
          ) : (
            <Empty title="Nothing waits for you" icon={Tray}>
              What agents learn, doubtful memories and contradictions appear here.
              {seen.length > 0 && (
                <>
                  {" "}
                  <button class="link" onClick={() => { sessionStorage.removeItem("omoide-seen"); setSeen([]); }}>
                    <Check size={15} /> Show {count(seen.length, "item")} again
                  </button>
                </>
              )}
            </Empty>
          )
        }
      </Shown>
      {forgetting !== null && <Forget target={{ id: [forgetting] }} close={() => forget(null)} />}
      {values.id && <MemoryPanel key={values.id} id={Number(values.id)} close={() => change({ id: "" })} show={(id) => change({ id })} />}
    </>
  );
}

function itemsOf(found: any, proposals: any[], mayWrite: boolean, done: (id: string) => void, forget: (id: number) => void): Item[] {
  const seen = (id: string): Answer => ({ key: "d", name: "Done", run: () => done(id) });
  const items: Item[] = [];
  const add = (item: Item) => items.push({ ...item, answers: mayWrite ? item.answers : item.answers.filter((each) => each.key === "d") });
  for (const each of proposals) {
    const id = `p${each.id}`;
    add({
      id,
      about: `${origin(each.origin)} asks to ${each.verb} what you said`,
      cards: [each.node],
      note: each.text ? `It would say: ${plain(each.text).slice(0, 600)}` : undefined,
      answers: [
        { key: "y", name: "Accept", run: () => act("Accepted.", () => api.post(`review/proposals/${each.id}/accept`)) },
        { key: "n", name: "Refuse", run: () => act("Refused: nothing was changed.", () => api.post(`review/proposals/${each.id}/refuse`)) },
      ],
    });
  }
  for (const [one, other] of found.contradictions) {
    const id = `c${one.id}-${other.id}`;
    const keep = (keep: any, over: any) => () =>
      act(
        "Kept one; the other is in its history.",
        () => api.post("review/resolve", { keep: keep.id, over: over.id }),
        async () => {
          await api.remove("links", { source: keep.id, target: over.id, type: "supersedes" });
          await api.post("links", { source: one.id, target: other.id, type: "contradicts" });
        },
      );
    add({
      id,
      about: "These two contradict each other",
      cards: [one, other],
      answers: [
        { key: "1", name: "Keep the first", run: keep(one, other) },
        { key: "2", name: "Keep the second", run: keep(other, one) },
        {
          key: "b",
          name: "Both are right",
          run: () =>
            act(
              "Both are kept.",
              async () => {
                await api.remove("links", { source: one.id, target: other.id, type: "contradicts" });
                await api.remove("links", { source: other.id, target: one.id, type: "contradicts" });
              },
              () => api.post("links", { source: one.id, target: other.id, type: "contradicts" }),
            ),
        },
        seen(id),
      ],
    });
  }
  const settle = (card: any, id: string): Answer[] => [
    { key: "y", name: "It is so", run: () => confirm([card.id]).then((ok) => ok && done(id)) },
    { key: "n", name: "Set aside", run: () => withdraw([card.id]) },
    { key: "f", name: "Forget", run: () => forget(card.id) },
    seen(id),
  ];
  for (const card of found.doubtful) add({ id: `d${card.id}`, about: "Is this still so?", cards: [card], answers: settle(card, `d${card.id}`) });
  for (const card of found.redacted)
    add({
      id: `r${card.id}`,
      about: "A secret was taken out before this was stored",
      cards: [card],
      note: `Said by ${origin(card.speaker ?? card.role ?? card.origin)} on ${date(card.event_at)}. The secret itself was never written to the file.`,
      answers: [seen(`r${card.id}`), { key: "f", name: "Forget the line", run: () => forget(card.id) }],
    });
  for (const each of found.refused)
    add({
      id: `x${each.id}`,
      about: `Not learned: ${each.reason}`,
      cards: [{ text: each.text }],
      said: each.turn,
      answers: [
        { key: "d", name: "Rightly so", run: () => act("It stays out.", () => api.remove(`page/refused/${each.id}`)) },
        { key: "y", name: "Keep it anyway", run: () => act("Learned, on your word.", () => api.post(`page/refused/${each.id}`)) },
      ],
    });
  for (const card of found.learned) if (!found.doubtful.some((each: any) => each.id === card.id)) add({ id: `l${card.id}`, about: `Learned on ${date(card.recorded_at)}`, cards: [card], answers: settle(card, `l${card.id}`) });
  return items;
}
