import { part } from "../app.ts";
import { replicaSharing } from "./replica-sharing.ts";

/**
 * Work that only one replica does at a time, such as delivering records to a receiver. Another replica takes over when
 * the first one stops or is killed, so work must begin where its stored progress says.
 */
export interface SoleWork {
  /**
   * Runs the work whenever this replica is the one to do it. The signal of the work aborts when it is no longer, and the
   * work must then end soon. Work that fails or ends is not started again at this replica until it is its turn again.
   *
   * @returns a promise that resolves when `signal` has aborted and the work has ended
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>;
}

/** A proxy that is alone does all work itself. */
export const soleWork = part<SoleWork>(
  "soleWork",
  (app) => app.part(replicaSharing)?.soleWork ?? { run: (_, work, signal) => work(signal) },
);
