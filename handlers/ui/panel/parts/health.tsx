import type { Data } from "../api.ts";
import { Badge, type Tone } from "./badge.tsx";

/** One server as the list shows it. */
export type Server = Data<"GET /api/v1/servers">["servers"][number];

/** How a server is, in a word or two. */
export function healthOf(server: Server): { tone: Tone; text: string } {
  const { health, enabled, quarantined, connecting } = server;
  if (!enabled) return { tone: "off", text: "Off" };
  if (quarantined) return { tone: "wait", text: "Quarantined" };
  if (health.level === "unhealthy") return { tone: "bad", text: "Not working" };
  if (health.action === "login") return { tone: "warn", text: "Sign-in needed" };
  if (health.level === "degraded") return { tone: "warn", text: "Degraded" };
  if (connecting || !server.connected) return { tone: "info", text: "Connecting" };
  return { tone: "ok", text: "Connected" };
}

export function HealthBadge({ server }: { server: Server }) {
  const { tone, text } = healthOf(server);
  return <Badge tone={tone}>{text}</Badge>;
}

/** How many decisions about its tools wait for a person. */
export const waitingOf = ({ quarantine }: Server): number =>
  (quarantine?.pending_count ?? 0) + (quarantine?.changed_count ?? 0);

/** Whether somebody should look at it. */
export const needsAttention = (server: Server): boolean =>
  server.enabled && (server.quarantined || server.health.level !== "healthy" || waitingOf(server) > 0);
