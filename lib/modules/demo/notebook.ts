import * as v from "valibot";
import { rfc3339 } from "../../core/base/clock.ts";
import { type DemoTool, demoTool } from "./tool.ts";

interface Note {
  id: number;
  text: string;
  tags: string[];
  created: string;
}

const MAX_NOTES = 10_000;

export interface Notebook {
  readonly tools: readonly DemoTool[];
  /** One note as text, or all notes without an id. Undefined if the note does not exist. */
  text(id?: number): string | undefined;
}

/** A notebook with its tools, kept in memory while the server runs. */
export function notebook(): Notebook {
  const notes = new Map<number, Note>();
  let lastId = 0;
  const listed = (found: Iterable<Note>) => {
    const lines = [...found].map((n) => `#${n.id} ${n.text}${n.tags.map((t) => ` [${t}]`).join("")} (${n.created})`);
    return lines.length > 0 ? lines.join("\n") : "no notes";
  };
  const text = (id?: number) => {
    const found = id === undefined ? [...notes.values()] : [notes.get(id)].filter((n) => n !== undefined);
    return id !== undefined && found.length === 0 ? undefined : listed(found);
  };
  const tools = [
    demoTool("notebook_add", {
      title: "Add a note",
      description: "Write one note into the notebook, with optional tags. Returns the id of the note.",
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
      input: v.object({
        text: v.pipe(v.string(), v.minLength(1), v.maxLength(10_000), v.description("the text of the note")),
        tags: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(100))), v.maxLength(20)), []),
      }),
      run({ text, tags }, { clock }) {
        if (notes.size >= MAX_NOTES) throw new Error(`the notebook is full (${MAX_NOTES} notes)`);
        const note = { id: ++lastId, text, tags, created: rfc3339(clock.now()) };
        notes.set(note.id, note);
        return `note #${note.id} written`;
      },
    }),
    demoTool("notebook_list", {
      title: "List notes",
      description: "List the notes of the notebook, newest last, optionally only those with one tag.",
      annotations: { readOnlyHint: true, openWorldHint: false },
      input: v.object({ tag: v.optional(v.pipe(v.string(), v.description("only notes with this tag"))) }),
      run: ({ tag }) => listed([...notes.values()].filter((n) => tag === undefined || n.tags.includes(tag))),
    }),
    demoTool("notebook_search", {
      title: "Search notes",
      description: "Find notes whose text or tags contain every word of a query, whatever the case.",
      annotations: { readOnlyHint: true, openWorldHint: false },
      input: v.object({ query: v.pipe(v.string(), v.minLength(1), v.description("words to look for")) }),
      run({ query }) {
        const words = query.toLowerCase().split(/\s+/).filter(Boolean);
        const text = (n: Note) => `${n.text} ${n.tags.join(" ")}`.toLowerCase();
        return listed([...notes.values()].filter((n) => words.every((w) => text(n).includes(w))));
      },
    }),
    demoTool("notebook_remove", {
      title: "Remove a note",
      description: "Delete one note by its id.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: v.object({ id: v.pipe(v.number(), v.integer(), v.description("as given by notebook_add")) }),
      run: ({ id }) => (notes.delete(id) ? `note #${id} removed` : `there is no note #${id}`),
    }),
    demoTool("notebook_clear", {
      title: "Clear the notebook",
      description: "Delete every note. This cannot be undone.",
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
      input: v.object({}),
      run() {
        const count = notes.size;
        notes.clear();
        return `${count} note${count === 1 ? "" : "s"} removed`;
      },
    }),
  ];
  return { tools, text };
}
