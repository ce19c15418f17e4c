import { PassThrough, Readable } from "node:stream";
import type { CommandTree } from "#cli/command.ts";
import { run } from "#cli/run.ts";

export interface CliRun {
  code: number;
  out: string;
  err: string;
}

/** Runs one command line in this process, with its own streams and environment. */
export async function cli(
  argv: readonly string[],
  tree: CommandTree,
  world: { env?: Record<string, string>; stdin?: string; columns?: number; color?: boolean; signal?: AbortSignal } = {},
): Promise<CliRun> {
  const [out, err] = [[] as string[], [] as string[]];
  const { columns, color = false, stdin } = world;
  const code = await run(argv, tree, {
    env: world.env ?? {},
    stdin: stdin === undefined ? new PassThrough() : Readable.from([stdin]),
    stdout: { write: (text) => void out.push(text), color, ...(columns !== undefined && { columns }) },
    stderr: { write: (text) => void err.push(text), color: false },
    signal: world.signal ?? new AbortController().signal,
  });
  return { code, out: out.join(""), err: err.join("") };
}
