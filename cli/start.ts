import { commands } from "./commands.gen.ts";
import { endHungUp } from "./end-hung-up.ts";
import { EXIT } from "./exit.ts";
import type { Screen } from "./output.ts";
import { run } from "./run.ts";

/** How long the process may take to end after a command finished (ms). */
const LINGER_MS = 500;

/** Runs the command line of this process. */
export async function start(argv: readonly string[]): Promise<void> {
  const interrupted = new AbortController();
  // Commands end with the signal; `serve` handles signals itself.
  process.once("SIGINT", () => interrupted.abort());
  process.once("SIGTERM", () => interrupted.abort());
  // `proxy tools list | head` closes the output early; further output has no reader, so the command is aborted.
  process.stdout.on("error", () => interrupted.abort());
  process.exitCode = await run(argv, commands, {
    env: process.env,
    stdin: process.stdin,
    stdout: screen(process.stdout),
    stderr: screen(process.stderr),
    signal: interrupted.signal,
  });
  if (process.exitCode === EXIT.hungUp) return endHungUp();
  // An open handle must not keep a finished command alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

function screen(stream: NodeJS.WriteStream): Screen {
  const color = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const plain = { write: (text: string) => void stream.write(text), color: color === true };
  if (!stream.isTTY) return plain;
  // Read at each use, because a terminal can be resized while a command watches.
  return Object.defineProperties(plain, {
    columns: { get: () => stream.columns || 80 },
    rows: { get: () => stream.rows || 24 },
  });
}
