import { UsageError } from "./exit.ts";
import { ENV, pairs } from "./pairs.ts";

const TEXTS = [
  "grant",
  "client_id",
  "client_secret",
  "private_key",
  "key_id",
  "redirect_uri",
  "issuer",
  "authorization_endpoint",
  "token_endpoint",
];
const EXTRA = "extra_params.";

/**
 * Parses `--oauth key=value`: the keys of `oauth` in a server's configuration. An empty value removes a key.
 *
 * @throws UsageError
 */
export function oauthFields(flags: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const extra: Record<string, string | null> = {};
  for (const [key, text] of Object.entries(pairs("--oauth", flags, ENV))) {
    const value = text === "" ? null : text;
    if (key === "scopes") fields.scopes = text.split(/[\s,]+/).filter(Boolean);
    else if (TEXTS.includes(key)) fields[key] = value;
    else if (key.startsWith(EXTRA) && key.length > EXTRA.length) extra[key.slice(EXTRA.length)] = value;
    else throw new UsageError(`--oauth has no "${key}"; use ${[...TEXTS, "scopes", `${EXTRA}<name>`].join(", ")}`);
  }
  if (Array.isArray(fields.scopes) && fields.scopes.length === 0) fields.scopes = null;
  return { ...fields, ...(Object.keys(extra).length > 0 && { extra_params: extra }) };
}
