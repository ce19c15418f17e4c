import type { SignInRow } from "../schema/sign-in.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { planChanges } from "./plan-changes.ts";
import type { SignInStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

export function createSignInStore(connection: DatabaseConnection, queue: WriteQueue): SignInStore {
  let kept: Map<string, SignInRow> | undefined;
  const listeners = new Set<() => void>();
  queue.onRefused(() => {
    kept = undefined;
  });

  const known = (): Map<string, SignInRow> => {
    if (kept) return kept;
    queue.flush();
    const rows = connection.read(() => connection.prepare("select * from sign_ins").all());
    kept = new Map(
      rows.map((row) => [
        String(row.hash),
        {
          hash: String(row.hash),
          subject: String(row.subject),
          credential: String(row.credential),
          createdAt: Number(row.created_at),
          usedAt: Number(row.used_at),
          expiresAt: Number(row.expires_at),
        },
      ]),
    );
    return kept;
  };

  const remove: SignInStore["remove"] = (hashes) => {
    const durable = queue.put("now", () => {
      for (const hash of hashes) connection.prepare("delete from sign_ins where hash = ?").run(hash);
    });
    for (const hash of hashes) known().delete(hash);
    for (const listener of listeners) listener();
    return durable;
  };

  return {
    get: (hash) => known().get(hash),
    all: () => [...known().values()],
    async change(hash, edit) {
      const get = () => known().get(hash);
      const [planned] = planChanges([hash], get, edit);
      if (!planned) return { before: get(), after: get() };
      const { before, after } = planned;
      let durable: Promise<void>;
      if (after) {
        const { subject, credential, createdAt, usedAt, expiresAt } = after;
        durable = queue.put("now", () => {
          connection.prepare(PUT).run(hash, subject, credential, createdAt, usedAt, expiresAt);
        });
        known().set(hash, after);
      } else durable = remove([hash]);
      await durable;
      return { before, after };
    },
    remove,
    onEnd(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const PUT =
  "insert or replace into sign_ins (hash, subject, credential, created_at, used_at, expires_at) values (?, ?, ?, ?, ?, ?)";
