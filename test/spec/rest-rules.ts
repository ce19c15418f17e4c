import type { Sections } from "./requirements.ts";

/** Spec 000, sections 5 to 9: authentication, events, errors, limits, versioning. */
export const restRules = {
  "000 §5 rule 1": {
    "rest.auth.header": "The admin key is taken from the header X-API-Key.",
    "rest.auth.query": "The admin key is taken from the query parameter apikey.",
    "rest.auth.generated": "A key is made and logged at first start when none is configured.",
  },
  "000 §5 rule 2": {
    "rest.auth.socket": "The local socket or pipe needs no key and acts as administrator.",
  },
  "000 §5 rule 3": {
    "rest.auth.token-prefix": "Agent tokens start with mcp_agt_.",
    "rest.auth.token-scope": "Agent tokens may be limited by allowed_servers.",
    "rest.auth.token-reads":
      "Agent tokens may read servers, diagnostics, configuration, registries and search, and may validate a configuration.",
  },
  "000 §5 rule 4": {
    "rest.auth.gate-text": "An agent token on a gated route gets 403 `operation requires admin access`.",
    "rest.auth.gate-servers":
      "Gated: add, remove, patch, enable, disable, restart, reconnect, quarantine, unquarantine, login, logout, config-to-secret, discover-tools, refresh.",
    "rest.auth.gate-tools": "Gated: tool approve and block.",
    "rest.auth.gate-bulk": "Gated: enable_all, disable_all and restart_all.",
    "rest.auth.gate-scanner": "Gated: scan, scan cancel, security approve and security reject.",
    "rest.auth.gate-config": "Gated: config apply, config patch and container-isolation patch.",
    "rest.auth.gate-registries": "Gated: registry add, edit, remove, and adding a server from one.",
  },
  "000 §5 rule 5": {
    "rest.auth.scripts": "GET /api/v1/code/scripts is refused to agent tokens with 403.",
  },
  "000 §5 rule 6": {
    "rest.auth.events-query": "The event stream takes the key as ?apikey=.",
  },
  "000 §5 rule 7": {
    "rest.auth.401": "Missing or invalid credentials give 401.",
  },
  "000 §5 rule 8": {
    "rest.auth.tiers": "What of secrets and preflight is shown depends on the caller's tier.",
  },
  "000 §5 rule 9": {
    "rest.auth.probes": "Liveness and readiness need no credentials.",
  },
  "000 §6": {
    "rest.events.sse": "GET /events is a stream of server-sent events.",
    "rest.events.servers-changed":
      "servers.changed says that server status changed, coalesced so that the last write wins.",
    "rest.events.config-reloaded": "config.reloaded says that the configuration was reloaded.",
    "rest.events.tools-indexed": "tools.indexed says that the tool index was updated.",
    "rest.events.call-started": "activity.tool_call.started says that a tool call began.",
    "rest.events.call-completed": "activity.tool_call.completed says that a tool call ended.",
    "rest.events.policy-decision": "activity.policy_decision says that policy blocked a call.",
    "rest.events.further":
      "config.saved, secrets.changed, active_profile.changed, activity.system.*, sensitive_data.detected, security.*, oauth.* exist too.",
    "rest.events.admin": "An administrator gets every event as published, but servers.changed masked.",
    "rest.events.admin-notify":
      "With reveal_secret_headers an administrator gets servers.changed in its notify-only form.",
    "rest.events.scoped-drop":
      "For a scoped agent an activity, oauth or security event naming a server out of scope is dropped whole.",
    "rest.events.scoped-fields": "The naming fields are server_name, server, target_server and affected_entity.",
    "rest.events.scoped-servers":
      "A scoped agent always gets servers.changed, its list narrowed, its stats counted again, foreign extras removed.",
    "rest.events.scoped-config": "A scoped agent gets no config.reloaded, config.saved or secrets.changed.",
    "rest.events.scoped-rest": "A scoped agent gets everything without a server's identity unchanged.",
  },
  "000 §7": {
    "rest.error.general": "General failures are `{ success: false, error, request_id }`.",
    "rest.error.legacy": "The older generic shape is `{ error, code }`.",
    "rest.error.coded":
      "Registry failures are `{ success: false, code, … }`, with missing_inputs for missing_required_input.",
    "rest.error.oauth":
      "A failed login is 400 with error_type, server_name, message, suggestion, correlation_id, request_id, details and debug_hint.",
    "rest.error.oauth-types":
      "error_type is client_id_required, dcr_failed, metadata_discovery_failed or code_flow_failed.",
    "rest.error.400":
      "400 is for validation, refused masks, a bad session status, config-to-secret input, block without selector, preflight validation and a bad backup_name.",
    "rest.error.401": "401 is for missing or invalid credentials.",
    "rest.error.403": "403 is for agents on admin routes, denied connect permission and locked registries.",
    "rest.error.404": "404 is for an unknown server, key, client, registry or backup.",
    "rest.error.409": "409 is for connect conflicts, an undo on a changed file and registry conflicts.",
    "rest.error.500": "500 is for internal errors and failures behind config-to-secret.",
    "rest.error.503": "503 says that preflight could not run honestly.",
  },
  "000 §8": {
    "rest.limit.request-id": "A request id has at most 256 characters.",
    "rest.limit.preflight-tools": "Preflight takes 1 to 100 raw entries.",
    "rest.limit.preflight-wait": "Preflight waits 0 to 10000 ms.",
    "rest.limit.preflight-poll": "Preflight polls every 250 ms or more.",
    "rest.limit.preflight-slots": "Preflight has 4 shared waiting slots.",
    "rest.limit.preflight-body": "A preflight body is at most 1 MiB.",
    "rest.limit.did-you-mean": "did_you_mean makes up to 3 suggestions.",
    "rest.limit.sessions": "The sessions limit is 1 to 100, 10 by default.",
    "rest.limit.activity": "The activity limit is 1 to 100, 50 by default.",
    "rest.limit.update-period": "Automatic update checks come every 4 hours.",
    "rest.limit.backups": "One backup per modifying connect operation, never deleted by itself.",
  },
  "000 §9": {
    "rest.version.prefix": "The REST API stands under /api/v1 and its version is a string in status and info.",
    "rest.version.openapi": "The OpenAPI 3.1 document is served beside the reference page.",
    "rest.version.reasons": "Preflight reasons only grow, and unknown ones count as not retryable.",
    "rest.version.pin": "A pin carries its own schema version.",
    "rest.version.invisible": "describe_tool reports an out-of-scope id as not_found; the code invisible is gone.",
  },
} satisfies Sections;
