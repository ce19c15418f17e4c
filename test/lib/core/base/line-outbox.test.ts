import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { LineOutbox } from "#lib/core/base/line-outbox.ts";

function reader() {
  const written: string[] = [];
  const out = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { out, written };
}

const turn = () => new Promise((done) => setImmediate(done));

test("the small lines of one turn are one write", async () => {
  const { out, written } = reader();
  const outbox = new LineOutbox(out);

  for (const line of ["a\n", "b\n", "c\n"]) outbox.write(line);
  await turn();
  outbox.write("d\n");
  await turn();

  assert.deepEqual(written, ["a\nb\nc\n", "d\n"]);
});

test("many lines of one turn are written before it ends, so that little is gathered", () => {
  const { out, written } = reader();
  const outbox = new LineOutbox(out);

  for (let i = 0; i < 100; i++) outbox.write(`${"x".repeat(999)}\n`);

  assert.ok(written.join("").length > 80_000);
});

test("lines keep their order beside large texts and bytes", async () => {
  const { out, written } = reader();
  const outbox = new LineOutbox(out);
  const parts = ["a\n", "x".repeat(1 << 20), "\n", Buffer.from("bytes"), "\n", `${"y".repeat(20_000)}\n`, "z\n"];

  for (const part of parts) outbox.write(part);
  await outbox.written();
  await turn();

  assert.equal(written.join(""), parts.join(""));
});

test("the end comes after the gathered lines", async () => {
  const { out, written } = reader();
  const outbox = new LineOutbox(out);

  outbox.write("last\n");
  outbox.end();

  assert.ok(out.writableEnded);
  assert.deepEqual(written, ["last\n"]);
});
