import { readFile } from "node:fs/promises";
import { reasonOf } from "#lib/core/base/fault.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";

/** Reads a file, or standard input for `-`. @throws UsageError when it cannot be read */
export async function readText(path: string, { stdin }: Pick<Cli, "stdin">): Promise<string> {
  try {
    if (path === "-") return (await stdin.setEncoding("utf8").toArray()).join("");
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new UsageError(`${path === "-" ? "standard input" : path} cannot be read: ${reasonOf(error)}`);
  }
}
