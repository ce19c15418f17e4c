/** A server's tools, by what their names look like. */
export interface Rival {
  readonly server: string;
  /** What the server's own name looks like. */
  readonly look: string;
  readonly names: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, readonly Named[]>;
}

export interface Named {
  readonly name: string;
  readonly description: string;
}

/** What is known around a tool: its server, the names of that server's tools, and what everybody else has. */
export interface ScanContext {
  readonly server?: string;
  readonly own: ReadonlySet<string>;
  /** Servers that have a tool, by its name. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
  /** The tools of all servers, by what their names look like. */
  readonly rivals?: readonly Rival[];
}

export const ALONE: ScanContext = { own: new Set(), foreign: new Map() };
