import type { Data } from "../../api.ts";
import { type Server, waitingOf } from "../../parts/health.tsx";
import type { IconName } from "../../parts/icon.tsx";
import { plural } from "../../parts/time.tsx";
import { at } from "../../route.ts";

/** Something that is not as it should be, or waits for a person. */
export interface Matter {
  key: string;
  tone: "bad" | "warn" | "info";
  icon: IconName;
  title: string;
  detail?: string | undefined;
  /** Where it is put right, and what that is called. */
  path: string;
  verb: string;
}

const ORDER = { bad: 0, warn: 1, info: 2 } as const;

/** What needs somebody, the most pressing first. */
export function attention(servers: readonly Server[], status: Data<"GET /api/v1/status"> | undefined): Matter[] {
  const matters: Matter[] = [];
  if (status?.store_problem !== undefined)
    matters.push({
      key: "store",
      tone: "bad",
      icon: "bad",
      title: "Nothing can be written to disk",
      detail: status.store_problem,
      path: "/servers",
      verb: "Open",
    });
  if (status?.config_problem !== undefined)
    matters.push({
      key: "config",
      tone: "bad",
      icon: "settings",
      title: "The last edit of the configuration file was refused",
      detail: status.config_problem,
      path: "/servers",
      verb: "Open",
    });
  for (const server of servers) {
    const matter = ofServer(server);
    if (matter) matters.push(matter);
  }
  const held = servers.filter((s) => s.enabled && s.quarantined);
  if (held.length > 0)
    matters.push({
      key: "quarantine",
      tone: "info",
      icon: "shield",
      title: held.length === 1 ? `${held[0]?.name} is in quarantine` : `${held.length} servers are in quarantine`,
      detail: `Nobody can call ${held.length === 1 ? "its tools until you release it" : "their tools until you release them"}.`,
      path: "/approvals",
      verb: "Review",
    });
  const waiting = servers.reduce((sum, s) => sum + (s.enabled && !s.quarantined ? waitingOf(s) : 0), 0);
  const changed = servers.reduce((sum, s) => sum + (s.quarantine?.changed_count ?? 0), 0);
  if (waiting > 0)
    matters.push({
      key: "approvals",
      tone: changed > 0 ? "warn" : "info",
      icon: "approvals",
      title: `${plural(waiting, "tool")} ${waiting === 1 ? "waits" : "wait"} for your approval`,
      detail:
        changed > 0
          ? `${plural(changed, "tool")} changed since you approved ${changed === 1 ? "it" : "them"}.`
          : undefined,
      path: "/approvals",
      verb: "Review",
    });
  return matters.sort((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

const VERBS: Partial<Record<Server["health"]["action"], readonly [verb: string, tab: string]>> = {
  login: ["Sign in", ""],
  view_logs: ["Log", "log"],
  set_secret: ["Settings", "settings"],
  configure: ["Settings", "settings"],
};

function ofServer({ name, enabled, quarantined, health, last_error }: Server): Matter | undefined {
  if (!enabled || quarantined || health.level === "healthy") return undefined;
  const [verb, tab] = VERBS[health.action] ?? ["Open", ""];
  return {
    key: `server ${name}`,
    tone: health.level === "unhealthy" ? "bad" : "warn",
    icon: health.level === "unhealthy" ? "bad" : "warn",
    title: `${name} ${health.level === "unhealthy" ? "is not working" : "needs a look"}`,
    detail: health.detail ?? last_error ?? health.summary,
    path: tab === "" ? at("servers", name) : at("servers", name, tab),
    verb,
  };
}
