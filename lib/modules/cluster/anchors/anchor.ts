import { createHmac, hash, timingSafeEqual } from "node:crypto";

/** The end of the audit log of one replica, as the replica reported it. */
export interface AuditHead {
  readonly replica: string;
  /** Number of the oldest line that is retained, and number and hash of the newest line. */
  readonly from: number;
  readonly seq: number;
  readonly hash: string;
}

/**
 * A signed record of the ends of all audit logs at one moment. Each names the hash of the one before, so that none can be
 * removed between two others.
 */
export interface AuditAnchor {
  readonly number: number;
  readonly at: number;
  /** Sorted by replica. */
  readonly heads: readonly AuditHead[];
  readonly prev: string;
  readonly hash: string;
  /** The id of the key that signed it. */
  readonly key: string;
  readonly mac: string;
}

/** The `prev` of the first anchor. */
const GENESIS = "0".repeat(64);

interface AnchorKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Makes the anchor that follows another one. */
export function makeAnchor(
  before: Pick<AuditAnchor, "number" | "hash"> | undefined,
  { at, heads, key }: { at: number; heads: readonly AuditHead[]; key: AnchorKey },
): AuditAnchor {
  const content = { number: (before?.number ?? 0) + 1, at, heads, prev: before?.hash ?? GENESIS };
  const anchorHash = hashOf(content);
  return { ...content, hash: anchorHash, key: key.id, mac: macOf(key, anchorHash) };
}

/**
 * Returns what is wrong with anchors in the order of their numbers. The oldest may have been removed by the retention.
 *
 * @param keyOf returns the key with an id; undefined if it is not configured any more
 */
export async function anchorProblems(
  anchors: readonly AuditAnchor[],
  keyOf: (id: string) => Promise<AnchorKey | undefined>,
): Promise<string[]> {
  const problems: string[] = [];
  let before: AuditAnchor | undefined;
  for (const anchor of anchors) {
    const key = await keyOf(anchor.key);
    if (hashOf(anchor) !== anchor.hash || (key && !isMac(macOf(key, anchor.hash), anchor.mac)))
      problems.push(`anchor ${anchor.number} was changed`);
    else if (!key) problems.push(`anchor ${anchor.number} was signed with a key that is not configured any more`);
    if (before && anchor.number !== before.number + 1)
      problems.push(`${anchor.number - before.number - 1} anchor(s) before anchor ${anchor.number} are missing`);
    else if (before && anchor.prev !== before.hash)
      problems.push(`anchor ${anchor.number} does not follow anchor ${before.number}`);
    before = anchor;
  }
  return problems;
}

function hashOf({ number, at, heads, prev }: Pick<AuditAnchor, "number" | "at" | "heads" | "prev">): string {
  const parts = heads.map(({ replica, from, seq, hash: end }) => [replica, from, seq, end]);
  return hash("sha256", JSON.stringify([number, at, parts, prev]), "hex");
}

const macOf = ({ bytes }: AnchorKey, text: string) =>
  createHmac("sha256", bytes).update(`proxy audit anchor 1\0${text}`).digest("hex");

function isMac(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
