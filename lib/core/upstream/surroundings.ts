import type { Clock } from "../base/clock.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { LiveConfig } from "../config/live.ts";
import type { Bus } from "../events/bus.ts";
import type { Logger } from "../log/log.ts";
import type { ServerLogs } from "../log/server-file.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { UpstreamCredentials } from "./credentials.ts";
import type { Guard } from "./guard.ts";
import type { Launcher } from "./launcher.ts";
import type { ClientInfo } from "./protocol/era.ts";
import type { GlobalLimit } from "./slots.ts";
import type { Turns } from "./turns.ts";

/** What every connection shares. */
export interface Surroundings {
  config: LiveConfig;
  secrets: Secrets;
  /** Sign-in at upstreams; absent where it is switched off. */
  credentials?: UpstreamCredentials | undefined;
  events: Bus;
  clock: Clock;
  log: Logger;
  serverLogs: ServerLogs;
  catalog: Catalog;
  guard: Guard;
  /** Starts servers with a command. */
  launcher: Launcher;
  client: ClientInfo;
  /** Id of the user whose sign-in is shown; absent on the connections that everybody shares. */
  owner?: string;
  global: GlobalLimit;
  turns: Turns;
  /** Environment of this process. */
  env: Readonly<Record<string, string | undefined>>;
  random(): number;
  /** A server is connected to when it is first used, not when it is configured. */
  onUse: boolean;
}
