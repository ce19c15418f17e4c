import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { createFileDurably, systemErrorCode, writeFileDurably } from "../../core/base/file.ts";
import type { Head } from "./audit.ts";

/**
 * Path of the recorded end of the audit log. The record is signed: without the key, nobody who truncates the log can
 * change the record to match.
 */
export const headPath = (dataDir: string) => join(dataDir, "audit-head.json");
/** Path of the key that authenticates the head of the log. */
export const keyPath = (dataDir: string) => join(dataDir, "audit.key");

/** The recorded end; or why there is none: never recorded, changed, or the key that verifies it is missing. */
export type Noted = Head | "absent" | "forged" | "no_key";

interface HeadFile {
  read(): Promise<Noted>;
  write(head: Head): Promise<void>;
}

/** @param make whether to create a missing key; readers do not */
export async function openHead(dataDir: string, make: boolean): Promise<HeadFile> {
  const key = await readKey(keyPath(dataDir), make);
  const sign = ({ at, from, seq, hash }: Head) =>
    createHmac("sha256", key)
      .update(JSON.stringify([at, from, seq, hash]))
      .digest("hex");
  return {
    async read() {
      const text = await readFile(headPath(dataDir), "utf8").catch(absent);
      if (text === undefined) return "absent";
      if (key === "") return "no_key";
      try {
        const { mac, ...head } = JSON.parse(text) as Head & { mac: string };
        return same(sign(head), mac) ? { ...head, at: placeFrom(dataDir, head.at) } : "forged";
      } catch {
        return "forged";
      }
    },
    write: (head) => {
      const stored = { ...head, at: placeIn(dataDir, head.at) };
      return writeFileDurably(headPath(dataDir), `${JSON.stringify({ ...stored, mac: sign(stored) })}\n`);
    },
  };
}

const STDOUT = "stdout";

/** A path in the data directory is recorded relative to it, so that it is valid in a copy of the directory. */
function placeIn(dataDir: string, at: string): string {
  if (at === STDOUT) return at;
  const relativePath = relative(dataDir, at);
  return relativePath.startsWith("..") || isAbsolute(relativePath) ? at : relativePath.split(sep).join("/");
}

const placeFrom = (dataDir: string, at: string): string => (at === STDOUT ? at : resolve(dataDir, at));

async function readKey(path: string, make: boolean): Promise<string> {
  const known = await readFile(path, "utf8").catch(absent);
  if (known !== undefined || !make) return (known ?? "").trim();
  await createFileDurably(path, `${randomBytes(32).toString("hex")}\n`);
  return (await readFile(path, "utf8")).trim();
}

function same(a: string, b: unknown): boolean {
  return typeof b === "string" && a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function absent(error: unknown): undefined {
  if (systemErrorCode(error) !== "ENOENT") throw error;
  return undefined;
}
