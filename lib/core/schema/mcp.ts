import type { EndQuestion } from "./question-outcome.ts";

/** JSON-RPC 2.0 and the parts of MCP that the call path reads. The proxy passes on everything else unchanged. */
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
  /** The resource does not exist. (2026-07-28 uses `invalidParams` instead.) */
  resourceNotFound: -32002,
  /** A person has to open URLs before the request can be handled. (2025-11-25, URL elicitation required) */
  addressesNeeded: -32042,
  /** The headers do not match the body. (2026-07-28) */
  headerMismatch: -32020,
  /** The request needs a capability that its client did not declare. (2026-07-28) */
  missingCapability: -32021,
  /** The proxy does not support the requested protocol revision. (2026-07-28) */
  unsupportedRevision: -32022,
} as const;

/** A JSON-RPC error with its code and data, from an upstream or from the proxy itself. */
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

/**
 * The proxy sets this key on a listed item whose entry was too large to be parsed. A server cannot set it, because JSON
 * has no symbols.
 */
export const OVERSIZE = Symbol("oversize");

/** A tool as an upstream lists it, with its unknown members. */
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

/** A result with its original JSON text, so that the proxy can pass on an upstream's result byte for byte. */
export interface Reply<T = unknown> {
  readonly result: T;
  /**
   * The JSON text of `result` as received, except that line breaks between tokens are spaces, so that it fits any
   * framing.
   */
  readonly raw: string;
}

export interface Progress {
  progress: number;
  total?: number;
  message?: string;
}

/** The protocol revisions with a handshake and sessions (2025-11-25 and earlier), newest first. */
export const REVISIONS_2025 = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** The stateless protocol revision: no handshake, no session; each request carries its own context. */
export const REVISION_2026 = "2026-07-28";

/** Every protocol revision that the proxy supports, newest first. */
export const REVISIONS = [REVISION_2026, ...REVISIONS_2025] as const;

/** The prefix of the keys that revision 2026-07-28 defines in `_meta`. */
export const META_PREFIX = "io.modelcontextprotocol/";
/** The extension by which the response to a call may be a task (2026-07-28). */
export const TASKS_EXTENSION = `${META_PREFIX}tasks`;
/** The extension by which tools have a user interface: MCP Apps. */
export const UI_EXTENSION = `${META_PREFIX}ui`;
/**
 * The settings that the proxy declares to servers whose tools have a user interface; the proxy passes such interfaces
 * on to clients.
 */
export const UI_SETTINGS = { mimeTypes: ["text/html;profile=mcp-app"] };
/** Member of `_meta` with the id of the task that a message belongs to (2025-11-25). */
export const RELATED_TASK = `${META_PREFIX}related-task`;

/**
 * What a server may ask a client of 2026-07-28 during a call, and the client's answers so far (multi round-trip
 * requests).
 */
export interface InputContext {
  /** The client capabilities that a server's questions may need: elicitation, sampling, roots. */
  readonly capabilities: McpObject;
  /** The client's answers, by the keys of the questions. */
  readonly responses?: McpObject;
  /** The opaque state that the upstream sent with its questions, unchanged. */
  readonly state?: string;
  /**
   * Set if the client is asked within its one request. For each question in a result, the gateway adds the function
   * that records the question's outcome, by the upstream's key of the question.
   */
  readonly questions?: Map<string, EndQuestion>;
}
