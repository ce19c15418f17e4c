import { createValue, useValue } from "../value.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

interface Toast {
  id: number;
  text: string;
  tone: "ok" | "bad";
  action?: { label: string; run(): unknown };
}

const toasts = createValue<readonly Toast[]>([]);
let last = 0;

/** What is done can be read this long; what went wrong stays until it is closed. (ms) */
const SHOWN_MS = 6000;
/** An undo needs longer to be found. (ms) */
const UNDO_MS = 12_000;

/** Says what was done or went wrong, with an action such as Undo. */
export function toast(
  text: string,
  { tone = "ok", ...action }: { tone?: "ok" | "bad"; label?: string; run?(): unknown } = {},
): void {
  const { label, run } = action;
  const one: Toast = { id: ++last, text, tone, ...(label && run && { action: { label, run } }) };
  toasts.set([...toasts.get().filter((t) => t.text !== text), one].slice(-4));
  if (tone === "ok") setTimeout(() => close(one.id), one.action ? UNDO_MS : SHOWN_MS);
}

function close(id: number): void {
  toasts.set(toasts.get().filter((t) => t.id !== id));
}

/** The place where toasts appear; a screen reader is told of each. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite" aria-relevant="additions">
      {useValue(toasts).map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`}>
          <Icon name={tone === "ok" ? "check" : "bad"} />
          <p>{text}</p>
          {action && (
            <Button
              small
              onClick={() => {
                close(id);
                return action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <Button small kind="bare" icon="close" label="Close message" onClick={() => close(id)} />
        </div>
      ))}
    </div>
  );
}
