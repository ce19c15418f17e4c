import type { DatabaseSync, Row } from "../../sqlite/types.ts";
import type { TableCondition } from "../schema/database-condition.ts";

/** True if every row of the table could be read and has all its values. */
export const isTableIntact = ({ lost, more_lost, damaged_values, problems }: TableCondition): boolean =>
  lost === 0 && !more_lost && damaged_values === 0 && problems.length === 0;

interface Table {
  readonly name: string;
  readonly sql: string;
}

/**
 * Lists the tables of a database.
 *
 * @throws SQLite's error if the list of tables cannot be read
 */
export function tablesOf(db: DatabaseSync): Table[] {
  return db
    .prepare("select name, sql from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all()
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
}

/** Columns that hold JSON. */
const JSON_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  activity: ["detection_types"],
  activity_payload: ["arguments", "metadata"],
  approvals: ["approved", "current"],
  meta: ["value"],
  scans: ["job", "report"],
  tokens: ["permissions", "servers"],
  users: ["groups", "off"],
};

const MAX_PROBLEMS = 5;

/**
 * Reads every readable row of a table.
 *
 * @param each called with some rows at a time, and the number of damaged values in them
 */
export async function salvageTable(
  db: DatabaseSync,
  table: Table,
  each: (rows: readonly SalvagedRow[]) => void,
): Promise<TableCondition> {
  const problems = problemsOf(db, table.name);
  let [rows, lost, moreLost, damagedValues] = [0, 0, false, 0];
  const pieces = /without\s+rowid/i.test(table.sql) ? fromBothEnds(db, table.name) : byNumber(db, table.name);
  for (const piece of pieces) {
    if (piece === "more") moreLost = true;
    else if (typeof piece === "number") lost += piece;
    else {
      const salvaged = piece.map((row) => ({ row, damaged: damagedIn(table.name, row) }));
      rows += piece.length;
      for (const { damaged } of salvaged) damagedValues += damaged;
      each(salvaged);
    }
    await new Promise((done) => setImmediate(done));
  }
  return { table: table.name, rows, lost, more_lost: moreLost, damaged_values: damagedValues, problems };
}

export interface SalvagedRow {
  readonly row: Row;
  readonly damaged: number;
}

/** Rows, or the number of lost rows, or `more` if an unknown number of rows is lost. */
type Piece = Row[] | number | "more";

/** Number of row ids that one statement reads. */
const PIECE = 500;
/** If the end of the table is unknown, so many consecutive unreadable positions count as the end. */
const GIVEN_UP_AFTER = 5000;

function* byNumber(db: DatabaseSync, table: string): Generator<Piece> {
  const end = (which: "min" | "max") =>
    attempt(() => db.prepare(`select ${which}(rowid) as n from ${quotedIdentifier(table)}`).get()?.n);
  const [first, last] = [end("min"), end("max")];
  if (last === null) return;
  const high = last === DAMAGED ? Number.MAX_SAFE_INTEGER : Number(last);
  const statement = attempt(() =>
    db.prepare(`select * from ${quotedIdentifier(table)} where rowid between ? and ? order by rowid`),
  );
  if (statement === DAMAGED) return yield "more";
  const read = (from: number, to: number) => attempt(() => statement.all(from, to));
  let lostInARow = 0;
  for (let from = first === DAMAGED || first === null ? 1 : Number(first); from <= high; from += PIECE) {
    const open: [number, number][] = [[from, Math.min(high, from + PIECE - 1)]];
    for (let range = open.pop(); range; range = open.pop()) {
      const [low, top] = range;
      const rows = read(low, top);
      if (rows !== DAMAGED) {
        if (rows.length > 0) yield rows;
        lostInARow = rows.length > 0 ? 0 : lostInARow;
      } else if (low === top) {
        lostInARow++;
        yield 1;
      } else {
        const middle = Math.floor((low + top) / 2);
        open.push([middle + 1, top], [low, middle]);
      }
    }
    if (lostInARow >= GIVEN_UP_AFTER || (high === Number.MAX_SAFE_INTEGER && lostInARow === 0 && isPast(read, from)))
      return yield "more";
  }
}

/** Used if the end of the table is unknown: true if there is no row after a position. */
function isPast(read: (from: number, to: number) => Row[] | typeof DAMAGED, from: number): boolean {
  const rest = read(from + PIECE, from + PIECE * 1000);
  return rest !== DAMAGED && rest.length === 0;
}

/** Reads a table in the order of its key from both ends, up to the damaged part in between. */
function* fromBothEnds(db: DatabaseSync, table: string): Generator<Piece> {
  const key = attempt(() =>
    db
      .prepare(`select name from pragma_table_info(${literal(table)}) where pk > 0 order by pk`)
      .all()
      .map(({ name }) => String(name)),
  );
  if (key === DAMAGED) return yield "more";
  const seen = new Set<string>();
  const keyOf = (row: Row) => JSON.stringify(key.map((column) => row[column]));
  for (const direction of ["asc", "desc"]) {
    const order = key.map((column) => `${quotedIdentifier(column)} ${direction}`).join(", ");
    const rows: Row[] = [];
    const whole = attempt(() => {
      for (const row of db.prepare(`select * from ${quotedIdentifier(table)} order by ${order}`).iterate())
        rows.push(row);
    });
    const fresh = rows.filter((row) => !seen.has(keyOf(row)));
    for (const row of fresh) seen.add(keyOf(row));
    if (fresh.length > 0) yield fresh;
    if (whole !== DAMAGED) return;
  }
  yield "more";
}

function problemsOf(db: DatabaseSync, table: string): string[] {
  const found = attempt(() => db.prepare(`PRAGMA integrity_check(${quotedIdentifier(table)})`).all());
  if (found === DAMAGED) return ["the check could not be completed"];
  return found
    .flatMap((row) => Object.values(row).map(String))
    .filter((text) => text !== "ok")
    .slice(0, MAX_PROBLEMS);
}

function damagedIn(table: string, row: Row): number {
  const values = (JSON_COLUMNS[table] ?? []).map((column) => row[column]);
  return values.filter((value) => value !== null && value !== undefined && !isJson(value)).length;
}

function isJson(value: unknown): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}

const DAMAGED = Symbol("damaged");

/** Treats any error while reading a damaged file as further damage. */
function attempt<T>(act: () => T): T | typeof DAMAGED {
  try {
    return act();
  } catch {
    return DAMAGED;
  }
}

/** Quotes a name of a table or column for SQL. */
export const quotedIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`;
