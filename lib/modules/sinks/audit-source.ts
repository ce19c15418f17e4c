import { open, stat } from "node:fs/promises";
import type { App } from "../../core/app.ts";
import { linesOf, listAside } from "../audit/file.ts";
import { auditLog } from "../audit/state.ts";
import type { RecordSource, SourcedRecord } from "./record-source.ts";
import type { SinkRecord } from "./sink-record.ts";

/** The position after a line of the audit log. */
interface AuditMark {
  /** Number of the line. */
  readonly seq: number;
  /** Number of the first line of its file. */
  readonly from: number;
  /** Bytes of the file up to the end of the line. */
  readonly offset: number;
}

/** How often the number of written lines is compared (ms). */
const CHECK_INTERVAL_MS = 1000;
/** Digits of a line's hash that are part of the record's id. */
const ID_HASH_LENGTH = 16;
/** Bytes read from the current file at a time; longer than any line. */
const PIECE_BYTES = 512 * 1024;

/**
 * Reads the lines of the audit log from its files, so that a sink continues with the first line that it did not deliver
 * even if the file was rotated in the meantime.
 */
export function auditSource(app: App, path: string): RecordSource {
  const trail = app.part(auditLog);
  let rotated: RotatedFile | undefined;
  let last: { after: number; records: readonly SourcedRecord[] } | undefined;

  const readAt = async (at: string, after: AuditMark, limit: number): Promise<readonly SourcedRecord[]> => {
    const next = after.seq + 1;
    const first = await firstNumber(at);
    if (first !== undefined && first <= next) {
      rotated = undefined;
      return readCurrent(at, first === after.from ? after : { ...after, from: first, offset: 0 }, limit);
    }
    const files = await listAside(at);
    // Where the file of the next line is gone, reading continues in the one after it.
    const from = Math.max(
      0,
      files.findLastIndex((file) => file.from <= next),
    );
    for (const file of files.slice(from)) {
      if (rotated?.path !== file.path || rotated.last !== after.seq)
        rotated = { path: file.path, from: file.from, last: after.seq, lines: linesOf(file.path) };
      const records = await readRotated(rotated, after, limit);
      if (records.length > 0) return records;
    }
    return first === undefined ? [] : readCurrent(at, { ...after, from: first, offset: 0 }, limit);
  };
  /** Reads lines with numbers below a limit. Those before a change of `audit_log.path` are in the log's former file. */
  const read = async (
    at: string,
    after: AuditMark,
    { limit, below }: { limit: number; below: number },
  ): Promise<readonly SourcedRecord[]> => {
    const records = await readAt(at, after, limit);
    const [first] = records;
    if (!first || seqOf(first.mark) >= below) return [];
    const gap = records.findIndex((record) => record.missing > 0 && movedFrom(record) !== undefined);
    if (gap > 0) return records.slice(0, gap);
    const earlier = gap < 0 ? [] : await read(movedFrom(first)!, after, { limit, below: seqOf(first.mark) });
    // If the former file no longer exists, its lines cannot be delivered.
    return earlier.length > 0 ? earlier : records;
  };

  return {
    kind: "audit",
    newest: () => endOf(path),
    async read(after, limit) {
      const mark = after as AuditMark;
      // After a failed delivery the same lines are requested again, and a rotated file can only be read onwards.
      const at =
        last?.after === mark.seq ? 0 : 1 + (last?.records.findIndex(({ mark: m }) => seqOf(m) === mark.seq) ?? -1);
      if (last && (at > 0 || last.after === mark.seq) && at < last.records.length) return last.records.slice(at);
      last = { after: mark.seq, records: await read(path, mark, { limit, below: Number.POSITIVE_INFINITY }) };
      return last.records;
    },
    waiting: async (after) => Math.max(0, (await endOf(path)).seq - seqOf(after)),
    onRecords(wake) {
      let written = trail.status().lines;
      return app.clock.every(CHECK_INTERVAL_MS, () => {
        const { lines } = trail.status();
        if (lines !== written) wake();
        written = lines;
      });
    },
  };
}

const seqOf = (mark: unknown) => (mark as AuditMark).seq;

/** Returns where the log was before a line that begins it at another path. */
function movedFrom({ record }: SourcedRecord): string | undefined {
  if (record.type !== "audit_start") return undefined;
  const { moved_from: former } = JSON.parse(record.line) as { moved_from?: unknown };
  return typeof former === "string" ? former : undefined;
}

/** A rotated file, perhaps compressed, that is read onwards. */
interface RotatedFile {
  readonly path: string;
  readonly from: number;
  /** Number of the last line that was read. */
  last: number;
  readonly lines: AsyncGenerator<string>;
}

async function readRotated(file: RotatedFile, after: AuditMark, limit: number): Promise<SourcedRecord[]> {
  const records: SourcedRecord[] = [];
  while (records.length < limit) {
    const { value: text, done } = await file.lines.next();
    if (done) break;
    const line = parseLine(text);
    if (!line || line.seq <= file.last) continue;
    const mark: AuditMark = { seq: line.seq, from: file.from, offset: 0 };
    records.push({ record: line.record, mark, missing: missingBefore(line.seq, file.last) });
    file.last = line.seq;
  }
  // The end of the file is remembered as the mark that was asked for.
  if (records.length === 0) file.last = after.seq;
  return records;
}

/** Reads complete lines of the current file after a mark. */
async function readCurrent(path: string, { seq, from, offset }: AuditMark, limit: number): Promise<SourcedRecord[]> {
  const records: SourcedRecord[] = [];
  const piece = await readPiece(path, offset);
  let [at, last] = [0, seq];
  while (records.length < limit) {
    const end = piece.indexOf(0x0a, at);
    if (end < 0) break;
    const line = parseLine(piece.toString("utf8", at, end));
    at = end + 1;
    if (!line || line.seq <= last) continue;
    const mark: AuditMark = { seq: line.seq, from, offset: offset + at };
    records.push({ record: line.record, mark, missing: missingBefore(line.seq, last) });
    last = line.seq;
  }
  // A piece of lines that are all delivered: the ones after it follow.
  if (records.length === 0 && at > 0 && piece.length === PIECE_BYTES)
    return readCurrent(path, { seq, from, offset: offset + at }, limit);
  return records;
}

/** A new sink starts at the end of the log; if there is no log yet, nothing is missing before its first line. */
const missingBefore = (seq: number, last: number) => (last === 0 ? 0 : seq - last - 1);

async function readPiece(path: string, offset: number, bytes = PIECE_BYTES): Promise<Buffer> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return Buffer.alloc(0);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns the number of the first line of the current file; undefined if it has none. */
async function firstNumber(path: string): Promise<number | undefined> {
  const found = /^\{"seq":(\d{1,15}),/.exec((await readPiece(path, 0, 40)).toString("latin1"));
  return found ? Number(found[1]) : undefined;
}

async function endOf(path: string): Promise<AuditMark> {
  const from = await firstNumber(path);
  if (from === undefined) {
    // After a rotation the current file is empty.
    const newest = (await listAside(path)).at(-1);
    if (!newest) return { seq: 0, from: 0, offset: 0 };
    let seq = newest.from;
    for await (const text of linesOf(newest.path)) seq = parseLine(text)?.seq ?? seq;
    return { seq, from: newest.from, offset: 0 };
  }
  const { size } = await stat(path);
  const start = Math.max(0, size - PIECE_BYTES);
  const piece = await readPiece(path, start);
  const end = piece.lastIndexOf(0x0a) + 1;
  const line = end > 0 ? parseLine(piece.toString("utf8", piece.lastIndexOf(0x0a, end - 2) + 1, end - 1)) : undefined;
  return { seq: line?.seq ?? from - 1, from, offset: start + end };
}

function parseLine(text: string): { seq: number; record: SinkRecord } | undefined {
  try {
    const { seq, ts, event, decision, outcome, hash } = JSON.parse(text) as Record<string, unknown>;
    if (typeof seq !== "number") return undefined;
    const at = Date.parse(String(ts).replace(/(\.\d{3})\d*Z$/, "$1Z"));
    const type = String(event ?? "line");
    const status = String(decision ?? outcome ?? "");
    // Each replica, and each new log, numbers its lines from 1.
    const id = typeof hash === "string" ? `audit-${seq}-${hash.slice(0, ID_HASH_LENGTH)}` : `audit-${seq}`;
    return { seq, record: { kind: "audit", id, at: at || 0, type, status, line: text } };
  } catch {
    // A line that was changed by hand is not a record of this proxy; `proxy audit verify` reports it.
    return undefined;
  }
}
