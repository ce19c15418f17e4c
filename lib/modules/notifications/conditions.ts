import type { App } from "../../core/app.ts";
import { durationMs, rfc3339 } from "../../core/base/clock.ts";
import { loopShare, nextLoopTurn } from "../../core/base/loop-share.ts";
import { plural } from "../../core/base/plural.ts";
import { INTERNAL_CALLER } from "../../core/schema/caller.ts";
import type { ServerRecord } from "../../core/schema/server-record.ts";
import { maskedServerRecord } from "../../core/verbs/servers/record.ts";
import type { Notice } from "./notice.ts";
import { panelPage } from "./panel-page.ts";

/** Something that lasts, and that people are notified of when it begins and when it grows. */
export interface Condition extends Omit<Notice, "at" | "count"> {
  /** How much there is of it, such as the number of waiting tools. */
  readonly level: number;
}

const DAY_MS = 86_400_000;

/**
 * Returns what lasts at this moment. Pauses between servers, because there may be a thousand.
 *
 * @param failingSince when each server was first seen failing (ms); the function keeps it up to date
 */
export async function currentConditions(app: App, failingSince: Map<string, number>): Promise<Condition[]> {
  await nextLoopTurn("background");
  const pause = loopShare("background");
  const found = tokenConditions(app);
  const failingAfterMs = durationMs(app.config.current().notifications.failing_after) ?? 0;
  const failing = new Set<string>();
  for (const { name, enabled } of app.config.current().mcpServers) {
    const paused = pause();
    if (paused) await paused;
    if (!enabled || !app.config.server(name)) continue;
    const record = maskedServerRecord(app, name, INTERNAL_CALLER);
    found.push(...approvalConditions(record));
    const { level, action } = record.health;
    if (action === "login") found.push(signInCondition(record));
    else if (level === "unhealthy") {
      failing.add(name);
      const since = failingSince.get(name) ?? app.clock.now();
      failingSince.set(name, since);
      if (app.clock.now() - since >= failingAfterMs) found.push(failingCondition(record, since));
    }
  }
  for (const name of failingSince.keys()) if (!failing.has(name)) failingSince.delete(name);
  return found;
}

function approvalConditions({ name, quarantined, held, quarantine }: ServerRecord): Condition[] {
  const kind = "approval";
  if (held || quarantined)
    return [
      {
        kind,
        key: `approval:server:${name}`,
        severity: "info",
        title: `Server ${name} waits for ${held ? "a confirmation" : "a review"}`,
        text: held ? "It is not started until an administrator confirms it." : "Its tools cannot be used until then.",
        // A held server is confirmed on its own page.
        path: held ? panelPage.server(name) : panelPage.approvals(name),
        level: 1,
      },
    ];
  const base = { kind, path: panelPage.approvals(name) } as const;
  const { pending_count = 0, changed_count = 0, items } = quarantine ?? {};
  const added = pending_count + (items?.pending_count ?? 0);
  const changed = changed_count + (items?.changed_count ?? 0);
  const conditions: Condition[] = [];
  if (added > 0)
    conditions.push({
      ...base,
      key: `approval:new:${name}`,
      severity: "info",
      title: `${plural(added, "new tool or other item", "new tools or other items")} of ${name} ${added === 1 ? "waits" : "wait"} for approval`,
      text: "Clients cannot use them until then.",
      level: added,
    });
  if (changed > 0)
    conditions.push({
      ...base,
      key: `approval:changed:${name}`,
      severity: "warning",
      title: `${plural(changed, "approved tool or other item", "approved tools or other items")} of ${name} changed`,
      text: "Clients cannot use them until the change is approved.",
      level: changed,
    });
  return conditions;
}

function failingCondition({ name, health }: ServerRecord, since: number): Condition {
  return {
    key: `server:failing:${name}`,
    kind: "server",
    severity: "warning",
    title: `Server ${name} fails: ${health.summary}`,
    text: `${health.detail ? `${health.detail}. ` : ""}It fails since ${rfc3339(since)}.`,
    path: panelPage.server(name),
    level: 1,
  };
}

function signInCondition({ name, health }: ServerRecord): Condition {
  return {
    key: `expiry:sign-in:${name}`,
    kind: "expiry",
    severity: "warning",
    title: `Server ${name} needs a sign-in`,
    text: health.detail ?? health.summary,
    path: panelPage.server(name),
    level: 1,
  };
}

function tokenConditions(app: App): Condition[] {
  const days = app.config.current().notifications.token_expiry_days;
  const now = app.clock.now();
  return app.store.tokens.all().flatMap(({ name, owner, expiresAt, revokedAt }) => {
    // A token of a user is that user's business.
    if (revokedAt !== undefined || owner !== undefined || expiresAt <= now || expiresAt - now > days * DAY_MS)
      return [];
    return [
      {
        key: `expiry:token:${name}:${expiresAt}`,
        kind: "expiry" as const,
        severity: "warning" as const,
        title: `The agent token ${name} expires soon`,
        text: `It is valid until ${rfc3339(expiresAt)}.`,
        path: panelPage.tokens,
        level: 1,
      },
    ];
  });
}
