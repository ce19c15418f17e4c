import type { DatabaseSync } from "../../sqlite/types.ts";
import { Fault } from "../base/fault.ts";

/**
 * Returns how many of the steps were already applied to the database. Writes nothing.
 *
 * @throws Fault database_newer
 */
export function stepsDone(db: DatabaseSync, file: string, known: number): number {
  const found = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  if (found > known) throw new Fault("database_newer", { file, found, known });
  return found;
}

/**
 * Applies the steps from `done` on, each in one transaction with its number: a crash leaves a step either done or not
 * begun.
 */
export function applyMigrations(db: DatabaseSync, steps: readonly string[], done: number) {
  for (let n = done; n < steps.length; n++)
    db.exec(`BEGIN IMMEDIATE; ${steps[n]}; PRAGMA user_version=${n + 1}; COMMIT`);
}
