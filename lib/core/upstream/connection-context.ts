import type { Clock } from "../base/clock.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { EventBus } from "../events/event-bus.ts";
import type { Logger } from "../log/logger.ts";
import type { ServerLogs } from "../log/server-log.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { GlobalLimit } from "./call-slots.ts";
import type { UpstreamCredentials } from "./credentials.ts";
import type { KnownAskers } from "./known-askers.ts";
import type { KnownVersions } from "./known-versions.ts";
import type { Launcher } from "./launcher.ts";
import type { ProcessPlacement } from "./process-placement.ts";
import type { ClientInfo } from "./protocol/protocol-family.ts";
import type { StartSlots } from "./start-slots.ts";
import type { ProcessGuard } from "./stdio/process-guard.ts";
import type { UpstreamLogging } from "./upstream-logging.ts";

/** What all connections share. */
export interface ConnectionContext {
  config: LiveConfig;
  secrets: Secrets;
  /** Sign-in at upstreams; undefined if no module provides it. */
  credentials?: UpstreamCredentials | undefined;
  events: EventBus;
  clock: Clock;
  log: Logger;
  serverLogs: ServerLogs;
  catalog: Catalog;
  guard: ProcessGuard;
  /** Starts servers with a command. */
  launcher: Launcher;
  /** Shares processes with other replicas; undefined if there are none. */
  placement?: ProcessPlacement | undefined;
  client: ClientInfo;
  versions: KnownVersions;
  askers: KnownAskers;
  /** Id of the user whose sign-in the connection uses; absent for connections that everybody shares. */
  owner?: string;
  /** Returns the URL of the page on which a user signs in to a server; undefined if users have no own connections. */
  userSignInPage?: (() => string) | undefined;
  global: GlobalLimit;
  startSlots: StartSlots;
  logging: UpstreamLogging;
  /** Environment of this process. */
  env: Readonly<Record<string, string | undefined>>;
  random(): number;
  /** If true, a server is connected when it is first used; otherwise as soon as it is configured. */
  connectsOnUse: boolean;
}
