import { useEffect, useState } from "preact/hooks";
import { call, type Data } from "../../api.ts";
import type { Answer } from "../../live.ts";
import type { Server } from "../../parts/health.tsx";

export type Survey = Data<"GET /api/v1/servers/import/survey">;
export type SurveyRow = Survey["servers"][number];

/**
 * The servers of all clients. It is requested again only after a change on this page: events of servers are frequent,
 * and each survey reads the clients' files.
 */
export function useSurvey(): Answer<Survey> & { reload(): Promise<void> } {
  const [data, setData] = useState<Survey>();
  const [error, setError] = useState<Error>();
  const reload = () =>
    call("GET /api/v1/servers/import/survey", {}).then(
      (survey) => {
        setData(survey);
        setError(undefined);
      },
      (failure: Error) => setError(failure),
    );
  useEffect(() => void reload(), []);
  return { data, error, loading: !data && !error, refresh: () => void reload(), reload };
}

/** Whether a new server has listed its tools, or failed to start. */
export const isSettled = ({ enabled, held, tool_count, last_error, connecting, connected, health }: Server): boolean =>
  !enabled ||
  held === true ||
  tool_count > 0 ||
  health.action === "login" ||
  (last_error !== undefined && !connecting && !connected);

/** The clients that have a server, by name. */
export function clientNames({ clients }: Survey, { entries }: SurveyRow): string[] {
  const ids = new Set(entries.map(({ client }) => client));
  return clients.filter(({ client }) => ids.has(client)).map(({ name }) => name);
}
