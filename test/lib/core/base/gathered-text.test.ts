import assert from "node:assert/strict";
import { test } from "node:test";
import { GatheredText } from "#lib/core/base/gathered-text.ts";

function gather(bytes: Buffer, size: number): { text: string; isWellFormed: boolean } {
  const gathered = new GatheredText({ checked: true });
  for (let at = 0; at < bytes.length; at += size) gathered.add(bytes.subarray(at, at + size));
  assert.equal(gathered.sizeBytes, bytes.length);
  return { text: gathered.take(), isWellFormed: gathered.isWellFormed };
}

test("text comes out whole however its bytes are cut, also within a character", () => {
  for (const unit of ["a", "ä", "€", "😀", "a€😀"]) {
    const text = unit.repeat(Math.ceil(600_000 / Buffer.byteLength(unit)));
    for (const size of [1000, 65_537, 262_145, 300_001, 1_000_000])
      assert.deepEqual(gather(Buffer.from(text), size), { text, isWellFormed: true }, `${unit} by ${size}`);
  }
  assert.deepEqual(gather(Buffer.from("€".repeat(1000)), 1), { text: "€".repeat(1000), isWellFormed: true });
  assert.deepEqual(gather(Buffer.alloc(0), 1), { text: "", isWellFormed: true });
});

test("bytes that are no UTF-8 are noticed wherever they stand, an unfinished character at the end included", () => {
  const good = Buffer.from("ä".repeat(300_000));
  for (const bad of [Buffer.from([0xff]), Buffer.from([0xc3]), Buffer.from([0xe2, 0x82]), Buffer.from([0x80, 0x80])])
    for (const bytes of [Buffer.concat([bad, good]), Buffer.concat([good, bad]), Buffer.concat([good, bad, good]), bad])
      assert.equal(gather(bytes, 65_536).isWellFormed, false, `${bad.toString("hex")} in ${bytes.length}`);
});
