import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { durationMs } from "../base/clock.ts";
import { reasonOf } from "../base/fault.ts";
import type { LiveConfig } from "../config/live.ts";
import type { Engine } from "../container/engine.ts";
import { removeEarlier } from "../container/remove.ts";
import type { Logger } from "../log/log.ts";
import type { Child } from "../upstream/child.ts";
import { UpstreamError } from "../upstream/failures.ts";
import { makeCell } from "./cgroup.ts";
import { startContainer } from "./container.ts";
import { slug } from "./container-body.ts";
import type { Isolation, StartIsolated } from "./isolation.ts";
import { bytesOf, MOST_PROCESSES, processorsOf } from "./limits.ts";
import { type Plan, planOf, type Terms } from "./plan.ts";
import { bubblewrap, programFolders, type Reach, seatbelt } from "./sandbox.ts";
import { findSandbox, type SandboxTools } from "./tools.ts";

export interface IsolationOptions {
  config: Pick<LiveConfig, "current" | "dataDir">;
  engine: Engine;
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

/** From the created container to the running one, where the configuration says nothing readable. (ms) */
const START_MS = 30_000;

export function createIsolation({ config, engine, env, log }: IsolationOptions): Isolation {
  const { dataDir } = config;
  const { mark } = engine;
  let tools: Promise<SandboxTools | string> | undefined;
  const sandboxTools = () => {
    tools ??= findSandbox(env);
    return tools;
  };
  const settings = () => config.current().docker_isolation;

  let sweeping: Promise<void> | undefined;
  /** Once; what could not be swept is swept before the next container starts. */
  const swept = () => {
    sweeping ??= sweepNow().catch((error) => {
      sweeping = undefined;
      log.warn(`containers of an earlier run could not be removed: ${reasonOf(error)}`);
    });
    return sweeping;
  };
  const sweepNow = async () => {
    const api = await engine.api();
    if (!api) {
      sweeping = undefined;
      return;
    }
    const n = await removeEarlier(api, mark);
    if (n > 0) log.info(`${n} container(s) of an earlier run were removed`);
  };

  const contained = async (terms: Terms, { server, target, signal, onLine }: StartIsolated): Promise<Child> => {
    const api = await engine.api();
    if (!api) {
      const { error = "none answers" } = await engine.state();
      throw new EngineGone(error);
    }
    await swept();
    const timeoutMs = durationMs(settings().timeout) ?? START_MS;
    try {
      return await startContainer(api, { server: server.name, mark, terms, target }, { signal, onLine, timeoutMs });
    } catch (error) {
      signal.throwIfAborted();
      throw new UpstreamError(`its container: ${reasonOf(error)}`, { cause: error });
    }
  };

  const sandboxed = async (terms: Terms, options: StartIsolated): Promise<Child> => {
    const { server, target, plain } = options;
    const found = await sandboxTools();
    if (typeof found === "string") throw new SandboxGone(found);
    const home = env.HOME || homedir();
    const ownHome = join(dataDir, "sandbox", slug(server.name));
    mkdirSync(ownHome, { recursive: true, mode: 0o700 });
    const { command, args, workingDir } = target;
    const reach: Reach = {
      command,
      args,
      home,
      ownHome,
      hidden: [dataDir],
      workingDir,
      programs: programFolders(command, target.env, home),
      network: terms.network !== "none",
    };
    const bounds = {
      memoryBytes: bytesOf(terms.memory),
      processors: processorsOf(terms.processors),
      processes: MOST_PROCESSES,
    };
    const line =
      found.kind === "bubblewrap"
        ? bubblewrap(found.path, reach)
        : [found.path, "-p", seatbelt(reach), command, ...args];
    const cell = found.kind === "bubblewrap" ? makeCell(mark.instance, slug(server.name), bounds) : undefined;
    const limited =
      found.prlimit && bounds.memoryBytes !== undefined && !cell
        ? [found.prlimit, `--data=${bounds.memoryBytes}`, `--nproc=${MOST_PROCESSES}`, "--", ...line]
        : line;
    const entered = cell
      ? ["/bin/sh", "-c", ENTER, "sh", String(cell.doors.length), ...cell.doors, ...limited]
      : limited;
    const [program = "", ...rest] = entered;
    // On macOS a process keeps its home's name, so its own is told to it.
    const own = found.kind === "sandbox-exec" ? { ...target.env, HOME: ownHome } : target.env;
    const child = await plain({ command: program, args: rest, env: own, workingDir: undefined });
    return {
      ...child,
      async end() {
        await child.end();
        cell?.remove();
      },
    };
  };

  const isolate = async (plan: Exclude<Plan, { how: "plain" }>, options: StartIsolated): Promise<Child> => {
    if (plan.how === "sandbox") return sandboxed(plan, options);
    try {
      return await contained(plan, options);
    } catch (error) {
      const { fallback } = settings();
      if (!(error instanceof EngineGone) || fallback === "refuse") throw error;
      options.onLine(
        `${error.message}; it runs ${fallback === "sandbox" ? "in the light sandbox" : "unconfined"} instead`,
      );
      if (fallback === "run") return options.plain(options.target);
      return sandboxed({ ...plan, network: options.server.isolation?.network_mode ?? "none" }, options);
    }
  };

  return {
    plan: (server) => planOf(server, settings()),
    start(options) {
      const plan = planOf(options.server, settings());
      return plan.how === "plain" ? options.plain(options.target) : isolate(plan, options);
    },
    async sweep() {
      if (containersWanted(config)) await swept();
    },
    async lacksSandbox() {
      const found = await sandboxTools();
      return typeof found === "string" ? found : undefined;
    },
  };
}

/** Whether any server is to run in a container. */
export function containersWanted({ current }: Pick<LiveConfig, "current">): boolean {
  const { docker_isolation, mcpServers } = current();
  return mcpServers.some((server) => planOf(server, docker_isolation).how === "container");
}

/** Joins each control group, then becomes the command. */
const ENTER = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1"; shift; n=$((n - 1)); done; exec "$@"';

class EngineGone extends UpstreamError {
  constructor(reason: string) {
    super(
      `it is to run in a container, but there is no container engine (${reason}); start Docker or Podman, or set ` +
        "docker_isolation.fallback or its isolation.enabled_override",
    );
  }
}

class SandboxGone extends UpstreamError {
  constructor(reason: string) {
    super(`it is to run in a sandbox, but ${reason}; install it, or set its isolation.enabled_override to false`);
  }
}
