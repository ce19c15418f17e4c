import type { Data } from "../api.ts";
import { useLive } from "../live.ts";
import { useIsAdmin } from "../session.ts";

/** The scan results of one server. */
export type Standing = Data<"GET /api/v1/security/overview">["by_server"][number];

/** Risk of 100 from which a score is shown as a warning, and as danger. */
const WARN_AT = 45;
const BAD_AT = 70;

export const riskTone = (score: number): "bad" | "warn" | undefined =>
  score >= BAD_AT ? "bad" : score >= WARN_AT ? "warn" : undefined;

/** The scan results of each server, by name. Empty for users other than administrators. */
export function useStandings(): ReadonlyMap<string, Standing> {
  const isAdmin = useIsAdmin();
  const { data } = useLive("GET /api/v1/security/overview", isAdmin ? {} : undefined);
  return new Map(data?.by_server.map((standing) => [standing.server_name, standing]));
}

/** Sorts dangerous servers first, then unhealthy ones, then the others. */
export function dangerFirst<S extends { readonly name: string; readonly health: { readonly level: string } }>(
  servers: readonly S[],
  standings: ReadonlyMap<string, Standing>,
): S[] {
  const rank = ({ name, health }: S) => (isDangerous(standings.get(name)) ? 0 : health.level === "healthy" ? 2 : 1);
  return [...servers].sort((a, b) => rank(a) - rank(b));
}

export const isDangerous = (standing: Standing | undefined): standing is Standing => standing?.status === "dangerous";
