// Calls of the server. The token is kept for this tab alone and sent as a header, so no other page can use it.
const KEY = "omoide-token";

export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export const token = {
  get: () => sessionStorage.getItem(KEY) ?? "",
  set: (text: string) => sessionStorage.setItem(KEY, text),
  forget: () => sessionStorage.removeItem(KEY),
};

export type Values = Record<string, unknown>;

export function query(values: Values): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") pairs.append(name, String(each));
    }
  }
  const text = pairs.toString();
  return text ? `?${text}` : "";
}

export async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { Authorization: `Bearer ${token.get()}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer: Response;
  try {
    answer = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new Refused(0, "The server does not answer. Is it still running?");
  }
  if (!answer.ok) {
    const told = await answer.json().catch(() => ({}));
    if (answer.status === 401) window.dispatchEvent(new Event("omoide-token"));
    throw new Refused(answer.status, told.error ?? `The server answered ${answer.status}.`);
  }
  return answer;
}

const json = async (answer: Promise<Response>) => (await answer).json();

// What the server answers is described by its routes; here it is read as it comes.
/* eslint-disable @typescript-eslint/no-explicit-any */
export const api = {
  get: (path: string, values: Values = {}, signal?: AbortSignal): Promise<any> =>
    json(call("GET", `/v1/${path}${query(values)}`, undefined, signal)),
  post: (path: string, body: unknown = {}): Promise<any> => json(call("POST", `/v1/${path}`, body)),
  put: (path: string, body: unknown = {}): Promise<any> => json(call("PUT", `/v1/${path}`, body)),
  patch: (path: string, body: unknown): Promise<any> => json(call("PATCH", `/v1/${path}`, body)),
  remove: (path: string, values: Values = {}): Promise<any> => json(call("DELETE", `/v1/${path}${query(values)}`)),
};

/** Reads server-sent events from an answer until it ends. */
export async function events(answer: Response, told: (kind: string, data: any) => void): Promise<void> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const whole = rest.split("\n\n");
    rest = whole.pop()!;
    for (const block of whole) {
      const kind = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (kind) told(kind, data ? JSON.parse(data) : null);
    }
  }
}

/** Long work: reports its progress, returns its report, and stops when `signal` is aborted. */
export async function longWork(
  path: string,
  body: unknown,
  progress: (step: any) => void,
  signal: AbortSignal,
): Promise<any> {
  let report: any = null;
  let failed = "";
  await events(await call("POST", `/v1/${path}`, body, signal), (kind, data) => {
    if (kind === "progress") progress(data);
    else if (kind === "report") report = data;
    else if (kind === "error") failed = data.error;
  });
  if (failed) throw new Refused(500, failed);
  return report;
}

/** Saves what a route returns as a file of this computer. */
export async function download(path: string, name: string): Promise<void> {
  const content = await (await call("GET", `/v1/${path}`)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
