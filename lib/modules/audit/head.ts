import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { createFileDurably, systemErrorCode, writeFileDurably } from "../../core/base/file.ts";
import type { Head } from "./audit.ts";

/** How far the trail goes is kept apart from it, signed: whoever can cut the trail short cannot shorten this too. */
export const headPath = (dataDir: string) => join(dataDir, "audit-head.json");
export const keyPath = (dataDir: string) => join(dataDir, "audit.key");

/** What is known of the trail's end: nothing was noted, the note was altered, or the key to check it with is missing. */
export type Noted = Head | "absent" | "forged" | "no_key";

interface HeadFile {
  read(): Promise<Noted>;
  write(head: Head): Promise<void>;
}

/** @param make whether a key is made where there is none; a reader makes none */
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
      const noted = { ...head, at: placeIn(dataDir, head.at) };
      return writeFileDurably(headPath(dataDir), `${JSON.stringify({ ...noted, mac: sign(noted) })}\n`);
    },
  };
}

const STDOUT = "stdout";

/** A file in the data directory is noted relative to it, so that the note of a copied directory means the copy. */
function placeIn(dataDir: string, at: string): string {
  if (at === STDOUT) return at;
  const near = relative(dataDir, at);
  return near.startsWith("..") || isAbsolute(near) ? at : near.split(sep).join("/");
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
