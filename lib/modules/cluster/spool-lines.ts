import { crc32 } from "node:zlib";

/** Formats a record as a line of a spool file: its checksum and its JSON text. */
export function spoolLine(record: unknown): string {
  const json = JSON.stringify(record);
  return `${checksum(json)} ${json}\n`;
}

/**
 * Parses the lines of a spool file. A line whose checksum does not match is counted and left out: the last line of a
 * process that was killed while it wrote, or a damaged disk.
 */
export function readSpoolLines<R>(text: string): { records: R[]; damaged: number } {
  const lines = text.split("\n");
  const records: R[] = [];
  let damaged = lines.pop() === "" ? 0 : 1;
  for (const line of lines) {
    const json = line.slice(9);
    if (line[8] === " " && line.slice(0, 8) === checksum(json)) records.push(JSON.parse(json) as R);
    else damaged++;
  }
  return { records, damaged };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
