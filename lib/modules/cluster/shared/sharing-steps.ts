/**
 * What replicas share for a short time: values that end by themselves, and counts of attempts. Keys are hashes, and
 * values are sealed, because they are credentials of sign-ins under way.
 */
const SHORT_LIVED = {
  kind: "expand",
  sql: `
    create table short_lived (
      kind text, key text, "group" text, value text not null, at timestamptz not null, expires_at timestamptz not null,
      primary key (kind, key)
    );
    create index short_lived_at on short_lived (kind, at);
    create index short_lived_group on short_lived (kind, "group", at) where "group" is not null;
    create index short_lived_end on short_lived (expires_at);
    create table attempt_window (
      name text, key text, count integer not null, ends_at timestamptz not null, primary key (name, key)
    );
    create index attempt_window_end on attempt_window (ends_at);
    create table failed_attempt (
      key text primary key, wrong double precision not null, most double precision not null,
      every_ms double precision not null, at timestamptz not null
    )`,
} as const;

/** Logs that all replicas write in one order: their numbers are the revisions of the topic. */
const LOGS = {
  kind: "expand",
  sql: `
    create table log_entry (
      topic text, number bigint, program text not null, kind text not null, body text not null,
      primary key (topic, number)
    );
    create table log_epoch (topic text primary key, epoch text not null)`,
} as const;

/** The ends of the audit logs of all replicas, and signed records of them. */
const ANCHORS = {
  kind: "expand",
  sql: `
    create table audit_head (
      replica text primary key, first bigint not null, seq bigint not null, hash text not null,
      seen_at timestamptz not null
    );
    create table audit_anchor (
      number bigint primary key, at bigint not null, heads text not null, prev text not null, hash text not null,
      key text not null, mac text not null
    );
    create index audit_anchor_at on audit_anchor (at)`,
} as const;

/** What replicas do and share besides the store. */
export const SHARING_STEPS = [SHORT_LIVED, LOGS, ANCHORS] as const;
