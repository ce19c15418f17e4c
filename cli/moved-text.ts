import type { MovedCount } from "#lib/modules/cluster/migrate/migrate-directory.ts";

/** Lists the tables that were moved, and what to do next. */
export function movedText(tables: readonly MovedCount[], next: string): string {
  const width = Math.max(...tables.map(({ table }) => table.length));
  const lines = tables.map(({ table, rows, hash }) => `${table.padEnd(width)}  ${rows} row(s), hash ${hash}`);
  return [...lines, `all rows are equal in both databases; ${next}`].join("\n");
}
