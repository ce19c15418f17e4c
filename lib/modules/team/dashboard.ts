import type { App } from "../../core/app.ts";
import type { Caller } from "../../core/schema/caller.ts";
import { activityCounts } from "../../core/verbs/activity/counts.ts";
import { listActivity } from "../../core/verbs/activity/list.ts";
import { listServers as servers } from "../../core/verbs/servers/list.ts";
import { listUsers } from "./users.ts";

const RECENT = 10;
const DAY_MS = 86_400_000;

/** The overview of the installation (reference 12.1). */
export async function dashboard(app: App, caller: Caller) {
  const users = listUsers(app);
  const all = servers(app, caller);
  const day = await callsOfDay(app);
  const { activities } = await listActivity(app, {}, { limit: RECENT }, caller);
  return {
    total_users: users.length,
    active_users: users.filter((user) => user.active_sessions > 0).length,
    active_sessions: users.reduce((sum, user) => sum + user.active_sessions, 0),
    total_servers: all.length,
    healthy_servers: all.filter((server) => server.health.level === "healthy").length,
    tool_calls_24h: day.calls,
    error_rate_24h: day.calls === 0 ? 0 : day.failed / day.calls,
    recent_users: [...users].sort((a, b) => (a.last_login_at < b.last_login_at ? 1 : -1)).slice(0, RECENT),
    recent_activity: activities,
  };
}

async function callsOfDay(app: App): Promise<{ calls: number; failed: number }> {
  const { result } = await app
    .part(activityCounts)
    .share("dashboard", undefined, (stop) => callsSince(app, app.clock.now() - DAY_MS, stop));
  return result;
}

async function callsSince(app: App, after: number, stop: AbortSignal): Promise<{ calls: number; failed: number }> {
  let [calls, failed] = [0, 0];
  for await (const { status, count } of app.store.activity.tally({ after, type: ["tool_call"] }, {}, stop)) {
    calls += count;
    if (status !== "success") failed += count;
  }
  return { calls, failed };
}
