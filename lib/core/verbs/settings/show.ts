import type { App } from "../../app.ts";
import type { JsonObject } from "../../base/json-object.ts";
import { inScope } from "../../policy/scope.ts";
import type { Caller, Scope } from "../../schema/caller.ts";
import { maskConfig } from "../../secrets/mask/config.ts";

/** The configuration as somebody may see it. */
interface ShownSettings {
  /** What the file says, defaults filled in, always masked. */
  config: JsonObject;
  /** For administrators. */
  config_path?: string;
  revision: string;
  /** What environment or command line say instead, masked; never written into the file. */
  overrides: JsonObject;
  /** Restart-gated keys whose value in the file is not the one in force. */
  pending_restart: string[];
  unknown_keys: string[];
  /** Why the last edit by hand was refused. */
  problem?: string;
}

/** Secrets are masked for everybody, whatever `reveal_secret_headers` says; servers out of scope are left out. */
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

/** Groups and their servers are nobody's business but an administrator's. */
function narrowed({ server_edition: _, ...document }: JsonObject, scope: Scope): JsonObject {
  if (scope.servers === "all") return document;
  const sees = (name: string) => inScope(scope, name);
  const servers = (document.mcpServers as Named[]).filter(({ name }) => sees(name));
  const profiles = (document.profiles as Named[])
    .map((profile) => ({ ...profile, servers: (profile.servers ?? []).filter(sees) }))
    .filter((profile) => profile.servers.length > 0);
  return { ...document, mcpServers: servers, profiles };
}
