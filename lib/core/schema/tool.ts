import type { Icon, McpObject, ToolAnnotations } from "./mcp.ts";

export type ApprovalStatus = "pending" | "changed" | "approved";

/** Deepest nesting below a member of a tool's definition: bounds what is listed, and so what a lock file holds. */
/**
 * Largest tool that is taken, as the characters of all its texts, keys and numbers: ten times what the largest tools of
 * real servers have, and more than a model can be shown. Hashing, scanning and indexing one stays a matter of milliseconds.
 */
export const MAX_TOOL_CHARS = 256 * 1024;

export const MAX_TOOL_DEPTH = 100;

/** Everything of a tool that is listed to clients, and so everything an approval covers. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: McpObject;
  readonly outputSchema?: McpObject;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: McpObject;
}

/** One known tool. The catalog holds exactly one row per id; rows are replaced, never changed in place. */
export interface ToolRow extends ToolDefinition {
  /** `server:tool`. */
  readonly id: string;
  readonly server: string;
  /** Pin of this definition: `sha256/v{N}:{hex}`. */
  readonly hash: string;
  readonly status: ApprovalStatus;
  /** False when discovery has seen the tool but no approval record could be written for it: never callable. */
  readonly recorded: boolean;
  /** Blocked by a person. */
  readonly disabled: boolean;
  /** In the upstream's last listing; false for a tool that is only remembered. */
  readonly present: boolean;
}

/** What is stored about the approval of one tool. */
export interface ApprovalRow {
  server: string;
  tool: string;
  status: ApprovalStatus;
  disabled: boolean;
  /** Pin a person (or a trust rule) accepted; absent until the first approval. */
  approvedHash?: string;
  approved?: ToolDefinition;
  currentHash: string;
  current: ToolDefinition;
  approvedAt?: number;
  approvedBy?: string;
  updatedAt: number;
}

export type CallVariant = "call_tool_read" | "call_tool_write" | "call_tool_destructive";
