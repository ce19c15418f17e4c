import type { ListenerKind } from "../../core/schema/caller.ts";
import { RPC } from "../../core/schema/mcp.ts";
import { OTHER } from "./series-limit.ts";

/**
 * Values of labels with a fixed set of values. What comes from outside and is not among them becomes `other`, so that
 * no client and no server can create series.
 */

const METHODS: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "server/discover",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "completion/complete",
  "logging/setLevel",
  "tasks/list",
  "tasks/get",
  "tasks/result",
  "tasks/update",
  "tasks/cancel",
]);

export function methodLabel(method: string): string {
  return METHODS.has(method) ? method : OTHER;
}

/** Further codes that servers and their SDKs send often: server errors, and a cancelled request. */
const SERVER_CODES = [-32000, -32003, -32004, -32800];
/** The codes of JSON-RPC and of MCP. A server may send any other number. */
const RPC_CODES: ReadonlySet<string> = new Set([...Object.values(RPC), ...SERVER_CODES].map(String));

/** Returns the label of an error: `tool_error`, a code of the error reference, or the code of a JSON-RPC error. */
export function errorLabel(errorType: string | undefined): string {
  if (errorType === undefined) return "";
  return /^[a-z_]+$/i.test(errorType) || RPC_CODES.has(errorType) ? errorType : OTHER;
}

const TRANSPORTS = { tcp: "tcp", socket: "unix", stdio: "pipe", internal: "" } as const satisfies Record<
  ListenerKind,
  string
>;

/** Returns the transport of a listener by the names of OpenTelemetry (`network.transport`). */
export function transportLabel(listener: ListenerKind): string {
  return TRANSPORTS[listener];
}
