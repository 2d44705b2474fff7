// Shared state: what the token may do, the live connection, the address, and short messages with their undo.
import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { api, call, events, type Values } from "./api";

export type About = { version: string; right: "read" | "write" | "admin"; space: string | null; path: string | null };

export const AboutContext = createContext<About>({ version: "", right: "read", space: null, path: null });
export const useAbout = () => useContext(AboutContext);
export const useMayWrite = () => useContext(AboutContext).right === "write";

// ── the live connection ──

type Listener = () => void;
const listeners = new Set<Listener>();
export const live = { connected: false };

export function announce(): void {
  for (const each of [...listeners]) each();
}

/** Follows the file until `signal` is aborted; connects again after a while when the connection is lost. */
export async function follow(signal: AbortSignal, told: (connected: boolean) => void): Promise<void> {
  for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 15_000)) {
    try {
      const answer = await call("GET", "/v1/page/changes", undefined, signal);
      wait = 500;
      await events(answer, (kind) => {
        told(true);
        if (kind === "changed") announce();
      });
    } catch {
      // told below
    }
    if (signal.aborted) return;
    told(false);
    await new Promise((done) => setTimeout(done, wait));
  }
}

// ── data of a view ──

export type Loaded = { data: any; error: string; loading: boolean; reload: () => void };

/** What a route returns, read again whenever somebody has written. The earlier answer stays until the next is there. */
export function useData(path: string | null, values: Values = {}, following = true): Loaded {
  const [state, set] = useState<{ key: string; data: any; error: string }>({ key: "", data: null, error: "" });
  const reload = useRef(() => {});
  const key = path === null ? "" : path + JSON.stringify(values);
  useEffect(() => {
    if (path === null) return;
    const stop = new AbortController();
    let asking = false;
    let stale = false;
    let timer = 0;
    const ask = () => {
      stale = asking; // an answer on its way is waited for: while others write without a pause, none would ever arrive
      if (asking) return;
      asking = true;
      api
        .get(path, values, stop.signal)
        .then((data) => set({ key, data, error: "" }))
        .catch((error) => error.name !== "AbortError" && set((old) => ({ key, data: old.key === key ? old.data : null, error: error.message })))
        .finally(() => {
          asking = false;
          if (stale && !stop.signal.aborted) ask();
        });
    };
    const changed = () => {
      clearTimeout(timer);
      timer = window.setTimeout(ask, 250);
    };
    reload.current = ask;
    ask();
    if (following) listeners.add(changed);
    return () => {
      stop.abort();
      clearTimeout(timer);
      listeners.delete(changed);
    };
  }, [key, following]);
  return { data: state.data, error: state.error, loading: state.key !== key, reload: () => reload.current() };
}

// ── the address: #/view?name=value ──

export type Route = { view: string; values: Record<string, string> };

export function readRoute(): Route {
  const hash = location.hash.replace(/^#\/?/, "");
  const [path, search] = hash.includes("?") ? [hash.slice(0, hash.indexOf("?")), hash.slice(hash.indexOf("?") + 1)] : [hash, ""];
  return { view: path || "memories", values: Object.fromEntries(new URLSearchParams(search)) };
}

export function address(view: string, values: Values = {}): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const search = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString();
  return `#/${view}${search ? `?${search}` : ""}`;
}

export const go = (view: string, values: Values = {}) => (location.hash = address(view, values));

export function useRoute(): Route {
  const [route, set] = useState(readRoute);
  // At once and not after painting: an address that changes in between would be missed.
  useLayoutEffect(() => {
    const changed = () => set(readRoute());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return route;
}

/** The values of the address of this view, and a way to change some of them without a new step in the history. */
export function useValues(): [Record<string, string>, (more: Values) => void] {
  const { view, values } = useRoute();
  const change = (more: Values) => {
    history.replaceState(null, "", address(view, { ...readRoute().values, ...more }));
    dispatchEvent(new Event("hashchange"));
  };
  return [values, change];
}

// ── messages ──

export type Message = { id: number; text: string; bad?: boolean; undo?: () => Promise<unknown> };
let number = 0;
const watchers = new Set<(messages: Message[]) => void>();
let messages: Message[] = [];

function show(next: Message[]): void {
  messages = next;
  for (const each of watchers) each(messages);
}

export const dismiss = (id: number) => show(messages.filter((each) => each.id !== id));

export function say(text: string, more: Partial<Message> = {}): void {
  const id = ++number;
  show([...messages.slice(-3), { id, text, ...more }]);
  setTimeout(() => dismiss(id), more.undo ? 20_000 : more.bad ? 12_000 : 6_000);
}

export function useMessages(): Message[] {
  const [shown, set] = useState(messages);
  useEffect(() => {
    watchers.add(set);
    return () => void watchers.delete(set);
  }, []);
  return shown;
}

/** Runs a change, says what was done, offers to undo it where that is possible, and tells errors in words. */
export async function act(done: string, work: () => Promise<unknown>, undo?: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    say(done, { undo });
    announce();
    return true;
  } catch (error) {
    say((error as Error).message, { bad: true });
    return false;
  }
}

export function useDebounced<T>(value: T, wait = 250): T {
  const [late, set] = useState(value);
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const timer = setTimeout(() => set(value), wait);
    return () => clearTimeout(timer);
  }, [value, wait]);
  return late;
}
