import type { Caller } from "../shape/caller.ts";
import type { McpMode } from "./mount.ts";
import type { Session } from "./sessions.ts";

/** Who sent a message, decided at the door. */
export interface Who {
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp?: string;
}

/** One message on its way through the layer. */
export interface Turn {
  readonly mode: McpMode;
  readonly who: Who;
  /** Set by `initialize`; absent for a client that calls without a session. */
  session: Session | undefined;
  /** Aborted when the client goes away or cancels, and with a Fault as its reason when the proxy stops. */
  readonly abort: AbortController;
  /** Set when all there was to it was one upstream call: then nothing listens to `abort` any more. */
  passedOn?: boolean;
  /** Sends a notification that belongs to this request, before its answer. Absent: this client takes none. */
  readonly notify?: (text: string) => void;
}
