import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon.tsx";

interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  /** `main` is the primary action; `bad` is destructive; `bare` has no frame. */
  kind?: "main" | "plain" | "bare" | "bad";
  /** Accessible name; required without visible text. */
  label?: string;
  small?: boolean;
  /** Why the button is disabled. It remains focusable, so that screen readers announce the reason. */
  blocked?: string | false | undefined;
  /** ID of the element that shows the reason, if one is beside the button. */
  reasonId?: string;
  /** Tooltip. */
  title?: string;
  type?: "button" | "submit";
  pressed?: boolean;
  expanded?: boolean;
  /** The button is busy while the returned promise is pending. */
  onClick?: () => unknown;
}

/** A button, which is busy while its action runs. */
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
    // The form is not submitted either, also not by Enter in a field.
    if (blocked || busy) return event.preventDefault();
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
        // With `disabled`, the button would lose the keyboard focus, to which a dialog returns when it closes.
        aria-disabled={blocked || busy ? true : undefined}
        aria-describedby={blocked ? (reasonId ?? id) : undefined}
        aria-busy={busy || undefined}
        aria-pressed={rest.pressed}
        aria-expanded={rest.expanded}
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
