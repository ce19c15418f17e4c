import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { scopeWithinProfile } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";

/** The header by which an MCP client that cannot choose its path selects a profile. */
export const PROFILE_HEADER = "x-mcp-profile";

export interface RequestedProfile {
  /** The profile in the path. */
  path: string | undefined;
  /** The header `X-MCP-Profile`. */
  header: string | undefined;
}

/**
 * Narrows a caller to its profile: the path's takes precedence over the header's, a token's pin over both. The scope is
 * narrowed here only, and search, calls, scripts and lists all use it (reference 3.10).
 *
 * @throws Fault profile_unknown, profile_pinned
 */
export function withProfile(
  { config }: Pick<App, "config">,
  caller: Caller,
  { path, header }: RequestedProfile,
): Caller {
  const asked = path ?? (header || undefined);
  if (asked === undefined) return caller;
  const { scope, tier } = caller;
  if (scope.profile !== undefined) {
    if (asked !== scope.profile) throw new Fault("profile_pinned");
    return caller;
  }
  const { profiles } = config.current();
  const narrowed = scopeWithinProfile(scope, profiles, asked);
  if (!narrowed)
    throw new Fault("profile_unknown", {
      profile: asked.slice(0, 63),
      ...(tier === "admin" && { known: profiles.map(({ name }) => name) }),
    });
  return { ...caller, scope: narrowed };
}
