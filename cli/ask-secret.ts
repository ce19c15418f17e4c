import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import type { Cli } from "./cli.ts";
import { readText } from "./read-text.ts";

/**
 * A secret: typed at a terminal, where nothing of it is shown, else all that comes on standard input, without the line
 * break at its end.
 *
 * @param what it is, for the question
 */
export async function askSecret(what: string, cli: Asker): Promise<string> {
  const { stdin, stderr, signal } = cli;
  if ((stdin as Partial<ReadStream>).isTTY !== true) return (await readText("-", cli)).replace(/\r?\n$/, "");
  stderr.write(`${what}: `);
  const silent = new Writable({ write: (_, __, done) => done() });
  try {
    return await line({ stdin, signal }, silent);
  } finally {
    stderr.write("\n");
  }
}

/** A text typed at a terminal, shown as it is typed. */
export async function askText(what: string, { stdin, stderr, signal }: Asker): Promise<string> {
  // A screen is not a stream: readline needs one, with its events.
  const echo = new Writable({
    write: (chunk, _, done) => {
      stderr.write(String(chunk));
      done();
    },
  });
  // readline clears the line that it edits, so the question has to be its own.
  return await line({ stdin, signal }, echo, `${what}: `);
}

type Asker = Pick<Cli, "stdin" | "stderr" | "signal">;

async function line(
  { stdin, signal }: Pick<Cli, "stdin" | "signal">,
  output: NodeJS.WritableStream,
  question = "",
): Promise<string> {
  const lines = createInterface({ input: stdin, output, terminal: true });
  try {
    return await new Promise<string>((done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason), { once: true });
      // With the terminal in its hands, the interface is who hears Ctrl-C.
      lines.once("SIGINT", () => fail(new DOMException("interrupted", "AbortError")));
      lines.once("close", () => done(""));
      lines.question(question, done);
    });
  } finally {
    lines.close();
  }
}
