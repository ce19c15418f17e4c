import type { ServerConfig } from "../config/config-keys.ts";
import type { IsolationDefaults } from "../schema/server-record.ts";
import type { ProcessCommand, ServerProcess } from "./stdio/start-process.ts";
import type { UpstreamTarget } from "./target.ts";

export interface LaunchRequest {
  readonly server: ServerConfig;
  readonly target: UpstreamTarget;
  readonly signal: AbortSignal;
  /** Called with each line for the server's log. */
  readonly onLine: (line: string) => void;
  /** Starts an ordinary process on this machine. */
  readonly plain: (what: ProcessCommand) => Promise<ServerProcess>;
}

/** How a server with a command is run: as an ordinary process, in a container, or in a sandbox. */
type LaunchPlan =
  | { readonly how: "plain"; readonly why: string }
  | { readonly how: "container" | "sandbox"; readonly network: string };

/** Starts servers that have a command (spec 000 §2.3; reference 4.6). */
export interface Launcher {
  plan(server: ServerConfig): LaunchPlan;
  /**
   * Starts a server as planned.
   *
   * @throws UpstreamError if something that the plan needs is missing; the message says what to do
   */
  start(launch: LaunchRequest): Promise<ServerProcess>;
  /**
   * Deletes the files of a removed server, so that a later server with its name finds an empty home folder. Never
   * fails.
   */
  forget(server: string): Promise<void>;
  /** Removes what an earlier run left behind. Never fails. */
  sweep(): Promise<void>;
  /** Returns the isolation settings for a server with this command that its entry does not set. */
  defaults(server: Pick<ServerConfig, "command">): IsolationDefaults | undefined;
  /** Calls `listener` once for each container engine that runs containers of this process. */
  onEngine(listener: (engine: { run: string; place: object }) => void): void;
}

/** Runs every server as an ordinary process on this machine. */
export const plainLauncher: Launcher = {
  plan: () => ({ how: "plain", why: "this program does not include isolation" }),
  start: (launch) => launch.plain(launch.target),
  forget: async () => {},
  sweep: async () => {},
  defaults: () => undefined,
  onEngine: () => {},
};
