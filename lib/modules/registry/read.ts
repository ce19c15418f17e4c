import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";

/** Readers of untrusted data: every function returns a valid value or none, and never throws. */

/** Control characters, direction marks and invisible characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/** The characters of a name, so that it can be used in commands, URLs and messages. */
const ID = /^[A-Za-z0-9@][A-Za-z0-9@._~/+-]{0,199}$/;

/** Whether a text may be a server's name in a registry. */
export const isId = (text: unknown): text is string =>
  typeof text === "string" && ID.test(text) && !/\.\.|\/\//.test(text);

/**
 * Characters that a line of text cannot contain. Other invisible characters remain, so that the scan finds them before
 * they are shown as escapes.
 */
const UNPRINTED = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A display text: one line without control characters, at most `most` characters; undefined if empty or not text. */
export function prose(value: unknown, maxChars = 1000): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = value
    .slice(0, maxChars * 4)
    .replace(/\s+/g, " ")
    .replace(UNPRINTED, "")
    .trim();
  const cut = [...line].slice(0, maxChars).join("");
  return cut === "" ? undefined : cut;
}

/** A text for programs: unchanged; undefined if it is too long or contains invisible characters. */
export function exact(value: unknown, maxChars = 4096): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.length > maxChars) return undefined;
  return value.search(UNSEEN) < 0 ? value : undefined;
}

/** An https or http URL without credentials. */
export function address(value: unknown): string | undefined {
  const text = exact(value, 2048);
  if (text === undefined || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  return username || password ? undefined : text;
}

/** Up to `most` members of a list; empty for any other value. */
export function listOf(value: unknown, maxItems = 64): unknown[] {
  return Array.isArray(value) ? value.slice(0, maxItems) : [];
}

/** The first of several members that is present: registries use various spellings. */
export function memberOf(value: unknown, ...names: readonly string[]): unknown {
  if (!isJsonObject(value)) return undefined;
  for (const name of names) if (Object.hasOwn(value, name) && value[name] !== null) return value[name];
  return undefined;
}

/** Returns the value if it is an object, otherwise an empty object. */
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Removes members that are undefined. */
export function present<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
