/**
 * The tables, as a sequence of migration steps. A released step is never changed; a change of the tables is a new step
 * at the end. Times are milliseconds since the epoch; objects are JSON text.
 */
export const MIGRATIONS: readonly string[] = [
  // 1: the tables of the first release.
  `
  create table meta (
    key text primary key,
    value text not null
  ) without rowid;

  create table approvals (
    server text not null,
    tool text not null,
    status text not null,
    disabled integer not null,
    approved_hash text,
    approved text,
    current_hash text not null,
    current text not null,
    approved_at integer,
    approved_by text,
    updated_at integer not null,
    primary key (server, tool)
  );

  create table sessions (
    id text primary key,
    status text not null,
    client_name text not null,
    client_version text not null,
    mode text not null,
    actor text not null,
    client_ip text,
    started_at integer not null,
    last_active_at integer not null,
    closed_at integer,
    tool_calls integer not null
  );

  create table usage (
    tool text not null,
    day integer not null,
    calls integer not null,
    last_used integer not null,
    primary key (tool, day)
  ) without rowid;

  -- Narrow, so that any filter is answered by reading through it (0.2 µs a record); an index on anything but the time
  -- would double the price of writing a record, since every one of them lands on another page.
  create table activity (
    seq integer primary key,
    id text not null,
    at integer not null,
    type text not null,
    status text not null,
    server_name text,
    tool_name text,
    session_id text,
    request_id text,
    parent_id text,
    source text not null,
    actor text,
    duration_ms real
  );
  create index activity_at on activity (at);
  create unique index activity_id on activity (id);

  -- What a record carries, out of the way of the filters.
  create table activity_payload (
    seq integer primary key,
    error_message text,
    arguments text,
    response text,
    response_truncated integer,
    metadata text
  );
  `,
  // 2: agent tokens, with only a hash of the secret.
  `
  create table tokens (
    name text primary key,
    hash text not null,
    prefix text not null,
    servers text not null,
    permissions text not null,
    profile text,
    created_at integer not null,
    expires_at integer not null,
    last_used_at integer,
    revoked_at integer
  ) without rowid;
  create unique index tokens_hash on tokens (hash);
  `,
  // 3: sizes of requests and responses, also when their texts are not stored in full.
  `
  alter table activity add column request_bytes integer;
  alter table activity add column response_bytes integer;
  `,
  // 4: browser sessions, with only hashes of the cookie's secret and of the exchanged credential.
  `
  create table sign_ins (
    hash text primary key,
    subject text not null,
    credential text not null,
    created_at integer not null,
    used_at integer not null,
    expires_at integer not null
  ) without rowid;
  `,
  // 5: users of the multi-user edition, their browser sessions, and the owners of tokens and records.
  `
  create table users (
    id text primary key,
    issuer text not null,
    subject text not null,
    email text not null,
    display_name text,
    "groups" text not null,
    admin integer not null,
    "off" text not null,
    created_at integer not null,
    signed_in_at integer not null,
    bearers_after integer not null,
    disabled_at integer
  ) without rowid;
  create unique index users_subject on users (issuer, subject);

  create table user_sessions (
    id text primary key,
    hash text not null,
    user_id text not null,
    created_at integer not null,
    expires_at integer not null,
    user_agent text,
    client_ip text
  ) without rowid;

  alter table tokens add column owner text;
  alter table activity add column user_id text;
  `,
  // 6: the categories of sensitive data in a call, and their highest severity.
  `
  alter table activity add column detection_types text;
  alter table activity add column max_severity text;
  `,
  // 7: scans of servers and their findings.
  `
  create table scans (
    id text primary key,
    server text not null,
    created_at integer not null,
    job text not null,
    report text
  ) without rowid;
  create index scans_server on scans (server, created_at);
  `,
  // 8: what is remembered about servers by name, also after they were removed; and the database's id. If an earlier
  // release wrote to this database, the servers that are configured now count as known.
  `
  create table known_servers (
    name text primary key,
    identity text not null,
    baseline text not null,
    noticed_at integer not null,
    removed_at integer
  ) without rowid;

  insert into meta (key, value) select 'known_servers.inherited', 'true'
    where exists (select 1 from meta) or exists (select 1 from approvals)
      or exists (select 1 from activity) or exists (select 1 from sessions) or exists (select 1 from tokens);
  delete from meta where key like 'catalog.seen_in_quarantine:%';
  insert into meta (key, value) values ('database.id', '"' || lower(hex(randomblob(16))) || '"');
  `,
  // 9: an earlier release treated a user as administrator although the identity provider had not verified the address.
  // It is not stored which users that were, so every administrator has to sign in again, which decides the role anew.
  `
  delete from user_sessions where user_id in (select id from users where admin = 1);
  update users set admin = 0 where admin = 1;
  `,
  // 10: how a caller authenticated, and the operation that a call declared.
  `
  alter table activity add column auth_type text;
  alter table activity add column intent_type text;
  `,
  // 11: responses to requests with an Idempotency-Key, sealed; of the key and the request only hashes.
  `
  create table kept_answers (
    id text primary key,
    request_hash text not null,
    key_id text not null,
    sealed text not null,
    at integer not null
  ) without rowid;
  create index kept_answers_at on kept_answers (at);
  `,
  // 12: sums of the records by hour, day and sixteen days, so that counts need not read every record. They are computed
  // in the background after the start, beginning with the first record.
  `
  create table activity_groups (
    id integer primary key,
    type text not null,
    status text not null,
    server_name text,
    tool_name text,
    user_id text,
    actor text,
    newest_slot integer not null
  );
  create index activity_groups_name on activity_groups (server_name, tool_name, type, status, user_id, actor);

  create table activity_sums (
    span_ms integer not null,
    slot integer not null,
    group_id integer not null,
    count integer not null,
    last_at integer not null,
    sized_requests integer not null,
    request_bytes integer not null,
    sized_responses integer not null,
    response_bytes integer not null,
    durations text,
    primary key (span_ms, slot, group_id)
  ) without rowid;

  create table activity_summed (
    through_seq integer not null,
    swept_at integer not null,
    days_to integer not null,
    long_to integer not null
  );
  insert into activity_summed values (0, -1, 0, 0);
  `,
  // 13: approvals of prompts, resources and resource templates in addition to those of tools.
  `
  create table approvals_of_kinds (
    server text not null,
    kind text not null default 'tool',
    name text not null,
    status text not null,
    disabled integer not null,
    approved_hash text,
    approved text,
    current_hash text not null,
    current text not null,
    approved_at integer,
    approved_by text,
    updated_at integer not null,
    primary key (server, kind, name)
  );
  insert into approvals_of_kinds (server, name, status, disabled, approved_hash, approved, current_hash, current,
      approved_at, approved_by, updated_at)
    select server, tool, status, disabled, approved_hash, approved, current_hash, current,
      approved_at, approved_by, updated_at from approvals;
  drop table approvals;
  alter table approvals_of_kinds rename to approvals;
  `,
  // 14: the sign-in by which a client got a token (JSON).
  `
  alter table tokens add column client_grant text;
  `,
];
