import type { ServerConfig } from "../../core/config/config-keys.ts";
import type { Launcher } from "../../core/upstream/launcher.ts";
import type { IsolationPlan } from "./plan.ts";

/** Isolates local servers from the machine and from each other (spec 000 §2.3; reference 4.6). */
export interface Isolation extends Launcher {
  plan(server: ServerConfig): IsolationPlan;
  /** Why the light sandbox is not available on this machine; undefined if it is. */
  lacksSandbox(): Promise<string | undefined>;
}
