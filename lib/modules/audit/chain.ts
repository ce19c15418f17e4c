import { hash } from "node:crypto";
import type { AuditBody } from "./audit.ts";

/** What the first line of all is chained to. */
export const GENESIS = "0".repeat(64);

/** Everything before this is what a line's hash is of. */
const HASH = ',"hash":"';
const END = /^[0-9a-f]{64}"\}$/;

/**
 * One line of the trail: `{"seq":7,"prev":"…",…,"hash":"…"}`. The hash is SHA-256 over the line's own bytes up to its
 * `hash` member, and `prev` is the hash of the line before; so no line can be changed, left out, added or moved without
 * every later one being made anew.
 */
export function seal(body: AuditBody, seq: number, prev: string): { line: string; hash: string } {
  const text = JSON.stringify({ seq, prev, ...body }).slice(0, -1);
  const own = hash("sha256", text, "hex");
  return { line: `${text}${HASH}${own}"}`, hash: own };
}

export interface Link {
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
}

/** A line's place in the chain, its own hash checked; or what is the matter with it. */
export function linkOf(line: string): Link | string {
  const at = line.lastIndexOf(HASH);
  if (at < 0 || !END.test(line.slice(at + HASH.length))) return "is not a line of an audit log";
  const text = line.slice(0, at);
  const place = /^\{"seq":(\d{1,15}),"prev":"([0-9a-f]{64})"/.exec(text);
  if (!place) return "is not a line of an audit log";
  const own = line.slice(at + HASH.length, -2);
  if (hash("sha256", text, "hex") !== own) return "was changed after it was written";
  return { seq: Number(place[1]), prev: place[2]!, hash: own };
}
