import type { IncomingHttpHeaders } from "node:http";
import type { TransientMap } from "../base/transient-map.ts";
import type { Caller } from "../schema/caller.ts";
import type { RpcId } from "../schema/mcp.ts";
import type { Envelope } from "./envelope.ts";
import type { McpMode } from "./mount.ts";
import type { McpSession } from "./sessions.ts";

/** Who sent a message, as authenticated when it arrived. */
export interface Requester {
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp?: string;
}

/** One message and everything that its methods need of its connection. */
export interface RequestContext {
  readonly mode: McpMode;
  readonly requester: Requester;
  /** What a request of the 2026 family says about its sender; absent for a message of the 2025 family. */
  readonly envelope?: Envelope;
  /** The headers of a request of the 2026 family over HTTP, which repeat parts of its body. */
  readonly headers?: IncomingHttpHeaders;
  /** Requests of the 2026 family under way on this connection, by the client's own id. */
  readonly running?: TransientMap<RpcId, AbortController>;
  /** Set when a request is refused and its protocol version requires an HTTP status other than 200. */
  status?: number;
  /** Set by `initialize`; absent for a client that calls without a session. */
  session: McpSession | undefined;
  /** Aborted when the client goes away or cancels, and with a Fault as its reason when the proxy stops. */
  readonly abort: AbortController;
  /** Set once the result of an upstream call was passed on: nothing listens to `abort` any more, so it can be used again. */
  passedThrough?: boolean;
  /** Sends a notification that belongs to this request, before its answer. Absent: this client takes none. */
  readonly notify?: (text: string) => void;
  /** Sends a request to the client that must arrive, before the answer. Absent: this client cannot be asked. */
  readonly deliver?: (text: string) => void;
}
