import { maskArgs } from "./args.ts";
import { maskJson } from "./json.ts";
import { maskSecret } from "./mask.ts";
import { maskHeaders, maskStringMap } from "./string-map.ts";
import { scrubText } from "./text.ts";
import { maskUrl } from "./url.ts";

type Masks = { readonly [field: string]: (value: never) => unknown };

/**
 * How the fields of an OAuth block are masked. `client_id` and `redirect_uri` are not secret by name, but may contain a
 * secret.
 */
const OAUTH = {
  client_id: scrubText,
  client_secret: maskSecret,
  private_key: maskSecret,
  redirect_uri: maskUrl,
  scopes: (scopes: readonly string[]) => scopes.map(maskSecret),
  extra_params: maskStringMap,
} satisfies Masks;

const SERVER = {
  // Names are not masked, because nobody could find a masked name.
  name: same,
  protocol: same,
  enabled_tools: same,
  disabled_tools: same,
  source_registry_id: same,
  command: scrubText,
  working_dir: scrubText,
  url: maskUrl,
  args: maskArgs,
  env: maskStringMap,
  headers: maskHeaders,
  oauth: maskOAuth,
  isolation: maskJson,
} satisfies Masks;

/**
 * Copies a server's definition with every secret masked, for callers that may not see secrets (spec 000 §2.9). REST,
 * the event stream and MCP all use these rules. Unknown fields are masked by name and by shape.
 */
export function maskServer<T extends object>(server: T): T {
  return maskFields(server, SERVER);
}

function maskOAuth<T extends object>(oauth: T): T {
  return maskFields(oauth, OAUTH);
}

function maskFields<T extends object>(record: T, masks: Masks): T {
  const entries = Object.entries(record).map(([field, value]) => {
    if (value === undefined || value === null) return [field, value];
    const maskOfField = Object.hasOwn(masks, field) ? masks[field] : undefined;
    // The definition is checked, so each value has the type that its masking function takes.
    if (maskOfField) return [field, maskOfField(value as never)];
    // The value is masked together with its name, so that the rule for names applies.
    return Object.entries(maskJson({ [field]: value }))[0]!;
  });
  return Object.fromEntries(entries) as T;
}

function same<T>(value: T): T {
  return value;
}
