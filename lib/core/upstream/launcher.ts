import type { ServerConfig } from "../config/config-keys.ts";
import type { IsolationDefaults } from "../schema/server-record.ts";
import type { ServerProcess } from "./stdio/server-process.ts";
import type { ProcessCommand } from "./stdio/start-process.ts";
import type { UpstreamTarget } from "./target.ts";

export interface LaunchRequest {
  readonly server: ServerConfig;
  readonly target: UpstreamTarget;
  readonly signal: AbortSignal;
  /** For the server's own log. */
  readonly onLine: (line: string) => void;
  /** Starts a process of this machine. */
  readonly plain: (what: ProcessCommand) => Promise<ServerProcess>;
}

/** How a server with a command is run. */
type LaunchPlan =
  | { readonly how: "plain"; readonly why: string }
  | { readonly how: "container" | "sandbox"; readonly network: string };

/** Starts servers that have a command (spec 000 §2.3; reference 4.6). */
export interface Launcher {
  plan(server: ServerConfig): LaunchPlan;
  /**
   * Starts a server as planned.
   *
   * @throws UpstreamError where what the plan needs is not there, and what to do about it
   */
  start(launch: LaunchRequest): Promise<ServerProcess>;
  /** Removes what was kept for a server that is no more: whoever is called so next finds a fresh home. Never fails. */
  forget(server: string): Promise<void>;
  /** Removes what an earlier run left. Never fails. */
  sweep(): Promise<void>;
  /** What applies to a server with this command as long as its entry says nothing else. */
  defaults(server: Pick<ServerConfig, "command">): IsolationDefaults | undefined;
  /** Calls back once for each container engine that containers of this run are made at. */
  onEngine(listener: (engine: { run: string; place: object }) => void): void;
}

/** Every server is a plain process of this machine. */
export const plainLauncher: Launcher = {
  plan: () => ({ how: "plain", why: "this program does not include isolation" }),
  start: (launch) => launch.plain(launch.target),
  forget: async () => {},
  sweep: async () => {},
  defaults: () => undefined,
  onEngine: () => {},
};
