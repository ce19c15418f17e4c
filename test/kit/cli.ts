import { PassThrough, Readable } from "node:stream";
import { GLOBAL_ARGS } from "#cli/args.ts";
import { type Command, type CommandTree, type Group, isGroup } from "#cli/command.ts";
import { parse } from "#cli/parse.ts";
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
  world: {
    env?: Record<string, string>;
    stdin?: string;
    columns?: number;
    color?: boolean;
    /** Standard error is a terminal of 80 columns. */
    terminal?: boolean;
    signal?: AbortSignal;
  } = {},
): Promise<CliRun> {
  const [out, err] = [[] as string[], [] as string[]];
  const { columns, color = false, stdin } = world;
  const code = await run(argv, tree, {
    env: world.env ?? {},
    stdin: stdin === undefined ? new PassThrough() : Readable.from([stdin]),
    stdout: { write: (text) => void out.push(text), color, ...(columns !== undefined && { columns }) },
    stderr: { write: (text) => void err.push(text), color: false, ...(world.terminal && { columns: 80 }) },
    signal: world.signal ?? new AbortController().signal,
  });
  return { code, out: out.join(""), err: err.join("") };
}

/** Throws unless the words select a command that accepts the other arguments; runs nothing. */
export async function understand(argv: readonly string[], tree: CommandTree): Promise<void> {
  let found: Command | Group = { meta: { description: "" }, subCommands: tree };
  const own = [...argv];
  while (isGroup(found)) {
    const load: CommandTree[string] | undefined = found.subCommands[own.shift() ?? ""];
    if (!load) throw new Error(`there is no such command: proxy ${argv.join(" ")}`);
    found = await load();
  }
  parse(own, { ...GLOBAL_ARGS, ...found.args }, found.rest !== undefined);
}
