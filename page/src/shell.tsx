// The frame around the views: navigation, the live sign, light and dark, and the question for a token.
import { useEffect, useState } from "preact/hooks";
import type { FunctionComponent } from "preact";
import {
  Brain,
  Calendar,
  ChartNoAxesGantt,
  Hammer,
  Inbox,
  Menu,
  MessagesSquare,
  MessageCircleQuestion,
  Moon,
  Network,
  Shield,
  Sun,
  Wrench,
} from "lucide-preact";
import { api, token } from "./api";
import { AboutContext, type About, announce, follow, useRoute } from "./state";
import { Field, Loading, Messages, Problem } from "./ui";
import { VIEWS } from "./views";

const NAVIGATION: [string, string, any][] = [
  ["memories", "Memories", Brain],
  ["ask", "Ask", MessageCircleQuestion],
  ["inbox", "Inbox", Inbox],
  ["timeline", "Timeline", ChartNoAxesGantt],
  ["graph", "Graph", Network],
  ["agenda", "Agenda", Calendar],
  ["sessions", "Sessions", MessagesSquare],
  ["work", "Work", Hammer],
  ["maintenance", "Maintenance", Wrench],
  ["administration", "Administration", Shield],
];

export function Shell() {
  const [about, setAbout] = useState<About | null>(null);
  const [error, setError] = useState("");
  const [asking, ask] = useState(!token.get());
  const enter = () => {
    setError("");
    api
      .get("page/about")
      .then((found) => {
        setAbout(found);
        ask(false);
        if (found.right === "admin") location.hash = "#/administration";
      })
      .catch((wrong) => (wrong.status === 401 || wrong.status === 429 ? ask(true) : setError(wrong.message)));
  };
  useEffect(() => {
    const lost = () => {
      token.forget();
      setAbout(null);
      ask(true);
    };
    addEventListener("omoide-token", lost);
    if (token.get()) enter();
    return () => removeEventListener("omoide-token", lost);
  }, []);
  if (asking) return <Door enter={enter} />;
  if (error) return <main class="door"><Problem text={error} retry={enter} /></main>;
  if (!about) return <main class="door"><Loading /></main>;
  return (
    <AboutContext.Provider value={about}>
      <Frame about={about} />
    </AboutContext.Provider>
  );
}

function Frame({ about }: { about: About }) {
  const { view } = useRoute();
  const [open, setOpen] = useState(false);
  const [connected, setConnected] = useState(false);
  useEffect(() => {
    if (about.right === "admin") return;
    const stop = new AbortController();
    void follow(stop.signal, setConnected);
    return () => stop.abort();
  }, [about]);
  useEffect(() => {
    setOpen(false);
    const name = NAVIGATION.find(([id]) => id === view)?.[1];
    document.title = `${name ?? "Memories"} · Omoide`;
  }, [view]);
  const offered = NAVIGATION.filter(([id]) => (about.right === "admin") === (id === "administration") || about.right !== "admin");
  const View = VIEWS[view] ?? VIEWS.memories;
  return (
    <div class={`frame ${open ? "open" : ""}`}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>("main h1")?.focus(); }}>
        Skip to content
      </a>
      <div class="topbar">
        <button class="icon-button" aria-label="Menu" aria-expanded={open} onClick={() => setOpen(!open)}>
          <Menu size={20} />
        </button>
        <Brand />
      </div>
      {open && <div class="veil" onClick={() => setOpen(false)} />}
      <aside>
        <Brand />
        <nav aria-label="Views">
          {offered.map(([id, name, Icon]) => (
            <a key={id} href={`#/${id}`} aria-current={id === view ? "page" : undefined} title={name}>
              <Icon size={18} strokeWidth={1.8} aria-hidden="true" />
              <span>{name}</span>
            </a>
          ))}
        </nav>
        <div class="aside-foot">
          {about.right !== "admin" && (
            <span class={`pulse ${connected ? "on" : ""}`} title={connected ? "New memories appear by themselves" : "Connecting …"}>
              <i aria-hidden="true" />
              <span>{connected ? "Live" : "Connecting"}</span>
            </span>
          )}
          <Theme />
        </div>
        {about.right === "read" && <p class="note">You may look, but change nothing.</p>}
        <p class="where" title={about.path ?? ""}>{about.space ?? about.path?.split(/[\\/]/).at(-1) ?? "administration"}</p>
      </aside>
      <main id="main">
        <View key={view} />
      </main>
      <Messages />
    </div>
  );
}

const Brand: FunctionComponent = () => (
  <a class="brand" href="#/memories">
    <img src="/assets/icon.svg" alt="" width="26" height="26" />
    <span>Omoide</span>
  </a>
);

function Theme() {
  const wanted = localStorage.getItem("omoide-theme");
  const [theme, set] = useState(wanted ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  useEffect(() => void (document.documentElement.dataset.theme = theme), [theme]);
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      class="icon-button"
      aria-label={`Use the ${other} theme`}
      onClick={() => {
        localStorage.setItem("omoide-theme", other);
        set(other);
        announce();
      }}
    >
      {theme === "dark" ? <Sun size={17} /> : <Moon size={17} />}
    </button>
  );
}

function Door({ enter }: { enter: () => void }) {
  const [text, set] = useState("");
  return (
    <main class="door">
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          token.set(text.trim());
          enter();
        }}
      >
        <img src="/assets/icon.svg" alt="" width="44" height="44" />
        <h1>Which memory?</h1>
        <p>
          A token opens one memory. <code>omoide view</code> opens yours without asking; on a server, whoever runs it
          gives you one.
        </p>
        <Field label="Token" type="password" autocomplete="off" value={text} onInput={(event) => set(event.currentTarget.value)} required />
        <button class="button primary">Open</button>
      </form>
    </main>
  );
}
