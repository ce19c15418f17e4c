import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";
import { type Clock, systemClock } from "#lib/core/base/clock.ts";
import { Fault } from "#lib/core/base/fault.ts";
import type { Catalog } from "#lib/core/catalog/catalog.ts";
import { type Config, configDocument, type ServerConfig } from "#lib/core/config/config-keys.ts";
import type { LiveConfig } from "#lib/core/config/live-config.ts";
import { createEventBus } from "#lib/core/events/event-bus.ts";
import type { Logger } from "#lib/core/log/logger.ts";
import type { ServerLogs } from "#lib/core/log/server-log.ts";
import { itemId } from "#lib/core/schema/item.ts";
import type { RawTool } from "#lib/core/schema/mcp.ts";
import type { Secrets } from "#lib/core/secrets/secrets.ts";
import { createUpstreams, type UpstreamsOptions } from "#lib/core/upstream/create-upstreams.ts";
import { plainLauncher } from "#lib/core/upstream/launcher.ts";
import type { Upstream } from "#lib/core/upstream/upstreams.ts";
import { atEnd } from "./at-end.ts";
import "#lib/modules/config.gen.ts";

type Entry = Partial<ServerConfig> & { name: string };

/** A configuration in memory; `change` replaces it as a saved file would. */
export function memoryConfig(document: Record<string, unknown>, dataDir: string) {
  let current = v.parse(configDocument(), document);
  const listeners = new Set<(next: Config, previous: Config) => void>();
  const config: LiveConfig & { change(edit: (draft: Config) => void): void } = {
    path: join(dataDir, "mcp_config.json"),
    dataDir,
    current: () => current,
    wanted: () => current,
    file: () => current,
    raw: () => current,
    overrides: () => ({}),
    revision: () => "",
    history: { list: async () => [], read: async () => undefined, forget: async () => {} },
    server: (name) => current.mcpServers.find((s) => s.name === name),
    quarantined: (server) => server.quarantined ?? true,
    setBrokenAside: async () => undefined,
    update: () => Promise.reject(new Error("not here")),
    share: () => Promise.reject(new Error("not here")),
    preview: () => Promise.reject(new Error("not here")),
    change(edit) {
      const previous = current;
      current = structuredClone(current);
      edit(current);
      for (const listener of listeners) listener(current, previous);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    problem: () => undefined,
    unknownKeys: () => [],
    pendingRestart: () => [],
    close: async () => {},
  };
  return config;
}

/** Stores the accepted lists; upstreams do not use `of`. */
export function memoryCatalog() {
  const accepted = new Map<string, RawTool[]>();
  /** Items by `itemId(kind, server, "")`. */
  const acceptedItems = new Map<string, readonly unknown[]>();
  const dropped: string[] = [];
  let accepts = 0;
  const catalog: Catalog = {
    items: {
      of: () => [],
      get: () => undefined,
      all: () => [],
      servers: () => [],
      revision: 0,
      listings: () => 0,
      async accept(server, kind, entries) {
        acceptedItems.set(itemId(kind, server, ""), entries);
        return { total: entries.length, added: [], changed: [], removed: [] };
      },
      decideAgain: async () => {},
      scan: () => ({ verdict: "clean", risk_score: 0, findings: [], complete: true }),
      prepareScan: () => undefined,
      skipped: () => "",
    },
    get: () => undefined,
    of: () => [],
    all: () => [],
    servers: () => [],
    size: 0,
    ready: true,
    isFirst: false,
    indexed: Promise.resolve(),
    revision: 0,
    prepareScan: () => undefined,
    async acceptListing(server, entries) {
      accepts++;
      // The servers of these tests list valid tools only.
      accepted.set(server, entries as RawTool[]);
      return { total: entries.length, added: [], changed: [], removed: [] };
    },
    scan: () => ({ verdict: "clean", risk_score: 0, findings: [], complete: true }),
    scanInstructions: () => ({ verdict: "clean", risk_score: 0, findings: [], complete: true }),
    scanServer: () => Promise.resolve(undefined),
    isServerScanned: () => true,
    cachedServerScan: () => undefined,
    skippedTools: () => "",
    reloadApprovals: () => {},
    async drop(server) {
      dropped.push(server);
      accepted.delete(server);
    },
    search: async () => [],
    ranked: async () => Object.assign([], { rows: () => [] }),
  };
  return { catalog, accepted, acceptedItems, dropped, accepts: () => accepts };
}

/** Collects log lines as `level message`. */
export function memoryLog() {
  const lines: string[] = [];
  const at = (level: string) => (message: string) => void lines.push(`${level} ${message}`);
  const log: Logger = {
    trace: at("trace"),
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    catch: (tried, promise) => void promise.catch((error) => lines.push(`error ${tried}: ${error}`)),
    tagged: () => log,
  };
  return { log, lines };
}

export function memoryServerLogs() {
  const lines: string[] = [];
  const serverLogs: ServerLogs = {
    write: (server, level, line) => void lines.push(`${server} ${level} ${line}`),
    tail: async () => [],
    close: async () => {},
  };
  return { serverLogs, lines };
}

const SEALING_KEY = { id: "test", bytes: Buffer.alloc(32, 1) };

/** Secrets by reference, e.g. `{ "keyring:token": "x" }`. */
export function memorySecrets(values: Record<string, string>): Secrets {
  return {
    async resolve(text) {
      return text.replace(/\$\{([^}]+)\}/g, (reference, key: string) => {
        if (values[key] === undefined) throw new Fault("secret_missing", { reference });
        return values[key];
      });
    },
    get: async (name) => values[`keyring:${name}`],
    entries: async () => [],
    async set(name, value) {
      values[`keyring:${name}`] = value;
    },
    delete: async () => false,
    list: async () => [],
    backend: () => ({ kind: "file" }),
    confirmedBackend: async () => ({ kind: "file" }),
    sealingKeys: { forSealing: async () => SEALING_KEY, byId: async () => SEALING_KEY },
  };
}

export interface TestUpstreamsOptions {
  servers: Entry[];
  config?: Record<string, unknown>;
  secrets?: Record<string, string>;
  clock?: Clock;
  env?: Record<string, string | undefined>;
  watchdogs?: UpstreamsOptions["watchdogs"];
  /** Shares processes with other replicas; by default there are none. */
  placement?: UpstreamsOptions["placement"];
  /** Provides credentials; none by default. */
  credentials?: UpstreamsOptions["credentials"];
  /** Stores protocol versions; by default in memory. */
  meta?: UpstreamsOptions["meta"];
}

/** Creates upstreams with in-memory dependencies, connected to real programs. `close()` ends everything. */
export function testUpstreams({ servers, config, secrets = {}, clock = systemClock, ...more }: TestUpstreamsOptions) {
  const dataDir = mkdtempSync(join(tmpdir(), "proxy-"));
  const live = memoryConfig({ ...config, mcpServers: servers }, dataDir);
  const { log, lines: logLines } = memoryLog();
  const { serverLogs, lines: serverLines } = memoryServerLogs();
  const { catalog, ...seen } = memoryCatalog();
  const events = createEventBus(clock, () => {});
  const upstreams = createUpstreams({
    config: live,
    launcher: plainLauncher,
    secrets: memorySecrets(secrets),
    events,
    clock,
    log,
    serverLogs,
    catalog,
    dataDir,
    version: "0.0.0-test",
    random: () => 0,
    ...more,
  });
  upstreams.start();
  live.onChange(() => upstreams.reconcile());
  const close = async () => {
    atEnd.delete(close);
    await upstreams.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  atEnd.add(close);
  return {
    upstreams,
    config: live,
    events,
    dataDir,
    logLines,
    serverLines,
    ...seen,
    upstream(name: string): Upstream {
      const found = upstreams.get(name);
      if (!found) throw new Error(`no upstream ${name}`);
      return found;
    },
    /** Changes one server's entry. */
    edit(name: string, change: (server: ServerConfig) => void) {
      live.change((draft) => change(draft.mcpServers.find((s) => s.name === name)!));
    },
    close,
  };
}
export type TestUpstreams = ReturnType<typeof testUpstreams>;

/** Waits until a condition holds, with a check every few milliseconds; on timeout it fails with the description. */
export async function until(what: string, holds: () => unknown, timeoutMs = 60_000): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await new Promise((done) => setTimeout(done, 10));
  }
}

/** A server entry that runs `test/programs/upstream-stdio.mjs`. */
export function stdioServer(name: string, ...flags: string[]): Entry {
  return { name, command: process.execPath, args: ["test/programs/upstream-stdio.mjs", "--name", name, ...flags] };
}

export interface Listening {
  url: string;
  pid: number;
  process: ChildProcess;
  /** Kills the program and waits for its end. */
  kill(): Promise<void>;
}

/** Starts `test/programs/<program>` and waits for its URL. */
export async function startProgram(program: string, ...flags: string[]): Promise<Listening> {
  const child = spawn(process.execPath, [`test/programs/${program}`, ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const line = await new Promise<string>((done, fail) => {
    createInterface({ input: child.stdout }).once("line", done);
    child.once("exit", (code) => fail(new Error(`${program} exited with code ${code}`)));
  });
  const { url, pid } = JSON.parse(line) as { url: string; pid: number };
  const kill = async () => {
    atEnd.delete(kill);
    child.kill("SIGKILL");
    await ended;
  };
  atEnd.add(kill);
  return { url, pid, process: child, kill };
}

/** The text of the first content block of a tool's result. */
export function textOf(reply: { result: unknown }): string {
  const { content } = reply.result as { content: { text: string }[] };
  return content[0]?.text ?? "";
}

/** Calls a tool; default timeout two minutes. */
export function callTool(upstream: Upstream, name: string, args: Record<string, unknown> = {}, timeoutMs = 120_000) {
  return upstream.request("tools/call", { name, arguments: args }, { timeoutMs });
}

/** A request that `upstream-http.mjs` received. */
interface Seen {
  method: string;
  url: string;
  headers: Record<string, string>;
}

/** The requests that `upstream-http.mjs` received so far. */
export async function seen(program: Listening): Promise<Seen[]> {
  const text = await (await fetch(new URL("/requests", program.url))).text();
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Seen);
}
