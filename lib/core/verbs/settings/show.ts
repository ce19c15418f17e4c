import type { App } from "../../app.ts";
import type { JsonObject } from "../../base/json-object.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller, Scope } from "../../schema/caller.ts";
import type { ShownSettings } from "../../schema/shown-settings.ts";
import { maskConfig } from "../../secrets/mask/config.ts";

/**
 * Returns the configuration. Secrets are masked for every caller, regardless of `reveal_secret_headers`; servers out of
 * the caller's scope are omitted.
 */
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

/** Removes what a limited caller may not see. Only administrators see groups and their servers. */
function narrowed({ server_edition: _, ...document }: JsonObject, scope: Scope): JsonObject {
  if (scope.servers === "all") return document;
  const sees = (name: string) => inScope(scope, name);
  const servers = (document.mcpServers as Named[]).filter(({ name }) => sees(name));
  const profiles = (document.profiles as Named[])
    .map((profile) => ({ ...profile, servers: (profile.servers ?? []).filter(sees) }))
    .filter((profile) => profile.servers.length > 0);
  return { ...document, mcpServers: servers, profiles };
}
