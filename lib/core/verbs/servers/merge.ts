import { Fault } from "../../base/fault.ts";
import { isLoopback } from "../../base/host-port.ts";
import { mergePatch, sameJson } from "../../base/json-object.ts";
import { checkValue } from "../../config/check.ts";
import { ServerConfig } from "../../config/config-keys.ts";
import { isLaunchedHttpServer } from "../../config/launched-http-server.ts";
import type { ServerPatch } from "../../config/server-patch.ts";
import { restoreMasked } from "../../secrets/mask/restore-masked.ts";
import { urlMismatchText } from "../../upstream/stdio/launch-http-server.ts";
import { LAUNCH_DEFINITION_MEMBERS } from "../../upstream/target.ts";
import { withStoredHeaderNames } from "./with-stored-header-names.ts";

/**
 * Applies a patch to a server's definition (spec 000 §4.2; 001 §4.1): scalars and arrays replace, maps and objects
 * merge (RFC 7396), null removes, an empty text clears a scalar, and masked values are replaced by the stored ones.
 * Names of headers match in any letter case.
 *
 * @throws Fault echoed_mask, invalid_request that names the field
 */
export function mergeServer(stored: ServerConfig, patch: ServerPatch): ServerConfig {
  const clearedPatch = cleared(restoreMasked(stored, withStoredHeaderNames(stored, patch)));
  const merged = mergePatch(stored, clearedPatch);
  const wrong = checkValue(ServerConfig, merged);
  if (wrong !== undefined) throw new Fault("invalid_request", { reason: wrong });
  // The cast is safe after the check above.
  const server = merged as ServerConfig;
  // Only new values are validated here; existing ones are reported when the server connects.
  const changesConnection = ["url", "command", "protocol"].some((field) => Object.hasOwn(patch, field));
  const away = changesConnection && isLaunchedHttpServer(server) ? leadsElsewhere(server.url ?? "") : undefined;
  if (away !== undefined) throw new Fault("invalid_request", { reason: `url: ${away}` });
  return { ...server, enabled: server.enabled ?? true };
}

/**
 * Returns why a local program could not listen at a URL; undefined if it could. References are resolved only on use.
 */
function leadsElsewhere(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, host } = new URL(text);
  return isLoopback(hostname.replace(/^\[|\]$/g, "")) || host.includes("$") ? undefined : urlMismatchText(host);
}

function cleared(patch: ServerPatch): Record<string, unknown> {
  return Object.fromEntries(Object.entries(patch).map(([field, value]) => [field, value === "" ? null : value]));
}

/**
 * True if two definitions run or contact something different, or use different credentials, so that trust in one does
 * not apply to the other. Headers and sign-in are compared, too, because they decide on whose behalf the server acts.
 */
export function changesLaunch(a: ServerConfig, b: ServerConfig): boolean {
  return LAUNCH_DEFINITION_MEMBERS.some((member) => !sameJson(a[member], b[member]));
}

/** Lists the fields in which two definitions differ; names only, for records. */
export function changedFields(a: object, b: object): string[] {
  const [x, y] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(x), ...Object.keys(y)])]
    .filter((field) => field !== "updated" && !sameJson(x[field], y[field]))
    .sort();
}
