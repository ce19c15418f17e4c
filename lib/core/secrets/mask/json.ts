import { maskArgs } from "./args.ts";
import { maskSecret } from "./mask.ts";
import { isSecretName } from "./names.ts";
import { maskHeaders, maskStringMap } from "./string-map.ts";
import { scrubText } from "./text.ts";

/** Maximum nesting; deeper parts are omitted. */
const MAX_DEPTH = 64;
/** Maximum number of members; further ones are omitted. */
const MAX_MEMBERS = 200_000;
/** The text that replaces omitted parts. */
const CUT = "[left out]";

/**
 * Masks any JSON value by the rules for names and shapes (spec 000 §2.9 rule 4). All strings below a secret name are
 * masked. `env`, `headers` and `args` are treated as in a server's definition. In all other strings, parts with the
 * form of a secret are masked. The value itself is not changed; objects and arrays in which nothing is masked are part of
 * the result, so it must not be changed either.
 */
export function maskJson<T>(value: T): T {
  const budget = { left: MAX_MEMBERS };
  // Every part is replaced by one of the same type, except for omitted parts, which become a text.
  return walk(value, "", { secret: false, depth: 0, budget }) as T;
}

interface Place {
  readonly secret: boolean;
  readonly depth: number;
  readonly budget: { left: number };
}

function walk(value: unknown, name: string, place: Place): unknown {
  if (typeof value === "string") return place.secret ? maskSecret(value) : scrubText(value);
  if (typeof value !== "object" || value === null) return value;
  if (place.depth >= MAX_DEPTH || place.budget.left <= 0) return CUT;
  const below = { secret: place.secret, depth: place.depth + 1, budget: place.budget };
  if (Array.isArray(value)) {
    if (/^(?:extra_)?args$/.test(name) && !place.secret && value.every(isString)) return maskArgs(value);
    return walkItems(value, below, place);
  }
  const ofStrings = place.secret ? undefined : stringMapMask(name);
  if (ofStrings && Object.values(value).every(isString)) return ofStrings(value as Record<string, string>);
  return walkMembers(value as { [key: string]: unknown }, below);
}

/** Returns the array itself if nothing in it is masked. */
function walkItems(value: readonly unknown[], below: Place, place: Place): readonly unknown[] {
  let items: unknown[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    const masked = count(place) ?? walk(item, "", below);
    if (!items && masked !== item) items = value.slice(0, i);
    items?.push(masked);
  }
  return items ?? value;
}

/** Returns the function for a member of a server's definition that maps names to texts. */
function stringMapMask(name: string): ((map: Record<string, string>) => unknown) | undefined {
  if (/^(?:env|environment|custom_vars|extra_params)$/i.test(name)) return maskStringMap;
  return /^headers$/i.test(name) ? maskHeaders : undefined;
}

/** Returns the object itself if nothing in it is masked, because this is so for most arguments of calls. */
function walkMembers(value: { [key: string]: unknown }, place: Place): unknown {
  const keys = Object.keys(value);
  let entries: [string, unknown][] | undefined;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    const member = value[key];
    const masked = count(place) ?? walkMember(key, member, place);
    if (!entries && masked !== member) entries = keys.slice(0, i).map((before) => [before, value[before]]);
    entries?.push([key, masked]);
  }
  return entries ? Object.fromEntries(entries) : value;
}

function walkMember(key: string, member: unknown, place: Place): unknown {
  if (isSecretNumber(key, member)) return maskSecret(String(member));
  if (place.secret || !isSecretName(key)) return walk(member, key, place);
  return walk(member, key, { secret: true, depth: place.depth, budget: place.budget });
}

/**
 * Decides whether a number is masked. A number under a secret name is mostly a count of tokens, so it is masked only if
 * the name is that of a password or secret.
 */
function isSecretNumber(key: string, member: unknown): boolean {
  return typeof member === "number" && /passw|passphrase|secret/i.test(key) && isSecretName(key);
}

function count(place: Place): string | undefined {
  return place.budget.left-- > 0 ? undefined : CUT;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}
