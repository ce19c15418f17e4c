import type { Config, ServerConfig } from "../../core/config/config-keys.ts";
import { commandName, imageFor, isEngineClient, type Runtime, runtimeOf } from "./runtime.ts";

/** How a server with a command is run. */
export type IsolationPlan =
  | { readonly how: "plain"; readonly why: string }
  | ({ readonly how: "container" } & Terms)
  | ({ readonly how: "sandbox" } & Terms);

/** The resources that an isolated server may use. */
export interface Terms {
  readonly runtime: Runtime;
  readonly image: string;
  /** Registry for image names without one. */
  readonly registry: string;
  readonly network: string;
  readonly memory: string;
  readonly processors: string;
  readonly extraArgs: readonly string[];
  /** Working directory inside the container or sandbox. */
  readonly workingDir: string | undefined;
  readonly keepCaches: boolean;
  readonly log: { readonly driver: string | undefined; readonly maxSize: string; readonly maxFiles: string };
}

type Settings = Config["docker_isolation"];

/** Whether a server is isolated, and how (spec 000 §2.3, reference 4.6). */
export function isolationPlan(server: Pick<ServerConfig, "command" | "isolation">, settings: Settings): IsolationPlan {
  const { command, isolation = {} } = server;
  if (!command) return { how: "plain", why: "it has no command" };
  if (!(isolation.enabled_override ?? isolation.enabled ?? settings.enabled))
    return { how: "plain", why: "isolation is disabled" };
  const mode = isolation.mode ?? settings.mode;
  if (mode === "none") return { how: "plain", why: "its mode is none" };
  if (isEngineClient(command)) return { how: "plain", why: `${commandName(command)} starts a container of its own` };
  const terms = { ...termsOf(server, settings) };
  return mode === "sandbox"
    ? // A sandbox has this machine's network or none, so any other general setting means none.
      {
        how: "sandbox",
        ...terms,
        network: isolation.network_mode ?? (settings.network_mode === "host" ? "host" : "none"),
      }
    : { how: "container", ...terms };
}

/** The settings that apply to a server when it is isolated. */
export function termsOf(
  { command = "", isolation = {} }: Pick<ServerConfig, "command" | "isolation">,
  settings: Settings,
): Terms {
  return {
    runtime: runtimeOf(command),
    image: isolation.image || imageFor(command, settings.default_images),
    registry: settings.registry,
    network: isolation.network_mode || settings.network_mode,
    memory: isolation.memory_limit || settings.memory_limit,
    processors: isolation.cpu_limit || settings.cpu_limit,
    extraArgs: [...settings.extra_args, ...(isolation.extra_args ?? [])],
    workingDir: isolation.working_dir || undefined,
    keepCaches: settings.enable_cache_volume,
    log: { driver: settings.log_driver || undefined, maxSize: settings.log_max_size, maxFiles: settings.log_max_files },
  };
}
