// @ts-check
/**
 * Adds an ad-hoc code signature to a thin 64-bit Mach-O file, without Apple's tools: macOS on ARM requires a signature.
 * The layout follows Apple's cs_blobs.h: a SuperBlob of CodeDirectory (SHA-256 per page), empty requirements, empty
 * CMS.
 */
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";

const MACHO_64 = 0xfeedfacf;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const PAGE = 4096;

const sha = (/** @type {Uint8Array} */ b) => createHash("sha256").update(b).digest();
const align = (/** @type {number} */ n, /** @type {number} */ to) => Math.ceil(n / to) * to;

/** @param {Buffer} b */
function readLayout(b) {
  if (b.readUInt32LE(0) !== MACHO_64) throw new Error("not a thin 64-bit Mach-O file");
  const found = {
    commands: b.readUInt32LE(16),
    commandsSize: b.readUInt32LE(20),
    linkedit: 0,
    text: 0,
    signature: 0,
    firstSection: Infinity,
  };
  for (let i = 0, at = 32; i < found.commands; i++) {
    const command = b.readUInt32LE(at);
    if (command === LC_SEGMENT_64) {
      const name = b.toString("latin1", at + 8, at + 24).replace(/\0.*$/s, "");
      if (name === "__LINKEDIT") found.linkedit = at;
      if (name === "__TEXT") {
        found.text = at;
        for (let s = 0, section = at + 72; s < b.readUInt32LE(at + 64); s++, section += 80) {
          const offset = b.readUInt32LE(section + 48);
          if (offset) found.firstSection = Math.min(found.firstSection, offset);
        }
      }
    } else if (command === LC_CODE_SIGNATURE) found.signature = at;
    at += b.readUInt32LE(at + 4);
  }
  return found;
}

/** Signs in place. @param {string} file @param {string} identifier @returns {string} the code directory hash */
export function signAdHoc(file, identifier) {
  const b = readFileSync(file);
  const layout = readLayout(b);
  const linkStart = Number(b.readBigUInt64LE(layout.linkedit + 40));
  let end = linkStart + Number(b.readBigUInt64LE(layout.linkedit + 48));
  let { signature, commands, commandsSize } = layout;
  if (signature) end = b.readUInt32LE(signature + 8);
  else {
    signature = 32 + commandsSize;
    if (signature + 16 > layout.firstSection) throw new Error("no room for a signature load command");
    commands++;
    commandsSize += 16;
  }
  const start = align(end, 16);
  const slots = Math.ceil(start / PAGE);
  const id = Buffer.from(`${identifier}\0`);
  const hashes = 88 + id.length + 2 * 32;
  const directory = Buffer.alloc(hashes + slots * 32);
  const requirements = Buffer.from([0xfa, 0xde, 0x0c, 0x01, 0, 0, 0, 12, 0, 0, 0, 0]);
  const cms = Buffer.from([0xfa, 0xde, 0x0b, 0x01, 0, 0, 0, 8]);
  const head = Buffer.alloc(12 + 3 * 8);
  const total = head.length + directory.length + requirements.length + cms.length;
  const size = align(total, 16);

  const out = Buffer.alloc(start + size);
  b.copy(out, 0, 0, end);
  out.writeUInt32LE(commands, 16);
  out.writeUInt32LE(commandsSize, 20);
  [LC_CODE_SIGNATURE, 16, start, size].forEach((v, i) => void out.writeUInt32LE(v, signature + i * 4));
  const linkSize = start + size - linkStart;
  out.writeBigUInt64LE(BigInt(linkSize), layout.linkedit + 48);
  out.writeBigUInt64LE(BigInt(align(linkSize, 0x4000)), layout.linkedit + 32);

  // CodeDirectory: magic, length, version, flags (ad hoc), offsets of hashes and identifier, slot counts, code limit.
  [0xfade0c02, directory.length, 0x20400, 0x2, hashes, 88, 2, slots, start].forEach(
    (v, i) => void directory.writeUInt32BE(v >>> 0, i * 4),
  );
  directory[36] = 32;
  directory[37] = 2;
  directory[39] = 12;
  directory.writeBigUInt64BE(b.readBigUInt64LE(layout.text + 40), 64);
  directory.writeBigUInt64BE(b.readBigUInt64LE(layout.text + 48), 72);
  directory.writeBigUInt64BE(1n, 80);
  id.copy(directory, 88);
  sha(requirements).copy(directory, hashes - 64);
  for (let i = 0; i < slots; i++)
    sha(out.subarray(i * PAGE, Math.min(start, (i + 1) * PAGE))).copy(directory, hashes + i * 32);

  const at = [head.length, head.length + directory.length, head.length + directory.length + requirements.length];
  [0xfade0cc0, total, 3, 0, at[0], 2, at[1], 0x10000, at[2]].forEach(
    (v, i) => void head.writeUInt32BE(/** @type {number} */ (v), i * 4),
  );
  Buffer.concat([head, directory, requirements, cms]).copy(out, start);
  writeFileSync(file, out);
  chmodSync(file, 0o755);
  return sha(directory).toString("hex").slice(0, 40);
}
