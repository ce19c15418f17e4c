import { isJsonObject } from "../../base/json-object.ts";
import { type McpObject, REVISION_2026, REVISIONS_2025, RPC, type RpcErrorObject } from "../../schema/mcp.ts";

/** How a server responded to `server/discover`, a request that only servers of 2026-07-28 know. */
export type ProbeAnswer =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "error"; readonly error: RpcErrorObject; readonly status?: number }
  /** An HTTP error status without a JSON-RPC error in the body. */
  | { readonly kind: "status"; readonly status: number }
  /** Something other than a JSON-RPC response: a web page, an empty body, a stream that ended. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "silence" }
  /** Its process ended. */
  | { readonly kind: "ended" }
  /** The connection broke before a response. */
  | { readonly kind: "broken" }
  /** The server cannot be reached, or its certificate is not trusted. */
  | { readonly kind: "unreachable" }
  | { readonly kind: "unauthorized" };

/**
 * What to do next.
 *
 * - `modern`: use 2026-07-28
 * - `again`: the server supports 2026-07-28 but rejected the probe; send the probe once more
 * - `initialize`: open the conversation by `initialize`. `remember` says how long this may be assumed; `no` if the
 *   response may have another reason
 * - `new process`: the same in a new process, because the probe ended this one
 * - `unsupported`: there is no common protocol version
 * - `sign in`, `retry`: the response says nothing about the protocol; nothing is remembered
 */
export type ProbeVerdict =
  | { readonly action: "modern"; readonly result: McpObject }
  | { readonly action: "initialize"; readonly remember: "week" | "hour" | "no" }
  | { readonly action: "unsupported"; readonly versions: readonly unknown[] }
  | { readonly action: "again" | "new process" | "sign in" | "retry" };

/** Errors that only servers of 2026-07-28 send: header mismatch, missing capability, unsupported version. */
const MODERN_CODES = new Set([-32020, -32021, -32022]);
const UNSUPPORTED_VERSION = -32022;
/** Statuses with which a server asks for a later request, so they say nothing about this one. */
const LATER = new Set([408, 425, 429]);

const OLDER = new Set<unknown>(REVISIONS_2025);

/**
 * Decides by the response to `server/discover` which protocol version to use.
 *
 * @see MCP 2026-07-28, basic/versioning (Backward Compatibility), basic/transports/stdio and
 *   basic/transports/streamable-http: the verdict must not depend on one specific error code
 */
export function probeVerdict(transport: "stdio" | "http", answer: ProbeAnswer): ProbeVerdict {
  switch (answer.kind) {
    case "result":
      return byResult(answer.result);
    case "error":
      return byError(answer.error, answer.status);
    case "status":
      return byStatus(answer.status);
    case "unreadable":
      return { action: "initialize", remember: "week" };
    case "silence":
      // Over stdio this process has answered `initialize` meanwhile. Over HTTP, another request was only faster.
      return { action: "initialize", remember: transport === "stdio" ? "week" : "hour" };
    case "ended":
      return { action: "new process" };
    case "broken":
      return { action: "initialize", remember: "no" };
    case "unreachable":
      return { action: "retry" };
    case "unauthorized":
      return { action: "sign in" };
  }
}

function byResult(result: unknown): ProbeVerdict {
  // Any other successful result means that the server does not know the method.
  if (!isJsonObject(result) || !Array.isArray(result.supportedVersions))
    return { action: "initialize", remember: "week" };
  if (result.supportedVersions.includes(REVISION_2026)) return { action: "modern", result };
  return byVersions(result.supportedVersions);
}

function byError(error: RpcErrorObject, status: number | undefined): ProbeVerdict {
  if (status === 401) return { action: "sign in" };
  if (status !== undefined && isPassing(status)) return byStatus(status);
  if (!MODERN_CODES.has(error.code)) return { action: "initialize", remember: "week" };
  if (error.code !== UNSUPPORTED_VERSION) return { action: "again" };
  const supported = supportedIn(error);
  return supported.includes(REVISION_2026) ? { action: "again" } : byVersions(supported);
}

/** Decides by the supported versions, if 2026-07-28 is not among them. For an empty list, `initialize` decides. */
function byVersions(versions: readonly unknown[]): ProbeVerdict {
  if (versions.some((version) => OLDER.has(version))) return { action: "initialize", remember: "week" };
  return versions.length === 0 ? { action: "initialize", remember: "no" } : { action: "unsupported", versions };
}

function byStatus(status: number): ProbeVerdict {
  if (status === 401) return { action: "sign in" };
  if (LATER.has(status)) return { action: "retry" };
  // Some frameworks respond to an unknown method with 500, and some firewalls to unknown headers with 403.
  if (isPassing(status)) return { action: "initialize", remember: "no" };
  return { action: "initialize", remember: "week" };
}

/** True if a status may have another reason than the protocol version. */
const isPassing = (status: number) => status >= 500 || status === 403 || LATER.has(status);

/** True if an error of `initialize` may come from a server that supports only 2026-07-28. */
export function isModernRefusal(error: RpcErrorObject): boolean {
  return (
    MODERN_CODES.has(error.code) || error.code === RPC.methodNotFound || supportedIn(error).includes(REVISION_2026)
  );
}

function supportedIn({ data }: RpcErrorObject): readonly unknown[] {
  return isJsonObject(data) && Array.isArray(data.supported) ? data.supported : [];
}
