import type { DatabaseSync } from "../../sqlite/types.ts";
import { Fault } from "../base/fault.ts";

/**
 * How many of the steps the database has had. Reads only.
 *
 * @throws Fault database_newer
 */
export function stepsDone(db: DatabaseSync, file: string, known: number): number {
  const found = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  if (found > known) throw new Fault("database_newer", { file, found, known });
  return found;
}

/** Runs the steps from `done` on, each with its number in one transaction: a crash leaves a step done or not begun. */
export function migrate(db: DatabaseSync, steps: readonly string[], done: number) {
  for (let n = done; n < steps.length; n++)
    db.exec(`BEGIN IMMEDIATE; ${steps[n]}; PRAGMA user_version=${n + 1}; COMMIT`);
}
