import type { ServerConfig } from "../config/config-keys.ts";
import type { McpObject } from "../schema/mcp.ts";
import type { Transport, TransportReceiver } from "./transport.ts";

/**
 * The right to run processes that no other replica runs at the same time. The watchdog kills the processes of a lease
 * when the lease ends, also while the proxy itself is stopped.
 */
export interface ProcessLease {
  /** Differs from that of every earlier lease of this proxy. */
  readonly id: string;
  /** Until when the lease is certainly held, by the machine's monotonic clock. (ms) */
  until(): number;
  isHeld(): boolean;
  /** Aborts when the lease is lost or released. */
  readonly lost: AbortSignal;
}

/** Where the process of a server runs. */
export type Placement =
  | {
      readonly where: "here";
      readonly lease: ProcessLease;
      /** Lets another replica run the process. Call it when the process has ended, or was not started. Never rejects. */
      release(): Promise<void>;
    }
  | {
      readonly where: "elsewhere";
      /** Opens a transport to the replica that runs the process. @throws UpstreamError */
      connect(receiver: TransportReceiver, signal: AbortSignal): Promise<Transport>;
    };

/** Decides where the processes of servers with a command run, if several replicas share one configuration. */
export interface ProcessPlacement {
  /**
   * Waits until it is certain which replica runs the process.
   *
   * @returns undefined if each replica runs a process of its own
   * @throws UpstreamError if that cannot be decided in time
   */
  place(server: ServerConfig, signal: AbortSignal): Promise<Placement | undefined>;
  /** Calls `listener` with the lease of this replica's processes when it was taken, and each time it was renewed. */
  onLease(listener: (lease: ProcessLease) => void): void;
  /** Called with each notification of a server that belongs to no single request. */
  notified(server: string, method: string, params: McpObject): void;
  /**
   * Prepares the end of this replica: requests of other replicas wait for the next owner. Resolves when those under way
   * have ended, or after the time. Never rejects.
   */
  leave(graceMs: number): Promise<void>;
  /** Releases what this replica holds. Called when no process runs any more. */
  close(): Promise<void>;
}
