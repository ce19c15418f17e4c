import type { IncomingHttpHeaders } from "node:http";
import type { TransientMap } from "../base/transient-map.ts";
import type { ObservedRequest } from "../extension/traffic.ts";
import type { Caller } from "../schema/caller.ts";
import type { RpcId } from "../schema/mcp.ts";
import type { Envelope } from "./envelope.ts";
import type { McpMode } from "./mount.ts";
import type { McpSession } from "./sessions.ts";

/** The sender of a message, as authenticated on arrival. */
export interface Requester {
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp?: string;
}

/** A request that is measured. */
interface ReportedRequest extends ObservedRequest {
  /** Reports the request, once. @param errorType as in `AnsweredRequest` */
  end(turn: RequestContext, errorType: string | undefined): void;
}

/** The facts about one message and its connection that the methods use. */
export interface RequestContext {
  readonly mode: McpMode;
  readonly requester: Requester;
  /** What a 2026-07-28 request states about its sender; absent for older versions. */
  readonly envelope?: Envelope;
  /** The headers of a 2026-07-28 request over HTTP, which repeat parts of its body. */
  readonly headers?: IncomingHttpHeaders;
  /** The headers of a request over HTTP if they contain a trace context. */
  readonly traceHeaders?: IncomingHttpHeaders;
  /** The 2026-07-28 requests in progress on this connection, by the client's request id. */
  readonly running?: TransientMap<RpcId, AbortController>;
  /** Set if a request is rejected and its protocol version requires an HTTP status other than 200. */
  status?: number;
  /** Set if the client could get the missing permission by a sign-in: the value of the header `WWW-Authenticate`. */
  challenge?: string;
  /** Set by `initialize`; undefined for a client without a session. */
  session: McpSession | undefined;
  /**
   * Aborted when the client disconnects or cancels, or, with a Fault as its reason, when the proxy ends the request.
   */
  readonly abort: AbortController;
  /**
   * Set when the result of an upstream call was passed on: nothing listens to `abort` then, so it can be used again.
   */
  passedThrough: boolean;
  /** What is measured of this request; undefined unless something observes the traffic. */
  observed: ReportedRequest | undefined;
  /** Sends a notification that belongs to this request, before its response. Absent if the client accepts none. */
  readonly notify?: (text: string) => void;
  /**
   * Sends a request that must not be dropped to the client, before the response. Absent if the client cannot be asked.
   */
  readonly deliver?: (text: string) => void;
}
