import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "./database.ts";

/** The exclusive right to do something once, in a row that ends by itself. No connection is held meanwhile. */
export interface Claim {
  release(): Promise<void>;
}

interface ClaimRequest {
  readonly name: string;
  /** After this time another replica may claim it, because the first one is presumed dead. The work must end before. */
  readonly claimMs: number;
}

const MAX_WAIT_MS = 100;

/** Claims a name. @returns undefined if somebody else has it, also another work of this process */
export async function takeClaim(database: Database, { name, claimMs }: ClaimRequest): Promise<Claim | undefined> {
  const holder = randomUUID();
  const rows = await database.run((sql) =>
    sql(
      `insert into claim (name, holder, expires_at)
        values ($1, $2, clock_timestamp() + make_interval(secs => $3::float8 / 1000))
        on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where claim.expires_at < clock_timestamp() returning name`,
      [name, holder, claimMs],
    ),
  );
  if (rows.length === 0) return undefined;
  return {
    release: () =>
      database
        .run((sql) => sql("delete from claim where name = $1 and holder = $2", [name, holder]))
        // A claim that cannot be given back ends by itself.
        .then(
          () => {},
          () => {},
        ),
  };
}

/** Waits a little before a claim is tried again; spread, so that those who wait do not try in step. */
export async function waitForClaim(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(Math.min(MAX_WAIT_MS, 5 * 2 ** attempt) * (0.5 + Math.random()), undefined, { signal });
}

/** Runs work while nobody else does so under this name. */
export async function withClaim<T>(
  database: Database,
  { signal, ...request }: ClaimRequest & { signal?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const claim = await takeClaim(database, request);
    if (claim)
      try {
        return await work();
      } finally {
        await claim.release();
      }
    await waitForClaim(attempt, signal);
  }
}
