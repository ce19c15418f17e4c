import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openHead } from "../../audit/head.ts";
import { verifyTrail } from "../../audit/verify.ts";
import { knownReplicaId } from "../replica-id.ts";
import type { VerifiedAnchors } from "./verify-anchors.ts";

/** The audit log of one replica, compared with the anchors. */
export interface VerifiedReplica {
  readonly replica: string;
  /** The newest file; absent if the log is not here. */
  readonly path?: string;
  readonly lines: number;
  /** The newest line that an anchor names, and the time of that anchor. */
  readonly anchored?: { readonly seq: number; readonly at: number };
  readonly problems: readonly string[];
}

/**
 * Verifies the audit logs of all replicas whose data directory is here, and compares them with the anchors. The others are
 * listed with what the anchors say.
 *
 * @param folders data directories; those of workers in them are found
 */
export async function verifyReplicas(anchors: VerifiedAnchors, folders: readonly string[]): Promise<VerifiedReplica[]> {
  const found = new Map<string, VerifiedReplica>();
  for (const dir of await withWorkers(folders)) {
    const replica = await knownReplicaId(dir);
    if (replica !== undefined && !found.has(replica))
      found.set(replica, await verifyReplica(anchors, { dir, replica }));
  }
  for (const replica of anchors.heads.keys())
    if (!found.has(replica)) found.set(replica, { replica, lines: 0, ...anchoredBy(anchors, replica), problems: [] });
  return [...found.values()].sort((a, b) => (a.replica < b.replica ? -1 : 1));
}

const MAX_PROBLEMS = 20;

async function verifyReplica(
  anchors: VerifiedAnchors,
  { dir, replica }: { dir: string; replica: string },
): Promise<VerifiedReplica> {
  const head = await (await openHead(dir, false)).read();
  if (typeof head !== "object" || head.at === "stdout")
    return { replica, lines: 0, ...anchoredBy(anchors, replica), problems: missing(anchors, replica, 0) };
  const wanted = anchors.lines.get(replica);
  const problems: string[] = [];
  const {
    lines,
    last = 0,
    problems: own,
  } = await verifyTrail(head.at, head, ({ seq, hash }, text) => {
    const anchored = wanted?.get(seq);
    if (anchored !== undefined && anchored !== hash) problems.push(`line ${seq} is not the line that was anchored`);
    const named = /"event":"audit_anchor","anchor":(\d{1,15}),"anchor_hash":"([0-9a-f]{64})"/.exec(text);
    if (named && Number(named[1]) >= anchors.first && anchors.hashes.get(Number(named[1])) !== named[2])
      problems.push(`anchor ${named[1]}, which line ${seq} names, is missing or was changed`);
  });
  const all = [...own.map(({ file, text }) => `${file}: ${text}`), ...problems, ...missing(anchors, replica, last)];
  return { replica, path: head.at, lines, ...anchoredBy(anchors, replica), problems: all.slice(0, MAX_PROBLEMS) };
}

function anchoredBy({ heads }: VerifiedAnchors, replica: string): Pick<VerifiedReplica, "anchored"> {
  const head = heads.get(replica);
  return head ? { anchored: { seq: head.seq, at: head.at } } : {};
}

function missing({ heads }: VerifiedAnchors, replica: string, last: number): string[] {
  const anchored = heads.get(replica)?.seq ?? 0;
  return anchored > last ? [`the log ends at line ${last}, but line ${anchored} was anchored`] : [];
}

async function withWorkers(folders: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const dir of folders) {
    const workers = join(dir, "workers");
    const names = await readdir(workers).catch(() => []);
    all.push(dir, ...names.sort().map((name) => join(workers, name)));
  }
  return all;
}
