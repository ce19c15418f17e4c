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
 * form of a secret are masked. The value itself is not changed.
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
  const below = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value)) {
    if (/^(?:extra_)?args$/.test(name) && !place.secret && value.every(isString)) return maskArgs(value);
    return value.map((item) => count(place) ?? walk(item, "", below));
  }
  if (!place.secret && Object.values(value).every(isString)) {
    if (/^(?:env|environment|custom_vars|extra_params)$/i.test(name))
      return maskStringMap(value as Record<string, string>);
    if (/^headers$/i.test(name)) return maskHeaders(value as Record<string, string>);
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const secret = place.secret || isSecretName(key);
      return [
        key,
        count(place) ??
          (isSecretNumber(key, member) ? maskSecret(String(member)) : walk(member, key, { ...below, secret })),
      ];
    }),
  );
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
