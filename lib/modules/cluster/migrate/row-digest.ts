import { createHash } from "node:crypto";
import type { MovedTable, Value } from "./moved-tables.ts";

/** The number of rows and a sum of their hashes, which does not depend on their order. */
export interface RowDigest {
  readonly rows: number;
  readonly hash: string;
}

interface RowDigester {
  add(row: Readonly<Record<string, Value>>): void;
  digest(): RowDigest;
}

/** @param skipped columns whose values differ on purpose */
export function createRowDigester({ columns }: Pick<MovedTable, "columns">, skipped: readonly string[]): RowDigester {
  const names = Object.keys(columns).filter((name) => !skipped.includes(name));
  let rows = 0;
  let sum = 0n;
  return {
    add(row) {
      rows++;
      const text = JSON.stringify(names.map((name) => wellFormed(row[name] ?? null)));
      sum = BigInt.asUintN(64, sum + createHash("sha256").update(text).digest().readBigUInt64BE());
    },
    digest: () => ({ rows, hash: sum.toString(16).padStart(16, "0") }),
  };
}

/** Half a surrogate pair has no form in UTF-8, so neither database stores it. */
function wellFormed(value: Value): Value {
  return typeof value === "string" ? Buffer.from(value, "utf8").toString("utf8") : value;
}
