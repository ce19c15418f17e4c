import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

export interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  /** `main` is the one thing to do here; `bad` destroys something; `bare` has no frame. */
  kind?: "main" | "plain" | "bare" | "bad";
  /** Needed where there are no words in it. */
  label?: string;
  small?: boolean;
  disabled?: boolean;
  /** Why it is disabled, or what it does. */
  title?: string;
  type?: "button" | "submit";
  pressed?: boolean;
  expanded?: boolean;
  /** While what it returns is not done, the button is busy. */
  onClick?: () => unknown;
}

/** A button; it is busy as long as what it started runs. */
export function Button({ children, icon, kind = "plain", label, small, type = "button", ...rest }: ButtonProps) {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    const done = rest.onClick?.();
    if (!(done instanceof Promise)) return;
    setBusy(true);
    await done.finally(() => setBusy(false));
  };
  return (
    <button
      type={type}
      class={`button ${kind}${small ? " small" : ""}${children ? "" : " square"}`}
      aria-label={label}
      title={rest.title ?? (children ? undefined : label)}
      aria-busy={busy || undefined}
      aria-pressed={rest.pressed}
      aria-expanded={rest.expanded}
      disabled={rest.disabled || busy}
      onClick={rest.onClick && run}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
