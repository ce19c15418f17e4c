import * as v from "valibot";

const about = v.description;

/** How much of one table can be read. */
export const TableCondition = v.object({
  table: v.string(),
  rows: v.pipe(v.number(), about("number of rows that can be read")),
  lost: v.pipe(v.number(), about("number of rows that cannot be read; a lower bound with `more_lost`")),
  more_lost: v.pipe(v.boolean(), about("an unknown number of further rows is missing")),
  damaged_values: v.pipe(v.number(), about("number of readable values that are damaged (invalid JSON)")),
  problems: v.pipe(v.array(v.string()), about("beginning of SQLite's report about the table and its indices")),
});
export type TableCondition = Readonly<v.InferOutput<typeof TableCondition>>;

/** The condition of a database after a check. */
export const DatabaseCondition = v.object({
  file: v.string(),
  whole: v.boolean(),
  tables: v.pipe(v.array(TableCondition), v.readonly()),
});
export type DatabaseCondition = Readonly<v.InferOutput<typeof DatabaseCondition>>;

/** The condition of a database after a recovery. */
export const DatabaseRecovery = v.object({
  ...DatabaseCondition.entries,
  kept_as: v.exactOptional(
    v.pipe(
      v.string(),
      about("path of the damaged database; absent if the database was intact and nothing was changed"),
    ),
  ),
  approvals_needed: v.pipe(
    v.boolean(),
    about("every tool without a readable approval waits for a decision, because its approval or block may be lost"),
  ),
});
export type DatabaseRecovery = Readonly<v.InferOutput<typeof DatabaseRecovery>>;
