import type { FetchFailure } from "./egress/egress.ts";

/** `status` is the HTTP status; `text` names the thing and what to do about it. */
export type FaultTable = Readonly<Record<string, { status: number; text: (facts: never) => string }>>;

/** The faults of the core, sorted by code; modules add theirs (`defineFaults`). */
export const CORE_FAULTS = {
  address_in_use: {
    status: 500,
    text: (p: { address: string }) =>
      `${p.address} is in use by another program; stop it or choose another address with --listen`,
  },
  address_refused: {
    status: 400,
    text: (p: { url: string; reason: string }) =>
      `${p.url} ${p.reason}; to allow it, add the host or network to outbound_allow`,
  },
  admin_required: { status: 403, text: () => "operation requires admin access" },
  agent_token_invalid: {
    status: 401,
    text: (p: { reason: string }) => `invalid agent token: ${p.reason}; ask an administrator for a new token`,
  },
  already_exists: { status: 409, text: (p: { what: string; name: string }) => `${p.what} "${p.name}" already exists` },
  arguments_mismatch: {
    status: 400,
    text: (p: {
      id: string;
      text: string;
      expected?: string | undefined;
      problems: readonly { field: string; message: string }[];
    }) =>
      `"${p.id}" was not called, because its arguments do not match its input schema: ${p.text}. Correct them and call again.${p.expected ? ` Expected: ${p.expected}` : ""}`,
  },
  body_too_large: { status: 413, text: (p: { limit: number }) => `request body is larger than ${p.limit} bytes` },
  call_timeout: {
    status: 504,
    text: (p: { id: string; ms: number }) =>
      `"${p.id}" did not respond within ${p.ms} ms; raise call_tool_timeout, or see: proxy upstream logs`,
  },
  cancelled: { status: 499, text: () => "the call was cancelled" },
  changed_meanwhile: {
    status: 412,
    text: (p: { what: string }) => `${p.what} has changed since it was read; read it again and repeat the change`,
  },
  check_unavailable: { status: 503, text: (p: { reason: string }) => `availability check unavailable; ${p.reason}` },
  client_answer_too_large: {
    status: 502,
    text: (p: { limit: number }) => `the proxy's response is larger than ${p.limit} bytes; request less`,
  },
  client_misunderstood: {
    status: 502,
    text: (p: { route: string; status: number }) =>
      `the response to ${p.route} has status ${p.status} and is not JSON; check that a proxy of this version listens at that address`,
  },
  client_timeout: {
    status: 504,
    text: (p: { route: string; ms: number }) => `no response to ${p.route} within ${p.ms} ms`,
  },
  cluster_database_away: {
    status: 503,
    text: (p: { reason: string }) =>
      `the cluster's database cannot be used at the moment (${p.reason}); if this was a change, read whether it was made before you repeat it`,
  },
  cluster_outdated: {
    status: 503,
    text: (p: { seconds: number; limit: number }) =>
      `the cluster's database has not answered for ${p.seconds} s, so approvals and credentials may have been revoked meanwhile; calls go on for ${p.limit} s at most (cluster.max_stale); try again when the database answers`,
  },
  config_broken: {
    status: 409,
    text: (p: { reason: string }) =>
      `the configuration file was edited by hand and is invalid, so nothing was changed; correct it, or replace it with: proxy config restore NUMBER --force; the error is: ${p.reason}`,
  },
  config_invalid: {
    status: 400,
    text: (p: { reason: string; problems?: readonly { field: string; message: string }[] }) => p.reason,
  },
  config_unwritable: {
    status: 500,
    text: (p: { path: string; reason: string }) => `the configuration file ${p.path} cannot be written: ${p.reason}`,
  },
  confirmation_required: {
    status: 409,
    text: (p: { reason: string }) =>
      `${p.reason}; to continue, repeat the request with ?confirm=true (proxy config apply --confirm)`,
  },
  daemon_not_running: {
    status: 503,
    text: (p: { where: string }) =>
      `no proxy is running at ${p.where}; start one with: proxy up; or select another one with --data-dir or --url`,
  },
  daemon_unreachable: {
    status: 502,
    text: (p: { where: string; reason: string }) => `the proxy at ${p.where} cannot be reached: ${p.reason}`,
  },
  database_damaged: {
    status: 500,
    text: (p: { file: string; reason: string }) =>
      `${p.file} is damaged (${p.reason}); stop the proxy and copy the readable records to a new file with: proxy db recover; or restore a backup of the file; or move it away to start with an empty database, which loses approvals, blocks and agent tokens, so that every tool needs approval again`,
  },
  database_locked: {
    status: 500,
    text: (p: { dir: string; silent?: true }) =>
      `data directory ${p.dir} is in use by another proxy${p.silent ? ", which does not respond on its socket" : ""}; stop that one or choose another --data-dir`,
  },
  database_newer: {
    status: 500,
    text: (p: { file: string; found: number; known: number }) =>
      `${p.file} was written by a newer version (its schema version is ${p.found}, this program supports ${p.known}); update this program or choose another --data-dir`,
  },
  database_unreadable: {
    status: 500,
    text: (p: { file: string; reason: string }) =>
      `${p.file} cannot be read (${p.reason}); restore a backup of the file; or move it away to start with an empty database, which loses approvals, blocks and agent tokens, so that every tool needs approval again`,
  },
  definition_changed: {
    status: 409,
    text: (p: { name: string }) =>
      `server "${p.name}" has changed since its definition was read; read the definition again, then confirm it`,
  },
  destructive_mismatch: {
    status: 400,
    text: (p: { id: string; variant: string }) =>
      `"${p.id}" is marked destructive by its server and cannot be called through ${p.variant}; use call_tool_destructive`,
  },
  disk_failed: { status: 500, text: (p: { reason: string }) => `the database cannot be written: ${p.reason}` },
  echoed_mask: {
    status: 400,
    text: (p: { field: string }) => `${p.field} holds a masked value; send the real value or omit the field`,
  },
  fetch_failed: {
    status: 502,
    text: (p: { url: string; reason: string; failure?: FetchFailure | undefined }) =>
      `${p.url} could not be fetched: ${p.reason}`,
  },
  findings_not_accepted: {
    status: 409,
    text: (p: { server: string; tool: string; rules: readonly string[] }) =>
      `tool "${p.tool}" of server "${p.server}" stays blocked, because the scan has findings of high or critical severity (${p.rules.join(", ")}); review them with: proxy tools diff ${p.server}:${p.tool}; to enable the tool despite them, name it in accept_findings, or add: --accept-risk ${p.tool}`,
  },
  forbidden_host: { status: 403, text: (p: { reason: string }) => p.reason },
  idempotency_key_reused: {
    status: 422,
    text: () =>
      "this Idempotency-Key was used for a different request; repeat that request unchanged, or use a new key",
  },
  intent_invalid: { status: 400, text: (p: { reason: string }) => p.reason },
  internal: { status: 500, text: () => "internal error" },
  invalid_args: { status: 400, text: (p: { reason: string }) => p.reason },
  invalid_request: { status: 400, text: (p: { reason: string }) => p.reason },
  item_blocked: {
    status: 403,
    text: (p: { noun: string; server: string; name: string; reason: string; detail: string; remediation?: string }) =>
      `the ${p.noun} "${p.name}" of "${p.server}" may not be used (${p.reason}): ${p.detail}${p.remediation ? `; ${p.remediation}` : ""}`,
  },
  item_not_found: {
    status: 404,
    text: (p: { noun: string; name: string }) => `${p.noun} "${p.name}" not found`,
  },
  items_not_found: {
    status: 404,
    text: (p: { server: string; items: string[] }) =>
      `server "${p.server}" has no such item: ${p.items.map((t) => `"${t}"`).join(", ")}; nothing was changed`,
  },
  listen_failed: {
    status: 500,
    text: (p: { address: string; reason: string }) => `cannot listen on ${p.address}: ${p.reason}`,
  },
  log_withheld: {
    status: 403,
    text: (p: { server: string }) =>
      `the log of server "${p.server}" is shown to administrators only until the server has been reviewed`,
  },
  management_disabled: {
    status: 403,
    text: (p: { key: string }) =>
      `not allowed by the configuration (${p.key}); an administrator can change that setting`,
  },
  mcp_only_admin: {
    status: 403,
    text: (p: { what: string }) =>
      `${p.what} needs an authenticated administrator; use the REST API with the API key, the proxy command line, or send the key in X-API-Key`,
  },
  method_not_allowed: {
    status: 405,
    text: (p: { method: string; path: string; allow: string }) =>
      `${p.method} is not allowed on ${p.path}; use ${p.allow}`,
  },
  no_listener: {
    status: 409,
    text: () => "the proxy has no HTTP listener, so there is no control panel; start it with --listen 127.0.0.1:8080",
  },
  no_such_record: {
    status: 404,
    text: (p: { what: string; id: string; near?: readonly string[] }) =>
      `${p.what} "${p.id}" not found${didYouMean(p.near)}`,
  },
  no_such_route: { status: 404, text: (p: { path: string }) => `no such path: ${p.path}` },
  other_origin: {
    status: 403,
    text: () =>
      "only pages of this proxy may send this request; send it from the control panel, with the header X-Proxy-Panel",
  },
  permission_denied: {
    status: 403,
    text: (p: { id: string; permission: string }) =>
      `this token lacks the "${p.permission}" permission that "${p.id}" needs; use a token that has it`,
  },
  person_required: {
    status: 403,
    text: () => "only a person who is signed in to the control panel may do this; open it with: proxy ui",
  },
  profile_pinned: {
    status: 403,
    text: () => "this token is pinned to another profile; use the endpoint of that profile",
  },
  profile_unknown: {
    status: 404,
    text: (p: { profile: string; known?: string[] }) =>
      `unknown profile "${p.profile}"${p.known ? `; configured: ${p.known.join(", ") || "none"}` : ""}`,
  },
  queue_full: {
    status: 429,
    text: (p: { scope: string; server?: string; limit: number; retryAfterMs: number }) =>
      `${limited(p)} already runs its maximum of ${p.limit} concurrent calls and its queue is full; try again in ${p.retryAfterMs} ms`,
  },
  queue_timeout: {
    status: 429,
    text: (p: { scope: string; server?: string; limit: number; waitedMs: number; retryAfterMs: number }) =>
      `${limited(p)} runs its maximum of ${p.limit} concurrent calls; the call waited ${p.waitedMs} ms in the queue; try again later`,
  },
  registries_locked: {
    status: 403,
    text: () => "the configuration locks the list of registries; to change the list, set registries_locked to false",
  },
  secret_missing: {
    status: 400,
    text: (p: { reference: string; server?: string; reason?: string }) =>
      p.reason
        ? `secret ${p.reference} cannot be read: ${p.reason}`
        : `secret ${p.reference} is not set; set it with: proxy secrets set; or set it in the environment of the proxy`,
  },
  server_busy: {
    status: 503,
    text: (p: { retryAfterMs: number }) =>
      `the bodies of concurrent requests use all of the memory reserved for them (max_request_memory_mb); try again in ${p.retryAfterMs} ms`,
  },
  server_disabled: {
    status: 409,
    text: (p: { server: string }) =>
      `server "${p.server}" is disabled; enable it with: proxy upstream enable ${p.server}`,
  },
  server_held: {
    status: 409,
    text: (p: { server: string }) =>
      `server "${p.server}" is held: it was added or changed over MCP, and the proxy does not start it until an administrator has reviewed and confirmed its definition, in the control panel or with: proxy upstream confirm ${p.server}`,
  },
  server_not_found: {
    status: 404,
    text: (p: { server: string; near?: readonly string[] }) => `server "${p.server}" not found${didYouMean(p.near)}`,
  },
  server_not_ready: {
    status: 503,
    text: (p: { server: string; state: string; reason?: string }) =>
      `server "${p.server}" ${p.state === "Ready" ? "cannot be called" : "is not connected"} (${p.state}${p.reason ? `: ${p.reason}` : ""}); see: proxy ${p.state === "Authenticating" ? `auth status --server ${p.server}` : `upstream logs ${p.server}`}`,
  },
  sign_in_refused: {
    status: 401,
    text: (p: { what: "key" | "code" }) =>
      p.what === "key"
        ? "this is not the API key of this proxy; the key is api_key in its configuration file"
        : "this link was already used or is older than a minute; create a new one with: proxy ui",
  },
  stopping: { status: 503, text: () => "the proxy is stopping; try again in a moment" },
  token_limit: {
    status: 409,
    text: (p: { limit: number; own?: boolean }) =>
      p.own
        ? `you already have ${p.limit} agent tokens, the maximum; delete one that is no longer needed, on your account page or with: DELETE /api/v1/user/tokens/{name}/permanent`
        : `there are already ${p.limit} agent tokens, the maximum; delete one that is no longer needed with: proxy token delete`,
  },
  token_revoked: {
    status: 409,
    text: (p: { name: string }) => `agent token "${p.name}" is revoked; create a new one, or delete this one first`,
  },
  too_many_attempts: {
    status: 429,
    text: (p: { retryAfterMs: number }) =>
      `too many invalid credentials were sent from this address; try again in ${Math.ceil(p.retryAfterMs / 1000)} s`,
  },
  too_many_jobs: {
    status: 429,
    text: (p: { limit: number; retryAfterMs: number }) =>
      `${p.limit} jobs are already running, the maximum; cancel one (DELETE /api/v1/jobs/{id}), or try again later`,
  },
  too_many_streams: {
    status: 503,
    text: (p: { limit: number; retryAfterMs: number }) =>
      `${p.limit} event streams are already open, the maximum; close one, or try again later`,
  },
  tool_blocked: {
    status: 403,
    text: (p: { id: string; reason: string; detail: string; remediation?: string; report?: object }) =>
      `"${p.id}" may not be called (${p.reason}): ${p.detail}${p.remediation ? `; ${p.remediation}` : ""}`,
  },
  tool_denied: {
    status: 409,
    text: (p: { server: string; tool: string; key: "enabled_tools" | "disabled_tools" }) =>
      p.key === "disabled_tools"
        ? `tool "${p.tool}" of server "${p.server}" cannot be enabled: the configuration names it in disabled_tools; remove it there first`
        : `tool "${p.tool}" of server "${p.server}" cannot be enabled: the configuration does not name it in enabled_tools; add it there first`,
  },
  tool_not_found: {
    status: 404,
    text: (p: { id: string; near?: readonly string[] }) =>
      `tool "${p.id}" not found${didYouMean(p.near) || "; find tools with retrieve_tools or: proxy tools search"}`,
  },
  tools_not_found: {
    status: 404,
    text: (p: { server: string; tools: string[] }) =>
      `server "${p.server}" has no tool ${p.tools.map((t) => `"${t}"`).join(", ")}; nothing was changed`,
  },
  unauthenticated: { status: 401, text: () => "missing or invalid credentials" },
  unsupported_media_type: {
    status: 415,
    text: (p: { type: string; accepted: string } | { encoding: string }) =>
      "encoding" in p
        ? `cannot read a body with Content-Encoding: ${p.encoding}; send it uncompressed`
        : `cannot read a body of type ${p.type}; send Content-Type: ${p.accepted}`,
  },
  upstream_failed: {
    status: 502,
    text: (p: { server: string; reason: string }) => `server "${p.server}" failed: ${p.reason}`,
  },
  user_required: {
    status: 403,
    text: () => "this needs a signed-in user of the multi-user edition; sign in at /api/v1/auth/login",
  },
} as const satisfies FaultTable;

/** Names the owner of a limit. */
function limited(p: { scope: string; server?: string }): string {
  return p.server === undefined ? "the proxy" : `server "${p.server}"`;
}

/** Appends names similar to the unknown one. */
function didYouMean(near: readonly string[] | undefined): string {
  return near?.length ? `; did you mean ${near.join(" or ")}?` : "";
}
