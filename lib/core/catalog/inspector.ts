import type { RuleReport } from "../schema/rule-finding.ts";
import type { ToolDefinition, ToolRow } from "../schema/tool.ts";
import type { PinnedTool } from "./read-tool.ts";

/** The offline scan of tools. Each text is examined only once. */
export interface ToolInspector {
  /** Call when the tools of a server have changed. */
  changed(server: string, before: readonly ToolRow[], after: readonly ToolRow[]): void;
  /** Examines tools in advance and in slices. */
  prepare(tools: readonly PinnedTool[]): Promise<void>;
  /** Examines a tool in advance and in pieces; undefined if there is nothing to wait for. */
  prepareTool(tool: ToolDefinition, hash: string): Promise<void> | undefined;
  /**
   * Returns the result of the scan for a tool.
   *
   * @param hash the pin of the tool, which covers everything that is examined
   * @param lister the server and the names of its tools
   */
  reportFor(tool: ToolDefinition, hash: string, lister: ListingServer): RuleReport;
  /** True if nothing is found in icons and `_meta`, which approvals of older releases did not cover. */
  isAdditionClean(tool: PinnedTool, lister: ListingServer): boolean;
  /** Scans the instructions that a server sends at `initialize`. */
  reportForInstructions(instructions: string | undefined, lister: ListingServer): RuleReport;
}

/** The server that lists a tool. */
export interface ListingServer {
  readonly server: string;
  /** Names of its tools. */
  readonly own: ReadonlySet<string>;
}

/** Makes the scan. @param byServer the current tools of each server; a list is replaced, never changed */
export type OpenInspector = (byServer: ReadonlyMap<string, readonly ToolRow[]>) => ToolInspector;

const CLEAN: RuleReport = { verdict: "clean", risk_score: 0, findings: [], complete: true };

/** A scan that never finds anything. */
export const noInspector: OpenInspector = () => ({
  changed() {},
  prepare: async () => {},
  prepareTool: () => undefined,
  reportFor: () => CLEAN,
  isAdditionClean: () => true,
  reportForInstructions: () => CLEAN,
});
