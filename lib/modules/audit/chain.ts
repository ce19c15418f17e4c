import { hash } from "node:crypto";
import type { AuditBody } from "./audit.ts";

/** The `prev` of the first line. */
export const GENESIS = "0".repeat(64);

/** The start of the `hash` member. The hash covers the bytes before it. */
const HASH = ',"hash":"';
const END = /^[0-9a-f]{64}"\}$/;

/**
 * One line of the audit log: `{"seq":7,"prev":"…",…,"hash":"…"}`. The hash is SHA-256 over the bytes of the line before
 * its `hash` member; `prev` is the hash of the previous line. A line can therefore not be changed, removed, added or
 * moved unless all later lines are written again.
 */
export function seal(body: AuditBody, seq: number, prev: string): { line: string; hash: string } {
  const text = JSON.stringify({ seq, prev, ...body }).slice(0, -1);
  const lineHash = hash("sha256", text, "hex");
  return { line: `${text}${HASH}${lineHash}"}`, hash: lineHash };
}

export interface Link {
  readonly seq: number;
  readonly prev: string;
  readonly hash: string;
}

/**
 * Reads the position of a line in the chain and verifies the line's own hash.
 *
 * @returns the position, or what is wrong with the line
 */
export function linkOf(line: string): Link | string {
  const at = line.lastIndexOf(HASH);
  if (at < 0 || !END.test(line.slice(at + HASH.length))) return "is not a line of an audit log";
  const text = line.slice(0, at);
  const place = /^\{"seq":(\d{1,15}),"prev":"([0-9a-f]{64})"/.exec(text);
  if (!place) return "is not a line of an audit log";
  const lineHash = line.slice(at + HASH.length, -2);
  if (hash("sha256", text, "hex") !== lineHash) return "was changed after it was written";
  return { seq: Number(place[1]), prev: place[2]!, hash: lineHash };
}
