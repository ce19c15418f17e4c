import type { Config, ServerConfig } from "../../core/config/config-keys.ts";
import type { IsolationDefaults } from "../../core/schema/server-record.ts";
import { maskArgs } from "../../core/secrets/mask/args.ts";
import { termsOf } from "./plan.ts";

/**
 * What holds for a server with a command as long as its own `isolation` says nothing else (reference 1.4), so that a form
 * can show what an empty field means. Arguments are masked as those of any command line.
 */
export function isolationDefaults(
  { command }: Pick<ServerConfig, "command">,
  settings: Config["docker_isolation"],
): IsolationDefaults | undefined {
  if (command === undefined) return undefined;
  const { runtime, image, network, memory, processors, extraArgs } = termsOf({ command }, settings);
  return {
    enabled: settings.enabled,
    mode: settings.mode,
    runtime_type: runtime,
    image,
    network_mode: network,
    memory_limit: memory,
    cpu_limit: processors,
    extra_args: maskArgs(extraArgs),
  };
}
