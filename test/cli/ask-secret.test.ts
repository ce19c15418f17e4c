import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { askSecret } from "#cli/ask-secret.ts";

function terminal() {
  const shown: string[] = [];
  const modes: boolean[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(on: boolean) {
      modes.push(on);
      return stdin;
    },
  });
  const stderr = { write: (text: string) => void shown.push(text), color: false };
  return { stdin, stderr, shown, modes };
}

test("what is typed at a terminal is not shown", async () => {
  const { stdin, stderr, shown, modes } = terminal();
  const asked = askSecret("value of t", { stdin, stderr, signal: new AbortController().signal });
  stdin.write("hunterX\u007f2\r");

  assert.equal(await asked, "hunter2");
  assert.deepEqual(shown, ["value of t: ", "\n"]);
  assert.deepEqual([modes[0], modes.at(-1)], [true, false]);
});

test("Ctrl-C, Ctrl-D and the end of the program end the question", async () => {
  const ctrlC = terminal();
  const interrupted = askSecret("x", { ...ctrlC, signal: new AbortController().signal });
  ctrlC.stdin.write("abc\u0003");
  await assert.rejects(interrupted, { name: "AbortError" });

  const ctrlD = terminal();
  const ended = askSecret("x", { ...ctrlD, signal: new AbortController().signal });
  ctrlD.stdin.write("\u0004");
  assert.equal(await ended, "");

  const stop = new AbortController();
  const stopped = askSecret("x", { ...terminal(), signal: stop.signal });
  stop.abort();
  await assert.rejects(stopped, { name: "AbortError" });
});

test("from a pipe all is taken but one line break at the end", async () => {
  const stderr = { write: () => assert.fail("nothing is asked"), color: false };
  const piped = (text: string) => ({ stdin: Readable.from([text]), stderr, signal: new AbortController().signal });
  assert.equal(await askSecret("x", piped("a\nb\r\n")), "a\nb");
  assert.equal(await askSecret("x", piped(" a \n\n")), " a \n");
});
