import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "./connection.ts";
import { type Database, sqlState } from "./database.ts";
import { Fault } from "./faults.ts";
import { lintStep } from "./lint-step.ts";
import { olderProgram, recordHeartbeat } from "./programs.ts";
import { type IndexStep, type SchemaStep, stepDigest } from "./schema-step.ts";

interface AppliedSteps {
  /** The numbers of the steps that this call applied. */
  readonly applied: readonly number[];
  /** Why the next step was put off: a living program still needs what it takes away. Call again later. */
  readonly waits?: { readonly step: number; readonly program: string };
}

/** One program at a time applies steps; the number is the key of the lock and means nothing. */
const LOCK_KEY = 7_205_759_403;
const STEP_TIMEOUT_MS = 120_000;
/** Longest wait for other programs that apply steps. (ms) */
const TURN_TIMEOUT_MS = 180_000;
/** A step waits this long for a table that others use, then tries again, so that nobody queues behind it for long. */
const TABLE_LOCK_TIMEOUT = "1s";
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Brings the tables up to the steps that this program knows. Any number of programs may call it at once, and each may be
 * killed at any point: a step and its number are written in one transaction, or, for an index, repeated.
 *
 * @throws Fault cluster_schema_newer, cluster_schema_changed, and the faults of `Database.run`
 */
export async function applySteps(
  database: Database,
  steps: readonly SchemaStep[],
  { id, signal }: { id: string; signal?: AbortSignal },
): Promise<AppliedSteps> {
  for (const [index, step] of steps.entries()) {
    const problem = lintStep(step, index + 1);
    if (problem) throw new Error(`step ${index + 1}: ${problem}`);
  }
  const applied: number[] = [];
  const deadline = performance.now() + TURN_TIMEOUT_MS;
  for (;;) {
    const outcome = await attempt(database, steps, { id, signal });
    if (outcome.kind === "end") return { applied };
    if (outcome.kind === "waits") return { applied, waits: { step: outcome.step, program: outcome.program } };
    if (outcome.kind === "applied") applied.push(outcome.step);
    else if (performance.now() > deadline)
      throw new Fault("cluster_database_away", { reason: "another program holds a table or changes the tables" });
    // Spread, so that programs that started together do not try in step.
    else await sleep(100 + Math.random() * 200, undefined, { signal });
  }
}

type Outcome =
  | { readonly kind: "end" | "busy" }
  | { readonly kind: "applied"; readonly step: number }
  | { readonly kind: "waits"; readonly step: number; readonly program: string };

async function attempt(
  database: Database,
  steps: readonly SchemaStep[],
  { id, signal }: { id: string; signal: AbortSignal | undefined },
): Promise<Outcome> {
  const limits = { timeoutMs: STEP_TIMEOUT_MS + 10_000, signal };
  try {
    const outcome = await database.transact(async (sql): Promise<Outcome | IndexStep> => {
      // Not waited for: a waiting transaction would hold up the making of an index, which waits for all transactions.
      const [lock] = await sql<{ free: boolean }>("select pg_try_advisory_xact_lock($1) as free", [LOCK_KEY]);
      if (!lock?.free) return { kind: "busy" };
      const next = await prepare(sql, steps, id);
      const step = steps[next - 1];
      if (!step) return { kind: "end" };
      if (step.kind === "index") return step;
      if (step.kind === "contract") {
        const older = await olderProgram(sql, step.needs);
        if (older) return { kind: "waits", step: next, program: older.id };
      }
      await sql(`set local statement_timeout = '${STEP_TIMEOUT_MS}ms'`);
      await sql(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`);
      await sql(step.sql);
      await recordStep(sql, next, step);
      return { kind: "applied", step: next };
    }, limits);
    return outcome.kind === "index" ? await database.run((sql) => makeIndex(sql, steps, id), limits) : outcome;
  } catch (error) {
    if (sqlState(error) === LOCK_NOT_AVAILABLE) return { kind: "busy" };
    throw error;
  }
}

/** Checks the steps in the database and records this program's heartbeat. @returns the number of the next step */
async function prepare(sql: Sql, steps: readonly SchemaStep[], id: string): Promise<number> {
  await sql(`create table if not exists schema_step (
      number int primary key, kind text not null, digest text not null, needs int,
      applied_at timestamptz not null default clock_timestamp());
    create table if not exists program (id text primary key, steps int not null, seen_at timestamptz not null)`);
  const had = await sql<{ number: number; digest: string }>("select number, digest from schema_step order by number");
  await recordHeartbeat(sql, { id, steps: steps.length });
  await sql("delete from program where seen_at < clock_timestamp() - interval '1 day'");
  for (const { number, digest } of had) {
    const known = steps[number - 1];
    if (known && stepDigest(known) !== digest) throw new Fault("cluster_schema_changed", { step: number });
  }
  return had.length + 1;
}

async function recordStep(sql: Sql, number: number, step: SchemaStep): Promise<void> {
  const needs = step.kind === "contract" ? step.needs : null;
  await sql("insert into schema_step (number, kind, digest, needs) values ($1, $2, $3, $4)", [
    number,
    step.kind,
    stepDigest(step),
    needs,
  ]);
}

/**
 * Makes an index without stopping writes. A program that was killed here leaves an invalid index, which the next one
 * replaces. The lock belongs to the connection and ends with it.
 */
async function makeIndex(sql: Sql, steps: readonly SchemaStep[], id: string): Promise<Outcome> {
  const [lock] = await sql<{ free: boolean }>("select pg_try_advisory_lock($1) as free", [LOCK_KEY]);
  if (!lock?.free) return { kind: "busy" };
  try {
    // Another program may have made it since the transaction before.
    const number = await prepare(sql, steps, id);
    const step = steps[number - 1];
    if (step?.kind !== "index") return { kind: "busy" };
    const [found] = await sql<{ valid: boolean }>(
      "select indisvalid as valid from pg_index where indexrelid = to_regclass($1)",
      [step.name],
    );
    // It waits for the transactions of others, but nobody waits for it.
    await sql(`set lock_timeout = 0; set statement_timeout = '${STEP_TIMEOUT_MS}ms'`);
    if (found && !found.valid) await sql(`drop index concurrently ${step.name}`);
    await sql(`create index concurrently if not exists ${step.name} on ${step.on}`);
    await recordStep(sql, number, step);
    return { kind: "applied", step: number };
  } finally {
    await sql("reset lock_timeout; reset statement_timeout");
    await sql("select pg_advisory_unlock($1)", [LOCK_KEY]);
  }
}
