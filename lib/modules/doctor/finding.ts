/** Something that is not as it should be, or that somebody should know. */
export interface Finding {
  /** Stable; for scripts. */
  code: string;
  severity: "error" | "warning" | "info";
  /** One line. */
  title: string;
  /** What it means, in a sentence or two. */
  detail?: string;
  /** The server it is about; only such findings are shown to callers with limited sight. */
  server?: string;
  remedy?: Remedy;
}

/** What to do about it. */
export interface Remedy {
  /** In words: the label of a button where there is a route. */
  action: string;
  /** A command line that does it, or shows what is needed for it. */
  command?: string;
  /** An endpoint that does it, as its route is written, with what to send. */
  route?: string;
  params?: Record<string, string>;
  body?: Record<string, unknown>;
}

/** A word as it is typed at a prompt. */
export function typed(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
