import type { Icon, McpObject, ToolAnnotations } from "./mcp.ts";

export type ApprovalStatus = "pending" | "changed" | "approved";

/**
 * Maximum size of a tool, in characters of all its texts, keys and numbers: ten times the largest tools of real
 * servers, and more than fits into the context of a model. Hashing, scanning and indexing a tool of this size takes
 * milliseconds.
 */
export const MAX_TOOL_CHARS = 256 * 1024;

/** Maximum nesting below a member of a tool's definition. Deeper tools are rejected, which bounds the lock file, too. */
export const MAX_TOOL_DEPTH = 100;

/** The members of a tool that clients are shown. An approval covers exactly these members. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: McpObject;
  readonly outputSchema?: McpObject;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  readonly _meta?: McpObject;
  /**
   * Whether calls can, or must, be made as tasks (2025-11-25). No model reads it as text, so the pin does not cover it.
   */
  readonly execution?: { readonly taskSupport: "forbidden" | "optional" | "required" };
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
  /** Whether the upstream's last listing contained the tool; false for a tool known only from earlier listings. */
  readonly present: boolean;
}

/** The stored approval of one definition of any kind. */
export interface Approval<Definition> {
  status: ApprovalStatus;
  disabled: boolean;
  /** The pin that a person or a trust rule approved last; absent until the first approval. */
  approvedHash?: string;
  approved?: Definition;
  currentHash: string;
  current: Definition;
  approvedAt?: number;
  approvedBy?: string;
  updatedAt: number;
}

/** The stored approval of one tool. */
export interface ApprovalRow extends Approval<ToolDefinition> {
  server: string;
  tool: string;
}

export type CallVariant = "call_tool_read" | "call_tool_write" | "call_tool_destructive";
