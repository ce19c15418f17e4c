import type { App } from "../../app.ts";
import type { JsonObject } from "../../base/json-object.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller, Scope } from "../../schema/caller.ts";
import { maskConfig } from "../../secrets/mask/config.ts";

/** The configuration as a caller may see it. */
interface ShownSettings {
  /** The content of the file with defaults, always masked. */
  config: JsonObject;
  /** For administrators. */
  config_path?: string;
  revision: string;
  /** Values from the environment or the command line that override the file, masked; never written into the file. */
  overrides: JsonObject;
  /** Keys that need a restart and whose value in the file differs from the value in effect. */
  pending_restart: string[];
  unknown_keys: string[];
  /** Why the last manual edit of the file was rejected. */
  problem?: string;
}

/** Secrets are masked for every caller, regardless of `reveal_secret_headers`; servers out of scope are omitted. */
export function showSettings({ config }: App, { scope, tier }: Caller): ShownSettings {
  const problem = tier === "admin" ? config.problem() : undefined;
  const file = config.file() as unknown as JsonObject;
  return {
    config: maskConfig(tier === "admin" ? file : narrowed(file, scope)),
    ...(tier === "admin" && { config_path: config.path }),
    revision: config.revision(),
    overrides: tier === "admin" ? maskConfig(config.overrides()) : {},
    pending_restart: [...config.pendingRestart()],
    unknown_keys: tier === "admin" ? [...config.unknownKeys()] : [],
    ...(problem !== undefined && { problem }),
  };
}

interface Named {
  name: string;
  servers?: readonly string[];
}

/** Only administrators see groups and their servers. */
function narrowed({ server_edition: _, ...document }: JsonObject, scope: Scope): JsonObject {
  if (scope.servers === "all") return document;
  const sees = (name: string) => inScope(scope, name);
  const servers = (document.mcpServers as Named[]).filter(({ name }) => sees(name));
  const profiles = (document.profiles as Named[])
    .map((profile) => ({ ...profile, servers: (profile.servers ?? []).filter(sees) }))
    .filter((profile) => profile.servers.length > 0);
  return { ...document, mcpServers: servers, profiles };
}
