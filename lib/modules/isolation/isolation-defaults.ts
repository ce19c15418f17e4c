import type { Config, ServerConfig } from "../../core/config/config-keys.ts";
import type { IsolationDefaults } from "../../core/schema/server-record.ts";
import { maskArgs } from "../../core/secrets/mask/args.ts";
import { termsOf } from "./plan.ts";

/**
 * The settings that apply to a server with a command where its own `isolation` does not set them (reference 1.4), so
 * that a form can show what an empty field means. Secrets in arguments are masked as on any command line.
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
