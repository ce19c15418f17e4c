/** JSON-RPC 2.0 and the parts of MCP that the call path reads. Everything else passes through untouched. */
export type McpObject = { [key: string]: unknown };
export type RpcId = string | number;

export interface RpcErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** JSON-RPC error codes in use (JSON-RPC 2.0 §5.1 and MCP). */
export const RPC = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  sessionNotFound: -32001,
  /** Headers that do not say what the body says. (2026-07-28) */
  headerMismatch: -32020,
  /** The request needs what its client did not declare. (2026-07-28) */
  missingCapability: -32021,
  /** A protocol revision that is not spoken. (2026-07-28) */
  unsupportedRevision: -32022,
} as const;

/** A JSON-RPC error, of an upstream or ours, kept with its code and data. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: unknown;
  constructor(error: RpcErrorObject, options?: ErrorOptions) {
    super(error.message, options);
    this.code = error.code;
    this.data = error.data;
  }
}

export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** An icon of a tool (MCP 2025-11-25, `Icon`). */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: "light" | "dark";
}

/** Marks a listed tool that was too large to be read. No JSON has it. */
export const OVERSIZE = Symbol("oversize");

/** A tool as an upstream lists it, unknown members included. */
export interface RawTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: McpObject;
  outputSchema?: McpObject;
  annotations?: ToolAnnotations;
  [other: string]: unknown;
  [OVERSIZE]?: true;
}

export interface CallToolResult {
  content?: McpObject[];
  structuredContent?: unknown;
  isError?: boolean;
  [other: string]: unknown;
}

/** An answer with its own text, so that what an upstream sent can be passed on byte for byte. */
export interface Reply<T = unknown> {
  readonly result: T;
  /** The JSON text of `result` as received; line breaks between tokens are spaces, so that it fits any framing. */
  readonly raw: string;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** Protocol revisions of the first era, newest first. */
export const REVISIONS_2025 = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The revision of the second era, in which each request stands for itself. */
export const REVISION_2026 = "2026-07-28";

/** Every revision that is spoken, newest first. */
export const REVISIONS = [REVISION_2026, ...REVISIONS_2025] as const;

/** What the second era's own keys in `_meta` begin with. */
export const META_PREFIX = "io.modelcontextprotocol/";

/** What a caller of the second era can be asked in the middle of a call, and what it has answered (multi round-trip). */
export interface InputContext {
  /** Of the client, as far as they can be asked for: elicitation, sampling, roots. */
  readonly capabilities: McpObject;
  /** Its answers, by the keys of what was asked. */
  readonly responses?: McpObject;
  /** What the upstream gave along with its questions, as it gave it. */
  readonly state?: string;
  /** It is a client of the 2025 family, which is asked within its one request. */
  readonly isSession?: true;
}
