import type { Audit } from "../modules/audit/audit.ts";
import type { Sandbox } from "../modules/code/sandbox/sandbox.ts";
import type { Engine } from "../modules/isolation/container/engine.ts";
import type { OAuth } from "../modules/oauth/oauth.ts";
import type { Updates } from "../modules/update/updates.ts";
import type { Idempotency } from "./api/idempotency.ts";
import type { Jobs } from "./api/jobs.ts";
import type { ByteBudget } from "./base/byte-budget.ts";
import type { Clock } from "./base/clock.ts";
import type { Dialler } from "./base/egress/dial.ts";
import type { Machine } from "./base/machine.ts";
import type { Slots } from "./base/slots.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { LiveConfig } from "./config/live.ts";
import type { Bus } from "./events/bus.ts";
import type { Logger } from "./log/log.ts";
import type { ServerLogs } from "./log/server-file.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { Counts } from "./store/counts.ts";
import type { Store } from "./store/store.ts";
import type { Isolation } from "./upstream/isolation.ts";
import type { Upstreams } from "./upstream/upstreams.ts";

/** What every endpoint, tool and command may reach. State lives here; verbs live in files. */
export interface App {
  readonly clock: Clock;
  readonly log: Logger;
  readonly serverLogs: ServerLogs;
  readonly config: LiveConfig;
  readonly store: Store;
  /** Summaries of the activity records, shared by those who ask the same. */
  readonly counts: Counts;
  /** One line per decision and call, chained. */
  readonly audit: Audit;
  readonly secrets: Secrets;
  readonly events: Bus;
  /** Sign-in at upstream servers. */
  readonly oauth: OAuth;
  readonly catalog: Catalog;
  readonly upstreams: Upstreams;
  /** Threads that run scripts, made when needed. */
  readonly sandbox: Sandbox;
  /** The one way out to addresses that somebody outside had a say in. */
  readonly dial: Dialler;
  /** The container engine of this machine. */
  readonly engine: Engine;
  /** Keeps servers with a command apart. */
  readonly isolation: Isolation;
  /** Requests that go on behind their answers. */
  readonly jobs: Jobs;
  /** Answers that are given again. */
  readonly idempotency: Idempotency;
  /** Looks for newer releases. */
  readonly updates: Updates;
  /** Limits of the whole program, beyond which nobody waits. */
  readonly slots: { readonly preflightWaits: Slots; readonly eventStreams: Slots };
  /** What the bodies of requests under way are counted on. */
  readonly bodies: ByteBudget;
  readonly boot: Boot;
}

/** Facts fixed at start. */
export interface Boot {
  readonly version: string;
  readonly startedAt: number;
  /** Administrator key in force; compared in constant time. */
  readonly apiKey: string;
  /** The mode `/mcp` serves; a configuration change cannot rebind it. */
  readonly routingMode: "retrieve_tools" | "direct" | "code_execution";
  readonly launchedBy: "" | "tray" | "installer";
  readonly dataDir: string;
  /** Whose computer it runs on, for finding the files of MCP clients. */
  readonly machine: Machine;
  /** Command line that starts this very program; empty where there is none, as in tests. */
  readonly self: readonly string[];
  /** What the environment says about updates: checks off, pre-releases wanted, nobody there to be told. */
  readonly updates: { readonly disabled: boolean; readonly prerelease: boolean; readonly unattended: boolean };
  /** Filled in by the listeners. */
  listenAddr: string;
  socketPath: string;
}
