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

/** How long a success message is shown (ms); an error remains until it is closed. */
const SHOWN_MS = 6000;
/** How long a message with an undo is shown (ms). */
const UNDO_MS = 12_000;

/** Shows a message about a success or failure, with an optional action such as Undo. */
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

/** Renders the toasts; screen readers announce each. */
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
