import type { RuleReport } from "../schema/rule-finding.ts";
import type { ToolDefinition, ToolRow } from "../schema/tool.ts";
import type { PinnedTool } from "./read-tool.ts";

/** What the offline scan says of tools, each text examined once. */
export interface ToolInspector {
  /** A server has other tools than before. */
  changed(server: string, before: readonly ToolRow[], after: readonly ToolRow[]): void;
  /** Examines tools ahead of time, so that the loop stays free. */
  prepare(tools: readonly PinnedTool[]): Promise<void>;
  /** Examines a tool ahead of `of`, a piece at a time; undefined when nothing is left to be waited for. */
  prepareTool(tool: ToolDefinition, hash: string): Promise<void> | undefined;
  /**
   * @param hash the tool's pin, which covers all that is examined
   * @param lister the server and the names of its tools
   */
  reportFor(tool: ToolDefinition, hash: string, lister: ListingServer): RuleReport;
  /** Whether nothing at all is found in icons and `_meta`, which approvals of older releases did not cover. */
  isAdditionClean(tool: PinnedTool, lister: ListingServer): boolean;
  /** What a server says of itself at `initialize`. */
  reportForInstructions(instructions: string | undefined, lister: ListingServer): RuleReport;
}

/** The server that lists a tool. */
export interface ListingServer {
  readonly server: string;
  /** Names of its tools. */
  readonly own: ReadonlySet<string>;
}

/** @param byServer the tools of each server at every moment; a list is replaced, never changed */
export type OpenInspector = (byServer: ReadonlyMap<string, readonly ToolRow[]>) => ToolInspector;

const CLEAN: RuleReport = { verdict: "clean", risk_score: 0, findings: [], complete: true };

/** Finds nothing in any tool. */
export const noInspector: OpenInspector = () => ({
  changed() {},
  prepare: async () => {},
  prepareTool: () => undefined,
  reportFor: () => CLEAN,
  isAdditionClean: () => true,
  reportForInstructions: () => CLEAN,
});
