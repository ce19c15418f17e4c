import type { Writable } from "node:stream";
import { type Clock, rfc3339 } from "../../core/base/clock.ts";
import { reasonOf } from "../../core/base/fault.ts";
import type { Logger } from "../../core/log/logger.ts";
import type { Audit, AuditBody, Head } from "./audit.ts";
import { GENESIS, linkOf, seal } from "./chain.ts";
import { type Ends, type Retention, type TrailFile, trailFile } from "./file.ts";
import { type Noted, openHead } from "./head.ts";
import type { Sink } from "./sink.ts";

interface AuditOptions {
  readonly sink: Sink;
  readonly dataDir: string;
  readonly retention: () => Retention;
  readonly clock: Clock;
  readonly log: Logger;
  /** Standard output; present if lines are written there. */
  readonly stdout?: Writable | undefined;
}

/** Lines queued while the file cannot be written; further lines are dropped and counted. */
const MAX_WAITING = 50_000;
/** Interval between attempts to write after a failure (ms). */
const RETRY_MS = 1000;
/** Interval between records of the end of the log (ms). */
const HEAD_INTERVAL_MS = 1000;

const NOTHING: Audit = {
  sink: "none",
  write() {},
  status: () => ({ lines: 0, waiting: 0, lost: 0 }),
  head: () => undefined,
  close: async () => undefined,
};

/** Opens the audit log and continues its chain. Calls do not wait until it is open, nor fail if it cannot be opened. */
export function createAudit({ sink, dataDir, retention, clock, log, stdout }: AuditOptions): Audit {
  if (sink.notice !== undefined) log.warn(sink.notice);
  if (sink.to === "none") return NOTHING;
  const file = sink.to === "file" ? trailFile(sink.path, retention) : undefined;
  let waiting: AuditBody[] = [];
  let [lines, lost, lostSinceLine] = [0, 0, 0];
  let failing: string | undefined;
  let trail: Trail | undefined;
  let flushing: Promise<void> | undefined;
  let scheduled = false;
  let closed = false;

  const flush = async () => {
    if (!trail) {
      trail = await openTrail(dataDir, sink.to === "file" ? { path: sink.path, file: file! } : "stdout", clock);
      waiting.unshift(stamped({ event: "audit_start", ...foundMembers(trail.found) }));
      if (trail.found.broken)
        log.error("the audit log does not continue from its recorded end", { ...foundMembers(trail.found) });
    }
    while (waiting.length > 0) {
      if (file?.full()) await putAside(trail, file, clock);
      if (lostSinceLine > 0) waiting.unshift(stamped({ event: "audit_lost", lines: lostSinceLine }));
      lostSinceLine = 0;
      const batch = waiting;
      waiting = [];
      const sealed = sealAll(batch, trail.head);
      try {
        await (file ? file.append(sealed.text) : print(stdout!, sealed.text));
      } catch (error) {
        waiting = [...batch, ...waiting];
        throw error;
      }
      lines += batch.length;
      trail.head = { ...trail.head, ...sealed.last };
      trail.saveSoon();
    }
  };
  const run = async () => {
    try {
      await flush();
      if (failing !== undefined) log.info("the audit log can be written again");
      failing = undefined;
    } catch (error) {
      if (failing === undefined) log.error("the audit log cannot be written; the proxy keeps trying", { error });
      failing = reasonOf(error);
      if (!closed) clock.after(RETRY_MS, schedule);
    } finally {
      flushing = undefined;
    }
  };
  const schedule = () => {
    if (scheduled || flushing) return;
    scheduled = true;
    // Lines that arrive in the same turn of the event loop are written together.
    setImmediate(() => {
      scheduled = false;
      if (closed) return;
      flushing ??= run();
      flushing.then(() => failing === undefined && waiting.length > 0 && schedule());
    });
  };
  const stamped = (body: AuditBody): AuditBody => ({ schema_version: 1, ts: nanoseconds(clock.now()), ...body });

  schedule();
  return {
    sink: sink.to,
    ...(sink.to === "file" && { path: sink.path }),
    write(body) {
      if (waiting.length >= MAX_WAITING) {
        lost++;
        lostSinceLine++;
        return;
      }
      waiting.push(stamped(body));
      if (failing === undefined) schedule();
    },
    head: () => (trail && trail.head.seq > 0 ? pick(trail.head) : undefined),
    status: () => ({ lines, waiting: waiting.length, lost, ...(failing !== undefined && { failing }) }),
    async close() {
      closed = true;
      await flushing;
      flushing = run();
      await flushing;
      await trail?.save();
      await file?.close();
    },
  };
}

const pick = ({ from, seq, hash }: Head) => ({ from, seq, hash });

/** UTC with nine decimal places, as readers of the log expect; the clock has milliseconds. */
const nanoseconds = (ms: number) => rfc3339(ms).replace("Z", "000000Z");

function sealAll(
  bodies: readonly AuditBody[],
  { seq, hash }: Head,
): { text: string; last: Pick<Head, "seq" | "hash"> } {
  let [text, prev, at] = ["", hash, seq];
  for (const body of bodies) {
    const sealed = seal(body, ++at, prev);
    text += `${sealed.line}\n`;
    prev = sealed.hash;
  }
  return { text, last: { seq: at, hash: prev } };
}

interface Trail {
  head: Head;
  /** Number of the newest file's first line. */
  first: number;
  /** How the end of the existing log differs from the recorded end. */
  readonly found: Found;
  save(): Promise<void>;
  saveSoon(): void;
}

interface Found {
  readonly broken?: string;
  readonly movedFrom?: string;
  readonly tornBytes?: number;
}

/** The members of an `audit_start` line that say how the earlier log ended. */
const foundMembers = ({ broken, movedFrom, tornBytes }: Found) => ({
  ...(tornBytes !== undefined && { torn_bytes: tornBytes }),
  ...(broken !== undefined && { broken }),
  ...(movedFrom !== undefined && { moved_from: movedFrom }),
});

async function openTrail(
  dataDir: string,
  to: { path: string; file: TrailFile } | "stdout",
  clock: Clock,
): Promise<Trail> {
  const at = to === "stdout" ? to : to.path;
  const headFile = await openHead(dataDir, true);
  const storedHead = await headFile.read();
  const lastHead: Head = typeof storedHead === "string" ? { at, from: 1, seq: 0, hash: GENESIS } : storedHead;
  const moved = lastHead.at !== at;
  const head = moved ? { ...lastHead, at, from: lastHead.seq + 1 } : lastHead;
  const end = to === "stdout" ? { link: head } : endOf(await to.file.ends(), moved ? "moved" : storedHead, head);
  let soon: (() => void) | undefined;
  const trail: Trail = {
    head: { ...head, seq: end.link.seq, hash: end.link.hash },
    first: end.first ?? end.link.seq + 1,
    found: {
      ...end.found,
      ...(storedHead === "forged" && { broken: FORGED }),
      ...(moved && { movedFrom: lastHead.at }),
    },
    async save() {
      soon?.();
      soon = undefined;
      await headFile.write(trail.head);
    },
    saveSoon() {
      // If the write fails, the next line schedules another one.
      soon ??= clock.after(HEAD_INTERVAL_MS, () => void trail.save().catch(() => undefined));
    },
  };
  return trail;
}

const FORGED = "the recorded end of the log was changed";

interface End {
  link: { readonly seq: number; readonly hash: string };
  first?: number;
  found?: Found;
}

/**
 * The link that the next line continues. After a kill the file may be ahead of the recorded end, never behind. If the
 * file does not continue from the recorded end, the chain still continues from the record, so that `audit verify` always
 * reports the break.
 */
function endOf({ first, last, aside, tornBytes }: Ends, storedHead: Noted | "moved", head: Head): End {
  const torn = tornBytes > 0 && { tornBytes };
  const firstLink = first === undefined ? undefined : linkOf(first);
  const end = (link: End["link"], broken?: string): End => ({
    link,
    ...(typeof firstLink === "object" && { first: firstLink.seq }),
    found: { ...torn, ...(broken !== undefined && { broken }) },
  });
  const links = last.map(linkOf);
  // Rotated files at the new place belong to another log.
  if (links.length === 0 || (aside && storedHead === "moved"))
    return end(head, storedHead === "moved" || head.seq === 0 ? undefined : "the file is missing");
  if (storedHead === "moved") return end(head, "lines of another log precede");
  const newest = links.at(-1)!;
  if (typeof storedHead === "string")
    return end(typeof newest === "object" ? newest : head, "the recorded end of the log was missing");
  const at = links.findIndex((one) => typeof one === "object" && one.seq === head.seq && one.hash === head.hash);
  let link: End["link"] = head;
  for (const one of at < 0 ? [] : links.slice(at + 1)) {
    if (typeof one === "string" || one.seq !== link.seq + 1 || one.prev !== link.hash) break;
    link = one;
  }
  return at >= 0 && link === (newest === links[at] ? head : newest) ? end(link) : end(head, "lines were changed");
}

async function putAside(trail: Trail, file: TrailFile, clock: Clock): Promise<void> {
  await file.putAside(trail.first);
  trail.first = trail.head.seq + 1;
  const { gone, oldest } = await file.outlived(clock.now());
  // The new start is recorded before files are deleted: a log that begins later than recorded would look truncated.
  trail.head = { ...trail.head, from: oldest?.from ?? trail.first };
  await trail.save();
  for (const one of gone) await file.remove(one);
}

function print(to: Writable, text: string): Promise<void> {
  return new Promise((done, fail) => to.write(text, (error) => (error ? fail(error) : done())));
}
