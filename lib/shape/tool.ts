import type { JsonObject, ToolAnnotations } from "./mcp.ts";

export type ApprovalStatus = "pending" | "changed" | "approved";

/** Everything of a tool that a model or a policy reads, and so everything an approval covers (decisions §5). */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
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
  /** The tool as the upstream sent it, for direct mode: members we do not read survive. */
  readonly raw: JsonObject;
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
