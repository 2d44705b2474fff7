// Words for what the server tells in codes, and times as people say them.
export const KINDS: Record<string, string> = {
  fact: "Fact",
  preference: "Preference",
  opinion: "Opinion",
  procedure: "How-to",
  note: "Note",
  pattern: "Lesson",
  antipattern: "Mistake to avoid",
  skill: "Skill",
  episode: "Said",
  narrative: "Story so far",
  handoff: "Handoff",
  entity: "Name",
};
export const LEARNED = ["fact", "preference", "opinion", "procedure", "note", "pattern", "antipattern", "skill"];

export const STATES: Record<string, string> = {
  live: "Current",
  superseded: "Replaced",
  archived: "Archived",
  withdrawn: "Set aside",
};

const ORIGINS: Record<string, string> = {
  user: "you",
  agent: "the agent",
  import: "an import",
  document: "a document",
  system: "the system",
};

export const origin = (name: string | null | undefined): string =>
  !name ? "somebody" : (ORIGINS[name] ?? (name.startsWith("tool:") ? `the tool ${name.slice(5)}` : name));

export const RECIPES: Record<string, string> = {
  everyday: "Everyday",
  deep: "Deep search",
  before_task: "Before a task",
  session_start: "Start of a session",
  keyword: "Words only",
};

const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });
const thisYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", year: "numeric" });

export function date(text: string | null | undefined): string {
  if (!text) return "";
  const at = new Date(text);
  return (at.getFullYear() === new Date().getFullYear() ? thisYear : day).format(at);
}
export const fullDate = (text: string) => weekday.format(new Date(text));
export const time = (text: string) => clock.format(new Date(text));
export const moment = (text: string | null | undefined) => (text ? `${date(text)}, ${time(text)}` : "");

export function ago(text: string): string {
  const seconds = (Date.now() - new Date(text).getTime()) / 1000;
  const words = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  const steps: [number, Intl.RelativeTimeFormatUnit][] = [
    [60, "second"],
    [60, "minute"],
    [24, "hour"],
    [30, "day"],
    [12, "month"],
    [Infinity, "year"],
  ];
  let left = seconds;
  for (const [size, unit] of steps) {
    if (Math.abs(left) < size) return words.format(-Math.round(left), unit);
    left /= size;
  }
  return date(text);
}

export const count = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString()} ${n === 1 ? one : many}`;

export function bytes(n: number): string {
  const units = ["bytes", "KB", "MB", "GB"];
  let i = 0;
  while (n >= 1000 && i < 3) {
    n /= 1000;
    i++;
  }
  return `${n.toLocaleString(undefined, { maximumFractionDigits: i ? 1 : 0 })} ${units[i]}`;
}

export const percent = (share: number) => `${Math.round(share * 100)} %`;

export function sure(confidence: number): string {
  if (confidence >= 0.95) return "certain";
  if (confidence >= 0.75) return "fairly sure";
  if (confidence >= 0.5) return "unsure";
  return "doubtful";
}

/** Control, bidirectional and invisible characters, as `language/escaping.py` knows them. */
const HIDDEN = new RegExp(
  "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f" +
    "\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff" +
    "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]" +
    "|(?<![^\\x00-\\u02ff\\u200c\\u200d])[\\u200c\\u200d]|[\\u200c\\u200d](?![^\\x00-\\u02ff\\u200c\\u200d])",
  "gu",
);

/** Hidden characters made visible by their code points: text of agents and tools may hold escape sequences. */
export const plain = (text: string): string => text.replace(HIDDEN, (char) => `⟦${char.codePointAt(0)!.toString(16).toUpperCase()}⟧`);
