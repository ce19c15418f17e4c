import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  /** `main` is the one thing to do here; `bad` destroys something; `bare` has no frame. */
  kind?: "main" | "plain" | "bare" | "bad";
  /** Needed where there are no words in it. */
  label?: string;
  small?: boolean;
  /** Why it cannot be pressed as things are. Keys still reach it, so that screen readers say the reason. */
  blocked?: string | false | undefined;
  /** The element that shows this reason, where one stands beside the button. */
  reasonId?: string;
  /** What it does. */
  title?: string;
  type?: "button" | "submit";
  pressed?: boolean;
  expanded?: boolean;
  /** While what it returns is not done, the button is busy. */
  onClick?: () => unknown;
}

/** A button; it is busy as long as what it started runs. */
export function Button({
  children,
  icon,
  kind = "plain",
  label,
  small,
  type = "button",
  blocked,
  reasonId,
  ...rest
}: ButtonProps) {
  const [busy, setBusy] = useState(false);
  const id = useId();
  const run = async (event: Event) => {
    // A form is not sent either, also not by Enter in one of its fields.
    if (blocked) return event.preventDefault();
    const done = rest.onClick?.();
    if (!(done instanceof Promise)) return;
    setBusy(true);
    await done.finally(() => setBusy(false));
  };
  return (
    <>
      <button
        type={type}
        class={`button ${kind}${small ? " small" : ""}${children ? "" : " square"}`}
        aria-label={label}
        title={blocked || (rest.title ?? (children ? undefined : label))}
        aria-disabled={blocked ? true : undefined}
        aria-describedby={blocked ? (reasonId ?? id) : undefined}
        aria-busy={busy || undefined}
        aria-pressed={rest.pressed}
        aria-expanded={rest.expanded}
        disabled={busy}
        onClick={rest.onClick || blocked ? run : undefined}
      >
        {icon && <Icon name={icon} />}
        {children}
      </button>
      {blocked && reasonId === undefined && (
        <span id={id} class="why">
          {blocked}
        </span>
      )}
    </>
  );
}
