import type { Writable } from "node:stream";
import type { Clock } from "./base/clock.ts";
import type { Egress } from "./base/egress/egress.ts";
import type { Machine } from "./base/machine.ts";
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
 * What every endpoint, tool and command may use. It has the things that the whole core works with; everything else that
 * keeps state is a part, which whoever needs it asks for by its key.
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
  /** Every request to an address that somebody else chose goes through it. */
  readonly egress: Egress;
  readonly boot: Boot;
  /** The state behind a key: opened when it is first asked for, closed with the App. */
  part<T>(key: Part<T>): T;
}

/** The key of a piece of state that each App has one of. */
export interface Part<T> {
  /** For messages. */
  readonly name: string;
  /** Makes the state; a module may provide another implementation (`extension/module.ts`). */
  open(app: App): T;
  /** Ends what the state holds, when the App closes. */
  close?(state: T): unknown;
}

/** Declares a piece of state. Parts are closed in the reverse of the order in which they were opened. */
export function part<T>(name: string, open: (app: App) => T, close?: (state: T) => unknown): Part<T> {
  return { name, open, ...(close && { close }) };
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
  /** The environment of the program. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the program does by itself: connections, checks for updates. Off for a command that only asks something. */
  readonly automatic: boolean;
  /** The operating system's keyring. */
  readonly keyring: () => Promise<Keyring>;
  /** Opens addresses for a person; absent: this machine's browser. */
  readonly browser: Browser | undefined;
  /** Standard output, where it is free for audit lines. */
  readonly auditTo: Writable | undefined;
  /** Filled in by the listeners. */
  listenAddr: string;
  socketPath: string;
}

/** The browser of the machine that the proxy runs on. */
export interface Browser {
  /** @returns why the address was not opened; undefined when it was */
  open(url: string): Promise<string | undefined>;
}
