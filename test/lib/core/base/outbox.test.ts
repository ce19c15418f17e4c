import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { Outbox } from "#lib/core/base/outbox.ts";

const MIB = 1 << 20;

/** A stream whose reader takes one write after the other, when it is told to. */
function reader() {
  const written: Buffer[] = [];
  let next: (() => void) | undefined;
  const out = new Writable({
    highWaterMark: 16 * 1024,
    write(chunk, _, done) {
      written.push(chunk);
      next = done;
    },
  });
  return {
    out,
    written,
    text: () => Buffer.concat(written).toString(),
    read: () => next?.(),
  };
}

async function readAll({ out, read }: ReturnType<typeof reader>, outbox: Outbox): Promise<void> {
  const reading = setInterval(read);
  await outbox.written();
  while (out.writableLength > 0) await new Promise((done) => setTimeout(done, 1));
  clearInterval(reading);
}

test("texts arrive in their order, small ones after a large one that is still being written", async () => {
  const to = reader();
  const outbox = new Outbox(to.out);
  const texts = ["first", "😀".repeat(MIB), "second", `${"x".repeat(MIB)}€`, "last"];

  for (const text of texts) outbox.write(text);
  assert.ok(outbox.waiting > MIB);
  await readAll(to, outbox);

  assert.equal(to.text(), texts.join(""));
  assert.equal(outbox.waiting, 0);
});

test("a large text is written no faster than it is read", async () => {
  const to = reader();
  const outbox = new Outbox(to.out);

  outbox.write("x".repeat(4 * MIB));
  for (let i = 0; i < 50; i++) await new Promise((done) => setImmediate(done));

  assert.ok(to.out.writableLength < MIB, `${to.out.writableLength} bytes wait in the stream`);
  await readAll(to, outbox);
});

test("the stream is ended after what was written before", async () => {
  const to = reader();
  const outbox = new Outbox(to.out);

  outbox.write("x".repeat(MIB));
  outbox.end();
  assert.equal(to.out.writableEnded, false);
  await readAll(to, outbox);

  assert.equal(to.out.writableEnded, true);
  assert.equal(to.text().length, MIB);
});

test("a reader that goes away ends the writing", async () => {
  const to = reader();
  const outbox = new Outbox(to.out);

  outbox.write("x".repeat(4 * MIB));
  await new Promise((done) => setImmediate(done));
  to.out.destroy();
  await outbox.written();

  assert.equal(outbox.waiting, 0);
});
