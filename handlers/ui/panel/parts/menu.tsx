import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

export interface MenuItem {
  label: string;
  icon?: IconName;
  danger?: boolean;
  /** Why it is disabled. It remains focusable, so that screen readers announce the reason. */
  blocked?: string | false;
  run(): unknown;
}

/** A button that opens a menu. Arrows move, Escape closes. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    box.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
    const away = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [open]);
  const close = () => {
    setOpen(false);
    box.current?.querySelector("button")?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open) return;
    const all = [...(box.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
    const now = all.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) all[(to + all.length) % all.length]?.focus();
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="menu" ref={box} onKeyDown={onKeyDown}>
      <Button small kind="bare" icon="more" label={label} expanded={open} onClick={() => setOpen(!open)} />
      {open && (
        <div role="menu" class="menu-list" aria-label={label}>
          {items.map(({ label: text, icon, danger, blocked, run }) => (
            <button
              key={text}
              type="button"
              role="menuitem"
              tabIndex={-1}
              class={danger ? "bad" : ""}
              aria-disabled={blocked ? true : undefined}
              title={blocked || undefined}
              onClick={() => {
                if (blocked) return;
                close();
                run();
              }}
            >
              {icon && <Icon name={icon} size={14} />}
              {text}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
