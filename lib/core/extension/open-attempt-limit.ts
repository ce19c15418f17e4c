import type { App } from "../app.ts";
import { type AttemptLimit, type AttemptLimits, createAttemptLimit } from "../base/attempt-limit.ts";
import { networkOf } from "../base/network-of.ts";
import { replicaSharing } from "./replica-sharing.ts";

/**
 * Opens a limit of attempts for each address, or IPv6 network. If there are replicas, it counts the attempts at all of them; those that this replica
 * rejects alone are not counted there, so that a flood of them costs nothing.
 */
export function openAttemptLimit(app: Pick<App, "clock" | "part">, name: string, limits: AttemptLimits): AttemptLimit {
  const own = createAttemptLimit(app.clock, limits);
  const shared = app.part(replicaSharing)?.attemptLimit(name, limits);
  return {
    take(address) {
      const key = networkOf(address);
      const waitMs = own.take(key);
      return waitMs > 0 || !shared ? waitMs : shared.take(key);
    },
  };
}
