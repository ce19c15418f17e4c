import { maskSecret } from "./mask.ts";
import { isSecretHeader } from "./names.ts";
import { scrubText } from "./text.ts";

type Strings = Readonly<Record<string, string>>;

/** Masks every value: environment variables and OAuth parameters are secret, whatever their names (spec 000 §2.9). */
export function maskStringMap(map: Strings): Record<string, string> {
  return mapValues(map, (_, value) => maskSecret(value));
}

/** Masks the values of sensitive headers and, in other headers, the parts that have the form of a secret. */
export function maskHeaders(headers: Strings): Record<string, string> {
  return mapValues(headers, (name, value) => (isSecretHeader(name) ? maskSecret(value) : scrubText(value)));
}

function mapValues(map: Strings, change: (name: string, value: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(name, value)]));
}
