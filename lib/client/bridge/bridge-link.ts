import { systemClock } from "../../core/base/clock.ts";
import { Fault, reasonOf } from "../../core/base/fault.ts";
import { type BridgeRequest, type BridgeResponse, type BridgeTarget, postMessage } from "./post-message.ts";

/** The connection to the proxy, which may restart in the meantime. */
export interface BridgeLink {
  /** Like `postMessage`, but repeats a request for a while if it did not reach the proxy. */
  send(request: BridgeRequest): Promise<BridgeResponse>;
  /** Whether the proxy has accepted any request. */
  readonly wasReached: boolean;
}

interface LinkOptions {
  /** Writes one line to the log of the client. */
  note(text: string): void;
  /** How long a request waits for a proxy that is not running. (ms) */
  graceMs: number;
}

const RETRY_MS = 250;

export function createBridgeLink(target: BridgeTarget, { note, graceMs }: LinkOptions): BridgeLink {
  let isDown = false;
  let wasReached = false;

  const up = () => {
    if (isDown) note("connected to the proxy again");
    isDown = false;
    wasReached = true;
  };
  const down = (error: unknown) => {
    if (!isDown) note(reasonOf(error));
    isDown = true;
  };

  const attempt = async (request: BridgeRequest, untilMs: number): Promise<BridgeResponse> => {
    const accepted = () => {
      up();
      request.accepted?.();
    };
    try {
      return await postMessage(target, { ...request, accepted });
    } catch (error) {
      if (request.signal.aborted) throw error;
      down(error);
      // Only this failure proves that the proxy has not acted on the request.
      const wasSent = !(error instanceof Fault && error.code === "daemon_not_running");
      if (wasSent || systemClock.now() >= untilMs) throw error;
    }
    await systemClock.sleep(RETRY_MS, request.signal);
    return attempt(request, untilMs);
  };

  return {
    send: (request) => attempt(request, systemClock.now() + graceMs),
    get wasReached() {
      return wasReached;
    },
  };
}
