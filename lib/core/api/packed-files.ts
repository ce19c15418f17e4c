import { asset } from "../base/asset.ts";
import { answerCompressed } from "./page-headers.ts";

/** The position of each file in the pack. The pack begins with a line that contains this index. */
type Index = Readonly<Record<string, { type: string; at: number; length: number }>>;

/** Files for browsers that the build packed into one asset. */
interface PackedFiles {
  has(name: string): boolean;
  /** The gzip bytes of a file. */
  bytes(name: string): Uint8Array;
  /** The names of the files with their compressed sizes in bytes. */
  sizes(): Record<string, number>;
  /** Sends a file, decompressed for a client that does not accept gzip. */
  answer(name: string, asked: Headers, headers: Readonly<Record<string, string>>): Promise<Response>;
}

/** Reads a pack. @param name the asset, as `build/pack.mjs` writes it */
export function packedFiles(name: string): PackedFiles {
  const pack = asset(name);
  const end = pack.indexOf(10);
  const index = JSON.parse(pack.toString("utf8", 0, end)) as Index;
  const bodies = pack.subarray(end + 1);
  const bytes = (file: string) => {
    const { at, length } = index[file]!;
    return bodies.subarray(at, at + length);
  };
  return {
    has: (file) => Object.hasOwn(index, file),
    bytes,
    sizes: () => Object.fromEntries(Object.entries(index).map(([file, { length }]) => [file, length])),
    answer: (file, asked, headers) => answerCompressed(bytes(file), index[file]!.type, asked, headers),
  };
}
