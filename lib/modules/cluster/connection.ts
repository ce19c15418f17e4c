import { Socket } from "node:net";
import type { Client, QueryResultRow } from "pg";
import { connectionFault } from "./connection-fault.ts";
import type { DatabaseTarget } from "./database-target.ts";

/** Values of a statement's parameters; lists become arrays of the database. */
export type SqlValue = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** Runs statements. Integers, floats and booleans come back as such; all other types as the server's text. */
export type Sql = <Row extends QueryResultRow>(text: string, values?: readonly SqlValue[]) => Promise<Row[]>;

/** One connection to the database. */
export interface Connection {
  readonly sql: Sql;
  /** Aborts when the connection is lost or closed; the reason is the error. */
  readonly lost: AbortSignal;
  /** Ends the connection at once. Statements under way fail, whether the server answers or not. */
  close(): void;
}

export interface ConnectionOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connectTimeoutMs?: number;
  /** Time after which the server itself ends a statement. */
  readonly statementTimeoutMs?: number;
  /** Time after which the server ends a statement that waits for a lock. */
  readonly lockTimeoutMs?: number;
  /** Called with the payload of each notification of a channel that the connection listens to. */
  readonly onNotification?: (payload: string) => void;
}

const CONNECT_TIMEOUT_MS = 3000;
/** The server ends a transaction whose program was stopped, so that its locks are freed. (ms) */
const IDLE_IN_TRANSACTION_MS = 20_000;

/** Object identifiers of the types that become JavaScript values: bool, int8, int2, int4, float4, float8. */
const NUMBERS = new Set([20, 21, 23, 700, 701]);
const BOOLEAN = 16;
const types = {
  getTypeParser: (type: number) => {
    if (type === BOOLEAN) return (text: string) => text === "t";
    return NUMBERS.has(type) ? Number : (text: string) => text;
  },
};

/**
 * Connects to the database. The driver is loaded at the first connection, because most proxies have no cluster.
 *
 * @throws Fault cluster_database_unreachable, cluster_sign_in_refused, cluster_database_missing
 */
export async function openConnection(target: DatabaseTarget, options: ConnectionOptions): Promise<Connection> {
  const { default: pg } = await import("pg");
  // Kept, because only destroying the socket ends a connection to a server that no longer answers.
  const socket = new Socket();
  const client = new pg.Client({
    ...target,
    stream: () => socket,
    types: types as never,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: options.name,
    connectionTimeoutMillis: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs ?? 5000,
    lock_timeout: options.lockTimeoutMs ?? 3000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  const lost = new AbortController();
  const close = () => {
    lost.abort(new Error("the connection was closed"));
    socket.destroy();
  };
  // Without a listener the driver's `error` event would end the process.
  client.on("error", (error) => lost.abort(error));
  client.on("end", () => lost.abort(new Error("the connection was lost")));
  if (options.onNotification) client.on("notification", ({ payload = "" }) => options.onNotification!(payload));
  try {
    await client.connect();
  } catch (error) {
    close();
    throw connectionFault(error, target);
  }
  return { sql: sqlOf(client), lost: lost.signal, close };
}

function sqlOf(client: Client): Sql {
  return async <Row extends QueryResultRow>(text: string, values?: readonly SqlValue[]) => {
    const { rows } = await client.query<Row>(text, values as unknown[] | undefined);
    return rows;
  };
}
