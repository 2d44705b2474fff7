// The parts that every view is made of.
import type { ComponentChildren, InputHTMLAttributes } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Inbox, Undo2, X } from "lucide-preact";
import { act, dismiss, useMessages } from "./state";
import { KINDS, plain } from "./format";

/** Text of somebody else: always as text, its direction kept to itself, control characters visible. */
export function Words({ children, class: name = "" }: { children: string | null | undefined; class?: string }) {
  return (
    <bdi dir="auto" class={`words ${name}`}>
      {plain(children ?? "")}
    </bdi>
  );
}

export function Kind({ kind }: { kind: string }) {
  return (
    <span class={`kind kind-${kind}`}>
      <i aria-hidden="true" />
      {KINDS[kind] ?? kind}
    </span>
  );
}

export function Tag({ children, tone = "" }: { children: ComponentChildren; tone?: string }) {
  return <span class={`tag ${tone}`}>{children}</span>;
}

export function Head({ title, about, children }: { title: ComponentChildren; about?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        {about && <p>{about}</p>}
      </div>
      {children && <div class="head-tools">{children}</div>}
    </header>
  );
}

export function Empty({ title, children, icon: Icon = Inbox }: { title: string; children?: ComponentChildren; icon?: any }) {
  return (
    <div class="empty">
      <Icon size={34} strokeWidth={1.4} aria-hidden="true" />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
    </div>
  );
}

export function Problem({ text, retry }: { text: string; retry?: () => void }) {
  return (
    <div class="problem" role="alert">
      <span>{text}</span>
      {retry && (
        <button class="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Loading({ lines = 4 }: { lines?: number }) {
  return (
    <div class="loading" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <div class="ghost" key={i} />
      ))}
    </div>
  );
}

/** Shows what was loaded, or that it is on its way, or what went wrong. */
export function Shown({ of, children, lines }: { of: { data: any; error: string; reload: () => void }; children: (data: any) => ComponentChildren; lines?: number }) {
  if (of.error && !of.data) return <Problem text={of.error} retry={of.reload} />;
  if (!of.data) return <Loading lines={lines} />;
  return <>{children(of.data)}</>;
}

export function Choice({ label, value, options, change, hidden = false }: { label: string; value: string; options: [string, string][]; change: (value: string) => void; hidden?: boolean }) {
  return (
    <label class="field">
      <span class={hidden ? "sr" : ""}>{label}</span>
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {options.map(([id, text]) => (
          <option value={id} key={id}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Field({ label, hidden = false, ...more }: { label: string; hidden?: boolean } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label class="field">
      <span class={hidden ? "sr" : ""}>{label}</span>
      <input {...more} />
    </label>
  );
}

/** A question in front of the page. Escape and a click beside it close it; the focus comes back to where it was. */
export function Dialog({ title, close, wide = false, side = false, children }: { title: string; close: () => void; wide?: boolean; side?: boolean; children: ComponentChildren }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = place.current!;
    const before = document.activeElement as HTMLElement | null;
    dialog.showModal();
    return () => {
      dialog.close();
      before?.focus?.();
    };
  }, []);
  return (
    <dialog
      ref={place}
      class={`${wide ? "wide" : ""} ${side ? "side" : ""}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => event.target === place.current && close()}
    >
      <div class="dialog">
        <div class="dialog-head">
          <h2>{title}</h2>
          <button class="icon-button" aria-label="Close" onClick={close}>
            <X size={18} />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

export function Messages() {
  const shown = useMessages();
  return (
    <div class="messages" role="status" aria-live="polite">
      {shown.map((each) => (
        <div class={`message ${each.bad ? "bad" : ""}`} key={each.id}>
          <span>{each.text}</span>
          {each.undo && (
            <button
              class="link"
              onClick={async () => {
                dismiss(each.id);
                await act("Undone", each.undo!);
              }}
            >
              <Undo2 size={15} aria-hidden="true" /> Undo
            </button>
          )}
          <button class="icon-button" aria-label="Dismiss" onClick={() => dismiss(each.id)}>
            <X size={15} />
          </button>
        </div>
      ))}
    </div>
  );
}

export function Tabs({ tabs, value, change }: { tabs: [string, string][]; value: string; change: (id: string) => void }) {
  return (
    <div class="tabs" role="group">
      {tabs.map(([id, text]) => (
        <button key={id} aria-pressed={id === value} onClick={() => change(id)}>
          {text}
        </button>
      ))}
    </div>
  );
}

export function useToggle(first = false): [boolean, () => void] {
  const [on, set] = useState(first);
  return [on, () => set((now) => !now)];
}
