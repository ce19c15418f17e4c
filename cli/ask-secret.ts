import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import type { Cli } from "./cli.ts";
import { readText } from "./read-text.ts";

/**
 * Reads a secret: at a terminal without echo, otherwise from all of standard input, without the final line break.
 *
 * @param what name of the secret, for the prompt
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

/** Reads a line at a terminal, with echo. */
export async function askText(what: string, { stdin, stderr, signal }: Asker): Promise<string> {
  // readline needs a stream with events as its output.
  const echo = new Writable({
    write: (chunk, _, done) => {
      stderr.write(String(chunk));
      done();
    },
  });
  // readline redraws the edited line, so it must print the prompt itself.
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
      // While readline controls the terminal, it receives Ctrl-C.
      lines.once("SIGINT", () => fail(new DOMException("interrupted", "AbortError")));
      lines.once("close", () => done(""));
      lines.question(question, done);
    });
  } finally {
    lines.close();
  }
}
