import type { Row } from "../../sqlite/types.ts";
import type { UserRow } from "../schema/user.ts";
import type { DatabaseConnection } from "./database-connection.ts";
import { readableJsonColumn, toJsonColumn, withoutNulls } from "./json-column.ts";
import { planChanges } from "./plan-changes.ts";
import type { RowChange, RowEdit, UserStore } from "./store.ts";
import type { WriteQueue } from "./write-queue.ts";

export function createUserStore(connection: DatabaseConnection, queue: WriteQueue): UserStore {
  let kept: Map<string, UserRow> | undefined;
  let bySubject = new Map<string, string>();
  const listeners = new Set<(id: string) => void>();
  queue.onRefused(() => {
    kept = undefined;
  });

  const known = (): Map<string, UserRow> => {
    if (kept) return kept;
    queue.flush();
    const rows = connection.read(() => connection.prepare("select * from users").all()).map(fromRow);
    kept = new Map(rows.map((row) => [row.id, row]));
    bySubject = new Map(rows.map((row) => [subjectKey(row.issuer, row.subject), row.id]));
    return kept;
  };

  const ofSubject = (issuer: string, subject: string): UserRow | undefined => {
    const users = known();
    return users.get(bySubject.get(subjectKey(issuer, subject)) ?? "");
  };
  /** @param get reads the current row */
  const change = async (
    id: string,
    get: () => UserRow | undefined,
    edit: RowEdit<UserRow>,
  ): Promise<RowChange<UserRow>> => {
    const [planned] = planChanges([id], get, edit);
    if (!planned) return { before: get(), after: get() };
    const { before, after } = planned;
    const inputs = after && toInputs(after);
    const durable = queue.put("now", () => {
      if (before && before.id !== after?.id) connection.prepare("delete from users where id = ?").run(before.id);
      if (inputs) connection.prepare(PUT).run(inputs);
    });
    if (before) {
      known().delete(before.id);
      bySubject.delete(subjectKey(before.issuer, before.subject));
    }
    if (after) {
      known().set(after.id, after);
      bySubject.set(subjectKey(after.issuer, after.subject), after.id);
    }
    for (const listener of listeners) listener((after ?? before)!.id);
    await durable;
    return { before, after };
  };

  return {
    all: () => [...known().values()].sort((a, b) => (a.email < b.email ? -1 : 1)),
    get: (id) => known().get(id),
    bySubject: ofSubject,
    change: (id, edit) => change(id, () => known().get(id), edit),
    changeBySubject: (issuer, subject, edit) =>
      change(ofSubject(issuer, subject)?.id ?? "", () => ofSubject(issuer, subject), edit),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Joins two texts from outside into a key. With JSON, no other pair of texts has the same key. */
const subjectKey = (issuer: string, subject: string) => JSON.stringify([issuer, subject]);

const COLUMNS = [
  "id",
  "issuer",
  "subject",
  "email",
  "display_name",
  "groups",
  "admin",
  "off",
  "created_at",
  "signed_in_at",
  "bearers_after",
  "disabled_at",
];
const PUT = `insert or replace into users (${COLUMNS.map((c) => `"${c}"`).join(", ")})
  values (${COLUMNS.map((c) => `:${c}`).join(", ")})`;

function toInputs({ id, issuer, subject, email, displayName, groups, admin, off, ...times }: UserRow) {
  return {
    id,
    issuer,
    subject,
    email,
    display_name: displayName ?? null,
    groups: toJsonColumn(groups),
    admin: admin ? 1 : 0,
    off: toJsonColumn(off),
    created_at: times.createdAt,
    signed_in_at: times.signedInAt,
    bearers_after: times.bearersAfter,
    disabled_at: times.disabledAt ?? null,
  };
}

/** Converts a row that `toInputs` wrote. A user whose rights are damaged counts as disabled. */
function fromRow(row: Row): UserRow {
  const [groups, off] = [readableJsonColumn<string[]>(row.groups), readableJsonColumn<string[]>(row.off)];
  const isDamaged = groups === undefined || off === undefined;
  return withoutNulls({
    id: row.id,
    issuer: row.issuer,
    subject: row.subject,
    email: row.email,
    displayName: row.display_name,
    groups: groups ?? [],
    admin: row.admin === 1,
    off: off ?? [],
    createdAt: row.created_at,
    signedInAt: row.signed_in_at,
    bearersAfter: row.bearers_after,
    disabledAt: isDamaged ? (row.disabled_at ?? 0) : row.disabled_at,
  }) as unknown as UserRow;
}
