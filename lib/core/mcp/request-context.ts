import type { IncomingHttpHeaders } from "node:http";
import type { ChurnMap } from "../base/churn-map.ts";
import type { Caller } from "../schema/caller.ts";
import type { RpcId } from "../schema/mcp.ts";
import type { Envelope } from "./envelope.ts";
import type { McpMode } from "./mount.ts";
import type { McpSession } from "./sessions.ts";

/** Who sent a message, decided at the door. */
export interface Requester {
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp?: string;
}

/** One message on its way through the layer. */
export interface RequestContext {
  readonly mode: McpMode;
  readonly requester: Requester;
  /** What a request of the 2026 era says of its sender; its presence is what makes the era. */
  readonly envelope?: Envelope;
  /** Of a request of the 2026 era over HTTP: headers that may repeat what the body says. */
  readonly headers?: IncomingHttpHeaders;
  /** Requests of the 2026 era under way on a connection that many share, by the client's own id. */
  readonly running?: ChurnMap<RpcId, AbortController>;
  /** HTTP status of a refusal, where its era wants another than 200. */
  status?: number;
  /** Set by `initialize`; absent for a client that calls without a session. */
  session: McpSession | undefined;
  /** Aborted when the client goes away or cancels, and with a Fault as its reason when the proxy stops. */
  readonly abort: AbortController;
  /** Set when all there was to it was one upstream call: then nothing listens to `abort` any more. */
  passedThrough?: boolean;
  /** Sends a notification that belongs to this request, before its answer. Absent: this client takes none. */
  readonly notify?: (text: string) => void;
  /** Sends a request to the client that must arrive, before the answer. Absent: this client cannot be asked. */
  readonly deliver?: (text: string) => void;
}
