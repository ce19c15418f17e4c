import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, createDurably, writeDurably } from "../base/file.ts";
import type { Head } from "./audit.ts";

/** How far the trail goes is kept apart from it, signed: whoever can cut the trail short cannot shorten this too. */
export const headPath = (dataDir: string) => join(dataDir, "audit-head.json");
export const keyPath = (dataDir: string) => join(dataDir, "audit.key");

export interface HeadFile {
  read(): Promise<Head | "absent" | "forged">;
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
      try {
        const { mac, ...head } = JSON.parse(text) as Head & { mac: string };
        return same(sign(head), mac) ? head : "forged";
      } catch {
        return "forged";
      }
    },
    write: (head) => writeDurably(headPath(dataDir), `${JSON.stringify({ ...head, mac: sign(head) })}\n`),
  };
}

async function readKey(path: string, make: boolean): Promise<string> {
  const known = await readFile(path, "utf8").catch(absent);
  if (known !== undefined || !make) return (known ?? "").trim();
  await createDurably(path, `${randomBytes(32).toString("hex")}\n`);
  return (await readFile(path, "utf8")).trim();
}

function same(a: string, b: unknown): boolean {
  return typeof b === "string" && a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function absent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
  return undefined;
}
