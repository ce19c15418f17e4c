import { isJsonObject, type JsonObject } from "../../core/base/json-object.ts";

/**
 * Reads what strangers wrote: every helper answers something sound or nothing, and never fails, whatever it is given.
 */

/** Controls, marks that turn the direction of text, and what cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu;

/** A name is a word of these, so that it can stand in commands, addresses and messages. */
const ID = /^[A-Za-z0-9@][A-Za-z0-9@._~/+-]{0,199}$/;

/** Whether a text may be a server's name in a registry. */
export const isId = (text: unknown): text is string =>
  typeof text === "string" && ID.test(text) && !/\.\.|\/\//.test(text);

/** What a line of text cannot hold; whatever else is invisible stays, so that the scan sees it before it is written out. */
const UNPRINTED = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text for people: one line without controls, at most `most` characters; undefined for anything else or nothing. */
export function prose(value: unknown, most = 1000): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = value
    .slice(0, most * 4)
    .replace(/\s+/g, " ")
    .replace(UNPRINTED, "")
    .trim();
  const cut = [...line].slice(0, most).join("");
  return cut === "" ? undefined : cut;
}

/** A text for programs: as it is, unless it is too long or holds something unseen. */
export function exact(value: unknown, most = 4096): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value.length > most) return undefined;
  return value.search(UNSEEN) < 0 ? value : undefined;
}

/** An https or http address without credentials. */
export function address(value: unknown): string | undefined {
  const text = exact(value, 2048);
  if (text === undefined || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { username, password } = new URL(text);
  return username || password ? undefined : text;
}

/** Up to `most` members of a list; none for anything else. */
export function list(value: unknown, most = 64): unknown[] {
  return Array.isArray(value) ? value.slice(0, most) : [];
}

/** The first of several members that is there: registries spell the same word in several ways. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  if (!isJsonObject(value)) return undefined;
  for (const name of names) if (Object.hasOwn(value, name) && value[name] !== null) return value[name];
  return undefined;
}

export const object = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});

/** Only what is there: an absent member is absent, not undefined. */
export function present<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
