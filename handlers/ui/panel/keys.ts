import { useEffect } from "preact/hooks";

/** One shortcut: `g s` are two keys after each other; `mod+k` is Ctrl, or Command on a Mac. */
export interface Shortcut {
  keys: string;
  /** For the list of shortcuts. */
  label: string;
  run(): void;
  /** Also while the person writes in a field. */
  always?: boolean;
  /** While one dialog is open, as long as no second one asks something. */
  inDialog?: boolean;
}

const all = new Set<Shortcut>();
let first: { key: string; at: number } | undefined;
/** How long the second key of two is waited for. (ms) */
const SECOND_MS = 900;

/** Every shortcut that works now. */
export const shortcuts = (): Shortcut[] => [...all];

/** Shortcuts that work as long as the component stands. */
export function useShortcuts(list: readonly Shortcut[]): void {
  useEffect(() => {
    for (const one of list) all.add(one);
    return () => {
      for (const one of list) all.delete(one);
    };
  });
}

/** Whether the person is writing. */
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
