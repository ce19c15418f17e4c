import { reasonOf } from "../../core/base/fault.ts";
import { systemErrorCode } from "../../core/base/file.ts";
import { addressOf, type DatabaseTarget } from "./database-target.ts";
import { Fault } from "./faults.ts";

type Target = Pick<DatabaseTarget, "host" | "port" | "user" | "database">;

/** Why a server cannot be reached, and what to do about it, by the system's error code. */
const UNREACHABLE: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  EAI_AGAIN: [
    "its name cannot be resolved at the moment",
    "check the name service and the host in cluster.database_url",
  ],
  ECONNREFUSED: ["the connection was refused", "start the server, or correct host and port in cluster.database_url"],
  EHOSTUNREACH: ["there is no route to it", "check the network"],
  ENETUNREACH: ["there is no route to it", "check the network"],
  ENOENT: ["the socket does not exist", "start the server, or correct host and port in cluster.database_url"],
  ENOTFOUND: ["its name is unknown", "correct the host in cluster.database_url"],
  ETIMEDOUT: ["it did not answer in time", "check the network and the server's firewall"],
};

/** Turns a failed attempt to connect into a fault that names its remedy. */
export function connectionFault(error: unknown, target: Target): Fault {
  if (error instanceof Fault) return error;
  const host = addressOf(target);
  const code = systemErrorCode(error);
  const reason = reasonOf(error);
  const options = { cause: error };
  if (code === "28P01" || code === "28000")
    return new Fault("cluster_sign_in_refused", { user: target.user, host, reason }, options);
  if (code === "3D000") return new Fault("cluster_database_missing", { database: target.database, host }, options);
  const [why, remedy] = UNREACHABLE[code] ??
    serverState(code, reason) ??
    tlsState(code, reason) ?? [reason, "check that a PostgreSQL server listens there"];
  return new Fault("cluster_database_unreachable", { host, reason: why, remedy }, options);
}

function serverState(code: string, reason: string): readonly [string, string] | undefined {
  if (code === "53300") return [reason, "raise max_connections of the server: each replica uses up to ten connections"];
  if (code === "57P03") return [reason, "wait until the server has started"];
  if (code === "42501") return [reason, "grant the right CONNECT on the database to the user"];
  // The driver's own texts; it has no codes for them.
  if (/password must be a (non-empty )?string|no password/i.test(reason))
    return ["it requires a password", "add one to cluster.database_url"];
  if (/timeout expired/.test(reason)) return UNREACHABLE.ETIMEDOUT;
  return undefined;
}

function tlsState(code: string, reason: string): readonly [string, string] | undefined {
  if (/does not support SSL/.test(reason))
    return [
      "it does not offer TLS",
      "enable ssl on the server; or, in a trusted network, add sslmode=disable to the URL",
    ];
  if (/^(ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|HOSTNAME_MISMATCH)/.test(code))
    return [
      `its certificate is not trusted: ${reason}`,
      "add sslrootcert=PATH of its authority's certificate to the URL; or, in a trusted network, sslmode=require",
    ];
  return undefined;
}
