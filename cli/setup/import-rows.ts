import { importRequests } from "#lib/client/setup/import-requests.ts";
import type { ClientSurvey } from "#lib/core/schema/client-survey.ts";
import type { Cli } from "../cli.ts";

type Row = ClientSurvey["servers"][number];

/** The result of importing the chosen servers. */
interface Imported {
  /** Names of the servers that the proxy has now, among the chosen ones. */
  names: string[];
  failed: { name: string; error: string }[];
  /** Number of secrets that were moved out of plain text. */
  secretCount: number;
}

/**
 * Imports the chosen servers from the first client that has each; equal entries of other clients need no import. The
 * servers are quarantined.
 */
export async function importRows(
  cli: Cli,
  survey: ClientSurvey,
  rows: readonly Row[],
  options: { keepSecrets: boolean },
): Promise<Imported> {
  const imported: Imported = { names: [], failed: [], secretCount: 0 };
  for (const request of importRequests(survey, rows, options)) {
    const done = await cli.call("POST /api/v1/servers/import/path", request);
    imported.names.push(...done.imported.map(({ name }) => name));
    imported.failed.push(...done.failed);
    imported.secretCount += done.imported.flatMap(({ secrets }) => secrets.filter((one) => one.stored_as)).length;
  }
  return imported;
}
