import type { Sql } from "./connection.ts";
import { Fault } from "./faults.ts";

/** A running program, as the others see it. */
export interface ProgramIdentity {
  /** Unique per process. */
  readonly id: string;
  /** The number of steps that the program knows. */
  readonly steps: number;
}

/** A program whose last heartbeat is older than this counts as ended. (seconds) */
export const PROGRAM_LIFE_S = 15;

/** Returns the condition that the program in a column has ended, or is this one (which has just started). */
export function programEnded(column: string, self: string): string {
  return `(${column} = ${self} or not exists (select from program where program.id = ${column}
    and seen_at > clock_timestamp() - make_interval(secs => ${PROGRAM_LIFE_S})))`;
}

/**
 * Records a heartbeat, so that contracting steps wait for this program, and checks that the program still knows the
 * tables. A program that was stopped for long learns here that it is too old.
 *
 * @throws Fault cluster_schema_newer
 */
export async function recordHeartbeat(sql: Sql, { id, steps }: ProgramIdentity): Promise<void> {
  const [row] = await sql<{ needed: number }>("select coalesce(max(needs), 0) as needed from schema_step");
  const needed = row?.needed ?? 0;
  if (steps < needed) throw new Fault("cluster_schema_newer", { needed, known: steps });
  await sql(
    `insert into program (id, steps, seen_at) values ($1, $2, clock_timestamp())
      on conflict (id) do update set steps = excluded.steps, seen_at = excluded.seen_at`,
    [id, steps],
  );
}

/** Returns a living program that knows fewer steps; undefined if there is none. */
export async function olderProgram(sql: Sql, steps: number): Promise<ProgramIdentity | undefined> {
  const [row] = await sql<{ id: string; steps: number }>(
    `select id, steps from program
      where steps < $1 and seen_at > clock_timestamp() - make_interval(secs => $2) order by id limit 1`,
    [steps, PROGRAM_LIFE_S],
  );
  return row;
}

/** Whether another program lives. */
export async function otherProgramLives(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql(
    "select from program where id <> $1 and seen_at > clock_timestamp() - make_interval(secs => $2) limit 1",
    [id, PROGRAM_LIFE_S],
  );
  return rows.length > 0;
}

/** Removes the row of a program that ends, so that nobody waits for it. */
export async function removeProgram(sql: Sql, id: string): Promise<void> {
  await sql("delete from program where id = $1", [id]);
}
