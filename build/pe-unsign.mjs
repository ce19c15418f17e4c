// @ts-check
/**
 * Removes the Authenticode signature from a Windows executable, because injection would make it invalid, which is worse
 * than none. The layout follows Microsoft's PE format: the certificate table is the fifth data directory, the only one
 * with a file offset, and its bytes are at the end of the file.
 */
import { readFileSync, writeFileSync } from "node:fs";

const MZ = 0x5a4d;
const PE = 0x4550;
/** Offset of the data directories in the optional header, by its magic number (32 and 64 bit). */
const DIRECTORIES = { 267: 96, 523: 112 };
const CHECKSUM = 64;
const CERTIFICATES = 4;

/** Offsets of the header fields that a signature uses. @param {Buffer} b */
export function peLayout(b) {
  if (b.readUInt16LE(0) !== MZ) throw new Error("not a Windows executable");
  const head = b.readUInt32LE(0x3c);
  if (b.readUInt32LE(head) !== PE) throw new Error("not a PE file");
  const optional = head + 24;
  const magic = /** @type {keyof typeof DIRECTORIES} */ (b.readUInt16LE(optional));
  const directories = optional + (DIRECTORIES[magic] ?? Number.NaN);
  if (Number.isNaN(directories)) throw new Error(`unknown PE magic ${magic}`);
  const entry = directories + CERTIFICATES * 8;
  return {
    machine: b.readUInt16LE(head + 4),
    sections: b.readUInt16LE(head + 6),
    sectionTable: optional + b.readUInt16LE(head + 20),
    checksum: optional + CHECKSUM,
    entry,
    certificates: { offset: b.readUInt32LE(entry), size: b.readUInt32LE(entry + 4) },
  };
}

/** @param {Buffer} b @returns {Buffer} a copy without the signature; the same buffer if it has none */
export function withoutSignature(b) {
  const { certificates, entry, checksum } = peLayout(b);
  const { offset, size } = certificates;
  if (size === 0) return b;
  // Padding to eight bytes may follow; any other data would be lost.
  if (offset + size > b.length || b.length - (offset + size) >= 8)
    throw new Error("the certificate table is not at the end of the file");
  const out = Buffer.from(b.subarray(0, offset));
  out.writeBigUInt64LE(0n, entry);
  // Windows checks it for drivers only; zero means that it was not computed.
  out.writeUInt32LE(0, checksum);
  return out;
}

/** Removes the signature of a file in place. @param {string} file */
export function unsign(file) {
  writeFileSync(file, withoutSignature(readFileSync(file)));
}
