/** A server's tools by the look of their names. */
export interface Rival {
  readonly server: string;
  /** The look of the server's own name. */
  readonly look: string;
  readonly names: ReadonlySet<string>;
  readonly tools: ReadonlyMap<string, readonly Named[]>;
}

export interface Named {
  readonly name: string;
  readonly description: string;
}

/** The context of a tool: its server, that server's other tools, and the tools of all servers. */
export interface ScanContext {
  readonly server?: string;
  readonly own: ReadonlySet<string>;
  /** The servers that have a tool, by its name. */
  readonly foreign: ReadonlyMap<string, readonly string[]>;
  /** The tools of all servers by the look of their names. */
  readonly rivals?: readonly Rival[];
}

export const NO_NEIGHBOURS: ScanContext = { own: new Set(), foreign: new Map() };
