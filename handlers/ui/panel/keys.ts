import { useEffect } from "preact/hooks";

/** A shortcut: `g s` means two keys in sequence; `mod+k` is Ctrl, or Command on a Mac. */
export interface Shortcut {
  keys: string;
  /** Text in the list of shortcuts. */
  label: string;
  run(): void;
  /** Also active while the user types in a field. */
  always?: boolean;
  /** Active while one dialog is open, unless a second one is above it. */
  inDialog?: boolean;
}

const all = new Set<Shortcut>();
let first: { key: string; at: number } | undefined;
/** Timeout for the second key (ms). */
const SECOND_MS = 900;

/** All active shortcuts. */
export const shortcuts = (): Shortcut[] => [...all];

/** Registers shortcuts while the component is mounted. */
export function useShortcuts(list: readonly Shortcut[]): void {
  useEffect(() => {
    for (const one of list) all.add(one);
    return () => {
      for (const one of list) all.delete(one);
    };
  });
}

/** Whether the user is typing in a field. */
function writes(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input,textarea,select,[contenteditable='true']") !== null;
}

export function listenForKeys(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const mod = event.ctrlKey || event.metaKey;
    const key = mod ? `mod+${event.key.toLowerCase()}` : event.key;
    const dialogs = document.querySelectorAll("dialog[open]").length;
    const two = first && Date.now() - first.at < SECOND_MS ? `${first.key} ${key}` : "";
    first = undefined;
    const open = [...all].filter((s) => s.always || (!writes(event.target) && dialogs === (s.inDialog ? 1 : 0)));
    const found = open.find((s) => s.keys === two) ?? open.find((s) => s.keys === key);
    if (found) {
      event.preventDefault();
      found.run();
    } else if (!mod && !writes(event.target)) first = { key, at: Date.now() };
  });
}
