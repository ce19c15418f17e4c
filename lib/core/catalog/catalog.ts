import type { RuleReport } from "../schema/rule-finding.ts";
import type { ToolDefinition, ToolRow } from "../schema/tool.ts";
import type { ItemCatalog } from "./item-catalog.ts";
import type { ServerScan } from "./server-scans.ts";

/** All known tools, in memory, by id. Search, describe, call, direct mode and code execution all use it. */
export interface Catalog {
  /** Prompts, resources and resource templates. */
  readonly items: ItemCatalog;
  get(id: string): ToolRow | undefined;
  /** Returns the tools of one server, in the order of its list. */
  of(server: string): readonly ToolRow[];
  all(): Iterable<ToolRow>;
  /** Names of the servers with tools. */
  servers(): Iterable<string>;
  readonly size: number;
  /** False until the first index after a start is built (readiness, spec 001 §4.3). */
  readonly ready: boolean;
  /** True if no tool was known when this program started: at the first start, or with a new database. */
  readonly isFirst: boolean;
  /** Resolves when `ready` becomes true; rejects if building the first index failed. */
  readonly indexed: Promise<void>;
  /**
   * Accepts the full tool list of a server. Leaves out invalid entries, pins each tool, decides its approval status
   * with the stored records, writes changed records, replaces the rows and the index entries, and publishes
   * `tools.indexed` if anything changed. Large lists are processed in slices. Tools that are no longer listed lose
   * their rows but keep their records. If records cannot be written, this is tried again until it succeeds or the
   * server sends a new list.
   *
   * @param instructions the server's own instructions; with `trust_mode: scan`, poisoned instructions keep all its
   *   tools from being approved
   * @param hide replaces the server's own secrets in a text; definitions are pinned, stored and shown without them
   */
  acceptListing(
    server: string,
    entries: readonly unknown[],
    instructions?: string,
    hide?: (text: string) => string,
  ): Promise<ListingCounts>;
  /**
   * Returns the result of the offline scan for a tool, together with all currently known tools.
   *
   * @param hash the pin of the definition
   */
  scan(server: string, tool: ToolDefinition, hash: string): RuleReport;
  /**
   * Does most of the work of `scan` in advance and in pieces, because a long text takes a second. Await it before
   * scanning many tools.
   *
   * @returns undefined if there is nothing to wait for
   */
  prepareScan(tool: ToolDefinition, hash: string): Promise<void> | undefined;
  /** Returns the result of the offline scan for the instructions of a server. */
  scanInstructions(server: string, instructions: string): RuleReport;
  /**
   * Returns the result of the offline scan for everything that a server lists and its instructions. The result is
   * computed once until the tools of any server, or the prompts, resources and templates of this one, change.
   *
   * @returns undefined if the server never listed anything
   */
  scanServer(server: string, instructions: string | undefined): Promise<ServerScan | undefined>;
  /** Returns whether the result of `scanServer` is computed already. */
  isServerScanned(server: string, instructions: string | undefined): boolean;
  /**
   * Returns the last result of `scanServer`, if what this server lists has not changed since. Findings that concern
   * other servers may be out of date.
   */
  cachedServerScan(server: string, instructions: string | undefined): ServerScan | undefined;
  /**
   * Names the entries that were left out of a server's last list, and why, in one line; empty if there are none. The
   * names come from the server.
   */
  skippedTools(server: string): string;
  /**
   * Reads the approval records of a server again after a decision about them. Publishes `tools.changed` and
   * `items.changed` if rows changed.
   */
  reloadApprovals(server: string): void;
  /**
   * Removes the rows of a server that was removed from the configuration. Its records stay, in case it is added again.
   */
  drop(server: string): Promise<void>;
  /**
   * Finds tools by relevance, yielding to other work. Tools that the audience may not see do not count towards `limit`.
   */
  search(query: string, limit: number, audience: Audience): Promise<SearchHit[]>;
  /**
   * Finds every match, yielding to other work.
   *
   * @param within selects the servers whose tools are ranked
   */
  ranked(query: string, within?: (server: string) => boolean): Promise<RankedTools>;
  /** Increased whenever rows change; for caches of rendered lists. */
  readonly revision: number;
}

/** What the searching caller may see. */
export interface Audience {
  /** Whether the caller may see a server; tools of other servers are not ranked. Absent: every server. */
  includesServer?(server: string): boolean;
  isVisible(row: ToolRow): boolean;
  /**
   * Called for each match that the caller may not see, best first, among the best 300 matches, whatever the limit is.
   */
  onHidden?(row: ToolRow): void;
}

export interface SearchHit {
  row: ToolRow;
  score: number;
}

/** The matches of a search, best first; only those that the caller takes are sorted. */
export interface RankedTools extends Iterable<SearchHit> {
  /** Yields all matches, in no particular order. */
  rows(): Iterable<ToolRow>;
}

export interface ListingCounts {
  total: number;
  added: string[];
  changed: string[];
  removed: string[];
}
