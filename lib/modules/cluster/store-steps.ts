/** Tables that replicas keep in memory: their rows have revisions, and removed ones stay as marks. */
const DECISIONS = {
  kind: "expand",
  sql: `
    create table approval (
      server text, kind text, name text, status text not null, disabled boolean not null, approved_hash text,
      approved text, current_hash text not null, "current" text not null, approved_at bigint, approved_by text,
      updated_at bigint not null, rev bigint not null, gone boolean not null, primary key (server, kind, name)
    );
    create index approval_rev on approval (rev, server, kind, name);
    create table known_server (
      name text primary key, identity text not null, baseline text not null, noticed_at bigint not null,
      removed_at bigint, rev bigint not null, gone boolean not null
    );
    create index known_server_rev on known_server (rev, name);
    create table agent_token (
      name text primary key, owner text, hash text not null, prefix text not null, servers text not null,
      permissions text not null, profile text, created_at bigint not null, expires_at bigint not null,
      revoked_at bigint, rev bigint not null, gone boolean not null
    );
    create index agent_token_rev on agent_token (rev, name);
    create table token_use (
      name text primary key, at bigint not null, rev bigint not null, gone boolean not null
    );
    create index token_use_rev on token_use (rev, name);
    create table account (
      issuer text, subject text, id text not null, email text not null, display_name text, groups text not null,
      admin boolean not null, off text not null, created_at bigint not null, signed_in_at bigint not null,
      bearers_after bigint not null, disabled_at bigint, rev bigint not null, gone boolean not null,
      primary key (issuer, subject)
    );
    create index account_rev on account (rev, issuer, subject);
    create table user_session (
      id text primary key, hash text not null, user_id text not null, created_at bigint not null,
      expires_at bigint not null, user_agent text, client_ip text, rev bigint not null, gone boolean not null
    );
    create index user_session_rev on user_session (rev, id);
    create table sign_in (
      hash text primary key, subject text not null, credential text not null, created_at bigint not null,
      used_at bigint not null, expires_at bigint not null, rev bigint not null, gone boolean not null
    );
    create index sign_in_rev on sign_in (rev, hash)`,
} as const;

/** The configuration that all replicas share, in one row. */
const CONFIGURATION = {
  kind: "expand",
  sql: `
    create table configuration (
      name text primary key, version bigint not null, document text not null, author text not null,
      changed_at bigint not null, rev bigint not null, gone boolean not null
    );
    create index configuration_rev on configuration (rev, name)`,
} as const;

/** Small values in memory; scans, documents, answers and sessions, which are read when they are needed. */
const DOCUMENTS = {
  kind: "expand",
  sql: `
    create table meta (key text primary key, value text not null, rev bigint not null, gone boolean not null);
    create index meta_rev on meta (rev, key);
    create table last_report (
      server text primary key, id text not null, created_at bigint not null, job text not null, report text not null,
      rev bigint not null, gone boolean not null
    );
    create index last_report_rev on last_report (rev, server);
    create table scan (
      id text primary key, server text not null, created_at bigint not null, job text not null, report text,
      ended boolean not null, program text not null
    );
    create index scan_server on scan (server, created_at, id);
    create table document (key text primary key, value text not null, rev bigint not null, gone boolean not null);
    create index document_rev on document (rev, key);
    create table answer (
      id text primary key, request_hash text not null, key_id text not null, sealed text not null, at bigint not null
    );
    create index answer_at on answer (at);
    create table session (
      id text primary key, status text not null, client_name text not null, client_version text not null,
      mode text not null, actor text not null, client_ip text, started_at bigint not null,
      last_active_at bigint not null, closed_at bigint, tool_calls bigint not null, program text not null
    );
    create index session_active on session (last_active_at, id)`,
} as const;

/** What calls leave. Records that no other partition takes are in `activity_rest`. */
const CALLS = {
  kind: "expand",
  sql: `
    create table usage (
      tool text, day bigint, calls bigint not null, last_used bigint not null, primary key (tool, day)
    );
    create table usage_batch (program text primary key, number bigint not null, at timestamptz not null);
    create table activity (
      id text, at bigint, seq bigserial, type text not null, status text not null, source text not null,
      server_name text, tool_name text, session_id text, request_id text, parent_id text, actor text,
      duration_ms double precision, request_bytes bigint, response_bytes bigint, max_severity text, user_id text,
      auth_type text, intent_type text, detection_types text, error_message text, arguments text, response text,
      response_truncated boolean, metadata text, primary key (id, at)
    ) partition by range (at);
    create index activity_at on activity (at, seq);
    create index activity_seq on activity (seq);
    create index activity_server on activity (server_name, at, seq) where server_name is not null;
    create index activity_session on activity (session_id, at) where session_id is not null;
    create index activity_request on activity (request_id) where request_id is not null;
    create index activity_tool on activity (tool_name, at, seq) where tool_name is not null;
    create index activity_status on activity (status, at, seq) where status <> 'success';
    create index activity_sensitive on activity (at, seq) where max_severity is not null;
    create table activity_rest partition of activity default`,
} as const;

/**
 * Sums of the activity by hour and day: one or more rows for each slot and group. The caller is a part of the group only
 * for records without a server. `durations` has rounded durations (ms), and `duration_counts` how often each occurred.
 */
const SUMS = {
  kind: "expand",
  sql: `
    create table activity_sum (
      span_ms bigint not null, slot bigint not null, type text not null, status text not null, server_name text,
      tool_name text, user_id text, actor text, count bigint not null, last_at bigint not null,
      sized_requests bigint not null, request_bytes bigint not null, sized_responses bigint not null,
      response_bytes bigint not null, durations double precision[] not null, duration_counts bigint[] not null
    );
    create index activity_sum_slot on activity_sum (span_ms, slot);
    create table activity_summed (
      name text primary key, through_seq bigint not null, swept_at bigint not null, hours_to bigint not null,
      days_to bigint not null
    );
    insert into activity_summed values ('activity', 0, -1, 0, 0) on conflict do nothing`,
} as const;

/** What a client got by a sign-in, with its agent token. */
const CLIENT_GRANTS = { kind: "expand", sql: "alter table agent_token add column client_grant text" } as const;

/** How far the data of an embedded database was moved here, by table. */
const MIGRATION = {
  kind: "expand",
  sql: "create table migration (name text primary key, place text, done boolean not null)",
} as const;

/** The tables of the store. */
export const STORE_STEPS = [DECISIONS, CONFIGURATION, DOCUMENTS, CALLS, CLIENT_GRANTS, MIGRATION, SUMS] as const;
