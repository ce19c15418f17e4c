import { readFile } from "node:fs/promises";
import { readProblem } from "#lib/core/base/read-problem.ts";
import type { Cli } from "./cli.ts";
import { UsageError } from "./exit.ts";

/**
 * Reads text from a file that a person named, or from standard input for `-`.
 *
 * @param options.flag the flag or argument that named it, for the message
 * @param options.missing what to do if the file does not exist
 * @throws UsageError that names the path and the remedy
 */
export async function readText(
  path: string,
  { stdin }: Pick<Cli, "stdin">,
  { flag, missing }: { flag?: string; missing?: string } = {},
): Promise<string> {
  try {
    if (path === "-") return (await stdin.setEncoding("utf8").toArray()).join("");
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    const problem = readProblem(path === "-" ? "standard input" : path, error, missing);
    throw new UsageError(flag === undefined ? problem : `${flag}: ${problem}`);
  }
}
