import type { Plan } from "../../modules/isolation/plan.ts";
import type { ServerConfig } from "../config/schema.ts";
import type { Child } from "./stdio/child.ts";
import type { Started } from "./stdio/process.ts";
import type { Target } from "./target.ts";

export interface StartIsolated {
  readonly server: ServerConfig;
  readonly target: Target;
  readonly signal: AbortSignal;
  /** For the server's own log. */
  readonly onLine: (line: string) => void;
  /** Starts a process of this machine. */
  readonly plain: (what: Started) => Promise<Child>;
}

/** Keeps servers with a command apart from the machine and from each other (spec 000 §2.3; reference 4.6). */
export interface Isolation {
  plan(server: ServerConfig): Plan;
  /**
   * Starts a server as planned.
   *
   * @throws UpstreamError where what the plan needs is not there, and what to do about it
   */
  start(options: StartIsolated): Promise<Child>;
  /** Removes what was kept for a server that is no more: whoever is called so next finds a fresh home. Never fails. */
  forget(server: string): Promise<void>;
  /** Removes what an earlier run left at the engine. Never fails. */
  sweep(): Promise<void>;
  /** Why the light sandbox cannot be used here; undefined where it can. */
  lacksSandbox(): Promise<string | undefined>;
}
