import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isExecutable } from "#lib/core/base/asset.ts";
import { reasonOf } from "#lib/core/base/fault.ts";
import { currentWorker } from "#lib/core/base/worker.ts";
import type { FromWorker } from "#lib/core/extension/supervisor.ts";
import type { AppOptions } from "#lib/create-app.ts";
import { addDemoServer } from "#lib/modules/demo/add.ts";
import { certFiles, certsDir } from "#lib/modules/tls/files.ts";
import type { Globals } from "../args.ts";
import type { Cli } from "../cli.ts";
import { command } from "../command.ts";
import { DEMO_DATA_DIR, freeAddress } from "../demo.ts";
import { endHungUp } from "../end-hung-up.ts";
import { EXIT, UsageError } from "../exit.ts";
import { greeting } from "../greeting.ts";
import type { Daemon } from "../open-daemon.ts";
import { selfCommand, selfName } from "../self.ts";
import { version } from "../version.ts";

/** How long the start message waits for the demo server, so that a first call succeeds (ms). */
const DEMO_READY_MS = 5000;

const MAX_WORKERS = 256;
const MODES = ["retrieve_tools", "direct", "code_execution"] as const;

export default command({
  meta: {
    group: "run",
    description: "Run the proxy",
    detail:
      "Flags override the environment, which overrides the configuration file. The proxy never writes these overrides to the file.",
    examples: ["proxy serve --demo", "proxy serve --listen 127.0.0.1:9000 --read-only", "proxy serve --workers auto"],
  },
  args: {
    listen: {
      type: "string",
      alias: "l",
      valueHint: "host:port",
      description: "address of the HTTP listener (127.0.0.1:8080)",
    },
    socket: { type: "boolean", description: "listen on a local socket for administrators; --no-socket: do not" },
    demo: {
      type: "boolean",
      description: `run with the demo server, in ${DEMO_DATA_DIR} unless --data-dir is set`,
    },
    init: { type: "boolean", description: "create the file named by --config if it does not exist" },
    workers: {
      type: "string",
      valueHint: "number|auto",
      description: "number of processes that serve together; auto: one for each core; needs cluster.database_url",
    },
    stdio: { type: "boolean", description: "serve MCP on standard input and output; no HTTP unless --listen is set" },
    "routing-mode": {
      type: "enum",
      valueHint: "mode",
      options: MODES,
      description: `routing mode of /mcp: ${MODES.join(", ")}`,
    },
    "require-mcp-auth": { type: "boolean", description: "reject MCP clients without a credential" },
    "read-only": { type: "boolean", description: "reject every change of the configuration and the servers" },
    "disable-management": { type: "boolean", description: "hide upstream_servers from MCP clients" },
  },
  async run({ cli, args }) {
    const { demo = false, stdio = false } = args;
    const worker = currentWorker(cli.env);
    const count = worker ? 1 : workerCount(args.workers ?? cli.env.SERVICE_WORKERS, { demo, stdio });
    if (count > 1) return superviseWorkers(cli, count);
    const { openDaemon } = await import("../open-daemon.ts");
    const fatal = new AbortController();
    const onFatal = (error: Error) => fatal.abort(error);
    const daemon = await openDaemon(
      { ...(await wishes(cli, args)), onFatal, worker, ...(!stdio && { auditTo: process.stdout }) },
      stdio,
    );
    const { onDefects } = await import("#lib/daemon/defects.ts");
    onDefects({ log: daemon.app.log, stop: daemon.end, exit: (code) => process.exit(code) });
    const ended = stdio ? speak(daemon, cli) : untilSignal(daemon, cli.signal);
    if (demo) await startDemo(daemon);
    const { app } = daemon;
    const servers = app.config.current().mcpServers.map((s) => s.name);
    const { ca } = certFiles(certsDir(app));
    const authority = app.config.current().tls.enabled ? (existsSync(ca) ? ca : "") : undefined;
    const over = Promise.race([ended, untilFatal(daemon, fatal.signal)]);
    if (worker) {
      process.send?.({ type: "ready" } satisfies FromWorker);
      // The channel to the supervisor would keep the process running.
      void over.then((code) => (code === EXIT.hungUp ? endHungUp() : process.exit(code)));
    }
    if (worker && !worker.isFirst) return over;
    cli.note(greeting({ boot: app.boot, configPath: app.config.path, name: selfName(), servers, demo, authority }));
    return over;
  },
});

/** @throws UsageError */
function workerCount(wanted: string | undefined, { demo, stdio }: { demo: boolean; stdio: boolean }): number {
  if (wanted === undefined || wanted === "") return 1;
  const count = wanted === "auto" ? availableParallelism() : /^[1-9]\d{0,2}$/.test(wanted) ? Number(wanted) : 0;
  if (count < 1 || count > MAX_WORKERS)
    throw new UsageError(`--workers must be a number from 1 to ${MAX_WORKERS}, or auto`);
  if (count > 1 && (demo || stdio))
    throw new UsageError(`--workers cannot be used with ${demo ? "--demo" : "--stdio"}`);
  return count;
}

/** Runs workers with the same command line, until a signal stops them. */
async function superviseWorkers({ env, note }: Cli, count: number): Promise<number> {
  const { supervise } = await import("#lib/daemon/workers/supervise.ts");
  const [, ...words] = selfCommand(...process.argv.slice(2));
  return await supervise({
    count,
    words,
    // The executable sets the options of Node itself.
    execArgv: isExecutable() ? [] : process.execArgv,
    env,
    note,
  });
}

interface ServeFlags {
  listen: string | undefined;
  socket: boolean | undefined;
  demo: boolean | undefined;
  init: boolean | undefined;
  stdio: boolean | undefined;
  "routing-mode": (typeof MODES)[number] | undefined;
  "require-mcp-auth": boolean | undefined;
  "read-only": boolean | undefined;
  "disable-management": boolean | undefined;
}

async function wishes({ env, globals }: Cli, flags: ServeFlags): Promise<AppOptions> {
  const { demo } = flags;
  const dataDir = globals.dataDir ?? (demo && !globals.config && !env.SERVICE_DATA ? DEMO_DATA_DIR : undefined);
  return {
    version,
    env,
    flags: overrides(flags, await address(flags, env.SERVICE_LISTEN), globals.logLevel),
    ...(globals.config !== undefined && { configPath: globals.config }),
    ...(flags.init && { initConfig: true }),
    ...(dataDir !== undefined && { dataDir }),
  };
}

/**
 * The listen address. A demo uses a free port, so that it can run beside another proxy; MCP over standard streams uses
 * none.
 */
async function address({ listen, demo, stdio }: ServeFlags, fromEnv: string | undefined): Promise<string | undefined> {
  if (listen !== undefined || fromEnv) return listen;
  if (stdio) return "";
  return demo ? freeAddress({ host: "127.0.0.1", port: 8080 }) : undefined;
}

/** Converts the flags to a part of the configuration. */
function overrides(flags: ServeFlags, listen: string | undefined, level: Globals["logLevel"]): Record<string, unknown> {
  const info = {
    listen,
    enable_socket: flags.socket,
    routing_mode: flags["routing-mode"],
    require_mcp_auth: flags["require-mcp-auth"],
    read_only_mode: flags["read-only"],
    disable_management: flags["disable-management"],
    logging: level && { level },
  };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}

async function startDemo({ app, end }: Daemon): Promise<void> {
  try {
    await addDemoServer(app.config, app.boot.self);
  } catch (error) {
    await end("the start failed");
    throw error;
  }
  // The demo server may be disabled; then there is nothing to wait for.
  const demo = app.upstreams.get("demo");
  if (!demo) return;
  const ready = demo.ensureReady(DEMO_READY_MS).then(() => demo.discover("the demo starts"));
  app.log.catch("starting the demo server", ready);
  await ready.catch(() => undefined);
}

/** @returns the exit code, after a signal stopped the daemon gracefully */
async function untilSignal({ app, end }: Daemon, interrupted: AbortSignal): Promise<number> {
  const { onSignals } = await import("#lib/daemon/stop.ts");
  return new Promise((done) => {
    // The command line has received a signal that arrived during the start.
    if (interrupted.aborted) void end("interrupted during the start").then(() => done(0));
    const exit = (code: number) => (code === 0 || code === EXIT.hungUp ? done(code) : process.exit(code));
    onSignals({ log: app.log, stop: end, exit });
  });
}

/** @returns the exit code, after the daemon had to stop because it can no longer work with its database */
async function untilFatal({ app, end }: Daemon, fatal: AbortSignal): Promise<number> {
  if (!fatal.aborted) await new Promise((done) => fatal.addEventListener("abort", done, { once: true }));
  app.log.error(`the proxy exits: ${reasonOf(fatal.reason)}`);
  await end("the database cannot be used any more");
  return 1;
}

/** Serves MCP on standard streams until the client closes them or a signal arrives. */
async function speak(daemon: Daemon, { stdin, signal }: Cli): Promise<number> {
  const { app, end } = daemon;
  const { serveStdio } = await import("#lib/daemon/stdio.ts");
  const { tools } = await import("#handlers/mcp.gen.ts");
  const mode = app.boot.routingMode;
  const closed = serveStdio(app, { mode, tools, input: stdin, output: process.stdout }).then(() =>
    end("standard input ended"),
  );
  return Promise.race([closed.then(() => 0), untilSignal(daemon, signal)]);
}
