import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { reasonOf } from "../../core/base/fault.ts";
import { Fault } from "./faults.ts";

/** Where the database is and how to sign in to it: the parts of `cluster.database_url`. */
export interface DatabaseTarget {
  /** A host name, an address, or the absolute path of the folder of a local socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: ConnectionOptions | false;
}

const SSL_MODES = ["disable", "require", "verify-ca", "verify-full"];
const PARAMETERS = ["host", "sslmode", "sslrootcert"];

/**
 * Parses a database URL. Connections to other machines are encrypted and the server's certificate is verified unless
 * `sslmode` says otherwise; `disable` is the default for this machine only.
 *
 * @throws Fault cluster_url_invalid; its text never holds the password
 */
export function databaseTarget(text: string): DatabaseTarget {
  const url = parse(text);
  const parameters = Object.fromEntries(url.searchParams);
  const unknown = Object.keys(parameters).find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw invalid(`unknown parameter "${unknown}"; known are ${PARAMETERS.join(", ")}`);
  const host = parameters.host ?? url.hostname.replace(/^\[|\]$|^_$/g, "");
  const user = decoded(url.username, "user");
  const database = decoded(url.pathname.slice(1), "database");
  if (host === "") throw invalid("it names no host");
  if (user === "") throw invalid("it names no user");
  if (database === "") throw invalid("it names no database");
  const password = decoded(url.password, "password");
  const ssl = tlsOptions(host, parameters.sslmode, parameters.sslrootcert);
  return { host, port: Number(url.port || 5432), user, password, database, ssl };
}

/** Returns host and port for messages. */
export function addressOf({ host, port }: Pick<DatabaseTarget, "host" | "port">): string {
  if (host.startsWith("/")) return `${host}/.s.PGSQL.${port}`;
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function parse(text: string): URL {
  // The host of a URL that names a socket is in its parameters, but the URL class requires one.
  const url = attempt(text) ?? attempt(text.replace(/^(postgres(?:ql)?:\/\/[^/?]*@)\//, "$1_/"));
  if (!url) throw invalid("it is not a URL");
  if (!/^postgres(ql)?:$/.test(url.protocol)) throw invalid(`its scheme is ${url.protocol.slice(0, -1)}`);
  return url;
}

function attempt(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid(`its ${name} has a % that is not followed by two hexadecimal digits`);
  }
}

function tlsOptions(host: string, mode: string | undefined, rootPath: string | undefined): ConnectionOptions | false {
  if (mode !== undefined && !SSL_MODES.includes(mode))
    throw invalid(`sslmode is "${mode}"; it can be ${SSL_MODES.join(", ")}`);
  const local = host.startsWith("/") || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  const chosen = mode ?? (local ? "disable" : "verify-full");
  if (chosen === "disable") return false;
  if (chosen === "require") return { rejectUnauthorized: false };
  const ca = rootPath === undefined ? undefined : readRoot(rootPath);
  return {
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
    ...(chosen === "verify-ca" && { checkServerIdentity: () => undefined }),
  };
}

function readRoot(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(`the file of sslrootcert cannot be read: ${reasonOf(error)}`);
  }
}

function invalid(reason: string) {
  return new Fault("cluster_url_invalid", { reason });
}
