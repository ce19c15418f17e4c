import type { App } from "../../app.ts";
import { Fault } from "../../base/fault.ts";
import { scopeWithinProfile } from "../../policy/scope.ts";
import type { Caller } from "../../schema/caller.ts";

/** The header by which an MCP client that cannot choose its path selects a profile. */
export const PROFILE_HEADER = "x-mcp-profile";

export interface RequestedProfile {
  /** The profile that the path names. */
  path: string | undefined;
  /** The value of the header `X-MCP-Profile`. */
  header: string | undefined;
}

/**
 * Narrows a caller to its profile. The profile of the path takes precedence over that of the header, and the profile of
 * the token over both. Only this function applies profiles, for search, calls, scripts and lists alike (reference
 * 3.10).
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
