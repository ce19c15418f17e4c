import type { Data } from "../api.ts";
import { Badge, type Tone } from "./badge.tsx";
import { isDangerous, type Standing } from "./danger.ts";
import { plural, sentence } from "./time.tsx";

/** A server's record in the list. */
export type Server = Data<"GET /api/v1/servers">["servers"][number];

/**
 * The state of a server in one or two words. Danger comes first, then errors, then quarantine, because a server that
 * does not work cannot be reviewed.
 */
export function healthOf(server: Server, standing?: Standing): { tone: Tone; text: string } {
  const { health, enabled, quarantined, held, connecting } = server;
  if (!enabled) return { tone: "off", text: "Off" };
  if (isDangerous(standing)) return { tone: "bad", text: "Dangerous" };
  if (held) return { tone: "wait", text: "Held" };
  if (health.level === "unhealthy") return { tone: "bad", text: "Not working" };
  if (health.action === "login") return { tone: "warn", text: "Sign-in needed" };
  if (health.level === "degraded") return { tone: "warn", text: "Degraded" };
  if (quarantined) return { tone: "wait", text: "Quarantined" };
  if (connecting || !server.connected) return { tone: "info", text: "Connecting" };
  return { tone: "ok", text: "Connected" };
}

export function HealthBadge({ server, standing }: { server: Server; standing?: Standing | undefined }) {
  const { tone, text } = healthOf(server, standing);
  return <Badge tone={tone}>{text}</Badge>;
}

/** One line about a server that needs attention; undefined otherwise. */
export function troubleOf(
  { enabled, quarantined, held, health, last_error }: Server,
  standing?: Standing,
): string | undefined {
  if (!enabled) return undefined;
  const where = quarantined ? "In quarantine. " : "";
  if (isDangerous(standing))
    return `${where}The scan found ${plural(standing.findings, "problem")}; risk ${standing.risk_score} of 100.`;
  if (health.level !== "healthy") return `${where}${sentence(health.detail ?? last_error ?? health.summary)}`;
  if (held) return health.summary;
  return quarantined && health.detail ? sentence(health.detail) : undefined;
}

/** The number of pending decisions about its tools. */
export const waitingOf = ({ quarantine }: Server): number =>
  (quarantine?.pending_count ?? 0) + (quarantine?.changed_count ?? 0);

/** The number of pending decisions about its prompts, resources and resource templates. */
export const waitingItemsOf = ({ quarantine }: Server): number =>
  (quarantine?.items?.pending_count ?? 0) + (quarantine?.items?.changed_count ?? 0);

/** Whether a server needs attention. */
export const needsAttention = (server: Server, standing?: Standing): boolean =>
  server.enabled &&
  (server.quarantined ||
    server.health.level !== "healthy" ||
    waitingOf(server) > 0 ||
    waitingItemsOf(server) > 0 ||
    isDangerous(standing));
