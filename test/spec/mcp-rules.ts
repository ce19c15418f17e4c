import type { Sections } from "./requirements.ts";

/** Spec 001, sections 5 to 8: authentication, host checks, events, errors, limits, deployment. */
export const mcpRules = {
  "001 §5 rule 1": {
    "mcp.auth.open": "MCP endpoints need no key by default.",
    "mcp.auth.required":
      "With require_mcp_auth /mcp refuses unauthenticated requests, and clients send the key in X-API-Key.",
    "mcp.auth.edition":
      "In the server edition it is forced true, an explicit false being overridden with one boot notice and a doctor finding.",
    "mcp.auth.no-cookie": "A browser cookie or a user JWT is never an MCP credential.",
    "mcp.auth.accepted": "/mcp takes agent tokens, the key and the socket only.",
  },
  "001 §5 rule 2": {
    "mcp.auth.rest-always": "REST always needs a key.",
  },
  "001 §5 rule 3": {
    "code.agent.unknown":
      "For an agent an unknown script name gives a message that lists nothing and is the same for an empty and a full folder.",
    "code.agent.no-paths":
      "For an agent messages about ambiguous and unusable files hold no paths and no system errors.",
  },
  "001 §5 rule 4": {
    "edition.oidc": "Sign-in is the OIDC code flow with verifier and nonce.",
    "edition.refresh-at-login": "Groups and the admin role are refreshed at login only.",
    "edition.narrowed": "Sessions, bearers and owned tokens are narrowed to a new grant at their next request.",
    "edition.staleness":
      "Staleness is bounded by the session's life plus the longer of bearer and token expiry, at most 365 days.",
    "edition.disable-enable": "Disabling and enabling a user is the immediate remedy.",
  },
  "001 §5.2": {
    "host.host-check":
      "On a loopback listener a Host neither loopback nor trusted gives 403 `Forbidden: invalid Host header`.",
    "host.origin-check": "An Origin neither loopback nor trusted gives 403 `Forbidden: invalid Origin header`.",
    "host.no-origin": "A request without Origin is unaffected.",
    "host.case": "Host names match without regard to case.",
    "host.port": "An entry without port matches any port and one with a port that port only.",
    "host.dot": "A leading dot matches the domain and its subdomains.",
    "host.star": "The single entry `*` switches both checks off.",
    "host.loopback": "localhost, 127.0.0.1 and [::1] are always accepted.",
    "host.not-applied": "The checks do not apply on a non-loopback listener nor on socket or pipe.",
    "host.default": "By default the list is empty and protection is full.",
    "host.env": "SERVICE_TRUSTED_HOSTS overrides it, comma-separated.",
    "host.hot": "A change takes effect without a restart.",
    "host.only": "trusted_hosts neither makes forwarded headers believed nor secures sign-in.",
  },
  "001 §5.3": {
    "peer.entries": "Entries are CIDRs or single addresses; host names are not accepted.",
    "peer.default": "By default no forwarded header is believed.",
    "peer.proto-host": "From a trusted peer X-Forwarded-Proto and X-Forwarded-Host are honoured.",
    "peer.client-ip": "The client is the right-most X-Forwarded-For hop that is no trusted proxy, then X-Real-IP.",
    "peer.untrusted": "From any other peer the headers are ignored without error.",
    "peer.feeds":
      "They feed the client address of sessions and requests, the Secure decision, the OAuth callback and the reference page.",
    "peer.never-admin": "They never decide local or administrator.",
    "peer.message":
      'The message `trusted_proxies[<i>] "<value>" is not a valid CIDR or IP address` is the same at boot, on patch and on apply.',
    "peer.env": "SERVICE_TRUSTED_PROXIES overrides it, comma-separated.",
    "peer.hot": "It is evaluated per request.",
    "peer.tls-ingress": "Behind a TLS ingress in the server edition both public_url and trusted_proxies are set.",
    "peer.no-buffering": "Streams need response buffering off at the proxy.",
  },
  "001 §6": {
    "changes.subscribed": "tools/list_changed is subscribed on stdio, HTTP/SSE and streamable HTTP.",
    "changes.advertised": "A handler is registered after connecting when the server advertises listChanged.",
    "changes.seconds": "A notification leads to discovery and indexing of that server within seconds.",
    "changes.deduplicated": "Quick successive notifications are merged.",
    "changes.timeout": "Discovery is given 30 seconds.",
    "changes.errors": "Discovery errors are logged and crash nothing.",
    "changes.polling": "Servers without the capability are polled every 5 minutes.",
    "changes.log-info": "Receiving a notification is logged at INFO.",
    "changes.log-debug": "Registering the handler and triggering discovery are logged at DEBUG.",
    "changes.log-warn": "A notification from a server that did not advertise it is logged at WARN.",
    "audit.stdout":
      "audit_log.stdout writes one JSON line per authorization decision and tool call to standard output under HTTP.",
    "audit.authz": "Authorization decisions carry event authz.",
    "audit.path": "audit_log.path writes to a file, and with both set the path wins with a warning.",
    "audit.rotation": "Rotation is 50 MB, 10 backups, 90 days, gzip.",
    "audit.edition": "In the server edition the default without an audit_log block is stdout.",
    "audit.stdio": "Under stdio standard output is never used: no block means off with one warning.",
    "audit.stdio-refused": "Under stdio, stdout true without a path fails the boot with exit code 4.",
  },
  "001 §7": {
    "mcp.error.jsonrpc": "MCP errors follow JSON-RPC 2.0.",
    "code.error.syntax": "SYNTAX_ERROR is invalid source.",
    "code.error.runtime": "RUNTIME_ERROR is an uncaught exception and carries its stack.",
    "code.error.timeout": "TIMEOUT is more than timeout_ms.",
    "code.error.max-calls": "MAX_TOOL_CALLS_EXCEEDED states the limit in its message.",
    "code.error.not-allowed": "SERVER_NOT_ALLOWED is a server outside allowed_servers.",
    "code.error.serialization": "SERIALIZATION_ERROR is a result that JSON cannot hold.",
    "code.error.invalid-args": "INVALID_ARGS is a wrong arity or a malformed batch, in one envelope.",
    "code.error.invalid-index": "INVALID_ARGS names the first offending index, dispatches nothing and costs nothing.",
    "code.error.slots":
      "Failures inside a batch use call_tool's codes per slot, queue_full for instance, and never touch their neighbours.",
    "code.refusal.exactly-one": "MCP refusal: both or neither of code and script asks for exactly one.",
    "code.refusal.unknown":
      "MCP refusal: to an administrator an unknown name lists up to 20 names alphabetically with the count, or says there are none.",
    "code.refusal.name": "MCP refusal: an invalid name names the bad character.",
    "code.refusal.ambiguous": "MCP refusal: an administrator sees both paths and an agent none.",
    "code.refusal.unusable": "MCP refusal: an administrator sees the path and an agent the reason only.",
    "code.refusal.language": "MCP refusal: a language that contradicts the extension.",
    "code.rest.refusal": "REST refusals are `{ ok: false, error: { code, message }, request_id }`.",
    "code.rest.invalid-request": "Both or neither of code and script: 400 INVALID_REQUEST.",
    "code.rest.disabled": "enable_code_execution false: 403 FEATURE_DISABLED.",
    "code.rest.not-found": "Unknown script: 404 SCRIPT_NOT_FOUND.",
    "code.rest.bad-name": "Invalid script name: 400 INVALID_SCRIPT_NAME.",
    "code.rest.unusable": "Ambiguous, empty, oversized, unreadable or non-regular: 400 SCRIPT_UNUSABLE.",
    "code.rest.language": "Contradicting language: 400 INVALID_LANGUAGE.",
    "code.rest.failed": "A fault of pool, storage or program: 500 EXECUTION_FAILED.",
    "code.rest.scripts-agent": "GET /api/v1/code/scripts refuses agents with 403 and `{ success: false, error }`.",
    "boot.locked": "A second process on the same database exits with code 3.",
    "boot.audit-stdio": "Explicit audit stdout without path under stdio exits with code 4.",
  },
  "001 §8": {
    "limit.code-timeout": "The code timeout is 1 to 600000 ms, 120000 by default.",
    "limit.code-calls": "The tool-call budget is at least 0, 0 by default.",
    "limit.code-pool": "The pool is 1 to 100, 10 by default.",
    "limit.batch": "A batch has at most 100 elements and a concurrency of 1 to 32, 8 by default.",
    "limit.batch-budget": "Each element costs one call of the budget, checked in input order before dispatch.",
    "limit.batch-timeout": "The batch runs inside the execution's timeout, which cancels elements in flight.",
    "limit.batch-empty": "call_tools([]) answers an empty array and costs nothing.",
    "limit.concurrency":
      "max_concurrent_requests and queue_size apply inside the call path and batching never goes round them.",
    "limit.queue-full": "Overflow beyond the queue is shed per slot with queue_full.",
    "limit.script": "A stored script has 1 to 262144 bytes and a name of 1 to 64 characters.",
    "limit.retrieve": "retrieve_tools gives 15 results by default.",
    "limit.describe": "describe_tool takes 1 to 5 ids, and 50 in check mode.",
    "limit.discovery": "Discovery has 30 seconds and the polling cycle is 5 minutes.",
    "limit.audit": "Audit files rotate at 50 MB, 10 backups, 90 days.",
    "limit.staleness": "Credential staleness is bounded as in §5.",
    "deploy.one-replica": "The server edition supports exactly one replica.",
    "deploy.second-fails": "A second replica fails on the exclusive database lock with exit code 3.",
    "deploy.stop-first": "The old instance is stopped before the new one starts.",
    "deploy.one-volume":
      "Database, index, logs and the configuration file live on one persistent volume, the file writable.",
    "deploy.env-secrets": "Secrets come from the environment through `${env:VAR}` and are not written into the file.",
  },
} satisfies Sections;
