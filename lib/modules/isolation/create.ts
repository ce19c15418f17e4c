import { homedir } from "node:os";
import { durationMs } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { LiveConfig } from "../../core/config/live-config.ts";
import type { Logger } from "../../core/log/logger.ts";
import { UpstreamError } from "../../core/upstream/errors.ts";
import type { LaunchRequest } from "../../core/upstream/launcher.ts";
import type { ServerProcess } from "../../core/upstream/stdio/start-process.ts";
import type { Engine } from "./container/engine.ts";
import { engineSockets } from "./container/engine-address.ts";
import { removeEarlier } from "./container/remove.ts";
import { startContainer } from "./container.ts";
import { volumeOf } from "./container-body.ts";
import { readExtraArgs } from "./extra-args.ts";
import { hiddenPaths } from "./hidden-paths.ts";
import type { Isolation } from "./isolation.ts";
import type { Guarded } from "./isolation-breach.ts";
import { isolationDefaults } from "./isolation-defaults.ts";
import { type IsolationPlan, isolationPlan, type Terms } from "./plan.ts";
import { findSandbox, type SandboxTools } from "./sandbox-tools.ts";
import { hiddenPathHint, removeHome, startSandboxed } from "./sandboxed.ts";

interface IsolationOptions {
  config: Pick<LiveConfig, "current" | "dataDir">;
  engine: Engine;
  env: Readonly<Record<string, string | undefined>>;
  log: Logger;
}

/** Timeout from creating a container to running it, if the configured value is invalid (ms). */
const START_MS = 30_000;
/** Timeout of a request to the engine; a working one takes much less (ms). */
const ORDER_MS = 10_000;

export function createIsolation({ config, engine, env, log }: IsolationOptions): Isolation {
  const { dataDir } = config;
  const { mark } = engine;
  const guarded: Guarded = { dataDir, home: env.HOME || homedir(), sockets: engineSockets(env) };
  let tools: Promise<SandboxTools | string> | undefined;
  const sandboxTools = () => {
    tools ??= findSandbox(env);
    return tools;
  };
  const settings = () => config.current().docker_isolation;

  let sweeping: Promise<void> | undefined;
  /** Removes the containers of earlier runs once; if that fails, it is repeated before the next container starts. */
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

  const contained = async (terms: Terms, { server, target, signal, onLine }: LaunchRequest): Promise<ServerProcess> => {
    const api = await engine.api();
    if (!api) {
      const { error = "none is available" } = await engine.state();
      throw new EngineGone(error);
    }
    await swept();
    const timeoutMs = durationMs(settings().timeout) ?? START_MS;
    try {
      const boundPaths = readExtraArgs(terms.extraArgs).binds.map(({ to }) => to);
      const folders = [...boundPaths, ...(target.workingDir === undefined ? [] : [target.workingDir])];
      for (const path of hiddenPaths(target.args, folders)) onLine(hiddenPathHint(path));
      return await startContainer(
        api,
        { server: server.name, mark, terms, target, guarded },
        { signal, onLine, timeoutMs, fetching: engine.fetching },
      );
    } catch (error) {
      signal.throwIfAborted();
      throw new UpstreamError(`its container: ${reasonOf(error)}`, { cause: error });
    }
  };

  const sandboxed = async (terms: Terms, options: LaunchRequest): Promise<ServerProcess> => {
    const tools = await sandboxTools();
    if (typeof tools === "string") throw new SandboxGone(tools);
    return startSandboxed(terms, options, { tools, instance: mark.instance, guarded, path: env.PATH ?? "" });
  };

  const isolate = async (
    plan: Exclude<IsolationPlan, { how: "plain" }>,
    options: LaunchRequest,
  ): Promise<ServerProcess> => {
    if (plan.how === "sandbox") return sandboxed(plan, options);
    try {
      return await contained(plan, options);
    } catch (error) {
      const { fallback } = settings();
      if (!(error instanceof EngineGone) || fallback === "refuse") throw error;
      options.onLine(
        `${error.message}; it runs ${fallback === "sandbox" ? "in the light sandbox" : "without isolation"} instead`,
      );
      if (fallback === "run") return options.plain(options.target);
      return sandboxed({ ...plan, network: options.server.isolation?.network_mode ?? "none" }, options);
    }
  };

  return {
    plan: (server) => isolationPlan(server, settings()),
    start(options) {
      const plan = isolationPlan(options.server, settings());
      return plan.how === "plain" ? options.plain(options.target) : isolate(plan, options);
    },
    async forget(server) {
      const volume = settings().enabled || sweeping !== undefined ? await engine.api() : undefined;
      const signal = AbortSignal.timeout(ORDER_MS);
      const name = volumeOf(mark.instance, server);
      await Promise.all([
        removeHome(dataDir, server),
        volume?.ask("DELETE", `/volumes/${name}?force=1`, { signal }),
      ]).catch((error) => log.warn(`the stored home of "${server}" could not be removed: ${reasonOf(error)}`));
    },
    async sweep() {
      if (containersWanted(config)) await swept();
    },
    defaults: (server) => isolationDefaults(server, settings()),
    onEngine: (listener) => engine.onUse((place) => listener({ run: mark.run, place })),
    async lacksSandbox() {
      const found = await sandboxTools();
      return typeof found === "string" ? found : undefined;
    },
  };
}

/** Whether any server is configured to run in a container. */
export function containersWanted({ current }: Pick<LiveConfig, "current">): boolean {
  const { docker_isolation, mcpServers } = current();
  return mcpServers.some((server) => isolationPlan(server, docker_isolation).how === "container");
}

class EngineGone extends UpstreamError {
  constructor(reason: string) {
    super(
      `it should run in a container, but no container engine is available (${reason}); start Docker or Podman, or set ` +
        "docker_isolation.fallback or its isolation.enabled_override",
      { failureCause: "no_container_engine" },
    );
  }
}

class SandboxGone extends UpstreamError {
  constructor(reason: string) {
    super(`it should run in a sandbox, but ${reason}; install it, or set its isolation.enabled_override to false`);
  }
}
