import type { App } from "../../core/app.ts";
import { rfc3339 } from "../../core/base/clock.ts";
import { isServerHidden } from "../../core/policy/hidden.ts";
import { inScope } from "../../core/policy/scope.ts";
import type { Caller } from "../../core/schema/caller.ts";
import type { ServerRecord } from "../../core/schema/server-record.ts";
import { listActivity } from "../../core/verbs/activity/list.ts";
import { listMaskedServers } from "../../core/verbs/servers/list.ts";
import { serverReview } from "../../core/verbs/servers/review.ts";
import { serversStats } from "../../core/verbs/servers/stats.ts";
import { containerEngine } from "../isolation/state.ts";
import { oauth } from "../oauth/state.ts";
import { missing } from "../vault/list.ts";
import { lastLines } from "./last-lines.ts";
import { runChecks } from "./run-checks.ts";
import { within } from "./within.ts";

/** Maximum number of recent failures in the result. */
const MAX_ERRORS = 20;
/** Configuration keys of earlier versions that no longer have an effect. */
const OBSOLETE_KEYS = ["features", "top_k", "enable_tray"];

/**
 * A support bundle in one response, without secrets (spec 000 §4.6; reference 1.10). A caller who may not see
 * everything gets the part about its own servers.
 */
export async function diagnose(app: App, caller: Caller) {
  const admin = caller.tier === "admin";
  const { user: _, ...bare } = caller;
  // An administrator sees the shared state of servers, not that of a user's own connections.
  const viewer: Caller = admin ? bare : caller;
  const [findings, unset, engine, log] = await Promise.all([
    runChecks(app, caller),
    // A keyring that asks its owner can take long; the findings report that case.
    within(app.clock, () => missing(app)).catch(() => []),
    app.part(containerEngine).state(),
    admin ? lastLines(app) : [],
  ]);
  const servers = listMaskedServers(app, viewer).filter(({ enabled }) => enabled);
  const issues = findings.filter(({ severity }) => severity !== "info");
  return {
    timestamp: rfc3339(app.clock.now()),
    total_issues: issues.length,
    findings,
    program: programFacts(app, admin),
    upstreams: serversStats(app, viewer),
    upstream_errors: servers.flatMap((server) => upstreamError(app, server)),
    oauth_required: servers.flatMap(({ name, status, health }) =>
      health.action === "login" ? [{ server_name: name, state: status, message: health.detail ?? health.summary }] : [],
    ),
    oauth_issues: servers.flatMap(({ name, health }) => {
      const { failure } = app.part(oauth).status(name);
      if (failure && isServerHidden(serverReview(app, name), caller))
        return [{ server_name: name, issue: failure.errorType, error: "sign_in_failed" }];
      if (failure) return [{ server_name: name, issue: failure.errorType, error: failure.reason }];
      return health.action === "configure"
        ? [{ server_name: name, issue: health.summary, error: health.detail ?? "" }]
        : [];
    }),
    missing_secrets: unset.flatMap(({ text, uses }) => {
      const used_by = uses.flatMap(({ server = "" }) => (admin || inScope(caller.scope, server) ? [server] : []));
      return used_by.length > 0 ? [{ secret_name: text, used_by: [...new Set(used_by)] }] : [];
    }),
    runtime_warnings: issues.filter(({ server }) => server === undefined).map(({ title }) => title),
    deprecated_configs: OBSOLETE_KEYS.filter((key) => admin && Object.hasOwn(app.config.raw(), key)).map((field) => ({
      field,
      message: "no longer has any effect; it is kept unchanged",
      replacement: "",
    })),
    docker_status: {
      available: engine.available,
      ...(engine.version !== undefined && { version: engine.version }),
      ...(admin && engine.error !== undefined && { error: engine.error }),
    },
    recent_errors: (await listActivity(app, { status: "error" }, { limit: MAX_ERRORS }, caller)).activities,
    log,
  };
}

function upstreamError(app: App, { name, last_error }: ServerRecord) {
  const since = app.upstreams.get(name)?.status().since;
  if (last_error === undefined || since === undefined) return [];
  return [{ server_name: name, error_message: last_error, timestamp: rfc3339(since) }];
}

function programFacts(app: App, admin: boolean) {
  const { version, startedAt, listenAddr, socketPath, routingMode } = app.boot;
  return {
    version,
    started_at: rfc3339(startedAt),
    uptime: Math.floor((app.clock.now() - startedAt) / 1000),
    node: process.version,
    platform: process.platform,
    arch: process.arch,
    memory_mb: Math.round(process.memoryUsage.rss() / 1024 / 1024),
    routing_mode: routingMode,
    listen_addr: listenAddr,
    ...(admin && { pid: process.pid, executable: process.execPath, config_path: app.config.path, socket: socketPath }),
  };
}
