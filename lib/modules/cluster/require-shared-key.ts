import { isJsonObject } from "../../core/base/json-object.ts";
import type { Logger } from "../../core/log/logger.ts";
import type { MetaStore } from "../../core/store/store.ts";
import type { Database } from "./database.ts";
import { Fault } from "./faults.ts";
import { otherProgramLives } from "./programs.ts";

/** The row in which the replica that started last stored the id of the key that it encrypts with. */
export const KEY_AGREEMENT = "cluster.api_key";

interface SharedKeyOptions {
  readonly database: Database;
  readonly meta: Pick<MetaStore, "get">;
  /** The id of this program in the database. */
  readonly program: string;
  /** Whether `cluster.encryption_keys` has the key with this id. */
  hasKey(id: string): Promise<boolean>;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Checks that this replica has the key of the replica that started last: otherwise neither could open what the other
 * encrypts. If no other replica lives, the keys may have been lost, so this one begins anew.
 *
 * @throws Fault cluster_key_wrong
 */
export async function requireSharedKey({ database, meta, program, hasKey, log }: SharedKeyOptions): Promise<void> {
  const stored = meta.get(KEY_AGREEMENT);
  if (!isJsonObject(stored) || typeof stored.key !== "string" || (await hasKey(stored.key))) return;
  if (await database.run((sql) => otherProgramLives(sql, program))) throw new Fault("cluster_key_wrong");
  log.warn(
    "cluster.encryption_keys lacks the key that the replicas used before; what it encrypted, such as sign-ins at servers, cannot be read until you add that key",
  );
  // Nobody can open the key of the authority any more; the first replica with processes makes another one.
  await database.run((sql) => sql("delete from hop_authority"));
}
