/** Readers of the three executable formats, as far as it takes to find what was embedded (see docs/internals/packaging.md). */

const ELF = 0x464c457f;
const MACHO_64 = 0xfeedfacf;
const MZ = 0x5a4d;

/** What is embedded in an executable: Node's single-executable blob. */
export function blobOf(file: Buffer): Buffer {
  const blob =
    file.readUInt32LE(0) === ELF
      ? fromElf(file)
      : file.readUInt32LE(0) === MACHO_64
        ? fromMachO(file)
        : file.readUInt16LE(0) === MZ
          ? fromPe(file)
          : undefined;
  if (!blob) throw new Error("no embedded blob was found");
  return blob;
}

/** A note of the program headers, where the kernel maps it. */
function fromElf(b: Buffer): Buffer | undefined {
  const [table, size, count] = [Number(b.readBigUInt64LE(32)), b.readUInt16LE(54), b.readUInt16LE(56)];
  for (let i = 0; i < count; i++) {
    const header = table + i * size;
    if (b.readUInt32LE(header) !== 4) continue;
    const start = Number(b.readBigUInt64LE(header + 8));
    const end = start + Number(b.readBigUInt64LE(header + 32));
    for (let at = start; at + 12 <= end; ) {
      const [names, bytes] = [b.readUInt32LE(at), b.readUInt32LE(at + 4)];
      const content = at + 12 + align(names, 4);
      if (b.toString("latin1", at + 12, at + 12 + names).startsWith("NODE_SEA_BLOB"))
        return b.subarray(content, content + bytes);
      at = content + align(bytes, 4);
    }
  }
  return undefined;
}

export interface MachO {
  /** By `SEGMENT` and `SEGMENT/section`: where in the file. */
  parts: Map<string, { offset: number; size: number }>;
  signature: { offset: number; size: number } | undefined;
}

export function machO(b: Buffer): MachO {
  const parts: MachO["parts"] = new Map();
  let signature: MachO["signature"];
  const word = (from: number) => b.toString("latin1", from, from + 16).replace(/\0.*$/s, "");
  for (let i = 0, at = 32; i < b.readUInt32LE(16); i++, at += b.readUInt32LE(at + 4)) {
    const command = b.readUInt32LE(at);
    if (command === 0x1d) signature = { offset: b.readUInt32LE(at + 8), size: b.readUInt32LE(at + 12) };
    if (command !== 0x19) continue;
    const segment = word(at + 8);
    parts.set(segment, { offset: Number(b.readBigUInt64LE(at + 40)), size: Number(b.readBigUInt64LE(at + 48)) });
    for (let s = 0, section = at + 72; s < b.readUInt32LE(at + 64); s++, section += 80)
      parts.set(`${segment}/${word(section)}`, {
        offset: b.readUInt32LE(section + 48),
        size: Number(b.readBigUInt64LE(section + 40)),
      });
  }
  return { parts, signature };
}

function fromMachO(b: Buffer): Buffer | undefined {
  const found = machO(b).parts.get("NODE_SEA/__NODE_SEA_BLOB");
  return found && b.subarray(found.offset, found.offset + found.size);
}

/** A resource of raw data: type 10, then the name, then any language. */
function fromPe(b: Buffer): Buffer | undefined {
  const head = b.readUInt32LE(0x3c);
  const optional = head + 24;
  const sections = optional + b.readUInt16LE(head + 20);
  const place = (address: number) => {
    for (let i = 0; i < b.readUInt16LE(head + 6); i++) {
      const at = sections + i * 40;
      const [size, start, raw] = [b.readUInt32LE(at + 8), b.readUInt32LE(at + 12), b.readUInt32LE(at + 20)];
      if (address >= start && address < start + size) return address - start + raw;
    }
    throw new Error(`no section holds ${address}`);
  };
  const root = place(b.readUInt32LE(optional + 112 + 2 * 8));
  const name = (at: number) => b.toString("utf16le", at + 2, at + 2 + b.readUInt16LE(at) * 2);
  const entry = (folder: number, wanted: (id: number) => boolean) => {
    for (let i = 0; i < b.readUInt16LE(folder + 12) + b.readUInt16LE(folder + 14); i++) {
      const at = folder + 16 + i * 8;
      if (wanted(b.readUInt32LE(at))) return root + (b.readUInt32LE(at + 4) & 0x7fffffff);
    }
    return undefined;
  };
  const raw = entry(root, (id) => id === 10);
  const named = raw && entry(raw, (id) => id >= 0x80000000 && name(root + (id & 0x7fffffff)) === "NODE_SEA_BLOB");
  const leaf = named && entry(named, () => true);
  if (leaf === undefined) return undefined;
  const offset = place(b.readUInt32LE(leaf));
  return b.subarray(offset, offset + b.readUInt32LE(leaf + 4));
}

const align = (n: number, to: number) => Math.ceil(n / to) * to;
