/**
 * The tables of the replicas, of the processes that they run and of their authority. A replica lives while it holds the lease
 * `replica/<id>`; it runs a process while it lives and its row in `process_owner` names that lease's token.
 */
export const PROCESS_STEPS = [
  {
    kind: "expand",
    sql: `
      create table replica (
        id text primary key, address text not null, seen_at timestamptz not null
      );
      create table process_owner (
        server text primary key, replica text not null, lease_token bigint not null, token bigint not null
      );
      create table hop_authority (
        id integer primary key, cert text not null, sealed_key text not null
      )`,
  },
] as const;
