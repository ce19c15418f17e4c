import { Fault } from "../base/fault.ts";
import type { JsonObject } from "../base/json-object.ts";
import type { Logger } from "../log/logger.ts";
import { misspeltVariables } from "./misspelt-variables.ts";
import type { Settings } from "./resolve-settings.ts";

/**
 * Returns the notices that are logged for the operator once, at the start.
 *
 * @throws Fault config_invalid if the settings of the multi-user edition contradict each other or would send a
 *   reference as the secret itself (spec 001 §2.6)
 */
export function bootNotices(
  { raw, current, unknown }: Settings,
  overrides: JsonObject,
  env: Readonly<Record<string, string | undefined>>,
  log: Logger,
): void {
  if (unknown.length > 0)
    log.warn(`the configuration contains unknown keys, which are kept without effect: ${unknown.join(", ")}`);
  for (const text of misspeltVariables(env)) log.warn(text);
  for (const entry of current.trusted_proxies)
    if (entry.endsWith("/0")) log.warn(`trusted_proxies ${entry} trusts the forwarded headers of every client`);
  if (!current.server_edition?.enabled) return;
  if ((overrides.require_mcp_auth ?? raw.require_mcp_auth) === false)
    log.warn("require_mcp_auth: false has no effect in the server edition; MCP clients must authenticate");
  if (current.server_edition.session_cookie_secure === "false" && current.tls.enabled)
    throw new Fault("config_invalid", {
      reason: "server_edition.session_cookie_secure: false contradicts tls.enabled",
    });
  if (current.tls.enabled && current.server_edition.public_url?.startsWith("http:"))
    log.warn("public_url is http, but the listener uses TLS: browsers could not return from sign-ins");
  const { oauth, credential_encryption_key: key = "" } = current.server_edition;
  present("oauth.client_secret: is required", oauth?.client_secret ?? "", env);
  present("credential_encryption_key: names a key", key, env);
}

/** Rejects a text with a reference that has no value: it would otherwise be sent as text (spec 001 §2.6). */
function present(what: string, text: string, env: Readonly<Record<string, string | undefined>>): void {
  for (const [, variable = ""] of text.matchAll(/\$\{env:([^}]*)\}/g))
    if (!(Object.hasOwn(env, variable) && env[variable]))
      throw new Fault("config_invalid", {
        reason: `server_edition.${what}, but the environment variable ${variable} is not set`,
      });
}
