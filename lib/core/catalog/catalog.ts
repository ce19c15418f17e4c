import type { RuleReport } from "../schema/rule-finding.ts";
import type { ToolDefinition, ToolRow } from "../schema/tool.ts";
import type { ItemCatalog } from "./item-catalog.ts";
import type { ServerScan } from "./server-scans.ts";

/** Every known tool, in memory, by id: the one snapshot that search, describe, call, direct mode and code stand on. */
export interface Catalog {
  /** Prompts, resources and resource templates. */
  readonly items: ItemCatalog;
  get(id: string): ToolRow | undefined;
  /** Rows of one server in the order it lists them. */
  of(server: string): readonly ToolRow[];
  all(): Iterable<ToolRow>;
  /** Names of the servers with tools. */
  servers(): Iterable<string>;
  readonly size: number;
  /** False until the first index after a start is built (readiness, spec 001 §4.3). */
  readonly ready: boolean;
  /** No tool was known when this program began: its first start, or one with a new database. */
  readonly isFirst: boolean;
  /** Resolves when `ready` becomes true; rejects when the first index failed. */
  readonly indexed: Promise<void>;
  /**
   * Takes a server's full tool list: leaves out invalid entries, hashes each tool, settles its approval status against the stored records, stores what
   * is new, swaps the rows and the index entries, publishes `tools.indexed` when anything differs from before. Slices
   * large lists so the loop stays free. Tools no longer listed leave the rows; their records stay. Records that could
   * not be written are tried again now and then, until they can be or the server lists its tools anew.
   *
   * @param instructions what the server says of itself; where the scan decides, poisoned ones hold all its tools
   * @param hide replaces the server's own secrets in a text; definitions are hashed, stored and shown without them
   */
  acceptListing(
    server: string,
    entries: readonly unknown[],
    instructions?: string,
    hide?: (text: string) => string,
  ): Promise<ListingCounts>;
  /**
   * What the offline scan says of a tool, among the tools that there are now.
   *
   * @param hash the pin of that definition
   */
  scan(server: string, tool: ToolDefinition, hash: string): RuleReport;
  /**
   * Does most of the work of `scan` beforehand, a piece at a time, since a long text takes a second. Whoever scans many
   * tools, or tools of a listing, awaits it first.
   *
   * @returns undefined when nothing is left to be waited for
   */
  prepareScan(tool: ToolDefinition, hash: string): Promise<void> | undefined;
  /** What the scan says of what a server says of itself. */
  scanInstructions(server: string, instructions: string): RuleReport;
  /**
   * The same of everything that a server lists and its instructions together, computed once for what is listed: the
   * tools of all servers, and the prompts, resources and templates of this one.
   *
   * @returns undefined where nothing was ever listed
   */
  scanServer(server: string, instructions: string | undefined): Promise<ServerScan | undefined>;
  /** What `scanServer` found, if it was asked since one of these lists changed last; computes nothing. */
  cachedServerScan(server: string, instructions: string | undefined): ServerScan | undefined;
  /** What was left out of a server's last listing and why, in one line with names its author chose; empty: nothing. */
  skippedTools(server: string): string;
  /** Reads the approval records of a server again, after a decision about them; publishes `tools.changed` and `items.changed` when rows changed. */
  reloadApprovals(server: string): void;
  /** The server is gone from the configuration: forget its rows. Its records stay, for when it returns. */
  drop(server: string): Promise<void>;
  /** Ranks by relevance. What its audience may not see costs no place: `limit` results come back when that many match. */
  search(query: string, limit: number, audience: Audience): SearchHit[];
  /** Every match, best first, ranked only as far as it is walked. */
  ranked(query: string, within?: (server: string) => boolean): Iterable<SearchHit>;
  /** Bumped whenever rows change; for caches of rendered lists. */
  readonly revision: number;
}

/** What whoever searches may see; asked inside the search. */
export interface Audience {
  /** Whether a server exists for it; tools of others are not even ranked. Every server does, unless given. */
  includesServer?(server: string): boolean;
  isVisible(row: ToolRow): boolean;
  /** Told each match that was refused, in rank order, among the best 300 matches, whatever the limit is. */
  onHidden?(row: ToolRow): void;
}

export interface SearchHit {
  row: ToolRow;
  score: number;
}

export interface ListingCounts {
  total: number;
  added: string[];
  changed: string[];
  removed: string[];
}
