import * as v from "valibot";
import { durationMs } from "../base/clock.ts";
import { parseMemoryLimit, parseProcessorLimit } from "./isolation-limits.ts";

/**
 * The types of values in the configuration. The metadata of each states its name in the documentation, and as JSON
 * Schema what a check in code would not show.
 */

export const formText = <T>(text: string, schema: Readonly<Record<string, unknown>> = {}) =>
  v.metadata<T, { form: string }>({ form: text, ...schema });

/** Durations, and the empty text, which means "not set". */
const DURATION_PATTERN = "^(?:|0|(?:\\d+(?:\\.\\d+)?(?:ms|s|m|h|d))+)$";

/** A duration such as `30s` or `1m30s`, from `minMs` to `maxMs`. `0` is accepted if `range` begins with `0`. */
export function duration(minMs: number, maxMs: number, range: string) {
  const zero = range.startsWith("0 ");
  return v.pipe(
    v.string('must be a duration such as "30s"'),
    v.check(
      (text) => durationMs(text) !== undefined,
      (issue) => `${JSON.stringify(issue.input)} is not a duration such as "30s" or "2m"`,
    ),
    v.check((text) => {
      const ms = durationMs(text);
      return ms === undefined || (ms === 0 && zero) || (ms >= minMs && ms <= maxMs);
    }, `must be ${range}`),
    formText(`duration, ${range}`, { pattern: DURATION_PATTERN }),
  );
}

/** A whole number from `min` to `max`, both included. */
export function integer(min: number, max: number) {
  const range = `from ${min} to ${max}`;
  return v.pipe(
    v.number(`must be a whole number ${range}`),
    v.check((n) => Number.isInteger(n) && n >= min && n <= max, `must be a whole number ${range}`),
    formText(`whole number ${range}`, { type: "integer", minimum: min, maximum: max }),
  );
}

/** One of these words; the message names them all. */
export function oneOfWords<const T extends readonly string[]>(words: T) {
  return v.pipe(
    v.picklist(words, `must be one of ${words.join(", ")}`),
    formText(words.map((w) => `\`${w}\``).join(", ")),
  );
}

/** An amount of memory, such as `512m`. */
export const memory = v.check(
  (text: string) => text === "" || parseMemoryLimit(text) !== undefined,
  'must be an amount of memory of 6m or more, such as "512m" or "2g"',
);

/** A number of processors, such as `1.5`. */
export const processors = v.check(
  (text: string) => text === "" || parseProcessorLimit(text) !== undefined,
  'must be a number of processors, such as "1.5"',
);

/** The timeout of a tool call, or of its wait in the queue. */
export const callTimeout = () => duration(1, 86_400_000, "more than 0, at most 24h");

export const strings = () => v.pipe(v.array(v.string()), formText("list of strings"));

export const stringMap = () => v.pipe(v.record(v.string(), v.string()), formText("map of strings"));

/**
 * True if headers and environment variables can contain the text. Other texts are rejected in the configuration instead
 * of when they are used.
 */
export const isCarriableText = (text: string) => !/[\u0000\r\n]/.test(text);

/** Rejects a list in which two entries have the same name; the error is reported for the second entry. */
export const distinctNames = <T extends { name: string }>(list: string) =>
  v.rawCheck<T[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const first = new Map<string, number>();
    dataset.value.forEach((entry, index) => {
      const earlier = first.get(entry.name);
      if (earlier === undefined) first.set(entry.name, index);
      else
        addIssue({
          message: `${JSON.stringify(entry.name)} is already the name of ${list}[${earlier}]`,
          path: [
            { type: "array", origin: "value", input: dataset.value, key: index, value: entry },
            { type: "object", origin: "value", input: entry, key: "name", value: entry.name },
          ],
        });
    });
  });
