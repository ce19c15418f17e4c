// @ts-check
/** Finds the shared libraries of an executable on this machine or among its cross-compilation libraries. */
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** @type {Record<string, string[]>} folders of libraries, Debian's first */
const FOLDERS = {
  "linux-x64": [
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/usr/x86_64-linux-gnu/lib",
  ],
  "linux-arm64": [
    "/lib/aarch64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/usr/aarch64-linux-gnu/lib",
  ],
};
/** Loaded by name when a host name is resolved; part of libc itself since glibc 2.34. */
const NAME_SERVICE = ["libnss_dns.so.2", "libnss_files.so.2", "libresolv.so.2"];
const MACHINES = { "linux-x64": 62, "linux-arm64": 183 };

/**
 * @param {string} target @param {Buffer} executable
 * @returns {{ path: string, from: string }[]} the loader at the path the executable names, the rest in its library
 * folder @throws Error if a library for the target is missing
 */
export function libraries(target, executable) {
  const { needed, interpreter } = elf(executable);
  const found = new Map([[interpreter, locate(target, interpreter.split("/").at(-1) ?? "")]]);
  const queue = [...needed, ...NAME_SERVICE];
  for (const name of queue) {
    if ([...found.keys()].some((path) => path.endsWith(`/${name}`))) continue;
    const optional = NAME_SERVICE.includes(name);
    const from = locate(target, name, optional);
    if (from === undefined) continue;
    found.set(`/lib/${name}`, from);
    queue.push(...elf(readFileSync(from)).needed);
  }
  return [...found].map(([path, from]) => ({ path, from: from ?? "" })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @param {string} target @param {string} name @param {boolean} [optional] */
function locate(target, name, optional = false) {
  for (const folder of FOLDERS[target] ?? []) {
    const path = join(folder, name);
    if (!existsSync(path)) continue;
    const real = realpathSync(path);
    if (readFileSync(real).readUInt16LE(18) === MACHINES[/** @type {"linux-x64"} */ (target)]) return real;
  }
  if (optional) return undefined;
  throw new Error(`${name} for ${target} is not on this machine`);
}

/** Reads the loader and the needed libraries from a 64-bit ELF file. @param {Buffer} b */
export function elf(b) {
  const [table, size, count] = [Number(b.readBigUInt64LE(32)), b.readUInt16LE(54), b.readUInt16LE(56)];
  const headers = Array.from({ length: count }, (_, i) => {
    const at = table + i * size;
    const word = (/** @type {number} */ offset) => Number(b.readBigUInt64LE(at + offset));
    return { type: b.readUInt32LE(at), offset: word(8), address: word(16), bytes: word(32) };
  });
  const fileAt = (/** @type {number} */ address) => {
    const segment = headers.find((h) => h.type === 1 && address >= h.address && address < h.address + h.bytes);
    if (!segment) throw new Error(`nothing is loaded at ${address}`);
    return address - segment.address + segment.offset;
  };
  const text = (/** @type {number} */ from) => b.toString("latin1", from, b.indexOf(0, from));
  const interpreter = headers.find((h) => h.type === 3);
  const dynamic = headers.find((h) => h.type === 2);
  /** @type {number[]} */
  const names = [];
  let strings = 0;
  for (let at = dynamic?.offset ?? 0, end = at + (dynamic?.bytes ?? 0); at < end; at += 16) {
    const [tag, value] = [Number(b.readBigUInt64LE(at)), Number(b.readBigUInt64LE(at + 8))];
    if (tag === 1) names.push(value);
    if (tag === 5) strings = fileAt(value);
  }
  return { needed: names.map((n) => text(strings + n)), interpreter: interpreter ? text(interpreter.offset) : "" };
}
