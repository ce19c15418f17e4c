import assert from "node:assert/strict";
import { resolve } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";

let withoutSignature: (file: Buffer) => Buffer;
before(async () => {
  ({ withoutSignature } = await import(pathToFileURL(resolve("build/pe-unsign.mjs")).href));
});

const ENTRY = 0x80 + 24 + 112 + 4 * 8;
const CHECKSUM = 0x80 + 24 + 64;

/** The headers of a 64-bit executable, some bytes, and a certificate table. */
function executable({ size = 24, offset = 512, after = 0 } = {}): Buffer {
  const b = Buffer.alloc(512 + 24 + after, 7);
  b.writeUInt16LE(0x5a4d, 0);
  b.writeUInt32LE(0x80, 0x3c);
  b.writeUInt32LE(0x4550, 0x80);
  b.writeUInt16LE(0x20b, 0x80 + 24);
  b.writeUInt32LE(offset, ENTRY);
  b.writeUInt32LE(size, ENTRY + 4);
  return b;
}

test("the certificate table goes, with what points to it and the sum that counted it in", () => {
  const before = executable({ after: 7 });
  const after = withoutSignature(before);

  const expected = Buffer.from(before.subarray(0, 512));
  expected.writeBigUInt64LE(0n, ENTRY);
  expected.writeUInt32LE(0, CHECKSUM);
  assert.deepEqual(after, expected);
});

test("a file without a signature stays as it is", () => {
  const before = executable({ size: 0, offset: 0 });

  assert.equal(withoutSignature(before), before);
});

test("what is no such file, or has more behind its signature, is refused", () => {
  assert.throws(() => withoutSignature(executable({ after: 8 })), /not at the end/);
  assert.throws(() => withoutSignature(executable({ size: 4000 })), /not at the end/);
  assert.throws(() => withoutSignature(Buffer.alloc(600)), /not a Windows executable/);
});
