import { hkdfSync } from "node:crypto";
import { seal, unseal } from "../../../core/base/seal.ts";
import type { Authority } from "../../tls/issue.ts";
import type { Database } from "../database.ts";
import { Fault } from "../faults.ts";

/** The certificates of one replica, all PEM. */
export interface HopIdentity {
  /** The certificate of the authority, which the other replicas' certificates must be signed by. */
  readonly ca: string;
  /** For connections that it accepts. */
  readonly server: { readonly cert: string; readonly key: string };
  /** For connections that it opens. */
  readonly client: { readonly cert: string; readonly key: string };
}

const DOMAIN = "replica.internal";
const PLACE = "cluster authority";
/** A replica makes new certificates long before these end. */
const CLIENT_DAYS = 397;

/** The name of a replica in its certificate. Its address may change, so the certificate does not contain it. */
export const replicaHost = (id: string) => `${id}.${DOMAIN}`;

/** Returns the replica that a client certificate was issued for; undefined if it is another one. */
export function replicaOfSubject(commonName: string | undefined): string | undefined {
  return /^([\w-]{1,40}) \(proxy client\)$/.exec(commonName ?? "")?.[1];
}

/**
 * Makes the certificates of a replica, signed by the authority that all replicas share. Its key is in the database,
 * sealed with the cluster's key, so that access to the database alone is not sufficient to pose as a replica.
 *
 * @param id letters, digits and dashes, at most 40
 * @param keys the keys of the cluster, which every replica has and the database does not; the first one encrypts
 * @throws Fault cluster_key_wrong
 */
export async function hopIdentity(
  database: Database,
  { id, keys, now }: { id: string; keys: readonly Buffer[]; now: number },
): Promise<HopIdentity> {
  const { issueClient, issueServer, newKey } = await import("../../tls/issue.ts");
  const authority = await sharedAuthority(database, keys.map(sealingKey), now);
  const [serverKey, clientKey] = await Promise.all([newKey(), newKey()]);
  return {
    ca: authority.cert,
    server: { key: serverKey, cert: await issueServer(authority, { key: serverKey, names: [replicaHost(id)] }, now) },
    client: {
      key: clientKey,
      cert: await issueClient(authority, { key: clientKey, name: id, days: CLIENT_DAYS }, now),
    },
  };
}

/** Returns the authority of the database. The first replica makes it. */
async function sharedAuthority(database: Database, keys: readonly Buffer[], now: number): Promise<Authority> {
  const read = async () => {
    const [row] = await database.run((sql) =>
      sql<{ cert: string; sealed_key: string }>("select cert, sealed_key from hop_authority where id = 1"),
    );
    return row;
  };
  let row = await read();
  if (!row) {
    const { issueAuthority, newKey } = await import("../../tls/issue.ts");
    const fresh = await newKey();
    const cert = await issueAuthority({ key: fresh, names: [DOMAIN], label: "cluster" }, now);
    await database.run((sql) =>
      sql("insert into hop_authority (id, cert, sealed_key) values (1, $1, $2) on conflict do nothing", [
        cert,
        seal(keys[0]!, PLACE, fresh),
      ]),
    );
    row = (await read())!;
  }
  for (const [index, key] of keys.entries()) {
    let opened: string;
    try {
      opened = unseal(key, PLACE, row.sealed_key);
    } catch {
      // Sealed with another key of the list.
      continue;
    }
    if (index > 0) await reseal(database, row.sealed_key, seal(keys[0]!, PLACE, opened));
    return { cert: row.cert, key: opened };
  }
  throw new Fault("cluster_key_wrong");
}

/** Seals the authority with the first key, so that the older one can be removed from the list. */
async function reseal(database: Database, before: string, after: string): Promise<void> {
  await database.run((sql) =>
    sql("update hop_authority set sealed_key = $2 where id = 1 and sealed_key = $1", [before, after]),
  );
}

/** The authority is sealed with a key of its own, derived from that of the cluster. */
const sealingKey = (key: Buffer) => Buffer.from(hkdfSync("sha256", key, "", PLACE, 32));
