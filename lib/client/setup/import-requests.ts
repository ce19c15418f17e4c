import type { ClientSurvey } from "../../core/schema/client-survey.ts";

type Row = ClientSurvey["servers"][number];

/** The arguments of `POST /api/v1/servers/import/path`. */
interface ImportRequest {
  query: { preview: "false"; secrets_to_keyring: "true" | "false" };
  body: { path: string; format: string; server_names: string[]; rename?: Record<string, string> };
}

/**
 * The requests that import the chosen servers of a survey, one for each client: a server comes from the first client
 * that has it, and equal entries of other clients need no import.
 */
export function importRequests(
  { clients }: Pick<ClientSurvey, "clients">,
  rows: readonly Row[],
  { keepSecrets }: { keepSecrets: boolean },
): ImportRequest[] {
  return clients.flatMap(({ client, config_path: path }) => {
    const own = rows.flatMap(({ name, configured, entries: [entry] }) =>
      !configured && entry?.client === client ? [{ name, entryName: entry.name }] : [],
    );
    if (own.length === 0) return [];
    const renamed = own.filter(({ name, entryName }) => name !== entryName);
    return [
      {
        query: { preview: "false", secrets_to_keyring: keepSecrets ? "false" : "true" },
        body: {
          path,
          format: client,
          server_names: own.map(({ entryName }) => entryName),
          ...(renamed.length > 0 && {
            rename: Object.fromEntries(renamed.map(({ name, entryName }) => [entryName, name])),
          }),
        },
      },
    ];
  });
}
