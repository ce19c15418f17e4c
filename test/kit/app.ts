import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { router } from "#handlers/router.ts";
import type { App } from "#lib/core/app.ts";
import type { Clock } from "#lib/core/base/clock.ts";
import type { ServerConfig } from "#lib/core/config/config-keys.ts";
import type { RawTool } from "#lib/core/schema/mcp.ts";
import type { ApprovalRow, ApprovalStatus } from "#lib/core/schema/tool.ts";
import { type AppOptions, createApp } from "#lib/create-app.ts";
import { listen } from "#lib/daemon/listen.ts";
import { putApprovals } from "./store.ts";

/** The administrator key of every test app. */
export const TEST_KEY = "test-key-0123456789abcdef";

export interface TestOptions {
  /** Top-level configuration keys that override the defaults; by default port 0 and no socket. */
  config?: Readonly<Record<string, unknown>>;
  /** The servers; `quarantined` is false by default, so that a test's tools are usable. */
  servers?: readonly (Partial<ServerConfig> & { name: string })[];
  /** Known tools by `server:tool`, as if listed: their approval status, or the definition with its status. */
  tools?: Readonly<Record<string, ApprovalStatus | (Partial<RawTool> & { status?: ApprovalStatus })>>;
  clock?: Clock;
  env?: Readonly<Record<string, string>>;
  /** Whether the configured servers are really connected; default true. */
  connect?: boolean;
  /** An existing data directory, which `close()` does not remove. */
  dir?: string;
  /** Needed to share the processes of servers with other replicas. */
  watchdogs?: AppOptions["watchdogs"];
  /** Standard output; absent while MCP uses it. */
  stdout?: Writable;
}

export type TestApp = App & {
  /** The data directory. */
  readonly dir: string;
  /** Closes everything and removes the data directory. */
  close(): Promise<void>;
};

/** Opens a real App with a temporary data directory, as `proxy serve` would, without listeners. */
export async function testApp(options: TestOptions = {}): Promise<TestApp> {
  const dir = options.dir ?? mkdtempSync(join(tmpdir(), "proxy-"));
  const forget = () => {
    if (options.dir === undefined) rmSync(dir, { recursive: true, force: true });
  };
  const configPath = join(dir, "mcp_config.json");
  const document = {
    listen: "127.0.0.1:0",
    enable_socket: false,
    api_key: TEST_KEY,
    ...options.config,
    mcpServers: (options.servers ?? []).map((s) => ({ quarantined: false, ...s })),
  };
  writeFileSync(configPath, JSON.stringify(document, null, 2), { mode: 0o600 });
  const app = await createApp({
    version: "0.0.0-test",
    env: { PATH: process.env.PATH, HOME: dir, ...options.env },
    configPath,
    dataDir: dir,
    connect: options.connect ?? true,
    logTo: process.env.PROXY_TEST_LOG ? process.stderr : new Writable({ write: (_, __, done) => done() }),
    keyring: () => Promise.reject(new Error("tests use no keyring")),
    ...(options.clock && { clock: options.clock }),
    watchdogs: options.watchdogs,
    auditTo: options.stdout,
  }).catch((refused) => {
    forget();
    throw refused;
  });
  await know(app, options.tools ?? {});
  const { close } = app;
  return Object.assign(app, {
    dir,
    async close() {
      await close();
      forget();
    },
  });
}

/** Opens an App for the duration of `fn` and always closes it. */
export async function withApp<T>(options: TestOptions, fn: (app: TestApp) => Promise<T>): Promise<T> {
  const app = await testApp(options);
  try {
    return await fn(app);
  } finally {
    await app.close();
  }
}

/** Serves the real router on a free port of 127.0.0.1, with the real listener's limits and timeouts. */
export async function listenTest(app: App): Promise<{ url: string; key: string; close(): Promise<void> }> {
  const handlers = router(app);
  const listeners = await listen(app, handlers);
  return {
    url: `${app.config.current().tls.enabled ? "https" : "http"}://${app.boot.listenAddr}`,
    key: TEST_KEY,
    async close() {
      await handlers.close();
      await listeners.close();
    },
  };
}

/** Serves an App until the tests of a file have ended, and returns the environment in which command lines reach it. */
export async function listenForCli(t: { after(fn: () => Promise<void>): void }, app: TestApp) {
  const { close, ...daemon } = await listenTest(app);
  t.after(async () => {
    await close();
    await app.close();
  });
  return { ...daemon, env: { SERVICE_URL: daemon.url, SERVICE_API_KEY: daemon.key } };
}

/** Adds tools to the catalog as if listed, then sets the approval status of each. */
async function know(app: App, tools: NonNullable<TestOptions["tools"]>): Promise<void> {
  const byServer = new Map<string, { raw: RawTool; status: ApprovalStatus }[]>();
  for (const [id, wanted] of Object.entries(tools)) {
    const server = id.slice(0, id.indexOf(":"));
    const name = id.slice(server.length + 1);
    const { status = "approved", ...tool } = typeof wanted === "string" ? { status: wanted } : wanted;
    const raw: RawTool = { name, description: `does ${name}`, inputSchema: { type: "object" }, ...tool };
    byServer.set(server, [...(byServer.get(server) ?? []), { raw, status }]);
  }
  for (const [server, list] of byServer) {
    await app.catalog.acceptListing(
      server,
      list.map(({ raw }) => raw),
    );
    await putApprovals(
      app.store.approvals,
      list.map(({ raw, status }) => settled(app, server, raw.name, status)),
    );
    app.catalog.reloadApprovals(server);
  }
}

function settled(app: App, server: string, tool: string, status: ApprovalStatus): ApprovalRow {
  const row = app.store.approvals.get(server, tool);
  if (!row) throw new Error(`no approval record for ${server}:${tool}; is the server configured?`);
  const { approved: _, approvedHash: __, ...rest } = row;
  if (status === "pending") return { ...rest, status };
  if (status === "approved") return { ...rest, status, approved: row.current, approvedHash: row.currentHash };
  const before = { ...row.current, description: `before: ${row.current.description}` };
  return { ...rest, status, approved: before, approvedHash: `sha256/v2:${"0".repeat(64)}` };
}
