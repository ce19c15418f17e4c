import type { App } from "../../app.ts";
import { narrowScope } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";
import type { ProfileRecord } from "../../schema/profile-record.ts";

/**
 * Lists the profiles that a caller may see. A limited caller does not see a profile that contains none of its servers.
 */
export function listProfiles(app: App, { scope, tier }: Caller): ProfileRecord[] {
  const serverNames = new Set(app.config.current().mcpServers.map(({ name }) => name));
  const current = activeProfile(app);
  return app.config.current().profiles.flatMap((profile) => {
    const { servers: within } = narrowScope(scope, profile);
    const servers = profile.servers.filter((name) => serverNames.has(name) && (within === "all" || within.has(name)));
    if (tier !== "admin" && servers.length === 0) return [];
    const tools = servers.flatMap((name) => app.catalog.of(name).filter(({ present }) => present));
    return {
      name: profile.name,
      servers,
      unknown_servers: tier === "admin" ? profile.servers.filter((name) => !serverNames.has(name)) : [],
      tool_count: tools.length,
      active: profile.name === current,
    };
  });
}

/** The key under which the active profile is stored. */
export const ACTIVE_PROFILE_KEY = "active_profile";

/** Returns the default profile of views; empty for all servers, also if the stored profile no longer exists. */
export function activeProfile({ store, config }: Pick<App, "store" | "config">): string {
  const kept = store.meta.get(ACTIVE_PROFILE_KEY);
  return config.current().profiles.some(({ name }) => name === kept) ? String(kept) : "";
}
