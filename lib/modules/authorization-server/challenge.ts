import type { App } from "../../core/app.ts";
import type { RejectedMcpRequest } from "../../core/extension/mcp-challenge.ts";
import type { Caller, Permission } from "../../core/schema/caller.ts";
import { grantRow } from "./grant-state.ts";
import { resourceMetadataUrl } from "./metadata.ts";
import { permissionsOf, SCOPES, scopeText } from "./scopes.ts";
import { oauthSettings } from "./settings.ts";

/** Returns the challenge for a client without a valid credential (RFC 6750 §3, RFC 9728 §5.1). */
export function challengeFor(app: Pick<App, "config" | "boot">, request: RejectedMcpRequest): string {
  if (!oauthSettings(app).enabled) return 'Bearer realm="proxy"';
  const { isInvalid, path } = request;
  const members = [
    'realm="proxy"',
    ...(isInvalid ? ['error="invalid_token"'] : []),
    `resource_metadata="${resourceMetadataUrl(app, request, path)}"`,
    `scope="${SCOPES.join(" ")}"`,
  ];
  return `Bearer ${members.join(", ")}`;
}

/**
 * Returns the challenge for a signed-in client that did not ask for a permission which it needs now (MCP 2025-11-25,
 * step-up authorization). There is none if it did ask: the person decided against it, and should not be asked again.
 */
export function challengeForMore(
  app: Pick<App, "config" | "boot" | "store">,
  { tier, name }: Caller,
  permission: string,
): string | undefined {
  const found = tier === "agent" ? grantRow(app.store.tokens.get(name)) : undefined;
  if (!found || !oauthSettings(app).enabled) return undefined;
  const { asked, resource } = found.state;
  const missing = permission.split('" and "') as Permission[];
  const before = permissionsOf(asked);
  if (missing.some((one) => before.includes(one))) return undefined;
  const { protocol, host, pathname } = new URL(resource);
  const addressed = { host, proto: protocol === "https:" ? ("https" as const) : ("http" as const) };
  return [
    'Bearer realm="proxy"',
    'error="insufficient_scope"',
    `resource_metadata="${resourceMetadataUrl(app, addressed, pathname)}"`,
    `scope="${scopeText([...before, ...missing])}"`,
  ].join(", ");
}
