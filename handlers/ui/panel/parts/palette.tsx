import { useEffect, useId, useRef, useState } from "preact/hooks";
import { createValue, useValue } from "../value.ts";
import { useFound } from "./found.ts";
import { Icon, type IconName } from "./icon.tsx";

/** A command in the command palette. */
export interface Command {
  title: string;
  /** What kind of thing it is: Page, Server, Tool, Setting, Activity, Client, Action. */
  kind: string;
  icon: IconName;
  /** Additional search words. */
  words?: string;
  keys?: string;
  run(): void;
}

const opened = createValue(false);
const sources = new Set<() => readonly Command[]>();

export const openPalette = () => opened.set(true);

/** Registers commands while the component is mounted. */
export function useCommands(list: () => readonly Command[]): void {
  const latest = useRef(list);
  latest.current = list;
  useEffect(() => {
    const source = () => latest.current();
    sources.add(source);
    return () => void sources.delete(source);
  }, []);
}

export function Palette() {
  return useValue(opened) ? <Open /> : null;
}

const SHOWN = 40;
/** Maximum number of results of one kind, so that a server with many tools leaves room for the others. */
const MAX_OF_KIND = 8;

function Open() {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const more = useFound(text);
  const found = search([...[...sources].flatMap((source) => source()), ...more], text).slice(0, SHOWN);
  const at = Math.min(active, found.length - 1);
  useEffect(() => {
    const from = document.activeElement;
    dialog.current?.showModal();
    return () => {
      dialog.current?.close();
      if (from instanceof HTMLElement && from.isConnected) from.focus();
    };
  }, []);
  useEffect(
    () => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }),
    [at, text],
  );
  const close = () => opened.set(false);
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    // The dialog restores the focus first.
    setTimeout(() => command.run());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setActive((at + 1) % Math.max(1, found.length));
    else if (event.key === "ArrowUp") setActive((at - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === "Enter") run(found[at]);
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Search and commands"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onMouseDown={(event) => event.target === dialog.current && close()}
    >
      <div class="palette-input">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-label="Search pages, servers, tools, settings, activity and actions"
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          placeholder="Search everything, or run an action"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(e) => {
            setText(e.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>esc</kbd>
      </div>
      <div class="palette-list" role="listbox" id={`${id}-list`} aria-label="Results" ref={list}>
        {found.map((command, i) => (
          <div
            key={`${command.kind} ${command.title}`}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === at}
            onMouseMove={() => setActive(i)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span class="grow">{command.title}</span>
            {command.keys && <kbd>{command.keys}</kbd>}
            <span class="muted">{command.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="palette-none">No results.</p>}
    </dialog>
  );
}

/** Every word must occur; titles that start with the text come first, and each kind has a limit. */
function search(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...commands];
  const counts = new Map<string, number>();
  const isShown = ({ kind }: Command) => {
    const before = counts.get(kind) ?? 0;
    counts.set(kind, before + 1);
    return before < MAX_OF_KIND;
  };
  return commands
    .map((command) => {
      const title = command.title.toLowerCase();
      const all = `${title} ${command.kind} ${command.words ?? ""}`.toLowerCase();
      if (!words.every((w) => all.includes(w))) return { command, score: 0 };
      const begins = title.startsWith(words[0] ?? "") ? 3 : 0;
      return { command, score: 1 + begins + (words.every((w) => title.includes(w)) ? 2 : 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ command }) => command)
    .filter(isShown);
}
