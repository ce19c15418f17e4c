import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Message } from "#lib/modules/notifications/message.ts";
import { sendDesktop } from "#lib/modules/notifications/send-desktop.ts";
import { folder } from "#test/kit/program.ts";

const skip = process.platform === "linux" ? false : "the program that this test replaces is that of Linux";
const item = { kind: "server", severity: "warning" as const, url: "http://127.0.0.1:8080/ui/", at: 1, count: 1 };

/** Sends a message to a desktop whose `notify-send` is a script. */
function send(t: TestContext, dir: string, message: Message, script?: string): Promise<void> {
  if (script !== undefined) writeFileSync(join(dir, "notify-send"), `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  t.after(() => {
    process.stderr.isTTY = isTTY;
  });
  const app = { boot: { env: { PATH: dir, DISPLAY: ":0", OUT: join(dir, "shown") } } };
  return sendDesktop(app as never, {} as never, message, new AbortController().signal);
}

test("the desktop shows the texts as they are", { skip }, async (t) => {
  const dir = folder(t);
  const title = '--help "$(touch x)" `y`';
  const message: Message = { title, severity: "critical", items: [{ ...item, title: "<b>", text: "a\tb" }] };

  await send(t, dir, message, 'for a in "$@"; do echo "[$a]"; done > "$OUT"');

  assert.equal(
    readFileSync(join(dir, "shown"), "utf8"),
    `[-a]\n[proxy]\n[-u]\n[critical]\n[--]\n[${title}]\n[[warning] &lt;b&gt;\na\tb\n${item.url}]\n`,
  );
});

test("a program of the desktop that is missing or fails is told", { skip }, async (t) => {
  const dir = folder(t);
  const message: Message = { title: "t", severity: "info", items: [] };

  await assert.rejects(send(t, dir, message), /notify-send is not installed/);
  await assert.rejects(send(t, dir, message, "exit 3"), /notify-send ended with code 3/);
});
