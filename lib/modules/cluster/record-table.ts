import { toJsonColumn, withoutNulls } from "../../core/store/json-column.ts";
import type { SharedTable } from "./shared-table.ts";

/** How a member of a row is stored; `json` is text in the database. */
type MemberType = "text" | "bigint" | "double precision" | "boolean" | "json";

interface RecordTable<Row> {
  readonly topic: string;
  readonly table: string;
  /** Members that form the key; they are texts. */
  readonly key: readonly (keyof Row & string)[];
  /** All members, those of the key included. A member may be absent where its column may be null. */
  readonly members: { readonly [Member in keyof Required<Row>]: MemberType };
}

/** Describes a shared table whose columns are the members of its rows, in snake case. */
export function recordTable<Row extends object>(record: RecordTable<Row>): SharedTable<Row> {
  const { topic, table, key, members } = record;
  const all = Object.entries<MemberType>(members).map(([member, type]) => ({
    member,
    type,
    column: snakeCase(member),
  }));
  return {
    topic,
    table,
    key: key.map(snakeCase),
    columns: Object.fromEntries(all.map(({ column, type }) => [column, type === "json" ? "text" : type])),
    keyOf: (row) => key.map((member) => String(row[member])),
    toCells(row) {
      const values = row as Record<string, unknown>;
      const cells = all.map(({ member, type, column }) => {
        const value = values[member];
        return [column, type === "json" ? toJsonColumn(value) : (value ?? null)];
      });
      return Object.fromEntries(cells);
    },
    fromCells(cells) {
      const values = all.map(({ member, type, column }) => {
        const cell = cells[column] ?? null;
        return [member, type === "json" && cell !== null ? JSON.parse(String(cell)) : cell];
      });
      // Only rows that `toCells` received are in the table.
      return withoutNulls(Object.fromEntries(values)) as unknown as Row;
    },
  };
}

function snakeCase(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
