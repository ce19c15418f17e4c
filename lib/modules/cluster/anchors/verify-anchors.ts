import type { SealingKeys } from "../../../core/secrets/sealing-keys.ts";
import type { Database } from "../database.ts";
import { type AuditAnchor, type AuditHead, anchorProblems } from "./anchor.ts";
import { readAnchors } from "./anchor-table.ts";

/** What anchors say about the audit logs of the replicas. */
export interface VerifiedAnchors {
  readonly count: number;
  readonly problems: readonly string[];
  /** The hashes of lines by their numbers, by replica. */
  readonly lines: ReadonlyMap<string, ReadonlyMap<number, string>>;
  /** The newest end of each replica's log. */
  readonly heads: ReadonlyMap<string, AuditHead & { readonly at: number }>;
  /** The hashes of the anchors by their numbers, and the number of the oldest one. */
  readonly hashes: ReadonlyMap<number, string>;
  readonly first: number;
}

const PAGE = 500;
const MAX_PROBLEMS = 100;

/** Reads all anchors of a cluster and verifies them. */
export async function verifyAnchors(database: Database, keys: Pick<SealingKeys, "byId">): Promise<VerifiedAnchors> {
  const lines = new Map<string, Map<number, string>>();
  const heads = new Map<string, AuditHead & { at: number }>();
  const hashes = new Map<number, string>();
  const problems: string[] = [];
  const keyOf = (id: string) => keys.byId(id).catch(() => undefined);
  let last: AuditAnchor | undefined;
  let first = 0;
  for (;;) {
    const page = await database.run((sql) => readAnchors(sql, last?.number ?? 0, PAGE));
    // The last anchor of the page before was verified with that page; here it only leads to the first one.
    const found = await anchorProblems(last ? [last, ...page] : page, keyOf);
    problems.push(...found.slice(0, MAX_PROBLEMS - problems.length));
    for (const { number, hash, at, heads: ends } of page) {
      first ||= number;
      hashes.set(number, hash);
      for (const head of ends) {
        heads.set(head.replica, { ...head, at });
        const known = lines.get(head.replica) ?? new Map<number, string>();
        lines.set(head.replica, known.set(head.seq, head.hash));
      }
    }
    last = page.at(-1) ?? last;
    if (page.length < PAGE) break;
  }
  return { count: hashes.size, problems: [...new Set(problems)], lines, heads, hashes, first };
}
