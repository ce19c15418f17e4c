import type { Sections } from "./requirements.ts";

/** Spec 000, section 4: the endpoints. */
export const restEndpoints = {
  "000 §4": {
    "rest.endpoints.json": "Bodies are JSON.",
  },
  "000 §4.1": {
    "rest.request-id.accepted": "A request's own X-Request-Id is kept when it matches ^[a-zA-Z0-9_-]{1,256}$.",
    "rest.request-id.generated": "A missing or malformed request id is replaced by a UUID v4.",
    "rest.request-id.in-errors": "Error bodies carry request_id.",
    "rest.request-id.activity-filter": "The activity list can be filtered by request_id.",
    "rest.auth.every-route": "Every /api/v1 route asks for credentials.",
  },
  "000 §4.2": {
    "rest.status.get": "GET /api/v1/status answers the status object.",
    "rest.servers.list": "GET /api/v1/servers answers `data.servers`, records with health.",
    "rest.servers.add": "POST /api/v1/servers takes a server configuration with the fields of the patch body.",
    "rest.servers.add-no-masks": "POST /api/v1/servers takes no echoed masks.",
    "rest.servers.patch": "PATCH /api/v1/servers/{name} answers the updated server.",
    "rest.servers.to-secret":
      "POST config-to-secret takes scope, key and secret_name and answers message and reference.",
    "rest.servers.enable": "POST /api/v1/servers/{name}/enable takes no body.",
    "rest.servers.disable": "POST /api/v1/servers/{name}/disable takes no body.",
    "rest.servers.restart": "POST /api/v1/servers/{name}/restart takes no body.",
    "rest.servers.quarantine": "POST /api/v1/servers/{name}/quarantine needs no body.",
    "rest.servers.unquarantine": "POST /api/v1/servers/{name}/unquarantine needs no body.",
    "rest.servers.login": "POST /api/v1/servers/{name}/login answers an OAuthStartResponse.",
    "rest.servers.logout": "POST /api/v1/servers/{name}/logout clears the OAuth tokens and disconnects.",
    "rest.servers.enable-all": "POST /api/v1/servers/enable_all enables every server.",
    "rest.servers.disable-all": "POST /api/v1/servers/disable_all disables every server.",
    "rest.servers.restart-all": "POST /api/v1/servers/restart_all restarts every server.",
    "rest.servers.reconnect": "POST /api/v1/servers/reconnect reconnects every server.",
    "rest.servers.logs": "GET /api/v1/servers/{name}/logs answers scrubbed log lines.",
    "rest.servers.tools": "GET /api/v1/servers/{name}/tools lists the server's tools, with the operator's hash field.",
    "rest.tools.approve":
      "POST tools/approve takes `tools` or `approve_all: true` and answers approved, tools and message.",
    "rest.tools.block": "POST tools/block takes `tools` or `block_all: true` and answers blocked, tools and message.",
    "rest.tools.block-selector": "tools/block without tools and without block_all gives 400.",
    "rest.tools.diff": "GET tools/{tool}/diff answers the tool diff.",
    "rest.tools.export": "GET tools/export answers every description and schema, as json (the default) or text.",
    "rest.patch.fields":
      "A patch may hold url, command, args, env, headers, working_dir, protocol, enabled, quarantined, reconnect_on_use, auto_approve_tool_changes and isolation, each optional.",
    "rest.patch.omitted": "A field left out of a patch keeps its value.",
    "rest.patch.args": "`args` is replaced entirely.",
    "rest.patch.booleans": "A boolean left out is kept and one that is sent is set.",
    "rest.patch.isolation": "`isolation` is merged deeply.",
    "rest.patch.map-upsert": "A map key with a string is set.",
    "rest.patch.map-null": "A map key with null is deleted.",
    "rest.patch.map-absent": "An absent map key is preserved.",
    "rest.patch.map-empty": "An empty string sets a map value to empty and does not delete it.",
    "rest.to-secret.400":
      "config-to-secret gives 400 for a missing field, a bad scope, a value that is a reference already, or an empty value.",
    "rest.to-secret.404": "config-to-secret gives 404 for an unknown server or key.",
    "rest.to-secret.500": "config-to-secret gives 500 when secrets, keyring or configuration cannot be written.",
    "rest.to-secret.effect":
      "config-to-secret stores the loaded value in the keyring under the name and puts the reference in its place, for masked headers too.",
    "rest.login.start":
      "An OAuthStartResponse holds success, server_name, correlation_id, auth_url, browser_opened, browser_error and message.",
  },
  "000 §4.3": {
    "rest.tools.overview": "GET /api/v1/tools answers the overview, quarantined servers' tools included.",
    "rest.search.shape": "GET /api/v1/index/search ranks by relevance and gives the bare tool name beside server_name.",
    "rest.search.withholds": "index/search withholds tools of quarantined servers, as the MCP search tool does.",
    "rest.routing.get": "GET /api/v1/routing answers the routing object.",
    "rest.preflight.post": "POST /api/v1/preflight answers the preflight data.",
  },
  "000 §4.3 rule 1": {
    "rest.preflight.no-side-effects":
      "Preflight makes no upstream call and changes no state; verdicts come from local state only.",
  },
  "000 §4.3 rule 2": {
    "rest.preflight.200-when-blocked": "A fully blocked set is 200 with verdict blocked.",
  },
  "000 §4.3 rule 3": {
    "rest.preflight.body-size": "A preflight body is at most 1 MiB.",
    "rest.preflight.body-one-object": "A preflight body is exactly one JSON object.",
    "rest.preflight.body-strict": "An unknown field in a preflight body gives 400.",
  },
  "000 §4.3 rule 4": {
    "rest.preflight.400":
      "Invalid JSON, empty or over-long tools, conflicting pins, wait_ms out of range, an unknown profile or field, and an over-size body give 400.",
    "rest.preflight.401": "Preflight without valid credentials gives 401.",
    "rest.preflight.503":
      "Preflight gives 503 when runtime, index, storage or its activity record fails, never a verdict of lesser fidelity.",
  },
  "000 §4.3 rule 5": {
    "rest.preflight.wait-retryable": "Preflight waits only while every failure is retryable.",
    "rest.preflight.wait-poll": "While waiting, local state is looked at again every 250 ms or more.",
    "rest.preflight.wait-ends":
      "Waiting ends when all is ready, at a non-retryable failure, or at the deadline, always with the reasons of that moment.",
    "rest.preflight.wait-slots": "Four waits run at once; a further one is answered at once with waited_ms 0.",
  },
  "000 §4.3 rule 6": {
    "rest.preflight.operator-tier":
      "Operators get pins on ready results, did_you_mean, and server_not_in_scope when a profile excludes an existing server.",
    "rest.preflight.agent-silence":
      "For an agent token an out-of-scope id's result cannot be told from an ordinary not_found, byte for byte.",
    "rest.preflight.agent-no-hash": "Agent tokens get no hashes.",
    "rest.preflight.agent-did-you-mean":
      "did_you_mean for agents looks at visible tools only and never names a quarantined server's tools.",
  },
  "000 §4.4": {
    "rest.registries.list": "GET /api/v1/registries lists the configured registries.",
    "rest.registries.add":
      "POST /api/v1/registries takes url (required), protocol, id and name, and the source is always tagged custom.",
    "rest.registries.add-invalid-url": "A bad registry url gives 400 with code invalid_registry_url.",
    "rest.registries.add-locked": "Locked registries give 403 with code registries_locked.",
    "rest.registries.add-shadows": "Shadowing a built-in registry gives 409 with code registry_shadows_builtin.",
    "rest.registries.add-duplicate": "A duplicate registry gives 409 with code duplicate_registry.",
    "rest.registries.edit":
      "PUT /api/v1/registries/{id} takes name, url and servers_url, empty or absent left unchanged.",
    "rest.registries.edit-builtin": "Editing a built-in registry gives 409 with code registry_shadows_builtin.",
    "rest.registries.edit-unknown": "Editing an unknown registry gives 404 with code registry_not_found.",
    "rest.registries.edit-url": "Editing to a url that is not https gives 400 with code invalid_registry_url.",
    "rest.registries.remove":
      "DELETE /api/v1/registries/{id} answers the removed entry; built-in 409, unknown 404, locked 403.",
    "rest.registries.search": "GET /api/v1/registries/{id}/servers takes search, tag and limit.",
    "rest.registries.install":
      "POST .../servers/{serverId}/add takes name, env and enabled as overrides and never a configuration.",
    "rest.registries.missing-input": "A missing required input gives code missing_required_input with missing_inputs.",
    "rest.registries.refresh": "POST /api/v1/registries/{id}/refresh answers registry_id and cleared.",
    "rest.registries.derived": "The configuration to run is derived by the service; the client never sends one.",
  },
  "000 §4.5": {
    "rest.connect.list": "GET /api/v1/connect gives the status of every known MCP client.",
    "rest.connect.get": "GET /api/v1/connect/{client} gives the full status with access_state resolved.",
    "rest.connect.get-unknown": "An unknown client gives 404.",
    "rest.connect.get-denied": "A denied read is 200 with access_state denied and remediation.",
    "rest.connect.post": "POST /api/v1/connect/{client} takes server_name, force and precondition_token.",
    "rest.connect.delete": "DELETE /api/v1/connect/{client} removes just the entry.",
    "rest.connect.get-preview": "GET .../preview takes an optional server_name and writes nothing, no backup either.",
    "rest.connect.post-undo": "POST .../undo takes server_name and backup_name.",
  },
  "000 §4.5 rules": {
    "rest.connect.403": "Denied access to a configuration file gives 403 with the remedy in the body.",
    "rest.connect.backup-name":
      "A backup is written first, beside the file, named `<config>.bak.<YYYYMMDD-HHMMSS>` with the file's mode.",
    "rest.connect.backup-suffix":
      "Backups of one second get a numeric suffix, and none is ever overwritten or deleted.",
    "rest.connect.token-stale":
      "A stale precondition token gives 409 before any backup or write, and force does not override it.",
    "rest.connect.token-omitted": "Without a token a connect goes ahead as before.",
    "rest.connect.409-precondition": "The 409 of a stale token carries action precondition_failed.",
    "rest.connect.409-exists": "The 409 of an existing entry without force carries action already_exists.",
    "rest.connect.same-guard": "Preview and write evaluate the refusal with the same guard.",
    "rest.connect.undo-restore": "Undo with a backup name restores the file byte for byte.",
    "rest.connect.undo-delete": "Undo with an empty backup name deletes the file that the connect created.",
    "rest.connect.undo-bare-name": "backup_name is a bare file name, resolved in that client's own folder.",
    "rest.connect.undo-changed": "Undo gives 409 when the file is no longer what the connect wrote.",
    "rest.connect.undo-vanished": "Undo gives 404 when the backup is gone.",
    "rest.connect.undo-bad-name": "Undo gives 400 for a name with a separator or of another pattern.",
    "rest.connect.undo-backup": "Undo first writes its own backup and answers its path.",
    "rest.connect.privacy": "Only single-client routes may raise a privacy prompt; the listing never does.",
  },
  "000 §4.6": {
    "rest.config.get": "GET /api/v1/config gives the configuration.",
    "rest.config.apply": "POST /api/v1/config/apply applies changes, hot ones at once.",
    "rest.config.validate": "POST /api/v1/config/validate checks and changes nothing.",
    "rest.config.patch": "PATCH /api/v1/config patches the configuration.",
    "rest.config.isolation": "PATCH /api/v1/config/container-isolation sets container isolation.",
    "rest.diagnostics.get": "GET /api/v1/diagnostics gives system diagnostics.",
    "rest.doctor.get": "GET /api/v1/doctor gives health checks.",
    "rest.info.get": "GET /api/v1/info gives the info object and takes refresh=true.",
    "rest.container.get": "GET /api/v1/container/status gives the isolation status.",
    "rest.secrets.list": "GET /api/v1/secrets lists stored secrets.",
    "rest.secrets.get": "GET /api/v1/secrets/{name} gives metadata and never the value.",
    "rest.sessions.list": "GET /api/v1/sessions takes limit 1 to 100 (10), offset (0), parent_id and status.",
    "rest.sessions.status": "A session status other than active or closed gives 400.",
    "rest.sessions.parent": "parent_id gives the sub-calls of one code execution by its request id.",
    "rest.sessions.get": "GET /api/v1/sessions/{id} gives a session's details.",
    "rest.sessions.filter-first":
      "The status filter comes before the limit, and with it total counts only matching sessions.",
    "rest.activity.get":
      "GET /api/v1/activity filters by type, server, tool, session_id, status, start_time, end_time and request_id.",
    "rest.activity.paging": "The activity limit is 1 to 100 (50) and offset defaults to 0.",
    "rest.activity.times": "start_time and end_time are RFC 3339 and mean after and before.",
    "rest.activity.detail": "GET /api/v1/activity/{id} gives the full record with arguments and response.",
    "rest.activity.export": "GET /api/v1/activity/export gives JSON Lines or csv with the list's filters.",
    "rest.events.get": "GET /events is the event stream.",
  },
} satisfies Sections;
