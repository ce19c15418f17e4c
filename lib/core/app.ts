import type { Writable } from "node:stream";
import type { Clock } from "./base/clock.ts";
import type { AppEgress } from "./base/egress/egress.ts";
import type { Machine } from "./base/machine.ts";
import type { Worker } from "./base/worker.ts";
import type { Catalog } from "./catalog/catalog.ts";
import type { LiveConfig } from "./config/live-config.ts";
import type { EventBus } from "./events/event-bus.ts";
import type { Logger } from "./log/logger.ts";
import type { ServerLogs } from "./log/server-log.ts";
import type { Keyring } from "./secrets/keyring.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { Store } from "./store/store.ts";
import type { Upstreams } from "./upstream/upstreams.ts";

/**
 * What endpoints, tools and commands may use. It has the members that the whole core works with. All other state is a
 * part, which code requests by its key.
 */
export interface App {
  readonly clock: Clock;
  readonly log: Logger;
  readonly serverLogs: ServerLogs;
  readonly config: LiveConfig;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly events: EventBus;
  readonly catalog: Catalog;
  readonly upstreams: Upstreams;
  /** Sends all requests to URLs that come from outside. */
  readonly egress: AppEgress;
  readonly boot: Boot;
  /** Returns the state of a part. It is made at the first request and closed with the App. */
  part<T>(key: Part<T>): T;
}

/** The key of a piece of state, of which each App has one. */
export interface Part<T> {
  /** Name for messages. */
  readonly name: string;
  /** Makes the state. A module may provide another implementation (`extension/module.ts`). */
  open(app: App): T;
  /** Releases what the state holds when the App closes. */
  close?(state: T): unknown;
}

/** Declares a piece of state. Parts are closed in reverse order of their making. */
export function part<T>(name: string, open: (app: App) => T, close?: (state: T) => unknown): Part<T> {
  return { name, open, ...(close && { close }) };
}

/** Facts that are fixed at the start. */
export interface Boot {
  readonly version: string;
  readonly startedAt: number;
  /** The API key in force; compare it in constant time. */
  readonly apiKey: string;
  /** The routing mode of `/mcp`; a change of the configuration takes effect at the next start. */
  readonly routingMode: "retrieve_tools" | "direct" | "code_execution";
  readonly launchedBy: "" | "tray" | "installer";
  readonly dataDir: string;
  /** The folder for files that only one process may write: the data directory, or that of this worker in it. */
  readonly ownDir: string;
  /** Set if this process is one of several workers. */
  readonly worker: Worker | undefined;
  /** The computer that the program runs on, for finding the files of MCP clients. */
  readonly machine: Machine;
  /** Command line that starts this program; empty if there is none, as in tests. */
  readonly self: readonly string[];
  /**
   * What the environment says about updates: whether checks are disabled, whether pre-releases count, and whether the
   * program runs unattended.
   */
  readonly updates: { readonly disabled: boolean; readonly prerelease: boolean; readonly unattended: boolean };
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Whether the program acts without requests: connects to servers, checks for updates. False for commands that only
   * read.
   */
  readonly automatic: boolean;
  /** The operating system's keyring. */
  readonly keyring: () => Promise<Keyring>;
  /** Opens URLs for a person; undefined: the browser of this machine. */
  readonly browser: Browser | undefined;
  /** Standard output, if it may be used for the audit log. */
  readonly auditTo: Writable | undefined;
  /** Set when the proxy begins to stop, so that `/readyz` reports it. */
  isStopping: boolean;
  /** Set by the listeners. */
  listenAddr: string;
  socketPath: string;
}

/** The browser of the machine that the proxy runs on. */
export interface Browser {
  /** @returns why the URL was not opened; undefined if it was */
  open(url: string): Promise<string | undefined>;
}
