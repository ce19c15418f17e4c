import type { Data } from "../../api.ts";
import { isDangerous, type Standing } from "../../parts/danger.ts";
import { type Server, waitingOf } from "../../parts/health.tsx";
import type { IconName } from "../../parts/icon.tsx";
import { listed, plural, sentence } from "../../parts/time.tsx";
import { at } from "../../route.ts";

/** A problem or a pending decision. */
interface Matter {
  key: string;
  tone: "bad" | "warn" | "info";
  icon: IconName;
  title: string;
  detail?: string | undefined;
  /** The page that solves it, and its name. */
  path: string;
  verb: string;
}

export type Servers = Data<"GET /api/v1/servers">;

const ORDER = { bad: 0, warn: 1, info: 2 } as const;

/** Everything that needs attention, the most urgent first: danger, then failures, then pending decisions. */
export function attention(
  all: Servers,
  status: Data<"GET /api/v1/status"> | undefined,
  standings: ReadonlyMap<string, Standing>,
  isAdmin: boolean,
): Matter[] {
  const { servers } = all;
  const matters: Matter[] = [...ofProxy(status)];
  for (const server of servers) matters.push(...ofDanger(server, standings.get(server.name)));
  for (const server of servers) matters.push(...ofServer(server));
  // Only administrators can decide about what follows.
  if (isAdmin) matters.push(...ofWaiting(all));
  return matters.sort((a, b) => ORDER[a.tone] - ORDER[b.tone]);
}

function* ofProxy(status: Data<"GET /api/v1/status"> | undefined): Generator<Matter> {
  if (status?.evidence_problem !== undefined)
    yield {
      key: "evidence",
      tone: "bad",
      icon: "bad",
      title: "The database with earlier approvals, blocks and tokens is missing",
      detail: status.evidence_problem,
      path: "/doctor",
      verb: "Open Doctor",
    };
  if (status?.store_problem !== undefined)
    yield {
      key: "store",
      tone: "bad",
      icon: "bad",
      title: "The database is damaged or cannot be written",
      detail: status.store_problem,
      path: "/doctor",
      verb: "Open Doctor",
    };
  if (status?.config_problem !== undefined)
    yield {
      key: "config",
      tone: "bad",
      icon: "settings",
      title: "The last edit of the configuration file was rejected",
      detail: status.config_problem,
      path: "/doctor",
      verb: "Open Doctor",
    };
}

/** Unreleased dangerous servers come first; a server that was released in spite of its scan remains listed. */
function* ofDanger(
  { name, enabled, quarantined, ...server }: Server,
  standing: Standing | undefined,
): Generator<Matter> {
  if (!enabled || !isDangerous(standing)) return;
  const found = `The scan found ${plural(standing.findings, "problem")}; risk ${standing.risk_score} of 100.`;
  const waiting = quarantined || waitingOf({ quarantined, ...server } as Server) > 0;
  yield {
    key: `danger ${name}`,
    tone: waiting ? "bad" : "warn",
    icon: "bad",
    title: `${name} looks dangerous`,
    detail: waiting
      ? `${found} ${quarantined ? "It is in quarantine: no client can call its tools." : "Review its tools before you approve them."}`
      : `${found} Its tools are approved, so clients can call them.`,
    path: at("security", "servers", name),
    verb: "Review the scan",
  };
}

const VERBS: Partial<Record<Server["health"]["action"], readonly [verb: string, tab: string]>> = {
  login: ["Sign in", ""],
  view_logs: ["Log", "log"],
  set_secret: ["Settings", "settings"],
  configure: ["Settings", "settings"],
};

/** Errors come before the quarantine; a held server waits for confirmation. */
function* ofServer({ name, enabled, quarantined, held, health, last_error }: Server): Generator<Matter> {
  if (!enabled) return;
  if (held) {
    yield {
      key: `held ${name}`,
      tone: "warn",
      icon: "shield",
      title: `${name} is held`,
      detail: "It was added or changed over MCP. Read what it runs or contacts before you confirm it.",
      path: at("servers", name),
      verb: "Review",
    };
    return;
  }
  if (health.level === "healthy") return;
  const [verb, tab] = VERBS[health.action] ?? ["Open", ""];
  const reason = health.detail ?? last_error ?? health.summary;
  yield {
    key: `server ${name}`,
    tone: health.level === "unhealthy" ? "bad" : "warn",
    icon: health.level === "unhealthy" ? "bad" : "warn",
    title: `${name} ${health.level === "unhealthy" ? "is not working" : "needs attention"}`,
    detail: quarantined ? `${sentence(reason)} (in quarantine)` : reason,
    path: tab === "" ? at("servers", name) : at("servers", name, tab),
    verb,
  };
}

/** The sum of both lines and the held servers, which have a line each, is the number beside Approvals. */
function* ofWaiting({ servers, stats: { waiting } }: Servers): Generator<Matter> {
  const reviewed = servers.filter((s) => s.enabled && s.quarantined && !s.held);
  const count = waiting.servers - servers.filter((s) => s.enabled && s.held).length;
  const one = count === 1;
  if (count > 0)
    yield {
      key: "quarantine",
      tone: "info",
      icon: "shield",
      title: one ? `${reviewed[0]?.name} is in quarantine` : `${count} servers are in quarantine`,
      detail: `${one ? "" : `${named(reviewed)}. `}No client can call ${one ? "its tools until you release it" : "their tools until you release them"}.`,
      path: "/approvals",
      verb: "Review",
    };
  const others = servers.filter((s) => s.enabled && !s.quarantined && waitingOf(s) > 0);
  const changed = others.reduce((sum, s) => sum + (s.quarantine?.changed_count ?? 0), 0);
  if (waiting.tools > 0)
    yield {
      key: "approvals",
      tone: changed > 0 ? "warn" : "info",
      icon: "approvals",
      title: `${plural(waiting.tools, "tool")} ${waiting.tools === 1 ? "waits" : "wait"} for your approval`,
      detail:
        changed > 0
          ? `${plural(changed, "tool")} changed since you approved ${changed === 1 ? "it" : "them"}.`
          : named(others),
      path: "/approvals",
      verb: "Review",
    };
}

/** Maximum number of names in a line. */
const MAX_NAMES = 5;

function named(servers: readonly Server[]): string {
  const names = servers.slice(0, MAX_NAMES).map((s) => s.name);
  return listed(servers.length > MAX_NAMES ? [...names, `${servers.length - MAX_NAMES} more`] : names);
}
