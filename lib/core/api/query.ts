import * as v from "valibot";
import { nearestWords } from "../base/nearest.ts";

// Descriptions come before transformations, because the reference describes the text that is sent.

/**
 * An integer from `min` to `max`. A number outside is replaced by the nearest limit, which the response contains. Any
 * other text is rejected.
 */
export function clamped(min: number, max: number, fallback: number) {
  return v.optional(within(min, max, `${min} to ${max}, default ${fallback}`), String(fallback));
}

/** Like `clamped`, but without a default. */
export function optionalClamped(max: number, description: string) {
  return v.optional(within(1, max, description));
}

function within(min: number, max: number, description: string) {
  return v.pipe(
    v.string(),
    v.check((text) => /^[+-]?\d{1,15}$/.test(text), `must be a whole number from ${min} to ${max}`),
    v.description(description),
    v.metadata({ type: "integer", minimum: min, maximum: max }),
    v.transform((text) => Math.min(max, Math.max(min, Number(text)))),
  );
}

/** The query of a URL that other programs build, such as the one to which a sign-in server redirects a browser. */
export const anyQuery = v.looseObject({});

/** Number of matches to skip. */
export function offset() {
  return clamped(0, 1_000_000_000, 0);
}

/**
 * A time in RFC 3339, as milliseconds since the epoch. A space before the offset counts as the `+` that it was: in a
 * query, an unescaped plus sign means a space.
 */
export function time(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+ -]\d{2}:\d{2})$/,
        "must be a time such as 2026-01-31T09:30:00Z",
      ),
      v.description(description),
      v.check(isDay, "is not a valid date"),
      v.transform((text) => Date.parse(`${text.slice(0, 10)}T${text.slice(11).replace(" ", "+")}`)),
      v.check((ms) => !Number.isNaN(ms), "is not a valid time"),
    ),
  );
}

/** Rejects days that do not exist: Date.parse reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** One or several of the given words, separated by commas. */
export function words(allowed: readonly string[], description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.description(`${description}: ${allowed.join(", ")}`),
      v.transform((text) => text.split(",").map((word) => word.trim())),
      v.check(
        (list) => list.every((item) => allowed.includes(item)),
        ({ input }) => unknownWord(input.find((item) => !allowed.includes(item)) ?? "", allowed),
      ),
    ),
  );
}

function unknownWord(word: string, allowed: readonly string[]): string {
  const shown = word.slice(0, 64);
  const [meant] = nearestWords(shown, allowed, 1);
  const suggestion = meant === undefined ? "" : `; did you mean "${meant}"?`;
  return `each must be one of ${allowed.join(", ")}, not "${shown}"${suggestion}`;
}

/** One of the given words. */
export function word<const W extends string>(allowed: readonly W[], description: string) {
  return v.optional(v.pipe(v.picklist(allowed, `must be one of ${allowed.join(", ")}`), v.description(description)));
}

/** One of the given words, with a default. */
export function choice<const W extends string>(allowed: readonly W[], fallback: NoInfer<W>, description: string) {
  const known = v.picklist(allowed, `must be one of ${allowed.join(", ")}`);
  return v.optional(v.pipe(known, v.description(description)), fallback);
}

/** A free text of at most `max` characters. */
export function text(max: number, description: string) {
  return v.optional(
    v.pipe(v.string(), v.maxLength(max, `must have at most ${max} characters`), v.description(description)),
  );
}
