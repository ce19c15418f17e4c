import { UsageError } from "./exit.ts";

/**
 * Parses name-value pairs: `NAME=value`, and for headers also `Name: value`.
 *
 * @throws UsageError with the flag
 */
export function pairs(flag: string, texts: readonly string[], form: RegExp): Record<string, string> {
  const found = texts.map((text) => {
    const [, name, value] = form.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`${flag} must have the form NAME=value, not "${text}"`);
    return [name, value];
  });
  return Object.fromEntries(found);
}

export const ENV = /^([^=\s]+)=(.*)$/s;
export const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:=|:[ \t]*)(.*)$/s;
