import { commands } from "./commands.gen.ts";
import type { Screen } from "./output.ts";
import { run } from "./run.ts";

/** What a command may leave behind has this long to end by itself. (ms) */
const LINGER_MS = 500;

/** Runs the command line of this process. */
export async function start(argv: readonly string[]): Promise<void> {
  const interrupted = new AbortController();
  // Commands end with the signal; `serve` has its own way to stop and to be hurried.
  process.once("SIGINT", () => interrupted.abort());
  process.once("SIGTERM", () => interrupted.abort());
  // `proxy tools list | head` closes our output early; what follows has no reader, so nothing more is asked for.
  process.stdout.on("error", () => interrupted.abort());
  process.exitCode = await run(argv, commands, {
    env: process.env,
    stdin: process.stdin,
    stdout: screen(process.stdout),
    stderr: screen(process.stderr),
    signal: interrupted.signal,
  });
  // Something forgotten must not keep a finished command alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}

function screen(stream: NodeJS.WriteStream): Screen {
  const color = stream.isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const plain = { write: (text: string) => void stream.write(text), color: color === true };
  if (!stream.isTTY) return plain;
  // Asked each time: a window may be resized while something is watched.
  return Object.defineProperties(plain, {
    columns: { get: () => stream.columns || 80 },
    rows: { get: () => stream.rows || 24 },
  });
}
