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
export async function askSecret(what: string, cli: Pick<Cli, "stdin" | "stderr" | "signal">): Promise<string> {
  const { stdin, stderr, signal } = cli;
  if ((stdin as Partial<ReadStream>).isTTY !== true) return (await readText("-", cli)).replace(/\r?\n$/, "");
  stderr.write(`${what}: `);
  const silent = new Writable({ write: (_, __, done) => done() });
  const lines = createInterface({ input: stdin, output: silent, terminal: true });
  try {
    return await new Promise<string>((done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason), { once: true });
      // With the terminal in its hands, the interface is who hears Ctrl-C.
      lines.once("SIGINT", () => fail(new DOMException("interrupted", "AbortError")));
      lines.once("close", () => done(""));
      lines.question("", done);
    });
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
