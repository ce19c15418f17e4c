import type { Sections } from "./requirements.ts";

/** Spec 000, sections 1 to 3: what the service is, its records and their states. */
export const restRecords = {
  "000 §1": {
    "rest.what.between":
      "The service stands between AI clients and many upstream MCP servers, local processes and remote ones.",
    "rest.what.index": "It exposes upstream tools through MCP endpoints and keeps a keyword (BM25) index of them.",
    "rest.what.quarantine-default": "New servers are quarantined by default.",
    "rest.what.reapproval": "A tool whose description or schema changes after approval needs approval again.",
    "rest.what.masking": "Values that look secret are masked in what goes out.",
    "rest.what.listen": "The default listen address is 127.0.0.1:8080 and the REST prefix /api/v1.",
    "rest.what.socket":
      "A Unix socket (named pipe on Windows) is served too, and whoever calls on it is an administrator.",
    "rest.what.docs-page": "An interactive reference page is served under the documentation path.",
    "rest.what.docs-spec": "The OpenAPI 3.1 document is served as spec.yaml under the documentation path.",
  },
  "000 §2.1": {
    "rest.envelope.success": "A success is enveloped as `{ success: true, data }`.",
    "rest.envelope.status-bare": "GET /api/v1/status is a bare object.",
    "rest.envelope.request-id": "Every response, success or error, carries the header X-Request-Id.",
  },
  "000 §2.2": {
    "rest.status.status": "`status` is the running state, such as `running`.",
    "rest.status.version": "`version` is the service version as a string.",
    "rest.status.uptime": "`uptime` is an integer number of seconds.",
    "rest.status.servers": "`servers` holds the integers `total`, `connected` and `quarantined`.",
    "rest.status.tools": "`tools` holds the integer `total`.",
    "rest.status.upstream-stats": "`upstream_stats` is a block of statistics that is always masked.",
  },
  "000 §2.3": {
    "rest.server.name": "`name` is the server's name and the `{name}` of paths.",
    "rest.server.protocol": "`protocol` says how the server is reached, such as `http` or `stdio`.",
    "rest.server.enabled": "`enabled` is a boolean.",
    "rest.server.connected": "`connected` is a boolean.",
    "rest.server.quarantined": "`quarantined` is a boolean.",
    "rest.server.tool-count": "`tool_count` is an integer.",
    "rest.server.health": "`health` is the health object.",
    "rest.server.url": "`url` is given for remote servers.",
    "rest.server.command": "`command` is given for process servers.",
    "rest.server.args": "`args` is an array of strings.",
    "rest.server.env": "`env` maps strings to strings and is masked on read.",
    "rest.server.headers": "`headers` maps strings to strings and is masked on read.",
    "rest.server.working-dir": "`working_dir` is a string.",
    "rest.server.reconnect-on-use": "`reconnect_on_use` is a boolean.",
    "rest.server.auto-approve":
      "`auto_approve_tool_changes` is left out of list answers while it was never set, so unset differs from false.",
    "rest.server.isolation": "`isolation` holds `enabled_override`, `image` and `extra_args`.",
    "rest.server.oauth": "`oauth` holds `client_id`, `client_secret`, `redirect_uri`, `scopes` and `extra_params`.",
  },
  "000 §2.4": {
    "rest.health.level": "`level` is healthy, degraded or unhealthy.",
    "rest.health.admin-state": "`admin_state` is enabled, disabled or quarantined.",
    "rest.health.summary": "`summary` is a status a person can read.",
    "rest.health.detail": "`detail` is optional further context.",
    "rest.health.action": "`action` names the remedy: login, restart, enable, approve, view_logs, or nothing.",
    "rest.health.action-empty": "An action with no value is left out of preflight results.",
  },
  "000 §2.5": {
    "rest.tools.all":
      "The overview covers every tool of every configured server, disabled servers and disabled or denied tools included.",
    "rest.tools.name": "`name` is the bare tool name and `server_name` stands beside it.",
    "rest.tools.description": "`description` is the tool's description.",
    "rest.tools.approval-status": "`approval_status` tells approved, pending and changed apart.",
    "rest.tools.disabled": "`disabled` is a boolean.",
    "rest.tools.config-denied": "`config_denied` is a boolean.",
    "rest.tools.usage": "`usage` counts the calls of the last 30 days.",
    "rest.tools.last-used": "`last_used` is an ISO 8601 timestamp.",
    "rest.tools.hash": "`hash` is the pin `sha256/v{N}:{hex}`, given for approved tools only.",
    "rest.tools.hash-tier": "`hash` is given to operators (admin key, socket, pipe) and never to agent tokens.",
    "rest.tools.stats": "`stats` holds the integers `total`, `enabled`, `disabled` and `pending_approval`.",
    "rest.tools.enabled-derived":
      "A tool counts as enabled exactly when it is neither disabled nor denied by configuration.",
    "rest.tools.partial":
      "When a server cannot be read the gathered tools still come back with `partial: true` and the names in `failed_servers`.",
    "rest.diff.fields":
      "A tool diff names server, tool, status, both hashes, and previous and current description, schema and output schema, as strings.",
    "rest.diff.output-schema":
      "The diff exposes every field of the approval hash, the output schema included, and a change may touch only one.",
  },
  "000 §2.6": {
    "rest.preflight.tools": "`tools` is required and holds 1 to 100 entries.",
    "rest.preflight.tools-raw": "The limit of 100 counts the raw array, before duplicates are removed.",
    "rest.preflight.entry": "An entry is `{ id: server:tool, pin_hash? }`.",
    "rest.preflight.profile":
      "`profile` evaluates under that profile's server scope; left out means the unscoped operator view.",
    "rest.preflight.profile-unknown": "An unknown profile gives 400.",
    "rest.preflight.policy":
      "`policy` filters read_only_only, exclude_destructive and exclude_open_world are evaluated in that order and the first that excludes owns the verdict.",
    "rest.preflight.wait-range": "`wait_ms` is 0 to 10000, and more gives 400 instead of being clamped.",
    "rest.preflight.response": "The answer's data holds `verdict`, `checked_at` and `tools`.",
    "rest.preflight.waited-ms": "`waited_ms` is present whenever wait_ms was asked for, 0 included.",
    "rest.preflight.result": "A result holds `id` and `status`, ready or unavailable.",
    "rest.preflight.result-failure": "A failure carries `reason`, `retryable`, `action`, `detail` and `remediation`.",
    "rest.preflight.result-ready": "A ready result leaves every failure field out.",
    "rest.preflight.did-you-mean": "`did_you_mean` holds up to 3 nearest ids the caller may see.",
    "rest.preflight.pin-format": "A pin is `sha256/v{N}:{hex}` with the schema version inside.",
    "rest.preflight.pin-version":
      "A pin of another version and a pin of another definition both give hash_mismatch, with different detail.",
    "rest.preflight.closed-enum":
      "Reasons are a closed set that only grows, and server_saturated is reserved and never given.",
  },
  "000 §2.6 table": {
    "rest.reason.server-initializing":
      "server_initializing is retryable, has no action, is degraded_retryable, exit 10.",
    "rest.reason.server-unhealthy":
      "server_unhealthy is retryable, its action comes from diagnostics with view_logs as default, degraded_retryable, exit 10.",
    "rest.reason.server-disabled": "server_disabled is not retryable, action enable, blocked, exit 11.",
    "rest.reason.server-quarantined": "server_quarantined is not retryable, action approve, blocked, exit 11.",
    "rest.reason.tool-pending-approval": "tool_pending_approval is not retryable, action approve, blocked, exit 11.",
    "rest.reason.tool-changed": "tool_changed is not retryable, action approve, blocked, exit 11.",
    "rest.reason.tool-blocked-by-user": "tool_blocked_by_user is not retryable, action enable, blocked, exit 11.",
    "rest.reason.oauth-required": "oauth_required is not retryable, action login, blocked, exit 11.",
    "rest.reason.hash-mismatch": "hash_mismatch is not retryable, action configure, blocked, exit 11.",
    "rest.reason.server-not-in-scope":
      "server_not_in_scope is given to operators only, not retryable, action configure, blocked, exit 11.",
    "rest.reason.tool-denied-by-config": "tool_denied_by_config is not retryable, action configure, blocked, exit 11.",
    "rest.reason.missing-annotation": "missing_annotation is not retryable, action configure, blocked, exit 11.",
    "rest.reason.policy-filtered": "policy_filtered is not retryable, has no action, blocked, exit 11.",
    "rest.reason.not-found": "not_found is not retryable, action configure, unknown_ids, exit 12.",
    "rest.reason.server-not-configured":
      "server_not_configured is not retryable, action configure, unknown_ids, exit 12.",
  },
  "000 §2.6 rules": {
    "rest.preflight.one-reason":
      "When several states hold for one id exactly one reason is given, server states before tool states.",
    "rest.preflight.unrecorded":
      "A discovered tool without a stored approval record is tool_pending_approval with action restart and detail about discovering again.",
    "rest.preflight.worst":
      "The set verdict is the worst present: unknown_ids, then blocked, then degraded_retryable, then ready.",
    "rest.preflight.order": "Results stand in the order in which each unique id first occurs.",
    "rest.preflight.duplicates": "Duplicate ids are merged, and duplicates with different pins give 400.",
    "rest.preflight.malformed-id":
      "An id without a colon gets its own not_found with a hint about the form, never an error of the whole request.",
  },
  "000 §2.7 registries": {
    "rest.registry.add-result":
      "A registry add answers `data.server` with name, protocol, command, args, url, enabled and quarantined.",
    "rest.registry.edit-result": "A registry edit or removal answers `data.registry` with the entry.",
    "rest.registry.refresh-result": "A registry refresh answers `{ registry_id, cleared }`.",
  },
  "000 §2.7 connect": {
    "rest.connect.exists": "`exists` says the client's configuration file is there, from file metadata only.",
    "rest.connect.connected":
      "`connected` says an entry of the proxy's shape is registered, and counts only when access_state is accessible.",
    "rest.connect.access-state":
      "`access_state` is unknown in the listing and accessible, absent, malformed or denied after a single read.",
    "rest.connect.remediation": "`remediation` is given only when access is denied.",
    "rest.connect.proxy-url": "`proxy_url` is this instance's MCP endpoint, in the listing too.",
    "rest.connect.registered-url":
      "`registered_url` holds scheme, host and path only, from a single read only, and a non-absolute URL is not echoed.",
    "rest.connect.endpoint-match":
      "`endpoint_match` is this, other or unknown, and empty when not connected or nothing was read.",
    "rest.connect.listing-reads-nothing":
      "The listing reads no configuration content; single-client routes read it at request time.",
    "rest.connect.preview":
      "A preview gives the target path, the format (json or toml), the server key, the entry's name and its exact contents.",
    "rest.connect.preview-key-masked":
      "In a preview the embedded key is masked and `contains_api_key` says that one is written.",
    "rest.connect.preview-exists": "`entry_exists` tells creating from overwriting.",
    "rest.connect.preview-summary":
      "`existing_entry_summary`, given only when an entry exists, is built from a list of allowed names and holds no values of headers or environment.",
    "rest.connect.preview-token":
      "`precondition_token` is always there: an opaque keyed HMAC over the state before the write, under a key that is never stored.",
    "rest.connect.preview-refusal":
      "`connect_refusal` quotes the reason for which a connect would be refused in any case.",
    "rest.connect.backup-path": "A connect or disconnect that changed an existing file answers `backup_path`.",
    "rest.connect.undo-result": "An undo answers `backup_path` and `action`, restored or deleted.",
  },
  "000 §2.7 info": {
    "rest.info.version": "`version` is the running version.",
    "rest.info.web-ui-url": "`web_ui_url` is the control panel's address.",
    "rest.info.listen-addr": "`listen_addr` is the listen address.",
    "rest.info.endpoints-http": "`endpoints.http` is the HTTP address.",
    "rest.info.endpoints-socket": "`endpoints.socket` is the socket's path, empty when it is off.",
    "rest.info.launched-by": "`launched_by` is always there: tray, installer or empty.",
    "rest.info.pid": "`pid` is the process id.",
    "rest.info.update-policy": "`update_policy` is always there with `enabled`, `channel` and `nudges_suppressed`.",
    "rest.info.policy-env-wins":
      "SERVICE_DISABLE_AUTO_UPDATE=true wins over update_check.enabled, and checks a person asks for stay possible.",
    "rest.info.policy-channel":
      "`channel` follows the running build's version; configuration and SERVICE_ALLOW_PRERELEASE_UPDATES touch only development builds.",
    "rest.info.policy-nudges": "`nudges_suppressed` is true in CI and other non-interactive surroundings.",
    "rest.info.update-omitted":
      "`update` is left out when update checking is off and may be null before the first check.",
    "rest.info.update-available": "`update.available` is a boolean.",
    "rest.info.update-latest": "`update.latest_version` and `update.release_url` are strings.",
    "rest.info.update-checked-at": "`update.checked_at` is an ISO 8601 timestamp.",
    "rest.info.update-prerelease": "`update.is_prerelease` is a boolean.",
    "rest.info.update-error": "`update.check_error` is given when the check failed.",
    "rest.info.install-channel":
      "`update.install_channel` is one of the nine channels, given once detected even without an update.",
    "rest.info.update-command":
      "`update.update_command` is one line, given only with an update and for a package manager, deb, rpm or go-install.",
    "rest.info.behind-summary":
      "`update.behind_summary` is given only when an update is available and the distance is known.",
    "rest.info.releases-behind": "`update.releases_behind` is absent when unknown.",
    "rest.info.releases-saturated":
      "`update.releases_behind_saturated` marks a lower bound and is left out when false.",
    "rest.info.weeks-behind": "`update.weeks_behind` may truly be 0, and absent means unknown.",
    "rest.info.delta-best-effort":
      "The four distance fields are absent when their lookup fails, and that never sets check_error nor hides the update.",
    "rest.info.period": "Update checks run by themselves every 4 hours.",
    "rest.info.refresh":
      "`?refresh=true` checks again; when checking is off nothing is checked and `update` is left out.",
  },
  "000 §2.7 container": {
    "rest.container.available": "`container_available` comes from really reaching the container daemon.",
    "rest.container.enabled":
      "`isolation_enabled` is the configuration's switch, and isolation is active only when both are true.",
    "rest.container.recovery": "`recovery_mode`, `failure_count` and `attempts_since_up` tell of recovery.",
    "rest.container.last": "`last_attempt`, `last_error` and `last_successful_at` tell of the last attempts.",
  },
  "000 §2.7 routing": {
    "rest.routing.served": "`routing_mode` is the mode /mcp really serves, recorded at start.",
    "rest.routing.description": "`description` is a string.",
    "rest.routing.endpoints": "`endpoints` maps default, direct, code_execution and retrieve_tools to their paths.",
    "rest.routing.available": "`available_modes` lists the three modes.",
    "rest.routing.response-mode":
      "`tool_response_mode` is full (the default) or compact and changes without a restart.",
    "rest.routing.direct-response-mode":
      "`direct_tool_response_mode` is full (the default) or a compact form and changes without a restart.",
    "rest.routing.pending": "`pending_routing_mode` is the mode of the next start when it differs, else empty.",
    "rest.routing.restart-required": "`restart_required` is true exactly when a pending mode is set.",
    "rest.routing.persisted":
      "A routing change is stored at once and reported as pending, and later changes of other settings leave it pending.",
    "rest.routing.reapply-clears": "Applying the served mode again clears the pending one.",
  },
  "000 §2.8": {
    "rest.activity.id": "`id` is a string.",
    "rest.activity.type": "`type` is tool_call, policy_decision, quarantine_change, server_change or preflight.",
    "rest.activity.names": "`server_name` and `tool_name` say what it was about.",
    "rest.activity.status": "`status` is success, error or blocked.",
    "rest.activity.duration": "`duration_ms` is an integer.",
    "rest.activity.timestamp": "`timestamp` is RFC 3339.",
    "rest.activity.list": "The list's data holds `activities`, `total`, `limit` and `offset`.",
    "rest.activity.preflight-record":
      "Every preflight answered with 200 writes one record before the answer: request id, number of unique ids, verdict, reason codes.",
    "rest.activity.preflight-ids-only":
      "A preflight record holds ids and codes only, no descriptions, arguments or hashes.",
    "rest.activity.preflight-refused": "A preflight answered with 400 or 503 writes no record.",
  },
  "000 §2.9": {
    "rest.redact.surfaces":
      "Masked by default: the server list and single-server routes, servers.changed, the MCP server list, upstream_stats and log lines.",
    "rest.redact.logs": "Log lines of a server are scrubbed of credentials.",
  },
  "000 §2.9 rule 1": {
    "rest.redact.format": "A mask is `••••<last2> (<N> chars)`: the last two characters and the length.",
  },
  "000 §2.9 rule 2": {
    "rest.redact.references": "A value that is already `${keyring:NAME}` or `${env:VAR}` passes unchanged.",
  },
  "000 §2.9 rule 3": {
    "rest.redact.headers":
      "Sensitive header values are masked: authorization, API key, cookie, set-cookie and the like.",
    "rest.redact.env": "Environment values are masked.",
    "rest.redact.query": "Credentials in a URL's query are masked.",
    "rest.redact.oauth-extra": "oauth.extra_params is masked.",
    "rest.redact.oauth-scopes": "oauth.scopes is masked.",
    "rest.redact.args": "Command-line tokens of a credential's shape are masked.",
    "rest.redact.one-rule-set": "REST, event stream and MCP share one set of rules.",
  },
  "000 §2.9 rule 4": {
    "rest.redact.by-name":
      "First by name: authorization, a *_TOKEN variable, an access_token query parameter, an --api-key argument.",
    "rest.redact.by-shape":
      "Then by the value's own shape, wherever it sits and whatever its name: cloud key, source-host token, PEM block, high-entropy text.",
    "rest.redact.url-components":
      "In a URL the shape rule runs per part, so that scheme, user and host stay readable while each credential is masked.",
  },
  "000 §2.9 rule 5": {
    "rest.redact.reveal":
      "reveal_secret_headers shows values to an authenticated administrator, on the REST list and the MCP list.",
    "rest.redact.reveal-others": "Agent tokens, ordinary users and unauthenticated callers always get masks.",
    "rest.redact.reveal-never": "The flag never touches the event stream or upstream_stats.",
    "rest.redact.reveal-notify":
      "With the flag on, an administrator on the stream gets the notify-only form of servers.changed.",
    "rest.redact.reveal-mcp":
      "On MCP the flag also needs an authenticated caller; an unauthenticated client still gets masks.",
  },
  "000 §2.9 rule 6": {
    "rest.redact.echo-map":
      "An echoed mask under the same map key of env, headers or oauth.extra_params is turned back into the stored secret.",
    "rest.redact.echo-url": "An echoed mask in a URL is turned back for the same parameter, scheme and host:port.",
    "rest.redact.echo-oauth":
      "An echoed mask in oauth.client_secret, client_id or redirect_uri is turned back by field.",
  },
  "000 §2.9 rule 7": {
    "rest.redact.echo-refused":
      "Any other echoed mask gives 400 and is never turned back: args, oauth.scopes, isolation.extra_args, another key or host, later fields.",
    "rest.redact.echo-post": "POST /api/v1/servers refuses every echoed mask.",
  },
  "000 §3": {
    "rest.state.enable": "Enable moves a server to enabled.",
    "rest.state.disable": "Disable moves a server to disabled.",
    "rest.state.quarantine": "Quarantine moves a server to quarantined and prevents tool execution.",
    "rest.state.unquarantine": "Unquarantine releases a quarantined server and allows tool execution.",
    "rest.state.new": "An added server is quarantined by default; a registry add follows the global default.",
    "rest.state.bulk": "enable_all, disable_all, restart_all and reconnect act on every server.",
    "rest.approval.approve": "Approve moves listed or all pending or changed tools to approved.",
    "rest.approval.block":
      "Block moves listed or all pending or changed tools to approved and disabled in one write per tool, and hides them from MCP clients.",
    "rest.approval.block-never-enabled": "Blocking never leaves a tool approved and enabled.",
    "rest.session.states": "A session is active or closed.",
    "rest.session.handshake-only":
      "A session that only shook hands is not stored; a client appears after its first tool call.",
    "rest.preflight.classes": "The verdict classes are ready, degraded_retryable, blocked and unknown_ids.",
    "rest.connect.states": "Client access states are unknown, accessible, absent, malformed and denied.",
  },
} satisfies Sections;
